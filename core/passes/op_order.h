// The order of ops in which the fewest bytes are live at once: search, beam and bound, on nothing but nodes, storages and edges.
//
// The exact search is a dynamic programme over downsets (sets of ops that are closed under "must come before"): what is live
// after a downset does not depend on the order of what is in it, so each downset is met once (Ahn et al., SERENITY, MLSys 2020;
// Steiner et al., OLLA, 2022). Here it runs by rising threshold: all downsets that can be reached with at most T bytes live, then
// the next larger T that something was held back by. So what T has come to when a limit stops it is a proved lower bound.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace stowage {

/// One region's ops. Nodes are numbered in listed order, which respects the edges.
struct OrderProblem {
    /// Bytes whose liveness depends on the order.
    struct Storage {
        Bytes size = 0;
        bool atEntry = false; ///< live before the first node, until its last touch (or the end)
        bool atExit = false;  ///< live after the last node, from its first touch on
    };
    /// A storage that a node touches, at one moment of the node: whether it is live there if no later node touches it, and if one
    /// does.
    struct TouchedStorage {
        std::int32_t storage = none;
        bool ifLast = true;
        bool ifNot = true;
    };
    /// A step inside a node that holds regions or calls a function.
    struct Moment {
        Bytes own = 0; ///< live inside the node only
        std::vector<TouchedStorage> touched;
    };
    /// Permission to write `output` over `input` when the node is the last to touch that.
    struct Overwrite {
        std::int32_t input = none;
        std::int32_t output = none;
    };
    struct Node {
        std::vector<std::int32_t> touches; ///< storages, ascending; all of them are live while a node without moments runs
        Bytes own = 0;                     ///< live while it runs, and only then; without moments
        std::vector<Moment> moments;       ///< empty for a leaf
        std::vector<Overwrite> overwrites;
    };

    Bytes base = 0; ///< live all the time besides
    std::vector<Storage> storages;
    std::vector<Node> nodes;
    std::vector<std::pair<std::int32_t, std::int32_t>> edges; ///< the first one has to come before the second
};

struct OrderLimits {
    std::size_t states = 400'000;                ///< downsets looked at by the exact search; 0: none, straight to the beam
    std::size_t memory = std::size_t{256} << 20; ///< bytes that it may keep
    std::size_t beamStates = 200'000;            ///< downsets looked at by the beam, where the exact search did not end
    std::function<bool()> stop;                  ///< asked every hundred downsets
};

struct OrderResult {
    std::vector<std::int32_t> order; ///< of the nodes; the listed one unless a better one was found
    Bytes peak = 0;                  ///< of that order
    Bytes listed = 0;                ///< of the listed one
    Bytes bound = 0;                 ///< no order has less
    std::size_t states = 0;          ///< downsets looked at
    bool stopped = false;            ///< by `stop`
    [[nodiscard]] bool proved() const { return bound >= peak; }
};

/// Most bytes live at once when the nodes run in this order. With overwrites each node's dying input is taken by at most one
/// output that is no larger. O(sum of touches * their touchers).
Bytes peakOf(const OrderProblem& problem, std::span<const std::int32_t> order);

/// Most bytes live while each node runs in this order, by position.
std::vector<Bytes> liveAlong(const OrderProblem& problem, std::span<const std::int32_t> order);

/// A bound that needs no search: while a node runs, all that it touches is live, and all that some node before it made (in every
/// order) and some node after it needs. O(nodes^2 / 64 * edges / nodes + touches * nodes); over 8,192 nodes only what nodes touch
/// counts.
Bytes orderBound(const OrderProblem& problem);

/// The smallest peak over all orders that respect the edges: exact where the limits allow, else the best order that a beam search
/// of growing width finds. Deterministic in (problem, limits without `stop`).
///
/// A node that can run is run at once, without a branch, when it frees at least as much as it makes and keeps the threshold.
/// Sound: move it to the front of any order of what remains. Storages that it frees are freed by it whenever it runs, as all
/// others that touch them ran before; so from there on at most as much is live as without it, until its old place, and the same
/// after that.
OrderResult smallestPeak(const OrderProblem& problem, const OrderLimits& limits = {});

} // namespace stowage
