#include "core/pipeline/live_bounds.h"

#include "core/ir/checked.h"

#include <algorithm>

namespace stowage::pipeline {

namespace {

constexpr std::size_t maxStored =
    std::size_t{1} << 24U; ///< maximum number of entries of all rows, 16 bytes each; above, rows are discarded and computed again
constexpr Bytes largestTensor = maxBytes / 1024; ///< largest size of one tensor in splits, so that sums stay in 63 bits

} // namespace

LiveBounds::LiveBounds(const CutMap& map, Bytes alignment, bool inOrder, Bytes enough)
    : map_(map),
      enough_(enough),
      alignment_(std::clamp<Bytes>(alignment, 1, largestTensor)),
      inOrder_(inOrder),
      apart_(map.size()),
      firstWrite_(map.function().tensors.size(), none),
      lastUse_(map.function().tensors.size(), none),
      seen_(map.function().tensors.size(), none),
      seenBy_(map.function().tensors.size(), 0),
      begins_(map.size()),
      keptOf_(map.size()),
      rows_(map.size())
{
    const Function& function = map.function();
    for (std::size_t t = 0; t < function.tensors.size(); ++t) {
        const auto id = static_cast<TensorId>(t);
        std::int32_t& last = lastUse_[at(map.root(id))];
        last = std::max(last, map.lastReader(id));
    }
    for (std::size_t o = 0; o < map.size(); ++o) {
        const Op& op = function.ops[at(map.ops()[o])];
        apart_[o] = op.control != Control::leaf || !op.inPlace.empty();
        for (const TensorId id : map.writes(o)) {
            const TensorId root = map.root(id);
            // An input of the program exists before the first op that writes it (an op that makes a view of it, or modifies it).
            if (firstWrite_[at(root)] != none || !lies(root) || function.tensors[at(root)].kind == TensorKind::input) continue;
            firstWrite_[at(root)] = static_cast<std::int32_t>(o);
            begins_[o].push_back(root);
        }
        for (const auto& list : {map.reads(o), map.writes(o)})
            for (const TensorId id : list) {
                const TensorId root = map.root(id);
                const TensorKind kind = function.tensors[at(root)].kind;
                if (kind == TensorKind::constant || kind == TensorKind::variable || map.constantOp(root) != none)
                    keptOf_[o].push_back(root);
            }
    }
}

bool LiveBounds::lies(TensorId id) const
{
    const Function& function = map_.function();
    const Tensor& root = function.tensors[at(map_.root(id))];
    return root.kind != TensorKind::constant && root.kind != TensorKind::variable && root.planned &&
           function.tensors[at(id)].planned && root.region == 0 && map_.constantOp(id) == none;
}

const LiveBounds::Row& LiveBounds::row(std::size_t begin)
{
    if (rows_[begin].arena.empty()) {
        if (stored_ > maxStored) rows_.assign(rows_.size(), {}), stored_ = 0;
        fill(begin, rows_[begin]);
        stored_ += rows_[begin].arena.size();
    }
    return rows_[begin];
}

void LiveBounds::fill(std::size_t begin, Row& row)
{
    const Function& function = map_.function();
    const std::size_t mark = begin + 1;
    std::vector<Live> live;     // by op of the stage
    std::vector<TensorId> open; // made in the stage, and read later in it, by later stages, or by the application
    Bytes best = 0;
    Bytes kept = 0;
    for (std::size_t o = begin; o < map_.size(); ++o) {
        for (const TensorId root : keptOf_[o])
            if (seenBy_[at(root)] != mark) {
                seenBy_[at(root)] = mark;
                kept += std::min(function.tensors[at(root)].bytes.value_or(0), largestTensor);
            }
        row.kept.push_back(kept);
        Live before;
        for (const TensorId id : open) add(before, id);
        Bytes single = 0; // the largest storage that the op touches
        for (const TensorId id : map_.reads(o)) {
            if (!lies(id)) continue;
            const bool travels = map_.travels(id);
            const bool given = !travels && function.tensors[at(map_.root(id))].kind == TensorKind::input;
            single = std::max(single, payload(id));
            if (!(travels && at(map_.madeBy(id)) < begin) && !given) continue;
            const TensorId key = given ? map_.root(id) : id; // an input of the stage is a tensor of its own there
            const std::size_t from = seenBy_[at(key)] == mark ? at(seen_[at(key)]) + 1 : begin;
            for (std::size_t earlier = from; earlier < o; ++earlier) {
                add(live[earlier - begin], key);
                best = std::max(best, live[earlier - begin].minBytes());
            }
            if (from <= o) add(before, key);
            seenBy_[at(key)] = mark;
            seen_[at(key)] = static_cast<std::int32_t>(o);
        }
        for (const TensorId id : map_.writes(o))
            if (lies(id)) single = std::max(single, payload(map_.root(id)));
        const auto op = static_cast<std::int32_t>(o);
        if (apart_[o]) { // its inputs may be dead when its outputs are written
            Live after;
            for (const TensorId id : open)
                if (lastUse_[at(id)] != op) add(after, id);
            for (const TensorId root : begins_[o]) add(after, root);
            live.push_back(after.minBytes() > before.minBytes() ? after : before);
        } else {
            for (const TensorId root : begins_[o]) add(before, root);
            live.push_back(before);
        }
        std::erase_if(open, [&](TensorId id) { return lastUse_[at(id)] == op; });
        for (const TensorId root : begins_[o])
            if (lastUse_[at(root)] > op) open.push_back(root);
        best = std::max(best, inOrder_ ? live.back().minBytes() : single);
        row.arena.push_back(best);
        if (best + kept > enough_) break;
    }
}

void LiveBounds::add(Live& live, TensorId id) const
{
    const Bytes bytes = payload(id);
    const Bytes rounded = alignUp(bytes, alignment_);
    live.sum += rounded;
    live.slack = std::max(live.slack, rounded - bytes);
}

Bytes LiveBounds::payload(TensorId id) const
{
    return std::min(map_.function().tensors[at(id)].bytes.value_or(0), largestTensor);
}

} // namespace stowage::pipeline
