#include "core/ir/region_tree.h"

namespace stowage {

namespace {

/// A region that is being walked: its next op, and the next region of its current op.
struct WalkFrame {
    RegionId region;
    std::size_t nextOp = 0;
    std::size_t nextRegion = 0;
};

} // namespace

RegionTree RegionTree::of(const Function& function)
{
    RegionTree tree;
    tree.order.reserve(function.ops.size());
    tree.ops.resize(function.ops.size());
    tree.regions.resize(function.regions.size());
    tree.parents.assign(function.regions.size(), none);
    tree.depth.assign(function.regions.size(), 0);

    std::int64_t clock = 0;
    std::vector<WalkFrame> stack{{0}};
    tree.regions[0].begin = clock;
    while (!stack.empty()) {
        WalkFrame& frame = stack.back();
        const Region& region = function.regions[at(frame.region)];
        if (frame.nextOp == region.ops.size()) {
            tree.regions[at(frame.region)].end = ++clock;
            stack.pop_back();
            continue;
        }
        const OpId opId = region.ops[frame.nextOp];
        const Op& op = function.ops[at(opId)];
        Span& span = tree.ops[at(opId)];
        if (frame.nextRegion == 0) {
            if (span.reached()) { // listed twice
                ++frame.nextOp;
                continue;
            }
            span.begin = clock++;
            tree.order.push_back(opId);
        }
        if (frame.nextRegion < op.regions.size()) {
            const RegionId inner = op.regions[frame.nextRegion++];
            Span& innerSpan = tree.regions[at(inner)];
            if (innerSpan.reached()) continue;
            innerSpan.begin = clock;
            tree.parents[at(inner)] = frame.region;
            tree.depth[at(inner)] = tree.depth[at(frame.region)] + 1;
            stack.push_back({inner});
            continue;
        }
        span.end = op.regions.empty() ? clock : ++clock;
        ++frame.nextOp;
        frame.nextRegion = 0;
    }
    return tree;
}

} // namespace stowage
