#include "core/explain/pipe_report.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace stowage {

namespace {

using Time = std::int64_t;

/// The last accesses to one slot of a buffer, for which later accesses have to wait.
struct Access {
    Time written = 0;
    Time read = 0;                        ///< the latest read since it was written
    std::vector<std::int32_t> pipes;      ///< pipes of the last write, or of all reads since
    std::vector<std::int64_t> iterations; ///< by loop, at the last access
    LoopId loop = none;                   ///< innermost loop of the op with the last access
    std::int32_t span = none;             ///< span of the access that ends last
    bool wasRead = false;
    [[nodiscard]] Time end() const { return std::max(written, read); }
};

class Simulation {
public:
    Simulation(const Problem& problem, const Plan& plan, const PipeModel& model, const PipeOptions& options, bool reuse)
        : problem_(problem), plan_(plan), model_(model), options_(options), reuse_(reuse)
    {
        free_.assign(model.pipes.size(), 0);
        report_.busy.assign(model.pipes.size(), 0);
        iterations_.assign(problem.loops.size(), 0);
        held_.resize(problem.pools.size());
        for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
            firstSlot_.push_back(accesses_.size());
            const bool placed = b < plan.placements.size() && plan.placements[b].placed() && problem.buffers[b].size > 0;
            accesses_.resize(accesses_.size() + (placed ? std::max<std::size_t>(1, plan.placements[b].offsets.size()) : 0));
        }
        firstSlot_.push_back(accesses_.size());
    }

    PipeReport run()
    {
        walk(none, 0, model_.ops.size());
        sortEdges();
        return std::move(report_);
    }

private:
    struct Segment {
        Bytes high = 0;
        BufferId buffer = none;
        std::size_t slot = 0; ///< into accesses_
    };
    /// A wait for the slot that held the bytes before this one.
    struct Wait {
        BufferId from = none;
        BufferId to = none;
        std::size_t slot = 0;
        Bytes bytes = 0;
    };

    /// Simulates the ops [first, last), those inside `loop`, for one iteration.
    void walk(LoopId loop, std::size_t first, std::size_t last)
    {
        for (std::size_t i = first; i < last && !report_.truncated;) {
            const LoopId inner = childAround(loop, model_.ops[i].step);
            if (inner == none) {
                execute(static_cast<std::int32_t>(i++));
                continue;
            }
            std::size_t end = i;
            while (end < last && problem_.loops[at(inner)].live.contains(model_.ops[end].step)) ++end;
            const std::int64_t count =
                std::min(problem_.loops[at(inner)].tripCount.value_or(options_.iterations), options_.iterations);
            for (std::int64_t t = 0; t < count && !report_.truncated; ++t) {
                iterations_[at(inner)] = t;
                walk(inner, i, end);
            }
            i = end;
        }
    }

    [[nodiscard]] LoopId childAround(LoopId loop, Step step) const
    {
        for (std::size_t l = 0; l < problem_.loops.size(); ++l)
            if (problem_.loops[l].parent == loop && problem_.loops[l].live.contains(step)) return static_cast<LoopId>(l);
        return none;
    }

    [[nodiscard]] bool placed(BufferId b) const { return firstSlot_[at(b)] < firstSlot_[at(b) + 1]; }

    /// The slot of a buffer in the current iterations: index in `accesses_`, and offset.
    [[nodiscard]] std::pair<std::size_t, Bytes> slotNow(BufferId b) const
    {
        const Placement& placement = plan_.placements[at(b)];
        if (!placement.rotating()) return {firstSlot_[at(b)], placement.offset};
        std::vector<std::int64_t> current;
        for (const Rotation& rotation : placement.rotations)
            current.push_back(rotation.loop == none ? 0 : iterations_[at(rotation.loop)]);
        const Bytes offset = placement.at(current);
        const auto found = std::find(placement.offsets.begin(), placement.offsets.end(), offset);
        return {firstSlot_[at(b)] + static_cast<std::size_t>(found - placement.offsets.begin()), offset};
    }

