// Finds an order of ops with the smallest peak of live bytes: exact search, beam search and lower bound. Works on nodes, storages
// and edges only, and knows no program.
//
// The exact search is a dynamic programme over downsets (sets of ops that contain all predecessors of their members). The bytes
// that are live after a downset do not depend on the order of its members, so that each downset is visited once (Ahn et al.,
// SERENITY, MLSys 2020; Steiner et al., OLLA, 2022). The search runs with rising thresholds T: it visits all downsets that can be
// reached with at most T bytes live, then continues with the smallest peak above T that it has held back. Therefore T is a proved
// lower bound whenever a limit stops the search.
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
    /// A block of bytes whose lifetime depends on the order.
    struct Storage {
        Bytes size = 0;
        bool atEntry = false; ///< live before the first node, until its last use (with `atExit`: to the end)
        bool atExit = false;  ///< live after the last node, from its first use on
    };
    /// A storage that a node uses, at one moment of the node. `ifLast`: it is live at that moment if no later node uses it;
    /// `ifNot`: the same if a later node uses it.
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
    /// Permission to write `output` over `input` if no later node uses `input`.
    struct Overwrite {
        std::int32_t input = none;
        std::int32_t output = none;
    };
    struct Node {
        std::vector<std::int32_t> touches; ///< storages, ascending; all of them are live while a node without moments runs
        Bytes own = 0;                     ///< bytes live only while the node runs; used without moments
        std::vector<Moment> moments;       ///< empty for a leaf
        std::vector<Overwrite> overwrites;
    };

    Bytes base = 0; ///< bytes that are live all the time, in addition to the storages
    std::vector<Storage> storages;
    std::vector<Node> nodes;
    std::vector<std::pair<std::int32_t, std::int32_t>> edges; ///< pairs (before, after)
};

struct OrderLimits {
    std::size_t states = 400'000;                ///< maximum number of downsets that the exact search visits; 0: beam search only
    std::size_t memory = std::size_t{256} << 20; ///< bytes that the exact search may keep
    std::size_t beamStates =
        200'000; ///< maximum number of downsets that the beam search visits; it runs if the exact search did not finish
    std::function<bool()> stop; ///< called after every few thousand nodes that were looked at; true stops the search
};

struct OrderResult {
    std::vector<std::int32_t> order; ///< order of the nodes; the listed order unless a better one was found
    Bytes peak = 0;                  ///< of `order`, in bytes
    Bytes listed = 0;                ///< of the listed order, in bytes
    Bytes bound = 0;                 ///< lower bound on the peak of every order
    std::size_t states = 0;          ///< number of downsets visited
    bool stopped = false;            ///< by `stop`
    [[nodiscard]] bool proved() const { return bound >= peak; }
};

/// Peak of live bytes in this order. With overwrites, a dying input of a node gives its bytes to at most one output that is not
/// larger. O(sum over storages of uses²).
Bytes peakOf(const OrderProblem& problem, std::span<const std::int32_t> order);

/// Peak of live bytes while each node runs in this order, by position in the order.
std::vector<Bytes> liveAlong(const OrderProblem& problem, std::span<const std::int32_t> order);

/// A lower bound on the peak of every order, without a search. While a node runs, two kinds of storage are live in every order:
/// those that it uses, and those that a predecessor uses first and a successor needs. Above 8,192 nodes only the first kind
/// counts. O(nodes * edges / 64 + uses * nodes); above 8,192 nodes O(uses).
Bytes orderBound(const OrderProblem& problem);

/// An order of the smallest peak among all orders that respect the edges. Exact within the limits; beyond them, the best order
/// that a beam search of growing width finds. Deterministic for equal problems and limits, unless `stop` ends it.
///
/// Reduction: when a ready node frees at least as many bytes as it allocates and stays within the threshold, it runs next and no
/// alternative is tried. Proof: take any order of the remaining nodes and move this node to its front. All other users of the
/// storages that it frees have run already, so it frees them wherever it runs. Hence between the front and its old place at most
/// as many bytes are live as before the move, and afterwards the same number.
OrderResult smallestPeak(const OrderProblem& problem, const OrderLimits& limits = {});

} // namespace stowage
