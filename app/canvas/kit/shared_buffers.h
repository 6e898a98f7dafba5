// A list of buffers that is shared instead of copied.
#pragma once

#include "core/ir/types.h"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace stowage {

/// Immutable. Copies share the list, so that a copy, and a comparison with one, cost O(1): a selection may hold a million
/// buffers, and goes to every picture whenever the pointer moves.
class SharedBuffers {
public:
    SharedBuffers() = default;
    SharedBuffers(std::initializer_list<BufferId> buffers) : SharedBuffers(std::vector<BufferId>(buffers)) {}
    explicit SharedBuffers(std::vector<BufferId> buffers)
        : list_(std::make_shared<const std::vector<BufferId>>(std::move(buffers)))
    {
    }

    [[nodiscard]] const std::vector<BufferId>& list() const
    {
        static const std::vector<BufferId> nothing;
        return list_ ? *list_ : nothing;
    }
    [[nodiscard]] auto begin() const { return list().begin(); }
    [[nodiscard]] auto end() const { return list().end(); }
    [[nodiscard]] std::size_t size() const { return list().size(); }
    [[nodiscard]] bool empty() const { return list().empty(); }
    [[nodiscard]] BufferId front() const { return list().front(); } ///< requires an entry

    /// Whether both are the same list in memory, and not only equal ones. O(1).
    [[nodiscard]] bool sharesWith(const SharedBuffers& other) const { return list_ == other.list_; }
    /// O(1) if the lists are shared or have different sizes; else O(size).
    friend bool operator==(const SharedBuffers& a, const SharedBuffers& b) { return a.sharesWith(b) || a.list() == b.list(); }

private:
    std::shared_ptr<const std::vector<BufferId>> list_; ///< null: empty
};

} // namespace stowage
