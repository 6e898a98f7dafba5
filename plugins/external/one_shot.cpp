#include "plugins/external/one_shot.h"

#include "core/io/text.h"
#include "core/ir/checked.h"
#include "plugins/external/answer.h"
#include "plugins/external/command_line.h"
#include "plugins/external/dsa.h"
#include "plugins/external/guarded_process.h"
#include "plugins/external/placements_json.h"

#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stowage::external {

namespace {

using namespace std::chrono_literals;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds graceOfCancel = 60ms;
constexpr Milliseconds graceOfDeadline = 500ms; ///< after the deadline that the program was told

std::optional<Milliseconds> timeLeft(const PlanContext& context)
{
    if (!context.deadline) return std::nullopt;
    const auto left = std::chrono::ceil<Milliseconds>(*context.deadline - std::chrono::steady_clock::now());
    return std::max(left, Milliseconds(1));
}

/// Runs until it ends. What it said, or why it has no answer.
Expected<std::string> runToEnd(const std::vector<std::string>& words, const QString& folder, const ProcessLimits& limits,
                               std::string_view input, const std::stop_token& cancel)
{
    GuardedProcess process(words, folder, limits);
    if (auto error = process.start()) return std::move(*error);
    process.write(input);
    process.closeInput();
    std::string output;
    do {
        if (auto error = process.pump(tick, output)) return std::move(*error);
        if (cancel.stop_requested()) {
            process.end(graceOfCancel);
            return runFailed(RunFailure::cancelled, "it was cancelled");
        }
    } while (process.running());
    if (auto error = process.pump(1ms, output)) return std::move(*error); // what was still in the pipe
    if (auto error = process.verdict()) return std::move(*error);
    return output;
}

PlaceholderValues valuesOf(const Manifest& manifest, const Problem& problem, const OptionValues& options,
                           const PlanContext& context)
{
    PlaceholderValues values{
        {"dir", manifest.folder}, {"seed", std::to_string(context.seed)}, {"threads", std::to_string(context.threads)}};
    Bytes alignment = 1;
    Bytes capacity = 0;
    bool bounded = !problem.pools.empty();
    for (const Pool& pool : problem.pools) {
        alignment = std::max(alignment, pool.alignment);
        bounded &= pool.capacity.has_value();
        capacity = std::min(maxBytes, capacity + pool.capacity.value_or(0));
    }
    values.emplace_back("alignment", std::to_string(alignment));
    if (bounded) values.emplace_back("capacity", std::to_string(capacity));
    if (const auto left = timeLeft(context))
        values.emplace_back("time_limit_s", fmt::format("{:g}", double(left->count()) / 1000));
    PlannerInfo info;
    info.options = manifest.options;
    for (const OptionSpec& spec : manifest.options) {
        const bool flag = spec.type == OptionType::boolean;
        values.emplace_back("option:" + spec.name, flag ? (optionFlag(info, options, spec.name) ? "true" : "false")
                                                        : std::string(optionValue(info, options, spec.name)));
    }
    return values;
}

PipeReuse reuseOf(const OptionValues& options)
{
    for (auto option = options.rbegin(); option != options.rend(); ++option)
        if (option->first == "pipe-aware")
            return option->second == "forbid"   ? PipeReuse::forbid
                   : option->second == "ignore" ? PipeReuse::ignore
                                                : PipeReuse::price;
    return PipeReuse::price;
}

/// What the pairs with a price that share bytes cost.
void tellPrice(const Problem& problem, const DsaProblem& asked, Plan& plan)
{
    if (asked.pairs.empty()) return;
    const auto sharing = sharingPairs(problem, plan, asked.pairs);
    Bytes price = 0;
    for (const PipePair& pair : sharing) price = std::min(maxBytes, price + pair.price);
    plan.diagnostics.push_back({Severity::note,
                                Code::pipeAware,
                                fmt::format("{} of {} pairs with a price share bytes; their price is {} bytes", sharing.size(),
                                            asked.pairs.size(), price),
                                {},
                                {}});
}

} // namespace

