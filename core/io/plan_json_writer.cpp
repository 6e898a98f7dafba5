// Writes `stowage.plan/1`.
#include "core/explain/displaced.h"
#include "core/explain/pipe_run.h"
#include "core/io/json_writer.h"
#include "core/io/loop_names.h"
#include "core/io/plan_names.h"
#include "core/io/plan_tensors.h"
#include "core/io/text.h"
#include "core/ir/checked.h"
#include "core/plan/traffic.h"

#include <algorithm>

namespace stowage::io {

namespace {

void writeWhere(JsonWriter& out, const Position& where)
{
    if (!where.known()) return;
    out.object("where", JsonWriter::compact, [&] {
        if (!where.file.empty()) out.field("file", where.file);
        if (where.line > 0) out.field("line", where.line);
        if (where.column > 0) out.field("column", where.column);
        if (where.byte >= 0) out.field("byte", where.byte);
    });
}

void writeDiagnostic(JsonWriter& out, const Diagnostic& diagnostic)
{
    out.object(JsonWriter::compact, [&] {
        out.field("severity", toText(diagnostic.severity));
        out.field("code", codeText(diagnostic));
        out.field("message", diagnostic.message);
        writeWhere(out, diagnostic.where);
        if (!diagnostic.remedy.empty()) out.field("remedy", diagnostic.remedy);
    });
}

/// Writes the diagnostics of the planner and the violations of the checker.
void writeDiagnostics(JsonWriter& out, const Run& run)
{
    const Diagnostics& told = run.plan.diagnostics;
    const bool overflowTold = std::any_of(told.begin(), told.end(), [](const Diagnostic& d) { return d.code == Code::overflow; });
    out.array("diagnostics", [&] {
        for (const Diagnostic& diagnostic : told) writeDiagnostic(out, diagnostic);
        for (const Violation& violation : run.report.verdict.violations) {
            const bool overflow = violation.kind == ViolationKind::overCapacity;
            if (!overflow || !overflowTold)
                writeDiagnostic(out, failure(overflow ? Code::overflow : Code::invalidPlan, describe(run.problem(), violation)));
        }
    });
}

void writePool(JsonWriter& out, const Run& run, const PoolReport& pool, const std::optional<double>& traffic,
               const PoolDisplacement* displacement)
{
    const Problem& problem = run.problem();
    out.object(JsonWriter::compact, [&] {
        out.field("name", run.problem().pools[static_cast<std::size_t>(pool.pool)].name);
        out.field("size", pool.size);
        out.field("lower_bound", pool.lowerBound);
        if (pool.capacity) out.field("capacity", *pool.capacity);
        if (traffic) out.field("traffic_ns", *traffic);
        if (!displacement) return;
        out.array("displaced", [&] {
            for (const Displaced& displaced : displacement->displaced)
                out.object([&] {
                    out.field("buffer", problem.buffers[static_cast<std::size_t>(displaced.buffer)].name);
                    out.field("pool", problem.pools[static_cast<std::size_t>(displaced.to)].name);
                    if (displaced.more) out.field("more_bytes", *displaced.more);
                    if (displaced.saved) out.field("saved_ns", *displaced.saved);
                });
        });
    });
}

void writeRotation(JsonWriter& out, const Rotation& rotation, const std::vector<std::string>& loops, bool withPeriod)
{
    out.object(JsonWriter::compact, [&] {
        out.field("rotate", rotation.loop == none ? std::string() : loops[static_cast<std::size_t>(rotation.loop)]);
        out.field("first", rotation.hasFirst ? 1 : 0);
        if (withPeriod) out.field("period", rotation.period);
    });
}

/// Writes the reuse by kind and its cost for the pipes, for runs with Ascend's axis.
void writePipes(JsonWriter& out, const Run& run, const std::vector<std::string>& loops)
{
    const auto analysis = analysePipes(run);
    if (!analysis) return;
    const PipeReport& report = analysis->report;
    const auto nameOf = [&](BufferId b) { return run.problem().buffers[static_cast<std::size_t>(b)].name; };
    const auto pipes = [&](std::string_view key, const std::vector<std::int32_t>& ids) {
        out.array(key, [&] {
            for (const std::int32_t pipe : ids) out.value(analysis->model.pipes[static_cast<std::size_t>(pipe)]);
        });
    };
    out.object("pipes", [&] {
        out.field("unit", analysis->model.unit == CostUnit::nanoseconds ? "ns" : "bytes");
        out.field("iterations", analysis->iterations);
        out.field("time", report.time);
        out.field("time_without_reuse", report.timeWithoutReuse);
        out.field("stall", report.stall());
        out.field("same_pipe", report.count(ReuseKind::samePipe));
        out.field("cross_pipe", report.count(ReuseKind::crossPipe));
        out.field("breaks_double_buffer", report.count(ReuseKind::breaksDoubleBuffer));
        if (report.truncated) out.field("truncated", true);
        out.array("busy", JsonWriter::compact, [&] {
            for (std::size_t p = 0; p < analysis->model.pipes.size(); ++p)
                out.object([&] {
                    out.field("pipe", analysis->model.pipes[p]);
                    out.field("time", report.busy[p]);
                });
        });
        out.array("edges", [&] {
            for (const ReuseEdge& edge : report.edges)
                out.object(JsonWriter::compact, [&] {
                    out.field("from", nameOf(edge.from));
                    out.field("to", nameOf(edge.to));
                    out.field("pool", run.problem().pools[static_cast<std::size_t>(edge.pool)].name);
                    out.field("kind", toText(edge.kind));
                    pipes("from_pipes", edge.fromPipes);
                    pipes("to_pipes", edge.toPipes);
                    if (edge.loop != none) out.field("loop", loops[static_cast<std::size_t>(edge.loop)]);
                    out.field("distance", edge.distance);
                    out.field("bytes", edge.bytes);
                    out.field("count", edge.count);
                    out.field("stall", edge.stall);
                });
        });
    });
}

void writePlacement(JsonWriter& out, const Run& run, const std::vector<std::string>& loops,
                    const std::optional<ReuseLevels>& levels, std::size_t b)
{
    const Problem& problem = run.problem();
    const Placement& placement = run.plan.placements[b];
    out.object(JsonWriter::compact, [&] {
        out.field("buffer", problem.buffers[b].name);
        out.field("pool", problem.pools[static_cast<std::size_t>(placement.pool)].name);
        out.field("offset", placement.offset);
        out.field("size", problem.buffers[b].size);
        if (placement.rotating()) {
            out.array("offsets", [&] {
                for (const Bytes offset : placement.offsets) out.value(offset);
            });
            out.key("select");
            if (placement.rotations.size() == 1) {
                writeRotation(out, placement.rotations.front(), loops, false);
            } else {
                out.array([&] {
                    for (const Rotation& rotation : placement.rotations) writeRotation(out, rotation, loops, true);
                });
            }
        }
        if (levels && levels->levels[b]) out.field("level", shortName(*levels->levels[b]));
        if (!run.program || b >= run.lowering->origins.size()) return;
        const BufferOrigin& origin = run.lowering->origins[b];
        if (origin.function == none) return;
        const Function& function = run.program->functions[static_cast<std::size_t>(origin.function)];
        out.field("function", function.name);
        if (origin.tensor != none) writeWhere(out, function.tensors[static_cast<std::size_t>(origin.tensor)].where);
    });
}

/// Writes the places of a tensor with several views. Recursion depth: the nesting of loops and branches.
void writeView(JsonWriter& out, const Run& run, const std::vector<std::string>& loops, const TensorBinding& binding)
{
    out.object(JsonWriter::compact, [&] {
        if (!binding.choices.empty()) {
            const FunctionInstance& instance = run.lowering->instances[static_cast<std::size_t>(binding.chosenBy.instance)];
            out.field("by", run.program->functions[static_cast<std::size_t>(instance.function)]
                                .ops[static_cast<std::size_t>(binding.chosenBy.op)]
                                .name);
            out.array("choices", [&] {
                for (const TensorBinding& choice : binding.choices) writeView(out, run, loops, choice);
            });
            return;
        }
        if (binding.buffer == none) return; // not planned
        out.field("buffer", run.problem().buffers[static_cast<std::size_t>(binding.buffer)].name);
        if (binding.delta != 0) out.field("from", binding.delta);
        if (binding.distance == 0) return;
        out.field("iterations_ago", binding.distance);
        out.field("loop", loops[static_cast<std::size_t>(binding.loop)]);
        if (binding.after) out.field("after", true);
        out.array("first", [&] {
            for (const TensorBinding& first : binding.first) writeView(out, run, loops, first);
        });
    });
}

/// Writes the tensors without a single place: carried values of loops, and values chosen by a branch or an exit.
void writeViews(JsonWriter& out, const Run& run, const std::vector<std::string>& loops)
{
    const auto& instances = run.lowering->instances;
    const auto isView = [](const TensorBinding& binding) { return binding.distance > 0 || !binding.choices.empty(); };
    if (!run.program || std::none_of(instances.begin(), instances.end(), [&](const FunctionInstance& instance) {
            return std::any_of(instance.bindings.begin(), instance.bindings.end(), isView);
        }))
        return;
    out.array("views", [&] {
        for (std::size_t i = 0; i < instances.size(); ++i) {
            const Function& function = run.program->functions[static_cast<std::size_t>(instances[i].function)];
            for (std::size_t t = 0; t < instances[i].bindings.size(); ++t) {
                if (!isView(instances[i].bindings[t])) continue;
                out.object(JsonWriter::compact, [&] {
                    out.field("tensor", function.tensors[t].name);
                    out.field("function", function.name);
                    if (i > 0) out.field("call", static_cast<std::int64_t>(i));
                    out.key("lies");
                    writeView(out, run, loops, instances[i].bindings[t]);
                });
            }
        }
    });
}

/// Writes every planned tensor, including those that share the buffer of another tensor.
void writeTensors(JsonWriter& out, const Run& run)
{
    if (!run.program) return;
    const Problem& problem = run.problem();
    out.array("tensors", [&] {
        eachPlannedTensor(run, [&](const PlannedTensor& tensor) {
            out.object(JsonWriter::compact, [&] {
                out.field("name", tensor.name);
                if (tensor.call > 0) out.field("function", tensor.function);
                if (tensor.call > 0) out.field("call", tensor.call);
                out.field("buffer", problem.buffers[static_cast<std::size_t>(tensor.buffer)].name);
                out.field("pool", problem.pools[static_cast<std::size_t>(tensor.pool)].name);
                out.field("offset", tensor.offset);
                if (tensor.size) out.field("size", *tensor.size);
            });
        });
    });
}

void writeLowering(JsonWriter& out, const Fingerprint& fingerprint)
{
    out.object("lowering", JsonWriter::compact, [&] {
        for (const auto& [key, value] : fingerprint.fields()) out.field(key, value);
    });
}

/// Writes the fields of one plan.
void writePlan(JsonWriter& out, const Run& run)
{
    const Problem& problem = run.problem();
    const Report& report = run.report;
    out.field("problem", problem.name);
    out.field("planner", run.plan.planner);
    out.object("options", JsonWriter::compact, [&] {
        for (auto option = run.plan.options.begin(); option != run.plan.options.end(); ++option) {
            const auto again = [&](const auto& later) { return later.first == option->first; };
            if (std::none_of(option + 1, run.plan.options.end(), again))
                out.field(option->first, option->second); // the last one counts
        }
    });
    writeLowering(out, run.lowering->fingerprint);
    out.field("seed", run.plan.seed);
    out.field("status", wordOf(report.status));
    out.field("stopped_by", stoppedByNames[static_cast<std::size_t>(run.plan.stoppedBy)]);
    if (report.proof != ProofKind::unproven)
        out.object("proof", JsonWriter::compact, [&] {
            out.field("kind", proofNames[static_cast<std::size_t>(report.proof)]);
            out.field("by", report.provedBy);
            if (report.status == Status::optimal && report.among != OptimalAmong::everyPlan)
                out.field("scope", toText(report.among));
        });
    out.array("pools", [&] {
        const auto traffic = transferTimes(problem, run.plan);
        const auto displaced = displacements(problem, run.plan);
        for (const PoolReport& pool : report.pools) {
            const auto found =
                std::find_if(displaced.begin(), displaced.end(), [&](const auto& d) { return d.pool == pool.pool; });
            writePool(out, run, pool, traffic[static_cast<std::size_t>(pool.pool)], found == displaced.end() ? nullptr : &*found);
        }
    });
    writeTensors(out, run);
    const std::vector<std::string> loops = loopNames(problem);
    writePipes(out, run, loops);
    const std::optional<ReuseLevels> levels = reuseLevels(run);
    out.array("placements", [&] {
        // Estimates the length of the document from the first placements, to reserve memory once.
        constexpr std::size_t sample = 4096;
        const std::size_t before = out.size();
        const std::size_t count = std::min(run.plan.placements.size(), problem.buffers.size());
        for (std::size_t b = 0; b < count; ++b) {
            if (b == sample) out.reserve(before + (out.size() - before) / sample * (count + count / 16));
            if (const PoolId pool = run.plan.placements[b].pool;
                pool >= 0 && static_cast<std::size_t>(pool) < problem.pools.size())
                writePlacement(out, run, loops, levels, b);
        }
    });
    writeViews(out, run, loops);
    out.field("elapsed_ms", run.elapsedMs);
    out.field("work", run.plan.work);
    writePartial(out, run);
    writeDiagnostics(out, run);
}

} // namespace

void writePartial(JsonWriter& out, const Run& run)
{
    if (!run.report.partial) return;
    out.field("partial", true);
    out.array("unknown_sizes", [&] {
        for (const std::string_view name : unknownSizeNames(run)) out.value(name);
    });
}

std::string writePlanJson(const Run& run)
{
    JsonWriter out;
    out.object([&] {
        out.field("format", planFormat);
        writePlan(out, run);
    });
    return std::move(out).text();
}

std::string writePlanJson(std::span<const FunctionRun> functions)
{
    JsonWriter out;
    out.object([&] {
        out.field("format", planFormat);
        out.array("functions", [&] {
            for (const FunctionRun& function : functions)
                out.object([&] {
                    out.field("name", function.name);
                    writePlan(out, *function.run);
                });
        });
    });
    return std::move(out).text();
}

} // namespace stowage::io
