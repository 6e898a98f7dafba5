// Values of a function that share bytes, in the order in which Ascend's PlanMemory joins them.
#pragma once

#include "core/ir/program.h"
#include "core/ir/views.h"

#include <span>
#include <vector>

namespace stowage::lowering {

/// One event of the walk through a function: an op begins, or two values become aliases. All aliases of one value then become
/// aliases of all aliases of the other.
struct AliasEvent {
    OpId op = none;           ///< the op that begins; none: `a` and `b` become aliases
    TensorId a = none;        ///< roots of views (`ViewOrigin::root`)
    TensorId b = none;        ///< …
    bool conditional = false; ///< `b` is one of several values that are chosen when the program runs
};

/// Ops in pre-order, and between them the links:
///  - of a loop: inits with the body's inputs, then by position what is handed on with the body's input and the result with the
///    value that gives it, all before the body; with the mark `links-at-end` only the inits are linked before the body;
///  - of a branch: the results with what a region hands out, after that region;
///  - of an op that chooses (`marks::chooses`): its outputs with all that they may be, conditionally.
/// Requires a verified function. O(function); recursion as deep as the nesting, which the verifier bounds.
[[nodiscard]] std::vector<AliasEvent> aliasEvents(const Function& function, std::span<const ViewOrigin> origins);

/// Classes of aliases (union-find). Near-constant time for each call.
class AliasClasses {
public:
    explicit AliasClasses(std::size_t count);
    [[nodiscard]] TensorId find(TensorId id);
    /// Unites two classes; the smaller representative stays. False when both values are in one class already.
    bool unite(TensorId a, TensorId b);

private:
    std::vector<TensorId> parent_;
};

/// The unconditional links as a tree. It gives the order in which the aliases of a value were found.
class AliasOrder {
public:
    explicit AliasOrder(std::size_t count);
    /// Links the classes of two values; does nothing when they are aliases already.
    void link(TensorId a, TensorId b);
    /// All aliases of a value, in the order in which they became aliases. O(aliases).
    [[nodiscard]] std::vector<TensorId> aliasesOf(TensorId id) const;

private:
    struct Node {
        std::int32_t parent = none;
        std::int32_t left = none, right = none; ///< of a link: the two classes
        TensorId a = none, b = none;            ///< of a link: the values that it names in the left and the right class
    };

    AliasClasses classes_;
    std::vector<Node> nodes_;       ///< the values, then the links
    std::vector<std::int32_t> top_; ///< by representative: the node of the whole class
};

} // namespace stowage::lowering
