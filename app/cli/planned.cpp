#include "app/cli/planned.h"

#include "app/cli/progress.h"
#include "app/cli/text.h"
#include "core/explain/displaced.h"
#include "core/explain/pipe_run.h"
#include "core/plan/traffic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace stowage::cli {

namespace {

/// Some buffer could have gone to another memory.
bool choosesPools(const Run& run)
{
    const Problem& problem = run.problem();
    return std::any_of(problem.buffers.begin(), problem.buffers.end(),
                       [&](const Buffer& buffer) { return problem.candidates(buffer).size() > 1; });
}

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

std::string stoppedWords(StoppedBy stopped)
{
    switch (stopped) {
    case StoppedBy::workLimit: return "stopped by the work limit";
    case StoppedBy::deadline: return "stopped by the time limit";
    case StoppedBy::cancelled: return "interrupted";
    case StoppedBy::complete: break;
    }
    return {};
}

/// "dtcm needs 20,000 B, 3,616 B more than its capacity; …"
std::string overflows(const Run& run)
{
    std::string text;
    for (const PoolReport& pool : run.report.pools)
        if (pool.excess > 0)
            text += fmt::format("{}{} needs {} B, {} B more than its capacity", text.empty() ? "" : "; ",
                                run.problem().pools[static_cast<std::size_t>(pool.pool)].name, grouped(pool.size),
                                grouped(pool.excess));
    return text;
}

} // namespace

std::vector<FunctionRun> planFunctions(const Environment& environment, const Model& model, const PlanningOptions& options)
{
    std::vector<FunctionRun> runs;
    for (const std::string& function : Session::functions(model)) {
        auto request = options.request(environment, model, function);
        if (!request) {
            environment.fail(request.error());
            return {};
        }
        if (request->planner == "hivm") request->record = true; // levels are told by the steps
        Progress progress(function.empty() ? options.planner() : fmt::format("{} {}", options.planner(), function),
                          options.timeLimit());
        const auto run = environment.session.planNow(
            model, *request, environment.interrupt,
            [&progress](const std::shared_ptr<const Run>& better, const Incumbent& incumbent) {
                const Report& report = better->report;
                progress.improved(report.totalSize(), std::max(incumbent.bound, report.totalBound()), incumbent.work);
            });
        if (!run) {
            environment.fail(run.error());
            return {};
        }
        runs.push_back({function, *run});
    }
    for (const FunctionRun& planned : runs) {
        environment.say(planned.run->lowering->diagnostics);
        environment.say(planned.run->plan.diagnostics);
    }
    return runs;
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

bool satisfied(const Run& run)
{
    return run.report.status == Status::optimal || run.report.status == Status::feasible;
}

int exitStatusOf(const Run& run)
{
    if (satisfied(run)) return done;
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

std::string verdictWord(const Run& run)
{
    switch (run.report.status) {
    case Status::optimal: return "optimal";
    case Status::feasible: return "valid";
    case Status::doesNotFit: return "does not fit";
    case Status::infeasible: return "infeasible";
    case Status::undecided: return "undecided";
    case Status::invalid: break;
    }
    return "not valid";
}

std::string verdictSentence(const Run& run)
{
    const Report& report = run.report;
    const std::string stopped = stoppedWords(run.plan.stoppedBy);
    const std::string behind = stopped.empty() ? "." : fmt::format(" ({}).", stopped);
    switch (report.status) {
    case Status::optimal: {
        if (report.proof == ProofKind::search)
            return fmt::format("Optimal: a search that ended found nothing smaller{}",
                               report.provedBy.empty() ? "." : fmt::format(" ({}).", report.provedBy));
        const auto used =
            std::count_if(report.pools.begin(), report.pools.end(), [](const PoolReport& pool) { return pool.size > 0; });
        if (used > 1) {
            // The bound of one of them would prove nothing about the others.
            const CliqueCertificate all = lowerBound(run.problem(), none);
            if (all.bytes < report.totalSize()) return "Optimal: no memory can be smaller, as each equals its lower bound.";
            if (all.step < 0) return "Optimal: the memories together equal their lower bound.";
            return fmt::format("Optimal: no plan is smaller in total, as {} {} live at step {}.",
                               counted(static_cast<std::int64_t>(all.buffers.size()), "buffer"),
                               all.buffers.size() == 1 ? "is" : "are", all.step);
        }
        for (const PoolReport& pool : report.pools)
            if (pool.size > 0 && pool.certificate.step >= 0)
                return fmt::format("Optimal: no plan is smaller, as {} {} live at step {}.",
                                   counted(static_cast<std::int64_t>(pool.certificate.buffers.size()), "buffer"),
                                   pool.certificate.buffers.size() == 1 ? "is" : "are", pool.certificate.step);
        return "Optimal: the size equals the lower bound.";
    }
    case Status::feasible: {
        const double gap = totalGap(report);
        if (gap == 0 && choosesPools(run))
            return "Valid: each memory is as small as what lies in it allows; that no other choice of memories takes less in "
                   "total is not proved" +
                   behind;
        if (gap == 0) return "Valid" + behind;
        return fmt::format("Valid, {} above the lower bound{}", percent(gap), behind);
    }
    case Status::doesNotFit: return fmt::format("Does not fit: {}{}", overflows(run), behind);
    case Status::infeasible:
        return fmt::format("Infeasible: it is proved that no plan fits{}",
                           report.provedBy.empty() ? "." : fmt::format(" ({}).", report.provedBy));
    case Status::undecided: {
        const std::string needs = overflows(run);
        return fmt::format("Undecided: {}{}", needs.empty() ? "no plan was found that fits" : needs, behind);
    }
    case Status::invalid: break;
    }
    if (report.verdict.violations.empty()) return "Not valid.";
    return fmt::format("Not valid: {}.", describe(run.problem(), report.verdict.violations.front()));
}

double totalGap(const Report& report)
{
    const Bytes bound = report.totalBound();
    return bound > 0 ? static_cast<double>(report.totalSize() - bound) / static_cast<double>(bound) : 0;
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
        text += fmt::format("{}: {} of {} B did not get in", problem.pools[static_cast<std::size_t>(pool.pool)].name,
                            counted(static_cast<std::int64_t>(pool.displaced.size()), "buffer"), grouped(pool.bytes));
        const Displaced& first = pool.displaced.front();
        if (!first.more)
            text += fmt::format(", among them {} ({} B)", nameOf(first.buffer), grouped(sizeOf(first.buffer)));
        else if (*first.more == 0)
            text += fmt::format("; {} ({} B) would fit as it is", nameOf(first.buffer), grouped(sizeOf(first.buffer)));
        else
            text += fmt::format("; {} B more would take {} ({} B)", grouped(*first.more), nameOf(first.buffer),
                                grouped(sizeOf(first.buffer)));
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
    // A wait of one pipe delays the kernel only where no other pipe is busy meanwhile.
    const std::int64_t lost = report.time - report.timeWithoutReuse;
    const std::string waits = report.stall() == 0
                                  ? std::string("; no pipe stands still because of it")
                                  : fmt::format("; pipes stand still for {} because of it{}", grouped(report.stall()),
                                                lost <= 0 ? ", while others work that the kernel waits for anyway" : "");
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
                 {"stall", "pipes stand still", CellKind::number}},
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

Table placementTable(const Run& run, const std::string& function)
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
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });

    table.rows.reserve(order.size());
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
        line += ", no time axis"; // conflicts alone say what may not share
    else
        line += ", " + counted(problem.horizon(), "step");
    if (!lowering.fingerprint.empty()) line += " · " + lowering.fingerprint;
    return line;
}

} // namespace stowage::cli
