// The accepted results of a suite, one a line, in a file in the folder of the suite that is readable in a diff.
//
//     {"format": "stowage.baseline/1", "suite": "nightly",
//      "rows": [
//       {"key": "models/kws.tflite @esp32-s3 auto", "status": "optimal", "size": 22528, "bound": 22528,
//        "pools": {"sram": 22528}, "peak": {"conv1/out": 16384, "conv2/out": 6144}, "plan": "5f0c…", "version": "0.1.0"}]}
#pragma once

#include "core/ir/expected.h"
#include "core/plan/report.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// A pool that a plan uses.
struct PoolFigure {
    std::string name;
    Bytes size = 0;
    /// False for an unbounded pool that stands after others of its kind: it takes what these do not, and only the total is
    /// judged. Not part of a baseline: the current target decides.
    bool scarce = true;

    friend bool operator==(const PoolFigure&, const PoolFigure&) = default;
};

inline constexpr std::size_t maxPeakBuffers = 64; ///< of `SuiteFigures::peak`

/// The figures of one planning by which a regression is judged.
struct SuiteFigures {
    Status status = Status::undecided;
    Bytes size = 0;   ///< of all pools
    Bytes bound = 0;  ///< of all pools
    Bytes excess = 0; ///< bytes over the capacities, all pools
    /// Tensors or buffers that are left out as their size is unknown; above 0: the plan is partial. None in a baseline of an
    /// older version: not known.
    std::optional<std::size_t> unknownSizes;
    bool ofTensors = true;         ///< they are tensors of a program, or else buffers of a problem; not part of a baseline
    std::vector<PoolFigure> pools; ///< the used pools, in the target's order; empty in a baseline: not known
    std::vector<std::pair<std::string, Bytes>>
        peak; ///< buffers that prove the bounds, with their sizes, largest first, equal ones by name; the first `maxPeakBuffers`
    /// Buffers that prove the bounds, also those beyond `peak`. None in a baseline of an older version: not known.
    std::optional<std::size_t> peakCount;
    std::optional<std::int64_t> stalls; ///< cost units; only for models with pipes
    std::optional<double> timeRatio;    ///< planner time / time of greedy-by-size; only if the tolerance requires it
    std::string plan;                   ///< fingerprint of all placements, 16 hexadecimal digits
    std::string version;                ///< of the Stowage that planned it
    std::string kept;                   ///< name of the kept plan (see kept_plans.h); empty: none

    /// size / bound - 1; 0 without a bound.
    [[nodiscard]] double gap() const { return bound > 0 ? double(size) / double(bound) - 1.0 : 0.0; }
    /// Whether `peak` lacks buffers, or may lack some as their count is not known.
    [[nodiscard]] bool peakIsCut() const { return peakCount ? *peakCount > peak.size() : peak.size() >= maxPeakBuffers; }
};

struct BaselineRow {
    std::string key; ///< `keyOf`
    SuiteFigures figures;
};

struct Baseline {
    std::string suite;
    std::vector<BaselineRow> rows; ///< ascending by key, no key twice

    [[nodiscard]] const SuiteFigures* find(std::string_view key) const; ///< O(log rows)
    /// The rows whose keys begin with `prefix`, ascending by key. O(log rows).
    [[nodiscard]] std::span<const BaselineRow> startingWith(std::string_view prefix) const;
    void put(const std::string& key, const SuiteFigures& figures);
    bool remove(std::string_view key);
};

/// Errors: those of the JSON reader, a key that stands twice, another format.
Expected<Baseline> readBaseline(std::string_view text, const std::string& file);
/// One line a row, ascending by key; the same bytes for the same rows. `timeRatio` is left out: it differs from run to run.
std::string writeBaseline(const Baseline& baseline);

} // namespace stowage