    void execute(std::int32_t number)
    {
        if (static_cast<std::int64_t>(report_.spans.size()) >= options_.maxSpans) {
            report_.truncated = true;
            return;
        }
        const PipeOp& op = model_.ops[at(number)];
        Time begin = 0;
        for (const std::int32_t pipe : op.pipes) begin = std::max(begin, free_[at(pipe)]);
        PipeSpan span;
        span.op = number;
        span.iteration = op.loop == none ? 0 : iterations_[at(op.loop)];
        const auto waitUntil = [&](Time ready, PipeWait cause, BufferId b) {
            if (ready <= begin) return;
            span.wait += ready - begin;
            span.cause = cause;
            span.waitsFor = b;
            begin = ready;
        };
        for (const BufferId b : op.reads)
            if (placed(b)) waitUntil(accesses_[slotNow(b).first].written, PipeWait::data, b);
        waits_.clear();
        for (const BufferId b : op.writes) {
            if (!placed(b)) continue;
            const auto [slot, offset] = slotNow(b);
            waitUntil(accesses_[slot].end(), PipeWait::ownSlot, b);
            if (reuse_) takeOver(b, slot, offset);
        }
        span.begin = begin;
        const auto here = static_cast<std::int32_t>(report_.spans.size());
        for (const Wait& wait : waits_) {
            const Access& access = accesses_[wait.slot];
            const std::int32_t edge = edgeOf(wait, access, op);
            if (access.span != none) report_.handovers.push_back({access.span, here, edge});
            if (const Time stall = access.end() - begin; stall > span.stall) {
                span.stall = stall;
                span.edge = edge;
            }
        }
        span.begin += span.stall;
        if (span.edge != none) report_.edges[at(span.edge)].stall += span.stall;
        finish(op, span.begin + op.cost, here);
        report_.spans.push_back(span);
    }

    /// Records the accesses of an op that ends at `end`, with span `number`.
    void finish(const PipeOp& op, Time end, std::int32_t number)
    {
        for (const std::int32_t pipe : op.pipes) {
            free_[at(pipe)] = end;
            report_.busy[at(pipe)] += op.cost;
        }
        report_.time = std::max(report_.time, end);
        const auto touch = [&](Access& access) {
            access.iterations = iterations_;
            access.loop = op.loop;
        };
        for (const BufferId b : op.reads) {
            if (!placed(b)) continue;
            Access& access = accesses_[slotNow(b).first];
            if (end >= access.end()) access.span = number;
            access.read = std::max(access.read, end);
            if (!access.wasRead) access.pipes.clear();
            access.wasRead = true;
            access.pipes.insert(access.pipes.end(), op.pipes.begin(), op.pipes.end());
            std::sort(access.pipes.begin(), access.pipes.end());
            access.pipes.erase(std::unique(access.pipes.begin(), access.pipes.end()), access.pipes.end());
            touch(access);
        }
        for (const BufferId b : op.writes) {
            if (!placed(b)) continue;
            Access& access = accesses_[slotNow(b).first];
            access.written = end;
            access.span = number;
            access.wasRead = false;
            access.pipes = op.pipes;
            touch(access);
        }
    }

    /// Gives the bytes to `b`. It has to wait for all slots that held some of them.
    void takeOver(BufferId b, std::size_t slot, Bytes offset)
    {
        std::map<Bytes, Segment>& held = held_[at(plan_.placements[at(b)].pool)];
        const Bytes high = offset + problem_.buffers[at(b)].size;
        auto segment = held.upper_bound(offset);
        if (segment != held.begin() && std::prev(segment)->second.high > offset) --segment;
        while (segment != held.end() && segment->first < high) {
            const Bytes low = segment->first;
            const Segment old = segment->second;
            segment = held.erase(segment);
            if (old.buffer != b) {
                const Bytes bytes = std::min(old.high, high) - std::max(low, offset);
                const auto same = std::find_if(waits_.begin(), waits_.end(),
                                               [&](const Wait& wait) { return wait.slot == old.slot && wait.to == b; });
                if (same != waits_.end())
                    same->bytes += bytes;
                else
                    waits_.push_back({old.buffer, b, old.slot, bytes});
            }
            if (low < offset) held[low] = {offset, old.buffer, old.slot};
            if (old.high > high) segment = std::next(held.insert_or_assign(high, old).first);
        }
        held[offset] = {high, b, slot};
    }

    /// The number of iterations between an access and now, and their loop: the outermost loop whose iteration differs.
    [[nodiscard]] std::pair<LoopId, std::int64_t> distanceTo(const Access& access, const PipeOp& op) const
    {
        std::vector<LoopId> around;
        for (LoopId loop = op.loop; loop != none; loop = problem_.loops[at(loop)].parent) around.push_back(loop);
        for (auto loop = around.rbegin(); loop != around.rend(); ++loop) {
            bool both = false;
            for (LoopId other = access.loop; other != none; other = problem_.loops[at(other)].parent) both |= other == *loop;
            if (!both) break;
            if (const std::int64_t distance = iterations_[at(*loop)] - access.iterations[at(*loop)]; distance != 0)
                return {*loop, distance};
        }
        return {none, 0};
    }

