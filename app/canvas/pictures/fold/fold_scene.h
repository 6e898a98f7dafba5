// The data of the picture of constant folding, computed from a program: the graphs of the original function, of the functions
// that run once and of the new entry; the effect of other thresholds; the placements of arenas and folded tensors; and the cache
// in the first runs.
#pragma once

#include "app/session/folding.h"
#include "core/passes/fold_split.h"
#include "core/plan/run.h"
#include "plugins/host/graph_layout.h"

#include <array>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// In units of the picture.
inline constexpr double foldBoxWidth = 144, foldBoxHeight = 40, foldTagHeight = 20, foldPillHeight = 24, foldRowHeight = 24;

/// An op of a column, or a folded tensor in the column of the new entry.
struct FoldNode {
    OpId op = none;           ///< of the original function; none: a folded tensor
    std::int64_t kept = none; ///< id of the folded tensor; none: an op
    double x = 0, y = 0;      ///< upper left corner of the box, in units of the whole picture
    bool tagged = false;      ///< constant but not folded: the reason is below the box, or in it
    OpId row = none;          ///< the op whose row it is in: itself, or the op that makes the folded tensor
};

/// One graph of the picture.
struct FoldColumn {
    std::vector<FoldNode> nodes;
    GraphSpec spec;                 ///< edges are between nodes of this column
    GraphLayout layout;             ///< from the worker
    std::vector<GraphCurve> curves; ///< by edge, in units of the whole picture
    double left = 0, width = 0;
};

/// The graphs side by side: of the original function, of the functions that run once, of the new entry.
struct FoldColumns {
    FoldColumn before, once, after;
    double width = 0, height = 0;                              ///< of all columns with the gaps between them
    double boxWidth = foldBoxWidth, boxHeight = foldBoxHeight; ///< of ops, without reasons
    bool inRows = false;                                       ///< arranged by `arrangeInRows`

    /// Breaks the graphs into parts and packs these side by side, so that the scale is as large as possible in a picture `aspect`
    /// times as wide as high. O(nodes log nodes + points).
    void arrange(double aspect);
    /// Makes one row for each op and for the nodes that it becomes, side by side; boxes of one line, wide enough to fill the
    /// picture. Edges run down to the next box of their column, or through lanes at its left. O(nodes log nodes + edges^2).
    void arrangeInRows(double aspect);
};

/// A placement: a buffer of a plan over its live range, or a folded tensor.
struct FoldPlaceBox {
    Interval live;
    Bytes offset = 0, size = 0;
    std::string name;
    bool kept = true;        ///< of a folded tensor: the cache stores it
    std::uint8_t colour = 0; ///< of a buffer: its class in the colouring of the run's map
};
/// The placements of an arena. Several workspace pools are stacked, each above the one before.
struct FoldArena {
    Bytes size = 0; ///< `arenaBytes` of the plan
    Step steps = 0;
    std::vector<FoldPlaceBox> boxes;
};

/// A root of constants (a constant argument, a tensor with data, a literal), or an argument that is not constant.
struct FoldRoot {
    std::string name;
    ConstLevel level = ConstLevel::unknown;
    Bytes bytes = 0;
    bool argument = false; ///< an argument of the function; else a tensor with data, or a literal
};

/// One of the first runs.
struct FoldRunShown {
    Execution what;
    Bytes folding = 0; ///< bytes that it moves to make folded tensors, besides those of the entry
};

/// The effect of one threshold.
struct FoldSample {
    double threshold = 0;
    Bytes saved = 0, persistent = 0;
    std::int64_t savedOps = 0;
};

inline constexpr std::array foldThresholds{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0};

/// The options of the picture.
struct FoldAsked {
    FoldOptions options;
    double cacheShare = 0; ///< capacity of the constant cache as a fraction of the persistent bytes; 0: unbounded

    friend bool operator==(const FoldAsked&, const FoldAsked&) = default;
};

struct FoldSheet {
    FoldAsked asked;
    FoldedProgram folded;
    FoldColumns columns;             ///< not yet arranged
    std::size_t leftOut = 0;         ///< count of ops that are not drawn because there are too many
    std::vector<FoldSample> samples; ///< by `foldThresholds`; empty for programs of more than 5,000 ops
    std::optional<FoldArena> arenaBefore, arenaAfter;
    Bytes arenaOnce = 0;                ///< the larger one of the functions that run once
    std::string planner;                ///< of the arenas
    std::vector<FoldRoot> roots;        ///< arguments in order, then the others
    std::optional<Bytes> cacheCapacity; ///< no value: unbounded
    std::vector<FoldRunShown> runs;     ///< the first ones
    std::vector<std::int64_t> hits;     ///< by folded tensor: count of runs in which the cache had it
    std::vector<bool> keeps;            ///< by folded tensor: whether it is in the cache after the last of them

    [[nodiscard]] const SplitFunction& split() const { return folded.functions.front(); }
    [[nodiscard]] const Function& function() const { return folded.before.functions[std::size_t(split().entry)]; }
};

/// Folds the function of `run`, and lays out the graphs in the worker. Of more than 150 ops, only constant ones and their readers
/// are drawn. Arenas are planned like the run (`planLike`). Errors: those of `foldProgram` and `layoutGraph`; "empty-graph" if
/// nothing is constant.
Expected<FoldSheet> makeFoldSheet(const Run& run, const FoldAsked& asked, const std::stop_token& stop);

/// Whether a constant op stays in the entry for a reason that the user can change.
[[nodiscard]] bool keptConstant(const OpFold& op);
/// The reason in two or three words: "grows 32x", "no root tensor".
[[nodiscard]] std::string shortReason(const OpFold& op);

} // namespace stowage
