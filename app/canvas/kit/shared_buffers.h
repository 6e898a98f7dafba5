// A list of buffers that is shared instead of copied.
#pragma once

#include "core/ir/types.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace stowage {

/// Immutable. Copies share the list, so that a copy, and a comparison with one, cost O(1): a selection may hold a million
/// buffers, and goes to every picture whenever the pointer moves.
class SharedBuffers {
public:
    SharedBuffers() = default;
    SharedBuffers(std::initializer_list<BufferId> buffers) : SharedBuffers(std::vector<BufferId>(buffers)) {}
    explicit SharedBuffers(std::vector<BufferId> buffers) : data_(std::make_shared<const Data>(std::move(buffers))) {}

    [[nodiscard]] const std::vector<BufferId>& list() const
    {
        static const std::vector<BufferId> nothing;
        return data_ ? data_->list : nothing;
    }
    [[nodiscard]] auto begin() const { return list().begin(); }
    [[nodiscard]] auto end() const { return list().end(); }
    [[nodiscard]] std::size_t size() const { return list().size(); }
    [[nodiscard]] bool empty() const { return list().empty(); }
    [[nodiscard]] BufferId front() const { return list().front(); } ///< requires an entry

    /// Whether the list has the buffer. O(1); the first call for a long list O(size). Thread-safe.
    [[nodiscard]] bool contains(BufferId buffer) const
    {
        constexpr std::size_t few = 16; // a search is as fast as a look-up
        if (size() <= few) return std::ranges::find(list(), buffer) != list().end();
        std::call_once(data_->once, [data = data_.get()] {
            data->known.resize(std::size_t(std::max<BufferId>(0, std::ranges::max(data->list))) + 1);
            for (const BufferId each : data->list)
                if (each >= 0) data->known[std::size_t(each)] = true;
        });
        return buffer >= 0 && std::size_t(buffer) < data_->known.size() && data_->known[std::size_t(buffer)];
    }

    /// Whether both are the same list in memory, and not only equal ones. O(1).
    [[nodiscard]] bool sharesWith(const SharedBuffers& other) const { return data_ == other.data_; }
    /// O(1) if the lists are shared or have different sizes; else O(size).
    friend bool operator==(const SharedBuffers& a, const SharedBuffers& b) { return a.sharesWith(b) || a.list() == b.list(); }

private:
    struct Data {
        explicit Data(std::vector<BufferId> buffers) : list(std::move(buffers)) {}

        std::vector<BufferId> list;
        mutable std::once_flag once;
        mutable std::vector<bool> known; ///< by buffer: whether `list` has it; made by the first call of `contains`
    };
    std::shared_ptr<const Data> data_; ///< null: empty
};

} // namespace stowage
