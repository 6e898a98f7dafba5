// The identity of a problem: the values that make problems of one input different.
#pragma once

#include "core/ir/change.h"
#include "core/lower/options.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// An offset that the user has fixed for a buffer, by names: ids change with the lowering.
struct PinRequest {
    std::string buffer;
    std::string pool;
    Bytes offset = 0; ///< >= 0

    friend bool operator==(const PinRequest&, const PinRequest&) = default;
};

/// Runs of one input with equal fingerprints are of one problem and may be ranked together.
struct Fingerprint {
    Fingerprint() = default;
    /// Of a lowered program, or with `isGiven` of an input that is a problem already: then only the alignment and the pools
    /// count. `pools` are those of the problem.
    Fingerprint(LowerOptions from, std::vector<Pool> pools, bool isGiven = false);

    LowerOptions options;         ///< with the problem's pools; options that do not count have their defaults
    bool given = false;           ///< the input was a problem: its steps are its own
    std::vector<Change> changes;  ///< made after the lowering, in order, by names
    std::vector<PinRequest> pins; ///< kept after the lowering, by buffer id
    std::int64_t aliases = 0;     ///< pairs of buffers that were allowed to share for a plan of another program, >= 0
    bool withScratch = false;     ///< buffers that only such a plan knows were added after the others

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
    [[nodiscard]] Fingerprint withoutPins() const;
    /// The same without pins and changes: buffers of such problems have the same ids.
    [[nodiscard]] Fingerprint withoutEdits() const;
    /// The same without pools: the values that `text` shows.
    [[nodiscard]] Fingerprint withoutPools() const;

    /// Name and value of each option that counts, as `--lower` takes them; then "changes" and "pins" where there are any. The
    /// pools are left out: runs are shown with the name of their target.
    [[nodiscard]] std::vector<std::pair<std::string_view, std::string>> fields() const;
    /// "order=linear loops=conservative views=separate inplace=off alignment=1", "problem alignment=8": the fields in one line.
    [[nodiscard]] std::string text() const;
};

} // namespace stowage
