#include "core/planners/nnc/tensors.h"

#include "core/ir/checked.h"
#include "core/planners/conflict_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace stowage::nnc {

namespace {

constexpr std::size_t mostPairs = std::size_t{1} << 24; ///< a list of a problem is bounded where it is made

Error tooLarge(const std::string& name)
{
    return failure("address-overflow", fmt::format("the slots of '{}' and their alignment need addresses beyond 2^62 bytes", name), {},
                   "lower the alignments");
}

} // namespace

Expected<Tensors> Tensors::of(const BufferTable& table)
{
    if (table.size() > most)
        return failure("not-supported",
                       fmt::format("the allocation graph relates every pair of buffers, and {} are more than {}", table.size(), most), {},
                       "use greedy-by-size, or nnc-merge, which does without the graph when there are so many");
    Tensors tensors;
    if (auto error = tensors.collect(table)) return *std::move(error);
    if (!tensors.relate(table))
        return failure("not-supported", fmt::format("more than {} pairs of buffers conflict", mostPairs), {}, "use greedy-by-size");
    return tensors;
}

std::optional<Error> Tensors::collect(const BufferTable& table)
{
    for (BufferId b = 0; b < table.size(); ++b) {
        const Item& item = table.item(b);
        if (item.size == 0) continue;
        Tensor tensor{b, 0, item.copies, item.size, item.size, 1, table.buffer(b).hull()};
        horizon_ = std::max(horizon_, tensor.hull.end);
        if (item.copies > 1) {
            Bytes common = item.alignment;
            for (const PoolId pool : table.candidates(b)) {
                const auto both = checkedLcm(common, table.alignmentIn(b, pool));
                if (!both) return tooLarge(table.buffer(b).name);
                common = *both;
            }
            if (item.size > maxBytes - common) return tooLarge(table.buffer(b).name);
            tensor.alignment = common;
            tensor.stride = alignUp(item.size, common);
            const auto all = checkedMultiply(tensor.stride, item.copies);
            if (!all || *all > maxBytes) return tooLarge(table.buffer(b).name);
        }
        if (table.buffer(b).pin && item.copies > 1) {
            Tensor pinned = tensor;
            pinned.copies = 1;
            pinned.alignment = 1;
            all_.push_back(pinned);
            tensor.firstCopy = 1;
            --tensor.copies;
        }
        all_.push_back(tensor);
    }
    std::sort(all_.begin(), all_.end(), [](const Tensor& a, const Tensor& b) {
        const auto key = [](const Tensor& t) { return std::tuple(-t.bytes(), t.buffer, t.firstCopy); };
        return key(a) < key(b);
    });
    words_ = (all_.size() + 63) / 64;
    classEnd_.resize(all_.size());
    for (std::size_t i = all_.size(); i-- > 0;)
        classEnd_[i] = i + 1 < all_.size() && all_[i + 1].bytes() == all_[i].bytes() ? classEnd_[i + 1] : static_cast<Node>(i) + 1;
    return std::nullopt;
}

bool Tensors::relate(const BufferTable& table)
{
    // Without a time axis the buffers' own lists say it all, and nobody has to pair anything.
    const bool listed = table.problem().axis == Axis::dag && !table.anyUnique();
    std::optional<ConflictGraph> graph;
    if (!listed && !(graph = ConflictGraph::make(table, mostPairs))) return false;
    const std::size_t n = all_.size();
    std::vector<std::vector<Node>> of(at(table.size())); ///< tensors of a buffer
    for (std::size_t i = 0; i < n; ++i) of[at(all_[i].buffer)].push_back(static_cast<Node>(i));
    begin_.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        const BufferId buffer = all_[i].buffer;
        begin_[i] = conflicts_.size();
        const auto addAll = [&](BufferId other) {
            for (const Node node : of[at(other)])
                if (node != static_cast<Node>(i)) conflicts_.push_back(node);
        };
        for (const BufferId other : listed ? std::span<const BufferId>(table.buffer(buffer).conflicts) : graph->neighbours(buffer)) addAll(other);
        for (const BufferId other : table.buffer(buffer).mayShare) addAll(other);
        addAll(buffer); // its own other copies
    }
    begin_[n] = conflicts_.size();

    std::vector<Node> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Node a, Node b) {
        const auto key = [&](Node i) {
            const Tensor& t = all_[at(i)];
            return std::tuple(t.hull.begin, t.hull.end, t.buffer, t.firstCopy);
        };
        return key(a) < key(b);
    });
    rank_.resize(n);
    for (std::size_t i = 0; i < n; ++i) rank_[at(order[i])] = static_cast<std::int32_t>(i);

    whole_.assign(words_, 0);
    before_.assign(n * words_, 0);
    after_.assign(n * words_, 0);
    const auto fill = [&](Words& matrix, Node node) {
        const std::span<std::uint64_t> own = std::span(matrix).subspan(at(node) * words_, words_);
        std::copy(whole_.begin(), whole_.end(), own.begin());
        for (const Node other : conflicts(node)) remove(own, other);
    };
    for (const Node node : order) {
        fill(before_, node);
        add(whole_, node);
    }
    std::fill(whole_.begin(), whole_.end(), 0);
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
        fill(after_, *node);
        add(whole_, *node);
    }
    return true;
}

Node Tensors::firstWithin(Bytes bytes) const
{
    const auto first = std::partition_point(all_.begin(), all_.end(), [&](const Tensor& t) { return t.bytes() > bytes; });
    return static_cast<Node>(first - all_.begin());
}

} // namespace stowage::nnc
