// Compares two revisions of a model, or two plans of different files, tensor by tensor: equal, renamed, new, gone, of another
// size or at another place; and the tensors that explain the change of the peak.
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

/// A buffer of a planned revision, with the name of the tensor that owns it.
struct RevisionTensor {
    std::string name;
    std::string pool;            ///< empty: not placed
    std::optional<Bytes> offset; ///< nothing: not placed
    Bytes size = 0;
    std::string origin; ///< kind of the op that makes it, and kind of the buffer; empty: unknown
    Bytes atPeak = 0;   ///< live bytes of it at the peak, without those that it shares with a buffer that begins before it

    friend bool operator==(const RevisionTensor&, const RevisionTensor&) = default;
};

/// One side of a comparison.
struct Revision {
    std::string name;
    std::string planner;
    std::vector<RevisionTensor> tensors;   ///< in the order of their first steps
    Bytes size = 0;                        ///< of all pools together
    std::optional<Bytes> peak;             ///< live bytes at the peak, all pools together; no value: unknown
    std::int64_t peakStep = -1;            ///< -1: unknown, or no time axis
    std::optional<Status> status;          ///< no value: unknown, as of a plan without its model
    std::vector<std::string> unknownSizes; ///< names of the tensors that were left out because their size is unknown
    std::string caveat;                    ///< the verdict as a text if it is no full success (`caveatOf`); empty: none
};

/// The revision of a run. Bytes that buffers share by permission count once, as in `PoolReport::liveAtPeak`, so that the peak is
/// the sum of `RevisionTensor::atPeak`. Without a time axis the peak consists of the buffers that prove the lower bound of all
/// buffers together. O(n log n).
[[nodiscard]] Revision revisionOf(const Run& run, std::string name);

/// The revision of a file `stowage.plan/1`, without the model; its peak and its status are unknown. `function` chooses one of
/// several functions. Errors: another format, no such function or several without a choice, fields of another kind.
[[nodiscard]] Expected<Revision> revisionOfPlanFile(std::string_view text, const std::string& file,
                                                    std::string_view function = {});

/// Whether a text begins like a document `stowage.plan/1`. O(1): looks at its first 4,096 bytes.
[[nodiscard]] bool isPlanDocument(std::string_view text);

/// A tensor of both revisions, as indices into `Revision::tensors`.
struct RevisionPair {
    std::size_t before = 0;
    std::size_t after = 0;

    friend bool operator==(const RevisionPair&, const RevisionPair&) = default;
};

/// The bytes that one tensor adds to the change of the peak; negative if it reduces the peak.
struct PeakCause {
    std::string tensor; ///< its name in the later revision, or in the earlier one if it is gone
    Bytes bytes = 0;

    friend bool operator==(const PeakCause&, const PeakCause&) = default;
};

struct RevisionDifference {
    std::vector<RevisionPair> matched; ///< with equal names, in the order of the later revision
    std::vector<RevisionPair> renamed; ///< with different names, in the order of the later revision
    std::vector<std::size_t> added;    ///< only in the later revision
    std::vector<std::size_t> gone;     ///< only in the earlier revision
    std::vector<RevisionPair> grown;   ///< pairs of `matched` and `renamed` with another size
    std::vector<RevisionPair> moved;   ///< pairs of `matched` and `renamed` in another pool or at another offset
    /// Causes that add up to the change of the peak, the largest first; empty if a peak is unknown.
    std::vector<PeakCause> because;
};

/// Matches tensors by name first. Of the others, two are a renamed pair if they are between the same matched neighbours, in the
/// order of their first steps, and have the same size and origin; or if between two neighbours both sides have the same count of
/// tensors left, with the same known origins pair by pair. O(n log n), deterministic.
[[nodiscard]] RevisionDifference difference(const Revision& before, const Revision& after);

/// The difference of one tensor.
struct RevisionChange {
    enum class Kind : std::uint8_t { grown, shrunk, added, gone, renamed, moved };
    Kind kind = Kind::moved;
    std::optional<std::size_t> before, after; ///< indices into `Revision::tensors`
    bool otherName = false;                   ///< may be set for `grown` and `shrunk`, too
};

/// A change for each tensor that differs: first tensors of another size, new, gone and renamed ones, then those that only moved.
/// O(n log n).
[[nodiscard]] std::vector<RevisionChange> changesOf(const Revision& before, const Revision& after,
                                                    const RevisionDifference& difference);

/// "grown", "shrunk, renamed", "new" …
[[nodiscard]] std::string changeWord(const RevisionChange& change);

/// "The peak rises by 9,216 B, from 244,224 to 253,440 B: conv7/out +9,216 B."; with more than three causes the others are summed
/// up. Empty if a peak is unknown.
[[nodiscard]] std::string peakSentence(const Revision& before, const Revision& after, const RevisionDifference& difference);

/// "Size: 30 B, +6 B against 24 B of v1.csv by naive; planned by auto", or "Size: 30 B, as before". Planners are named where they
/// differ, because then the sizes are not only the revisions'.
[[nodiscard]] std::string sizeSentence(const Revision& before, const Revision& after);
/// A line for each side with a caveat, the later revision's first: "Partial: 1 tensor of unknown size is left out; …",
/// "v1.csv: Does not fit: …". Empty if there is none.
[[nodiscard]] std::string caveatLines(const Revision& before, const Revision& after);
/// "40 matched by name, 1 renamed, 2 new, 1 gone, 3 of another size, 12 moved".
[[nodiscard]] std::string countsSentence(const RevisionDifference& difference);

/// The difference as JSON, format `stowage.difference/1`.
[[nodiscard]] std::string writeDifferenceJson(const Revision& before, const Revision& after,
                                              const RevisionDifference& difference);

} // namespace stowage
