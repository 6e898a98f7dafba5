#include "app/cli/planned.h"

#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/session/number_words.h"
#include "app/session/verdicts.h"
#include "core/explain/displaced.h"
#include "core/explain/pipe_run.h"
#include "core/ir/shown_text.h"
#include "core/plan/run_failure.h"
#include "core/plan/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace stowage::cli {

namespace {

std::string_view words(BufferKind kind)
{
    constexpr std::array<std::string_view, 5> names{"intermediate", "input", "output", "constant", "variable"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view words(PoolKind kind)
{
    constexpr std::array<std::string_view, 3> names{"workspace", "constant", "persistent"};
    return names[static_cast<std::size_t>(kind)];
}

} // namespace

std::vector<FunctionRun> planFunctions(const Environment& environment, const Model& model, const PlanningOptions& options,
                                       std::optional<Error>* failedRun)
{
    std::vector<FunctionRun> runs;
    for (const std::string& function : Session::functions(model)) {
        auto request = options.request(environment, model, function);
        if (!request) {
            environment.fail(request.error());
            return {};
        }
        const auto run =
            planWithProgress(environment, model, *request,
                             function.empty() ? options.planner() : fmt::format("{} {}", options.planner(), function));
        if (!run) {
            environment.fail(run.error());
            if (failedRun && runFailureOf(run.error())) *failedRun = run.error();
            return {};
        }
        runs.push_back({function, *run});
    }
    for (const FunctionRun& planned : runs) {
        environment.say(planned.run->lowering->diagnostics);
        environment.say(options.worthTelling(planned.run->plan.diagnostics));
    }
    return runs;
}

Expected<std::shared_ptr<const Run>> planWithProgress(const Environment& environment, const Model& model,
                                                      const PlanRequest& request, const std::string& what)
{
    Progress progress(what, request.timeLimitSeconds);
    return environment.session.planNow(
        model, request, environment.interrupt, [&progress](const std::shared_ptr<const Run>& better, const Incumbent& incumbent) {
            const Report& report = better->report;
            if (report.status == Status::undecided) return; // a part of a plan
            progress.improved(report.totalSize(), std::max(incumbent.bound, report.totalBound()), incumbent.work);
        });
}

int failPlanning(const Environment& environment, const Error& error)
{
    environment.fail(error);
    return runFailureOf(error) ? answerIsNo : badInput;
}

std::string producerName(const Run& run, BufferId buffer)
{
    const auto index = static_cast<std::size_t>(buffer);
    if (!run.program || index >= run.lowering->origins.size()) return {};
    const BufferOrigin& origin = run.lowering->origins[index];
    if (origin.function == none || origin.producer == none) return {};
    const Function& function = run.program->functions[static_cast<std::size_t>(origin.function)];
    return function.ops[static_cast<std::size_t>(origin.producer)].name;
}

int exitStatusOf(const Run& run)
{
    if (isYes(verdictKind(run))) return done;
    return run.report.status == Status::undecided ? undecided : answerIsNo;
}

int exitStatusOf(const std::vector<FunctionRun>& runs)
{
    int worst = done;
    for (const FunctionRun& planned : runs) {
        const int status = exitStatusOf(*planned.run);
        if (status == answerIsNo || worst == done) worst = status;
    }
    return worst;
}

Tone toneOf(VerdictKind kind)
{
    if (isOpen(kind)) return Tone::open; // first: a partial plan is a "yes", too
    return isYes(kind) ? Tone::good : Tone::bad;
}

std::string verdictText(const Run& run, const OutputOptions& output)
{
    std::string text = toned(verdictLine(run), toneOf(verdictKind(run)), output) + "\n";
    if (const std::string reason = verdictReason(run); !reason.empty()) text += reason + "\n";
    return text;
}

std::string verdictOfAll(const std::vector<FunctionRun>& runs, const OutputOptions& output)
{
    const auto count = static_cast<std::int64_t>(runs.size());
    const auto failed = std::ranges::find_if(runs, [](const FunctionRun& one) { return exitStatusOf(*one.run) == answerIsNo; });
    const auto open = std::ranges::find_if(runs, [](const FunctionRun& one) { return !isYes(verdictKind(*one.run)); });
    const auto partial =
        std::ranges::find_if(runs, [](const FunctionRun& one) { return verdictKind(*one.run) == VerdictKind::partial; });
    const FunctionRun& worst = *(failed != runs.end()    ? failed
                                 : open != runs.end()    ? open
                                 : partial != runs.end() ? partial
                                                         : runs.begin());
    const bool yes = open == runs.end();
    const VerdictKind kind = verdictKind(*worst.run);
    std::string line;
    if (yes && kind != VerdictKind::partial) {
        const bool fits = std::ranges::any_of(runs, [](const FunctionRun& one) { return usesCapacity(one.run->report); });
        line =
            fmt::format("{}: all of {}", verdictWord(fits ? VerdictKind::fits : VerdictKind::valid), counted(count, "function"));
    } else {
        line = fmt::format("{} (function {}, of {})", verdictLine(*worst.run), shownName(worst.function), count);
    }
    return toned(line, toneOf(kind), output) + "\n";
}

Table poolTable(const Run& run)
{
    Table table{{{"pool", "pool", CellKind::text},
                 {"kind", "kind", CellKind::text},
                 {"buffers", "buffers", CellKind::number},
                 {"size", "size (B)", CellKind::number},
                 {"lower_bound", "lower bound (B)", CellKind::number},
                 {"gap", "gap", CellKind::ratio},
                 {"capacity", "capacity (B)", CellKind::number},
                 {"free", "left (B)", CellKind::number},
                 {"padding", "padding (B)", CellKind::number},
                 {"peak_step", "peak step", CellKind::number},
                 {"traffic_ms", "traffic (ms)", CellKind::milliseconds}},
                {}};
    const auto traffic = transferTimes(run.problem(), run.plan);
    const auto& pools = run.problem().pools;
    for (const PoolReport& report : run.report.pools) {
        const Pool& pool = pools[static_cast<std::size_t>(report.pool)];
        const auto unless = [](bool absent, std::int64_t value) { return absent ? Cell{} : Cell{value}; };
        table.rows.push_back({pool.name, pools.size() > 1 ? Cell{std::string(words(pool.kind))} : Cell{},
                              static_cast<std::int64_t>(report.buffers), report.size, report.lowerBound,
                              report.lowerBound > 0 ? Cell{report.gap()} : Cell{}, pool.capacity ? Cell{*pool.capacity} : Cell{},
                              pool.capacity ? Cell{*pool.capacity - report.size} : Cell{},
                              unless(report.padding == 0, report.padding), unless(report.peakStep < 0, report.peakStep),
                              traffic[static_cast<std::size_t>(report.pool)]
                                  ? Cell{*traffic[static_cast<std::size_t>(report.pool)] / 1e6}
                                  : Cell{}});
    }
    return table;
}

std::string displacementLines(const Run& run)
{
    const Problem& problem = run.problem();
    std::string text;
    for (const PoolDisplacement& pool : displacements(problem, run.plan)) {
        const auto nameOf = [&](BufferId b) { return problem.buffers[static_cast<std::size_t>(b)].name; };
        const auto sizeOf = [&](BufferId b) { return problem.buffers[static_cast<std::size_t>(b)].size; };
        const Displaced& first = pool.displaced.front();
        // A planner that minimises something else may have left out what has room, or may have room.
        text += fmt::format("{}: {} of {} B {}", problem.pools[static_cast<std::size_t>(pool.pool)].name,
                            counted(static_cast<std::int64_t>(pool.displaced.size()), "buffer"), grouped(pool.bytes),
                            first.exact && first.more != 0 ? "did not fit" : "went elsewhere");
        if (!first.more)
            text += fmt::format(", among them {} ({} B)", nameOf(first.buffer), grouped(sizeOf(first.buffer)));
        else if (*first.more == 0)
            text += fmt::format("; {} ({} B) would fit as it is", nameOf(first.buffer), grouped(sizeOf(first.buffer)));
        else
            text += fmt::format("; {}{} B more would take {} ({} B)", first.exact ? "" : "at most ", grouped(*first.more),
                                nameOf(first.buffer), grouped(sizeOf(first.buffer)));
        if (first.saved && *first.saved > 0) text += fmt::format(" and save {:.3g} µs", *first.saved / 1e3);
        text += "\n";
    }
    return text;
}

std::string pipeLines(const Run& run)
{
    const auto analysis = analysePipes(run);
    if (!analysis) return {};
    const PipeReport& report = analysis->report;
    if (report.edges.empty()) return "Pipes: no buffer takes over another one's bytes.\n";
    std::string text =
        fmt::format("Pipes: buffers take over bytes in {}: {} on one pipe, {} across pipes, {} {} a double buffer.\n",
                    counted(static_cast<std::int64_t>(report.edges.size()), "pair"), report.count(ReuseKind::samePipe),
                    report.count(ReuseKind::crossPipe), report.count(ReuseKind::breaksDoubleBuffer),
                    report.count(ReuseKind::breaksDoubleBuffer) == 1 ? "breaks" : "break");
    // A wait of one pipe delays the kernel only if no other pipe is busy meanwhile.
    const std::int64_t lost = report.time - report.timeWithoutReuse;
    const std::string waits = report.stall() == 0
                                  ? std::string("; no pipe stalls because of it")
                                  : fmt::format("; pipes stall for {} because of it{}", grouped(report.stall()),
                                                lost <= 0 ? ", while the kernel waits for other pipes anyway" : "");
    const bool timed = analysis->model.unit == CostUnit::nanoseconds;
    text += fmt::format("Estimated over {} of each loop{}: {} {}, {} more than without reuse{}.\n",
                        counted(analysis->iterations, "iteration"), report.truncated ? ", cut short" : "", grouped(report.time),
                        timed ? "ns" : "units of a byte moved", percent(report.slowdown()), waits);
    return text;
}

Table reuseTable(const Run& run, const std::vector<std::string>& buffers)
{
    Table table{{{"kind", "reuse", CellKind::text},
                 {"from", "held before by", CellKind::text},
                 {"to", "taken over by", CellKind::text},
                 {"pipes", "pipes", CellKind::text},
                 {"distance", "iterations apart", CellKind::number},
                 {"bytes", "bytes", CellKind::number},
                 {"stall", "stall", CellKind::number}},
                {}};
    const auto analysis = analysePipes(run);
    if (!analysis) return table;
    const auto names = [&](const std::vector<std::int32_t>& pipes) {
        std::string text;
        for (const std::int32_t pipe : pipes)
            text += (text.empty() ? "" : "+") + analysis->model.pipes[static_cast<std::size_t>(pipe)];
        return text;
    };
    for (const ReuseEdge& edge : analysis->report.edges) {
        const std::string& from = run.problem().buffers[static_cast<std::size_t>(edge.from)].name;
        const std::string& to = run.problem().buffers[static_cast<std::size_t>(edge.to)].name;
        const auto wanted = [&](const std::string& name) { return name == from || name == to; };
        if (buffers.empty() ? edge.kind == ReuseKind::samePipe : std::none_of(buffers.begin(), buffers.end(), wanted)) continue;
        table.rows.push_back({std::string(toText(edge.kind)), from, to, names(edge.fromPipes) + " then " + names(edge.toPipes),
                              edge.distance, edge.bytes, edge.stall > 0 ? Cell{edge.stall} : Cell{}});
    }
    return table;
}

Table placementTable(const Run& run, const std::string& function, std::size_t most)
{
    const Problem& problem = run.problem();
    Table table{{{"function", "function", CellKind::text},
                 {"pool", "pool", CellKind::text},
                 {"offset", "offset", CellKind::address},
                 {"size", "size (B)", CellKind::number},
                 {"begin", "from step", CellKind::number},
                 {"end", "to step", CellKind::number},
                 {"kind", "kind", CellKind::text},
                 {"buffer", "buffer", CellKind::text},
                 {"producer", "made by", CellKind::text},
                 {"level", "placed at", CellKind::text},
                 {"slots", "and at", CellKind::text}},
                {}};
    const std::optional<ReuseLevels> levels = reuseLevels(run);
    // The further addresses of a rotating buffer.
    const auto further = [](const Placement& placement) {
        std::string text;
        for (std::size_t i = 1; i < placement.offsets.size(); ++i)
            text += fmt::format("{}0x{:x}", i == 1 ? "" : " ", placement.offsets[i]);
        return text;
    };
    std::vector<std::size_t> order(problem.buffers.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::size_t i) {
        const Placement& placement = run.plan.placements[i];
        return std::tuple(placement.pool, placement.offset, problem.buffers[i].hull().begin, i);
    };
    const std::size_t shown = std::min(most, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                      [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    order.resize(shown);

    table.rows.reserve(shown);
    for (const std::size_t i : order) {
        const Buffer& buffer = problem.buffers[i];
        const Placement& placement = run.plan.placements[i];
        const Interval hull = buffer.hull();
        table.rows.push_back(
            {function,
             placement.placed() ? Cell{problem.pools[static_cast<std::size_t>(placement.pool)].name}
                                : Cell{std::string("not placed")},
             placement.placed() ? Cell{placement.offset} : Cell{}, buffer.size, hull.empty() ? Cell{} : Cell{hull.begin},
             hull.empty() ? Cell{} : Cell{hull.end}, std::string(words(buffer.kind)), buffer.name,
             producerName(run, static_cast<BufferId>(i)),
             levels && levels->levels[i] ? Cell{std::string(shortName(*levels->levels[i]))} : Cell{},
             placement.offsets.size() > 1 && run.problem().axis == Axis::hivm ? Cell{further(placement)} : Cell{}});
    }
    return table;
}

std::string problemLine(const Lowering& lowering)
{
    const Problem& problem = lowering.problem;
    std::string line = counted(static_cast<std::int64_t>(problem.buffers.size()), "buffer");
    if (problem.axis == Axis::dag)
        line += ", no order of ops";
    else if (problem.horizon() == 0)
        line += ", no time axis"; // only conflicts determine what may share
    else
        line += ", " + counted(problem.horizon(), "step");
    line += " · " + lowering.fingerprint.text();
    return line;
}

} // namespace stowage::cli
