#include "core/exec/problem_run.h"

#include <algorithm>

namespace stowage::executing {

namespace {

std::size_t at(Id id)
{
    return static_cast<std::size_t>(id);
}

bool permits(const Problem& problem, BufferId a, BufferId b)
{
    const auto lists = [&](BufferId who, BufferId whom) {
        const auto& partners = problem.buffers[at(who)].mayShare;
        return std::find(partners.begin(), partners.end(), whom) != partners.end();
    };
    return lists(a, b) || lists(b, a);
}

} // namespace

ProblemRun::ProblemRun(const Problem& problem, const Plan& plan, const ExecuteOptions& options, ArenaMemory& memory,
                       std::optional<Address> watch)
    : problem_(problem),
      plan_(plan),
      options_(options),
      memory_(memory),
      watch_(watch),
      iterations_(problem.loops.size(), 0),
      usual_(problem.loops.size(), std::max<std::int64_t>(options.defaultTripCount, 1))
{
    collectPieces();
    nestLoops();
}

void ProblemRun::collectPieces()
{
    // Without an order the steps only illustrate: conflicts are explicit then.
    const bool timed = problem_.axis != Axis::dag;
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        const Buffer& buffer = problem_.buffers[b];
        const auto id = static_cast<BufferId>(b);
        firstPiece_.push_back(pieces_.size());
        if (buffer.size == 0 || !timed) continue;
        for (const Interval& range : buffer.live) pieces_.push_back({id, range, 0, buffer.size, 0});
        for (const Window& window : buffer.windows) pieces_.push_back({id, window.live, window.low, window.high, 0});
        if (buffer.loop == none) continue;
        for (const Carried& carried : buffer.carried) {
            pieces_.push_back({id, carried.live, 0, buffer.size, carried.distance});
            usual_[at(buffer.loop)] = std::max<std::int64_t>(usual_[at(buffer.loop)], std::int64_t{carried.distance} + 2);
        }
    }
    firstPiece_.push_back(pieces_.size());
    fillings_.resize(pieces_.size());
    for (std::size_t p = 0; p < pieces_.size(); ++p) {
        if (pieces_[p].steps.empty()) continue;
        sorted_.push_back({pieces_[p].steps.begin, false, static_cast<std::int32_t>(p)});
        sorted_.push_back({pieces_[p].steps.end - 1, true, static_cast<std::int32_t>(p)});
    }
    std::sort(sorted_.begin(), sorted_.end(), [](const Event& a, const Event& b) {
        if (a.step != b.step) return a.step < b.step;
        if (a.ends != b.ends) return b.ends;
        return a.piece < b.piece;
    });
    for (const Placement& placement : plan_.placements)
        for (const Rotation& rotation : placement.rotations)
            usual_[at(rotation.loop)] =
                std::max<std::int64_t>(usual_[at(rotation.loop)], std::int64_t{3} * rotation.extent() + 2);
}

void ProblemRun::nestLoops()
{
    inner_.resize(problem_.loops.size() + 1);
    const auto& loops = problem_.loops;
    std::vector<LoopId> order;
    for (std::size_t l = 0; l < loops.size(); ++l)
        if (!loops[l].live.empty()) order.push_back(static_cast<LoopId>(l));
    std::sort(order.begin(), order.end(), [&](LoopId a, LoopId b) {
        const Interval& x = loops[at(a)].live;
        const Interval& y = loops[at(b)].live;
        if (x.begin != y.begin) return x.begin < y.begin;
        return x.end != y.end ? x.end > y.end : a < b;
    });
    for (const LoopId loop : order) {
        const LoopId parent = loops[at(loop)].parent;
        if (parent < none || (parent != none && at(parent) >= loops.size()))
            loopsIgnored_ = true;
        else
            inner_[at(parent + 1)].push_back(loop);
    }
    // Loops that do not nest cannot be run as loops.
    for (std::size_t p = 0; p < inner_.size() && !loopsIgnored_; ++p) {
        Step free = p == 0 ? order.empty() ? 0 : loops[at(order.front())].live.begin : loops[p - 1].live.begin;
        for (const LoopId loop : inner_[p]) {
            const Interval& live = loops[at(loop)].live;
            if (live.begin < free || (p > 0 && live.end > loops[p - 1].live.end) || at(loop) + 1 == p) loopsIgnored_ = true;
            free = live.end;
        }
    }
    if (loopsIgnored_) inner_.assign(loops.size() + 1, {});
}

std::int64_t ProblemRun::iterationsOf(LoopId loop) const
{
    const std::int64_t most = std::max<std::int64_t>(options_.maxTripCount, 1);
    return std::min(problem_.loops[at(loop)].tripCount.value_or(usual_[at(loop)]), most);
}

std::size_t ProblemRun::eventAt(Step step) const
{
    const auto found =
        std::partition_point(sorted_.begin(), sorted_.end(), [&](const Event& event) { return event.step < step; });
    return static_cast<std::size_t>(found - sorted_.begin());
}

