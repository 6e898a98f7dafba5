#include "app/session/regress/kept_plans.h"

#include "app/session/native_path.h"
#include "app/session/regress/row_request.h"
#include "core/io/input_file.h"
#include "core/io/output_file.h"
#include "core/io/text.h"

#include <QCryptographicHash>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace stowage {

namespace {

constexpr std::size_t nameLength = 16;
constexpr std::string_view problemSuffix = ".problem.json";
constexpr std::string_view planSuffix = ".plan.json";

bool isKeptName(std::string_view text)
{
    return text.size() == nameLength && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

struct KeptTexts {
    std::string name;
    std::string problem;
    std::string plan;
};

/// Of equal results always the same bytes: times are left out.
KeptTexts textsOf(const Run& run)
{
    KeptTexts texts;
    texts.problem = io::writeProblemJson(run.problem());
    if (static_cast<Bytes>(texts.problem.size()) > maxKeptProblem) return texts;
    Run timeless = run;
    timeless.elapsedMs = 0;
    texts.plan = io::writePlanJson(timeless);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const std::string* text : {&texts.problem, &texts.plan})
        hash.addData(QByteArrayView(text->data(), static_cast<qsizetype>(text->size())));
    texts.name = hash.result().toHex().left(nameLength).toStdString();
    return texts;
}

} // namespace

std::string keptFolder(const Suite& suite)
{
    return suite.folder + suite.name + ".plans/";
}

std::string keptProblemPath(const Suite& suite, const std::string& kept)
{
    return fmt::format("{}{}{}", keptFolder(suite), kept, problemSuffix);
}

std::string keptPlanPath(const Suite& suite, const std::string& kept)
{
    return fmt::format("{}{}{}", keptFolder(suite), kept, planSuffix);
}

std::string keptName(const Run& run)
{
    return textsOf(run).name;
}

Expected<std::string> keepPlan(const Suite& suite, const Run& run)
{
    const KeptTexts texts = textsOf(run);
    if (texts.name.empty()) return std::string();
    const std::string folder = keptFolder(suite);
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed)
        return failure(Code::cannotWrite, "the folder of kept plans cannot be made", {folder, 0, 0, -1},
                       "check that you may write there, or leave plans out with --no-plans");
    const std::string problem = keptProblemPath(suite, texts.name);
    const std::string plan = keptPlanPath(suite, texts.name);
    for (const auto& [path, text] : {std::pair(problem, &texts.problem), std::pair(plan, &texts.plan)}) {
        if (auto error = refuseFifo(path)) return *std::move(error);
        const auto there = io::readFile(path, {16 * maxKeptProblem, maxKeptProblem});
        if (there && *there == *text) continue;
        if (auto error = io::writeFile(path, *text)) return *std::move(error); // new, or damaged
    }
    return texts.name;
}

Expected<std::shared_ptr<const Run>> keptRun(const Session& session, const Suite& suite, const std::string& kept)
{
    // A baseline comes from anywhere: it names no path.
    if (!isKeptName(kept))
        return failure(Code::badValue, "the baseline names a kept plan by something else than 16 hexadecimal digits",
                       {suite.folder + suite.name + ".baseline.json", 0, 0, -1}, "write the row again with --update --row");
    const std::string path = keptPlanPath(suite, kept);
    for (const std::string& file : {keptProblemPath(suite, kept), path})
        if (auto error = refuseFifo(file)) return *std::move(error);
    const auto model = session.read(pathFromNative(keptProblemPath(suite, kept)));
    if (!model) return model.error();
    PlanRequest request;
    request.planner.clear();
    request.alignment = 1;
    const auto lowered = session.lowerNow(*model, request);
    if (!lowered) return lowered.error();
    const auto text = io::readFile(path, {16 * maxKeptProblem, maxKeptProblem});
    if (!text) return text.error();
    auto read = io::readPlan(*text, path, (*lowered)->problem, {}, (*lowered)->options.alignment);
    if (!read) return std::move(read).error();
    auto run = std::make_shared<Run>();
    run->lowering = *lowered;
    run->plan = std::move(read->value);
    run->mismatches = std::move(read->mismatches);
    run->report = evaluate(*run);
    return std::shared_ptr<const Run>(std::move(run));
}

void dropUnnamedPlans(const Suite& suite, const Baseline& baseline)
{
    std::set<std::string> named;
    for (const BaselineRow& row : baseline.rows) named.insert(row.figures.kept);
    std::error_code error; // plans that cannot be listed or removed do no harm
    std::vector<std::filesystem::path> unnamed;
    for (std::filesystem::directory_iterator it(keptFolder(suite), error), end; !error && it != end; it.increment(error)) {
        const std::string name = it->path().filename().native();
        const std::string_view rest = std::string_view(name).substr(std::min(nameLength, name.size()));
        if (rest != problemSuffix && rest != planSuffix) continue;
        const std::string kept = name.substr(0, nameLength);
        if (isKeptName(kept) && !named.contains(kept)) unnamed.push_back(it->path());
    }
    for (const auto& path : unnamed) std::filesystem::remove(path, error);
}

} // namespace stowage
