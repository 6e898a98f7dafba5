#include "core/planners/climb/squeaky_wheel.h"

#include "core/planners/placement/order.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stowage {

namespace {

constexpr int passesToShake = 8; ///< passes without a better one until a track shakes its order
constexpr int passesToBest = 40; ///< … until it goes back to its best order

/// Size times the root of the duration, descending: between the two orders that are best on some inputs each.
std::vector<BufferId> bySizeAndDuration(const BufferTable& table)
{
    std::vector<double> weight;
    for (BufferId id = 0; id < table.size(); ++id)
        weight.push_back(static_cast<double>(table.item(id).size) *
                         std::sqrt(static_cast<double>(table.buffer(id).hull().length())));
    std::vector<BufferId> order(weight.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](BufferId a, BufferId b) { return weight[at(a)] > weight[at(b)]; });
    return order;
}

} // namespace

bool SqueakyWheel::applies(const Problem& problem)
{
    return std::count_if(problem.pools.begin(), problem.pools.end(),
                         [](const Pool& pool) { return pool.kind == PoolKind::workspace; }) == 1 &&
           std::all_of(problem.buffers.begin(), problem.buffers.end(), [&](const Buffer& buffer) {
               const auto candidates = problem.candidates(buffer);
               return candidates.size() == 1 && problem.pools[at(candidates.front())].kind == PoolKind::workspace;
           });
}

SqueakyWheel::SqueakyWheel(const BufferTable& table, const PlanContext& context, Bytes bound, std::uint64_t seed)
    : table_(table), context_(context), bound_(bound), seed_(seed)
{
    context_.publish = nullptr;
    context_.recorder = nullptr;
    context_.workLimit = 0;
    const auto add = [&](std::vector<BufferId> order, GapRule rule) {
        tracks_.push_back(std::make_unique<Track>(std::move(order), rule, seed_ * 64 + made_));
        ++made_;
    };
    add(byBreadth(table), GapRule::smallest);
    add(byUrgency(table), GapRule::smallest);
    add(byBreadth(table), GapRule::first);
    add(bySize(table), GapRule::first);
    add(byUrgency(table), GapRule::first);
    add(bySizeAndDuration(table), GapRule::smallest);
}

Bytes SqueakyWheel::endOf(const PlacementEngine::Layout& layout, BufferId id) const
{
    Bytes last = layout.offsets[at(id)];
    if (table_.item(id).slots > 1)
        if (const auto found = layout.slots.find(id); found != layout.slots.end())
            for (const Bytes offset : found->second) last = std::max(last, offset);
    return last + table_.item(id).size;
}

void SqueakyWheel::run(std::size_t which, std::uint64_t passes, const std::atomic<bool>& cancelled)
{
    Track& track = *tracks_[which];
    for (std::uint64_t pass = 0; pass < passes && track.bestSize.total > bound_; ++pass) {
        if (cancelled.load(std::memory_order_relaxed) || context_.shouldStop(0)) return;
        if (track.engine) {
            blame(track);
            track.engine->reset(nullptr);
        } else {
            track.engine = std::make_unique<PlacementEngine>(table_, context_, nullptr);
        }
        track.engine->place(track.order, track.rule);
        if (track.engine->stopped()) return;
        track.work += static_cast<std::uint64_t>(table_.size());
        if (track.engine->size() < track.bestSize) {
            track.bestSize = track.engine->size();
            track.best = track.engine->layout();
            track.bestOrder = track.order;
            track.idle = 0;
        } else {
            ++track.idle;
        }
    }
}

/// All that ends above the target comes first, in the order that it has. The target is the bound; after some passes without a
/// better plan it lies anywhere between the bound and the size, and a few buffers change places; after more of them all goes on
/// from the best order.
void SqueakyWheel::blame(Track& track) const
{
    const PlacementEngine::Layout& layout = track.engine->layout();
    const Bytes size = track.engine->size().total;
    Bytes target = bound_;
    if (track.idle >= passesToShake)
        target += static_cast<Bytes>(static_cast<double>(size - bound_) * static_cast<double>(track.dice.below(1000)) / 1000);
    std::vector<BufferId> front, rest;
    front.reserve(track.order.size());
    for (const BufferId id : track.order) (endOf(layout, id) > target ? front : rest).push_back(id);
    front.insert(front.end(), rest.begin(), rest.end());
    track.order = std::move(front);
    if (track.idle >= passesToBest) {
        track.order = track.bestOrder;
        track.idle = passesToShake;
    }
    if (track.idle > passesToShake && track.order.size() > 1)
        for (std::size_t k = 0; k < 1 + track.order.size() / 200; ++k) {
            // One goes up to some way ahead: what is early matters most.
            const std::size_t from = track.dice.below(track.order.size()), to = track.dice.below(from + 1);
            const auto begin = track.order.begin();
            std::rotate(begin + static_cast<std::ptrdiff_t>(to), begin + static_cast<std::ptrdiff_t>(from),
                        begin + static_cast<std::ptrdiff_t>(from) + 1);
        }
}

void SqueakyWheel::halve()
{
    std::stable_sort(tracks_.begin(), tracks_.end(), [](const auto& a, const auto& b) { return a->bestSize < b->bestSize; });
    const std::size_t keep = std::max<std::size_t>(2, (tracks_.size() + 1) / 2);
    if (tracks_.size() > keep) tracks_.resize(keep);
}

void SqueakyWheel::adopt(const Plan& plan)
{
    std::vector<BufferId> order(static_cast<std::size_t>(table_.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](BufferId a, BufferId b) { return plan.placements[at(a)].offset < plan.placements[at(b)].offset; });
    tracks_.push_back(std::make_unique<Track>(std::move(order), GapRule::first, seed_ * 64 + made_));
    ++made_;
}

Expected<Plan> SqueakyWheel::planOf(std::size_t track, const PlannerInfo& info, const OptionValues& options) const
{
    PlacementEngine engine(table_, context_, nullptr);
    engine.restore(tracks_[track]->best);
    auto plan = engine.finish(info, options);
    if (plan) plan->work = tracks_[track]->work;
    return plan;
}

} // namespace stowage