bool ProblemRun::mayStop()
{
    cancelled_ = cancelled_ || options_.cancel.stop_requested();
    exhausted_ = exhausted_ || events_ >= options_.maxOps;
    return cancelled_ || exhausted_;
}

bool ProblemRun::run()
{
    return runAxis() && runConflicts() && runUnique();
}

bool ProblemRun::runAxis()
{
    std::vector<Frame> stack{{none, 0, 0, sorted_.size(), 0, 0}};
    while (!stack.empty()) {
        Frame& frame = stack.back();
        const auto& loops = inner_[at(frame.loop + 1)];
        if (frame.nextInner < loops.size()) {
            const LoopId next = loops[frame.nextInner];
            const Interval& live = problem_.loops[at(next)].live;
            if (frame.nextEvent == frame.lastEvent || sorted_[frame.nextEvent].step >= live.begin) {
                ++frame.nextInner;
                const std::size_t first = frame.nextEvent;
                frame.nextEvent = std::max(first, eventAt(live.end));
                if (iterationsOf(next) <= 0) continue;
                iterations_[at(next)] = 0;
                const std::size_t last = frame.nextEvent;
                stack.push_back({next, 0, first, last, first, 0});
                continue;
            }
        }
        if (frame.nextEvent < frame.lastEvent) {
            if (mayStop() || !runEvent(sorted_[frame.nextEvent++])) return false;
            continue;
        }
        if (frame.loop != none && ++frame.iteration < iterationsOf(frame.loop)) {
            if (mayStop()) return false;
            iterations_[at(frame.loop)] = frame.iteration;
            frame.nextEvent = frame.firstEvent;
            frame.nextInner = 0;
            continue;
        }
        stack.pop_back();
    }
    return true;
}

bool ProblemRun::runEvent(const Event& event)
{
    ++events_;
    if (event.ends) return check(event.piece, event.step);
    fill(event.piece);
    return true;
}

Bytes ProblemRun::offsetNow(const Piece& piece) const
{
    const Placement& placement = plan_.placements[at(piece.buffer)];
    if (!placement.rotating()) return placement.offset;
    const LoopId own = problem_.buffers[at(piece.buffer)].loop;
    std::vector<std::int64_t> iterations;
    for (const Rotation& rotation : placement.rotations)
        iterations.push_back(iterations_[at(rotation.loop)] - (rotation.loop == own ? piece.distance : 0));
    return placement.at(iterations);
}

template <typename Visit>
void ProblemRun::eachPlace(const Piece& piece, Bytes offset, Visit&& visit) const
{
    const Placement& placement = plan_.placements[at(piece.buffer)];
    const Bytes length = piece.high - piece.low;
    if (problem_.buffers[at(piece.buffer)].slots > 1 && !placement.offsets.empty()) {
        // All copies are in use at once: each has its own bytes.
        for (std::size_t slot = 0; slot < placement.offsets.size(); ++slot)
            visit(Address{placement.pool, placement.offsets[slot] + piece.low}, length, static_cast<Bytes>(slot) * length);
    } else {
        visit(Address{placement.pool, offset + piece.low}, length, Bytes{0});
    }
}

void ProblemRun::write(const Piece& piece, Bytes offset, Stamp stamp)
{
    eachPlace(piece, offset, [&](Address to, Bytes length, Bytes from) {
        memory_.write(to, length, stamp, from);
        if (watch_ && memory_.covers(to, length, *watch_)) lastWriter_ = piece.buffer;
    });
}

void ProblemRun::fill(std::int32_t index)
{
    const Piece& piece = pieces_[at(index)];
    Filling& filling = fillings_[at(index)];
    filling.stamp = 0;
    // In the first iterations there is no copy from so many iterations ago.
    if (piece.distance > 0 && iterations_[at(problem_.buffers[at(piece.buffer)].loop)] < piece.distance) return;
    handOver(piece.buffer);
    filling = {(options_.seed << 40U) + ++writes_, offsetNow(piece)};
    write(piece, filling.offset, filling.stamp);
}

/// A buffer that may share its bytes with this one, and does, is given up.
void ProblemRun::handOver(BufferId to)
{
    const Placement& target = plan_.placements[at(to)];
    for (const BufferId partner : problem_.buffers[at(to)].mayShare) {
        const Placement& own = plan_.placements[at(partner)];
        const bool apart = own.pool != target.pool || (!own.rotating() && !target.rotating() &&
                                                       (own.offset + problem_.buffers[at(partner)].size <= target.offset ||
                                                        target.offset + problem_.buffers[at(to)].size <= own.offset));
        if (apart) continue;
        for (std::size_t p = firstPiece_[at(partner)]; p < firstPiece_[at(partner) + 1]; ++p) fillings_[p].stamp = 0;
    }
}