    [[nodiscard]] ReuseKind kindOf(const Wait& wait, const Access& access, const PipeOp& op) const
    {
        if (std::includes(op.pipes.begin(), op.pipes.end(), access.pipes.begin(), access.pipes.end())) return ReuseKind::samePipe;
        const Buffer& to = problem_.buffers[at(wait.to)];
        if (to.slots < 2 || to.loop == none) return ReuseKind::crossPipe;
        // A buffer's own slots wait for the access `slots` iterations ago. A smaller distance limits the overlap of iterations.
        const auto [loop, distance] = distanceTo(access, op);
        bool inside = false; // true: the access is in the loop with which the slots rotate
        for (LoopId other = access.loop; other != none; other = problem_.loops[at(other)].parent) inside |= other == to.loop;
        const bool near = loop == none ? inside : loop == to.loop && distance < to.slots;
        return near ? ReuseKind::breaksDoubleBuffer : ReuseKind::crossPipe;
    }

    std::int32_t edgeOf(const Wait& wait, const Access& access, const PipeOp& op)
    {
        const auto [place, added] = edgeIds_.try_emplace({wait.from, wait.to}, static_cast<std::int32_t>(report_.edges.size()));
        const auto [loop, distance] = distanceTo(access, op);
        if (added) {
            ReuseEdge edge;
            edge.from = wait.from;
            edge.to = wait.to;
            edge.pool = plan_.placements[at(wait.to)].pool;
            edge.loop = loop;
            edge.distance = distance;
            report_.edges.push_back(std::move(edge));
        }
        ReuseEdge& edge = report_.edges[at(place->second)];
        edge.kind = std::max(edge.kind, kindOf(wait, access, op));
        if (distance < edge.distance) {
            edge.loop = loop;
            edge.distance = distance;
        }
        const auto join = [](std::vector<std::int32_t>& to, const std::vector<std::int32_t>& more) {
            to.insert(to.end(), more.begin(), more.end());
            std::sort(to.begin(), to.end());
            to.erase(std::unique(to.begin(), to.end()), to.end());
        };
        join(edge.fromPipes, access.pipes);
        join(edge.toPipes, op.pipes);
        edge.bytes = std::max(edge.bytes, wait.bytes);
        ++edge.count;
        return place->second;
    }

    void sortEdges()
    {
        std::vector<std::int32_t> order(report_.edges.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int32_t>(i);
        const auto key = [&](std::int32_t i) {
            const ReuseEdge& edge = report_.edges[at(i)];
            return std::tuple(-static_cast<int>(edge.kind), -edge.stall, edge.from, edge.to);
        };
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
        std::vector<ReuseEdge> sorted;
        std::vector<std::int32_t> now(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            now[at(order[i])] = static_cast<std::int32_t>(i);
            sorted.push_back(std::move(report_.edges[at(order[i])]));
        }
        report_.edges = std::move(sorted);
        for (PipeSpan& span : report_.spans)
            if (span.edge != none) span.edge = now[at(span.edge)];
        for (Handover& handover : report_.handovers) handover.edge = now[at(handover.edge)];
    }

    const Problem& problem_;
    const Plan& plan_;
    const PipeModel& model_;
    const PipeOptions& options_;
    const bool reuse_;
    std::vector<std::size_t> firstSlot_; ///< by buffer: index into `accesses_`; one more entry at the end
    std::vector<Access> accesses_;
    std::vector<Time> free_;                     ///< by pipe: time from which it is free
    std::vector<std::int64_t> iterations_;       ///< by loop: the current or last iteration
    std::vector<std::map<Bytes, Segment>> held_; ///< by pool: the slot that holds each range of bytes, by lowest byte
    std::vector<Wait> waits_;                    ///< of the current op
    std::map<std::pair<BufferId, BufferId>, std::int32_t> edgeIds_;
    PipeReport report_;
};

} // namespace

std::string_view toText(ReuseKind kind)
{
    constexpr std::array<std::string_view, 3> names{"same-pipe", "cross-pipe", "breaks-double-buffer"};
    return names[static_cast<std::size_t>(kind)];
}

std::int64_t PipeReport::count(ReuseKind kind) const
{
    return std::count_if(edges.begin(), edges.end(), [&](const ReuseEdge& edge) { return edge.kind == kind; });
}

std::int64_t PipeReport::stall() const
{
    std::int64_t sum = 0;
    for (const ReuseEdge& edge : edges) sum += edge.stall;
    return sum;
}

double PipeReport::slowdown() const
{
    return timeWithoutReuse > 0 ? static_cast<double>(time) / static_cast<double>(timeWithoutReuse) - 1.0 : 0.0;
}

PipeReport pipeReport(const Problem& problem, const Plan& plan, const PipeModel& model, const PipeOptions& options)
{
    PipeReport report = Simulation(problem, plan, model, options, true).run();
    report.timeWithoutReuse = Simulation(problem, plan, model, options, false).run().time;
    return report;
}

} // namespace stowage