Expected<std::string> writtenFile(const QString& path, Bytes limit)
{
    // A FIFO would be waited for, and a link to a device has no end.
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return runFailed(RunFailure::exitedEarly, "it ended without writing its output file");
    if (file.size() > limit)
        return runFailed(RunFailure::tooMuchOutput,
                         fmt::format("its output file has {} bytes, more than the {} allowed", file.size(), limit),
                         "raise output_mb in the manifest if the answer is really that large");
    return file.read(limit).toStdString();
}

Expected<Plan> planOnce(const Manifest& manifest, const Problem& problem, const OptionValues& options, const PlanContext& context)
{
    const QTemporaryDir folder;
    if (!folder.isValid())
        return failure(Code::cannotWrite, "there is no temporary folder: " + folder.errorString().toStdString(), {},
                       "set TMPDIR");

    std::string input;
    DsaProblem dsa;
    if (manifest.transport == Transport::csvOneshot) {
        auto table = io::writeProblemCsv(problem, nullptr);
        if (!table) return std::move(table).error();
        input = *std::move(table);
    } else if (manifest.transport == Transport::dsaOneshot) {
        dsa = writeDsaProblem(problem, reuseOf(options));
        input = dsa.text;
    } else {
        input = io::writeProblemJson(problem);
    }

    PlaceholderValues values = valuesOf(manifest, problem, options, context);
    const QString suffix = manifest.transport == Transport::csvOneshot ? QStringLiteral("csv") : QStringLiteral("json");
    const QString inFile = folder.filePath(QStringLiteral("problem.") + suffix);
    const QString outFile = folder.filePath(QStringLiteral("plan.") + suffix);
    if (uses(manifest, "in")) {
        QFile file(inFile);
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(input.data(), static_cast<qint64>(input.size())) != static_cast<qint64>(input.size()))
            return failure(Code::cannotWrite, "the problem cannot be written: " + file.errorString().toStdString(), {},
                           "free some space, or set TMPDIR");
        values.emplace_back("in", inFile.toStdString());
        input.clear();
    }
    values.emplace_back("out", outFile.toStdString());

    ProcessLimits limits = limitsOf(manifest);
    if (const auto left = timeLeft(context); left && *left + graceOfDeadline < limits.time) {
        limits.time = *left + graceOfDeadline;
        limits.remedies.time = "give it more time with --time-limit";
    }
    auto said = runToEnd(commandLine(manifest, values), folder.path(), limits, input, context.cancel);
    if (!said && uses(manifest, "out") && QFileInfo(outFile).size() >= manifest.output)
        said = writtenFile(outFile, manifest.output - 1); // a program that is told that its file is full ends as it likes
    if (!said) return std::move(said).error();
    if (uses(manifest, "out")) {
        said = writtenFile(outFile, manifest.output);
        if (!said) return std::move(said).error();
    }
    if (manifest.transport == Transport::csvOneshot) return readCsvAnswer(*said, problem);
    if (manifest.transport == Transport::jsonOneshot) return readJsonAnswer(*said, problem);
    auto plan = readDsaSolution(*said, problem, dsa);
    if (plan) tellPrice(problem, dsa, *plan);
    return plan;
}

Expected<ProgramOutput> runProgram(const Manifest& manifest, const std::vector<std::pair<std::string, std::string>>& values,
                                   const std::stop_token& cancel)
{
    const QTemporaryDir folder;
    PlaceholderValues all = values;
    all.emplace_back("dir", manifest.folder);
    auto said = runToEnd(commandLine(manifest, all), folder.path(), limitsOf(manifest), {}, cancel);
    if (!said) return std::move(said).error();
    return ProgramOutput{*std::move(said)};
}

} // namespace stowage::external