bool ProblemRun::intact(const Piece& piece, const Filling& filling, Step step)
{
    std::optional<Address> wrong;
    eachPlace(piece, filling.offset, [&](Address from, Bytes length, Bytes stream) {
        if (!wrong) wrong = memory_.check(from, length, filling.stamp, stream);
    });
    if (!wrong) return true;
    Corruption& found = corruption_.emplace();
    corruptedAt_ = *wrong;
    found.tensor = problem_.buffers[at(piece.buffer)].name;
    found.buffer = piece.buffer;
    found.overwrittenBy = lastWriter_;
    found.pool = wrong->pool;
    found.address = wrong->byte;
    found.step = step;
    for (std::size_t loop = 0; step >= 0 && loop < problem_.loops.size(); ++loop)
        if (problem_.loops[loop].live.contains(step)) found.iterations.push_back(iterations_[loop]);
    return false;
}

bool ProblemRun::check(std::int32_t index, Step step)
{
    Filling& filling = fillings_[at(index)];
    if (filling.stamp == 0) return true;
    const Filling last = filling;
    filling.stamp = 0;
    return intact(pieces_[at(index)], last, step);
}

// --- conflicts that no step shows ---------------------------------------------------------------------------------------

bool ProblemRun::runPair(BufferId a, BufferId b)
{
    if (mayStop()) return false;
    ++events_;
    const auto fillAll = [&](BufferId id, Stamp stamp) {
        const Placement& placement = plan_.placements[at(id)];
        const Piece whole{id, {}, 0, problem_.buffers[at(id)].size, 0};
        if (placement.offsets.empty()) write(whole, placement.offset, stamp);
        for (const Bytes offset : placement.offsets) write(whole, offset, stamp);
    };
    const Stamp stamp = (options_.seed << 40U) + ++writes_;
    fillAll(a, stamp);
    fillAll(b, (options_.seed << 40U) + ++writes_);
    const Placement& placement = plan_.placements[at(a)];
    const Piece whole{a, {}, 0, problem_.buffers[at(a)].size, 0};
    if (placement.offsets.empty()) return intact(whole, {stamp, placement.offset}, -1);
    return std::all_of(placement.offsets.begin(), placement.offsets.end(), [&](Bytes offset) {
        return intact(whole, {stamp, offset}, -1);
    });
}

bool ProblemRun::runConflicts()
{
    const auto hull = [&](BufferId id) {
        const Placement& placement = plan_.placements[at(id)];
        Interval bytes{placement.offset, placement.offset};
        for (const Bytes offset : placement.offsets) bytes = {std::min(bytes.begin, offset), std::max(bytes.end, offset)};
        bytes.end += problem_.buffers[at(id)].size;
        return bytes;
    };
    for (std::size_t a = 0; a < problem_.buffers.size(); ++a) {
        const auto first = static_cast<BufferId>(a);
        for (const BufferId second : problem_.buffers[a].conflicts) {
            if (second <= first || plan_.placements[a].pool != plan_.placements[at(second)].pool ||
                permits(problem_, first, second))
                continue;
            // A write that comes nowhere near changes nothing.
            if (!hull(first).overlaps(hull(second))) continue;
            if (!runPair(first, second)) return false;
        }
    }
    return true;
}

/// Buffers that share their place with nothing: neighbours by address are all that can be in the way.
bool ProblemRun::runUnique()
{
    struct Place {
        PoolId pool;
        Bytes begin;
        Bytes end;
        BufferId buffer;
    };
    std::vector<Place> places;
    bool any = false;
    for (std::size_t b = 0; b < problem_.buffers.size(); ++b) {
        const Buffer& buffer = problem_.buffers[b];
        if (buffer.size == 0) continue;
        any = any || buffer.unique;
        const Placement& placement = plan_.placements[b];
        const auto add = [&](Bytes offset) {
            places.push_back({placement.pool, offset, offset + buffer.size, static_cast<BufferId>(b)});
        };
        if (placement.offsets.empty()) add(placement.offset);
        for (const Bytes offset : placement.offsets) add(offset);
    }
    if (!any) return true;
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.pool != b.pool ? a.pool < b.pool : a.begin != b.begin ? a.begin < b.begin : a.buffer < b.buffer;
    });
    const Place* highest = nullptr;       // of all so far in the pool
    const Place* highestUnique = nullptr; // of the unique ones
    for (const Place& place : places) {
        if (highest && highest->pool != place.pool) highest = highestUnique = nullptr;
        const bool unique = problem_.buffers[at(place.buffer)].unique;
        const Place* other = unique ? highest : highestUnique;
        if (other && other->end > place.begin && other->buffer != place.buffer &&
            !permits(problem_, other->buffer, place.buffer) && !runPair(other->buffer, place.buffer))
            return false;
        if (!highest || place.end > highest->end) highest = &place;
        if (unique && (!highestUnique || place.end > highestUnique->end)) highestUnique = &place;
    }
    return true;
}

} // namespace stowage::executing
