#include "core/planners/nnc/tensors.h"

#include "core/ir/checked.h"
#include "core/planners/common/conflict_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace stowage::nnc {

namespace {

Error tooLarge(const std::string& name)
{
    return failure(Code::addressOverflow,
                   fmt::format("the slots of '{}' and their alignment need addresses beyond 2^62 bytes", name), {},
                   "lower the alignments");
}

} // namespace

Expected<Tensors> Tensors::of(const BufferTable& table)
{
    if (table.size() > maxTensors)
        return failure(
            Code::notSupported,
            fmt::format("the allocation graph relates every pair of buffers, and {} are more than {}", table.size(), maxTensors),
            {}, "use greedy-by-size, or nnc-merge, which plans without the graph when there are too many");
    Tensors tensors;
    if (auto error = tensors.collect(table)) return *std::move(error);
    tensors.relate(table);
    return tensors;
}

std::optional<Error> Tensors::collect(const BufferTable& table)
{
    for (BufferId b = 0; b < table.size(); ++b) {
        const Item& item = table.item(b);
        if (item.size == 0) continue;
        Tensor tensor{b, 0, item.slots, item.size, item.size, 1, table.buffer(b).hull()};
        horizon_ = std::max(horizon_, tensor.hull.end);
        if (item.slots > 1) {
            Bytes common = item.alignment;
            for (const PoolId pool : table.candidates(b)) {
                const auto both = checkedLcm(common, table.alignmentIn(b, pool));
                if (!both) return tooLarge(table.buffer(b).name);
                common = *both;
            }
            if (item.size > maxBytes - common) return tooLarge(table.buffer(b).name);
            tensor.alignment = common;
            tensor.stride = alignUp(item.size, common);
            const auto all = checkedMultiply(tensor.stride, item.slots);
            if (!all || *all > maxBytes) return tooLarge(table.buffer(b).name);
        }
        if (table.buffer(b).pin && item.slots > 1) {
            Tensor pinned = tensor;
            pinned.slots = 1;
            pinned.alignment = 1;
            all_.push_back(pinned);
            tensor.firstSlot = 1;
            --tensor.slots;
        }
        all_.push_back(tensor);
    }
    std::sort(all_.begin(), all_.end(), [](const Tensor& a, const Tensor& b) {
        const auto key = [](const Tensor& t) { return std::tuple(-t.bytes(), t.buffer, t.firstSlot); };
        return key(a) < key(b);
    });
    words_ = (all_.size() + 63) / 64;
    classEnd_.resize(all_.size());
    for (std::size_t i = all_.size(); i-- > 0;)
        classEnd_[i] =
            i + 1 < all_.size() && all_[i + 1].bytes() == all_[i].bytes() ? classEnd_[i + 1] : static_cast<Node>(i) + 1;
    return std::nullopt;
}

void Tensors::relate(const BufferTable& table)
{
    const std::size_t n = all_.size();
    struct BufferTensors { // one tensor, or two for a pinned buffer with several slots
        Node first = none;
        Node second = none;
    };
    std::vector<BufferTensors> of(at(table.size()));
    for (std::size_t i = 0; i < n; ++i) {
        BufferTensors& tensors = of[at(all_[i].buffer)];
        (tensors.first == none ? tensors.first : tensors.second) = static_cast<Node>(i);
    }

    // At first, `before_` contains the conflicts of each tensor, including itself.
    before_.assign(n * words_, 0);
    const auto put = [&](BufferId a, BufferId b) {
        const BufferTensors &x = of[at(a)], &y = of[at(b)];
        for (const Node one : {x.first, x.second})
            for (const Node other : {y.first, y.second})
                if (one != none && other != none) add(std::span(before_).subspan(at(one) * words_, words_), other);
    };
    // Without a time axis, the lists of the buffers contain all conflicts, and no pairs need to be computed.
    const bool listed = table.problem().axis == Axis::dag && !table.anyUnique();
    if (!listed)
        stowage::eachConflict(table, [&](BufferId a, BufferId b) {
            put(a, b);
            put(b, a);
            return true;
        });
    for (BufferId b = 0; b < table.size(); ++b) {
        if (of[at(b)].first == none) continue;
        if (listed)
            for (const BufferId other : table.buffer(b).conflicts) put(b, other);
        for (const BufferId other : table.buffer(b).mayShare) put(b, other);
        put(b, b); // its own other slots, and itself
    }

    std::vector<Node> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Node a, Node b) {
        const auto key = [&](Node i) {
            const Tensor& t = all_[at(i)];
            return std::tuple(t.hull.begin, t.hull.end, t.buffer, t.firstSlot);
        };
        return key(a) < key(b);
    });
    rank_.resize(n);
    for (std::size_t i = 0; i < n; ++i) rank_[at(order[i])] = static_cast<std::int32_t>(i);

    Words earlier(words_);
    whole_.assign(words_, 0);
    for (Node node = 0; node < static_cast<Node>(n); ++node) add(whole_, node);
    after_.assign(n * words_, 0);
    for (const Node node : order) {
        const std::size_t row = at(node) * words_;
        for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t apart = whole_[w] & ~before_[row + w];
            before_[row + w] = apart & earlier[w];
            after_[row + w] = apart & ~earlier[w];
        }
        add(earlier, node);
    }
}

Node Tensors::firstWithin(Bytes bytes) const
{
    const auto first = std::partition_point(all_.begin(), all_.end(), [&](const Tensor& t) { return t.bytes() > bytes; });
    return static_cast<Node>(first - all_.begin());
}

} // namespace stowage::nnc
