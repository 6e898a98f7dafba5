#include "core/lower/partial_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::lowering {

namespace {

constexpr std::size_t maxPoints = std::size_t{1} << 15;

} // namespace

class PartialOrder::Builder {
public:
    explicit Builder(const Expansion& expansion) : expansion_(expansion), depends_(expansion.program->functions.size())
    {
        out_.expansion_ = &expansion;
        out_.ops_.resize(expansion.opSteps.size());
        out_.regions_.resize(expansion.regionSteps.size());
        out_.loops_.resize(expansion.loops.size());
        out_.branches_.push_back({});
        for (const Instance& instance : expansion.instances)
            if (auto& edges = depends_[at(instance.function)]; edges.empty())
                edges = dependencies(*expansion.program, instance.function, Effects::certain);
    }

    Expected<PartialOrder> run()
    {
        walkRegion(0, 0, none, 0);
        if (out_.places_.size() > maxPoints)
            return failure(Code::tooLarge,
                           fmt::format("'{}' has more ops than the order 'dag' can relate: some {}", expansion_.program->name,
                                       expansion_.opSteps.size()),
                           {}, "use --lower order=linear (in the window: Program, order)");
        relate();
        return std::move(out_);
    }

private:
    const Function& function(InstanceId instance) const { return expansion_.function(instance); }

    Point point(OpIndex op, std::int32_t branch)
    {
        out_.places_.push_back({op, branch});
        return static_cast<Point>(out_.places_.size()) - 1;
    }
    void edge(Point from, Point to) { edges_.emplace_back(from, to); }

    // Recursion here follows the nesting of regions and calls, which the verifier bounds.
    OpPlace walkRegion(InstanceId instance, RegionId id, OpIndex around, std::int32_t branch)
    {
        const Instance& here = expansion_.instances[at(instance)];
        const std::size_t regionIndex = here.firstRegion + at(id);
        const Point entry = point(around, branch);
        if (out_.places_.size() > maxPoints) return {}; // the program is refused at the end
        for (const OpId op : function(instance).regions[at(id)].ops) {
            const OpPlace& place = walkOp(instance, op, around, branch, static_cast<std::int32_t>(regionIndex));
            edge(entry, place.begin);
        }
        const Point exit = point(around, branch);
        edge(entry, exit);
        for (const OpId op : function(instance).regions[at(id)].ops) edge(out_.ops_[here.firstOp + at(op)].end, exit);
        for (const auto& [first, second] : depends_[at(here.function)][at(id)])
            edge(out_.ops_[here.firstOp + at(first)].end, out_.ops_[here.firstOp + at(second)].begin);
        out_.regions_[regionIndex] = {entry, exit};
        return {entry, exit};
    }

    /// Makes the points and edges of an op and of all ops inside it. A leaf is one point. Any other op begins before its
    /// regions and ends after them; the regions of a loop, condition and body, come one after the other; those of a case are
    /// independent.
    const OpPlace& walkOp(InstanceId instance, OpId id, OpIndex around, std::int32_t branch, std::int32_t region)
    {
        const Instance& here = expansion_.instances[at(instance)];
        const Op& op = function(instance).ops[at(id)];
        const auto own = static_cast<OpIndex>(here.firstOp + at(id));
        OpPlace& place = out_.ops_[at(own)];
        place.around = around;
        place.depth = around == none ? 1 : out_.ops_[at(around)].depth + 1;
        place.region = region;
        place.begin = place.end = point(own, branch);
        if (op.control == Control::leaf) return place;
        Point last = place.begin;
        if (op.control == Control::call) {
            const OpPlace inside = walkRegion(expansion_.callees[at(own)], 0, own, branch);
            edge(place.begin, inside.begin);
            edge(inside.end, place.end = point(own, branch));
            return place;
        }
        std::vector<Point> exits;
        for (const RegionId inner : op.regions) {
            std::int32_t path = branch;
            if (op.control == Control::branch) {
                path = static_cast<std::int32_t>(out_.branches_.size());
                out_.branches_.push_back({branch, out_.branches_[at(branch)].depth + 1, own});
            }
            const OpPlace inside = walkRegion(instance, inner, own, path);
            edge(last, inside.begin);
            if (op.control == Control::loop) last = inside.end; // the condition, then the body
            exits.push_back(inside.end);
        }
        place.end = point(own, branch);
        for (const Point exit : exits) edge(exit, place.end);
        if (op.control == Control::loop)
            out_.loops_[at(expansion_.regionLoops[here.firstRegion + at(op.regions.back())])] = {place.begin, place.end};
        return place;
    }

    /// Points are numbered in one of the possible orders, so what comes after a point has larger numbers.
    void relate()
    {
        const std::size_t count = out_.places_.size();
        out_.words_ = (count + 63) / 64;
        out_.reach_.assign(count * out_.words_, 0);
        std::sort(edges_.begin(), edges_.end());
        for (auto e = edges_.rbegin(); e != edges_.rend(); ++e) {
            std::uint64_t* from = out_.reach_.data() + at(e->first) * out_.words_;
            const std::uint64_t* to = out_.reach_.data() + at(e->second) * out_.words_;
            for (std::size_t w = at(e->second) / 64; w < out_.words_; ++w) from[w] |= to[w];
            from[at(e->second) / 64] |= std::uint64_t{1} << (static_cast<unsigned>(e->second) % 64);
        }
    }

    const Expansion& expansion_;
    std::vector<std::vector<std::vector<std::pair<OpId, OpId>>>> depends_; ///< by function and region
    std::vector<std::pair<Point, Point>> edges_;
    PartialOrder out_;
};

Expected<PartialOrder> PartialOrder::of(const Expansion& expansion)
{
    return Builder(expansion).run();
}

Point PartialOrder::entry(InstanceId instance, RegionId region) const
{
    return regions_[expansion_->instances[at(instance)].firstRegion + at(region)].begin;
}

Point PartialOrder::exit(InstanceId instance, RegionId region) const
{
    return regions_[expansion_->instances[at(instance)].firstRegion + at(region)].end;
}

bool PartialOrder::exclusive(Point a, Point b) const
{
    std::int32_t x = places_[at(a)].branch;
    std::int32_t y = places_[at(b)].branch;
    std::int32_t ownX = none, ownY = none; // the branches that were left last
    while (x != y) {
        const bool leaveX = branches_[at(x)].depth >= branches_[at(y)].depth;
        const bool leaveY = branches_[at(y)].depth >= branches_[at(x)].depth;
        if (leaveX) x = branches_[at(ownX = x)].around;
        if (leaveY) y = branches_[at(ownY = y)].around;
    }
    return ownX != none && ownY != none && branches_[at(ownX)].owner == branches_[at(ownY)].owner;
}

PartialOrder::OpIndex PartialOrder::home(Point low, Point high) const
{
    OpIndex op = places_[at(low)].op;
    while (op != none && ops_[at(op)].end < high) op = ops_[at(op)].around;
    return op;
}

bool PartialOrder::inSeparateOps(Point a, Point b, Point c, Point d) const
{
    OpIndex x = home(a, b);
    OpIndex y = home(c, d);
    while (x != none && y != none && x != y) {
        const OpPlace& placeX = ops_[at(x)];
        const OpPlace& placeY = ops_[at(y)];
        if (placeX.depth == placeY.depth && placeX.region == placeY.region) return true;
        if (placeX.depth >= placeY.depth) x = placeX.around;
        if (placeY.depth >= placeX.depth) y = placeY.around;
    }
    return false;
}

} // namespace stowage::lowering
