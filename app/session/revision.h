// Two revisions of a model, or two plans of different files, tensor by tensor: which are the same, renamed, new, gone, of another
// size or in another place, and which of them explain the change of the peak.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// A buffer of a planned revision, by the name of the tensor that owns it.
struct RevisionTensor {
    std::string name;
    std::string pool;            ///< empty: not placed
    std::optional<Bytes> offset; ///< nothing: not placed
    Bytes size = 0;
    std::string origin; ///< kind of the op that makes it, and kind of buffer; empty: not known
    Bytes atPeak = 0;   ///< bytes that it holds at the step of the peak

    friend bool operator==(const RevisionTensor&, const RevisionTensor&) = default;
};

/// One side of a comparison.
struct Revision {
    std::string name;
    std::string planner;
    std::vector<RevisionTensor> tensors; ///< in the order in which they are made
    Bytes size = 0;                      ///< of all pools
    std::optional<Bytes> peak;           ///< bytes live at the fullest step, all pools together; nothing: not known
    std::int64_t peakStep = -1;          ///< -1: not known, or no time axis
};

/// Of a run: O(n log n). Without a time axis the peak is what the lower bound of all buffers together is proved by.
[[nodiscard]] Revision revisionOf(const Run& run, std::string name);

/// Of a file `stowage.plan/1` alone, without the model that it was made from: its peak is not known. Of several functions the one
/// named `function` is taken, or the only one. Errors: no such document, no such function, fields of another kind.
[[nodiscard]] Expected<Revision> revisionOfPlanFile(std::string_view text, const std::string& file,
                                                    std::string_view function = {});

/// Whether a text begins like a document `stowage.plan/1`. O(1): looks at its first 4,096 bytes.
[[nodiscard]] bool isPlanDocument(std::string_view text);

/// A tensor on both sides; indices into `Revision::tensors`.
struct RevisionPair {
    std::size_t before = 0;
    std::size_t after = 0;

    friend bool operator==(const RevisionPair&, const RevisionPair&) = default;
};

/// What one tensor adds to the change of the peak; negative: it takes away.
struct PeakCause {
    std::string tensor; ///< its name afterwards, or before when it is gone
    Bytes bytes = 0;

    friend bool operator==(const PeakCause&, const PeakCause&) = default;
};

struct RevisionDifference {
    std::vector<RevisionPair> matched; ///< of one name, in the order afterwards
    std::vector<RevisionPair> renamed; ///< of different names, in the order afterwards
    std::vector<std::size_t> added;    ///< after only
    std::vector<std::size_t> gone;     ///< before only
    std::vector<RevisionPair> grown;   ///< of `matched` and `renamed`, those of another size
    std::vector<RevisionPair> moved;   ///< of them, those in another pool or at another offset
    std::vector<PeakCause> because;    ///< adds up to the change of the peak where both are known, the largest first; else empty
};

/// Matches by name first. What is left is renamed where it lies between the same matched neighbours, in the order in which
/// tensors are made, and has the same size and origin; or, where that leaves equally many of known origin between two neighbours,
/// pair by pair the same origin. O(n log n), deterministic.
[[nodiscard]] RevisionDifference difference(const Revision& before, const Revision& after);

/// What is different about one tensor.
struct RevisionChange {
    enum class Kind : std::uint8_t { grown, shrunk, added, gone, renamed, moved };
    Kind kind = Kind::moved;
    std::optional<std::size_t> before, after; ///< indices into `Revision::tensors`
    bool otherName = false;                   ///< also of a tensor that grew or shrank
};

/// A change for each tensor that differs: first those of another size, new and gone ones and renamed ones, then those that only
/// moved. O(n log n).
[[nodiscard]] std::vector<RevisionChange> changesOf(const Revision& before, const Revision& after,
                                                    const RevisionDifference& difference);

/// "grown", "shrunk, renamed", "new" …
[[nodiscard]] std::string changeWord(const RevisionChange& change);

/// "+96 KiB"-like sentence: "The peak rises by 9,216 B, from 244,224 to 253,440 B: conv7/out +9,216 B."; of more than three
/// causes the rest is summed up. Empty when a peak is not known.
[[nodiscard]] std::string peakSentence(const Revision& before, const Revision& after, const RevisionDifference& difference);

/// `stowage.difference/1`.
[[nodiscard]] std::string writeDifferenceJson(const Revision& before, const Revision& after,
                                              const RevisionDifference& difference);

} // namespace stowage
