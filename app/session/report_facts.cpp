#include "app/session/report_facts.h"

#include "app/session/build_id.h"
#include "app/session/comparison_limit.h"
#include "app/session/levers.h"
#include "app/session/native_path.h"
#include "app/session/regress/suite_run.h"
#include "core/explain/counterfactual.h"
#include "core/explain/ranking.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t tooManyBuffers = 100'000; ///< for the search for changes

/// Words that a shell takes as they are, others in quotes.
std::string shellWord(const std::string& text)
{
    const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view("_-./=:,+@%").find(c) != std::string_view::npos;
    });
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

std::string commandOf(const Session& session, const Model& model, const ReportFacts& facts)
{
    const PlanRequest& request = facts.request;
    std::string line = "stowage-cli export " + shellWord(facts.model) + " --as report";
    const auto add = [&](const char* option, const std::string& value) {
        line += fmt::format(" {} {}", option, shellWord(value));
    };
    if (!facts.function.empty()) add("--function", facts.function);
    for (const auto& [name, value] : model.options.bindings) add("--bind", fmt::format("{}={}", name, value));
    for (const auto& [name, value] : model.options.importOptions) add("--import", name + '=' + value);
    if (!request.target.pools.empty()) {
        const auto installed = session.target(request.target.name);
        if (!request.target.name.isEmpty() && installed && installed->pools == request.target.pools) {
            add("--target", request.target.name.toStdString());
        } else {
            for (const Pool& pool : request.target.pools)
                if (pool.capacity) add("--pool", fmt::format("{}={}", pool.name, *pool.capacity));
        }
    }
    if (request.alignment != elementAlignment) add("--alignment", fmt::format("{}", request.alignment));
    for (const auto& [key, value] : request.lowering) add("--lower", key + '=' + value);
    add("--planner", request.planner);
    for (const auto& [key, value] : request.options) add("--option", key + '=' + value);
    if (request.seed != 0) add("--seed", fmt::format("{}", request.seed));
    if (request.workLimit != 0) add("--work-limit", fmt::format("{}", request.workLimit));
    if (request.timeLimitSeconds > 0) add("--time-limit", fmt::format("{:g}", request.timeLimitSeconds));
    return line + " -o report.html";
}

void describeFile(const Model& model, ReportFacts& facts)
{
    facts.model = QFileInfo(model.path).fileName().toStdString();
    if (facts.model.empty() || facts.model == "-") facts.model = model.name.toStdString();
    facts.importer = model.importer.toStdString();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!model.bytes.isEmpty()) {
        hash.addData(model.bytes);
        facts.fileBytes = model.bytes.size();
    } else if (QFile file(model.path); isUtf8Path(model.path) && file.open(QIODevice::ReadOnly) && hash.addData(&file)) {
        facts.fileBytes = file.size();
    } else {
        return;
    }
    facts.sha256 = hash.result().toHex().toStdString();
}

void findChanges(const Session& session, const Model& model, const ReportWish& wish, ReportFacts& facts,
                 const std::stop_token& cancel)
{
    const Run& run = *facts.run;
    if (wish.changes == 0) return;
    if (run.problem().buffers.size() > tooManyBuffers) {
        facts.noChanges = fmt::format("not looked for: the problem has more than {} buffers", tooManyBuffers);
        return;
    }
    if (!run.report.verdict.valid()) {
        facts.noChanges = "not looked for: the plan is not valid";
        return;
    }
    const Levers levers = findLevers(session, model, facts.request, run, cancel);
    for (const Lever& lever : levers.found)
        facts.changes.push_back(
            {describeForCommandLine(lever), lever.size, levers.unchanged - lever.size, lever.equalsBound, true});
    // The memory that lacks most, else the largest one.
    const auto worst = std::max_element(run.report.pools.begin(), run.report.pools.end(), [](const auto& a, const auto& b) {
        return a.excess != b.excess ? a.excess < b.excess : a.size < b.size;
    });
    if (worst == run.report.pools.end() || worst->size == 0) return;
    facts.changesOf = worst->pool;
    CounterfactualLimits limits;
    limits.cancel = cancel;
    const RankedChanges ranked = bestSingleChanges(run.problem(), run.plan, worst->pool, limits);
    for (const Counterfactual& one : ranked.changes) {
        if (facts.changes.size() >= wish.changes) break;
        const BufferId changed = one.change.buffer;
        if (one.size >= ranked.unchanged) continue;
        // The weights of a trained model are what they are.
        if (changed != none && run.problem().buffers[at(changed)].kind == BufferKind::constant) continue;
        facts.changes.push_back(
            {describe(run.problem(), one.change), one.size, ranked.unchanged - one.size, one.smallest, false});
    }
}

} // namespace

Expected<ReportFacts> gatherReport(const Session& session, const Model& model, const ReportWish& wish,
                                   const std::stop_token& cancel)
{
    const auto tell = [&](const std::string& what) {
        if (wish.progress) wish.progress(what);
    };
    ReportFacts facts;
    describeFile(model, facts);
    facts.request = wish.request;
    if (Session::functions(model).size() > 1) facts.function = wish.request.function;
    facts.run = wish.run;
    if (!facts.run) {
        tell("planner " + facts.request.planner);
        auto run = session.planNow(model, facts.request, cancel);
        if (!run) return std::move(run).error();
        facts.run = *std::move(run);
    }
    facts.planners = wish.planned;
    const auto known = [&](const std::string& name) {
        return std::ranges::any_of(facts.planners, [&](const ReportPlanner& one) { return one.name == name; });
    };
    if (!known(facts.request.planner)) facts.planners.push_back({facts.request.planner, facts.run, {}});
    for (const auto& [name, options] : wish.planners) {
        if (cancel.stop_requested()) break;
        if (known(name)) continue;
        PlanRequest request = facts.request;
        request.planner = name.substr(0, name.find(':'));
        request.options = options;
        tell("planner " + name);
        auto run = session.planNow(model, limitedForComparison(session, model, std::move(request)), cancel);
        facts.planners.push_back({name, run ? *run : nullptr, run ? std::string() : run.error().message});
    }
    std::stable_sort(facts.planners.begin(), facts.planners.end(), [](const ReportPlanner& a, const ReportPlanner& b) {
        if (!a.run || !b.run) return a.run && !b.run;
        return ranksBefore(*a.run, *b.run);
    });
    tell("changes");
    findChanges(session, model, wish, facts, cancel);
    facts.revision = revisionOf(*facts.run, facts.model);
    if (wish.baseline) {
        facts.baseline = wish.baseline;
        facts.difference = difference(*wish.baseline, facts.revision);
    }
    facts.fingerprint = planFingerprint(*facts.run);
    facts.version = programVersion();
    facts.build = buildId();
    facts.command = commandOf(session, model, facts);
    return facts;
}

} // namespace stowage
