// Regression suites: lists of models with planners and options, and the allowed differences from a baseline.
//
//     {"format": "stowage.suite/1", "name": "nightly",
//      "defaults": {"target": "esp32-s3", "planners": ["auto"], "work_limit": 1000000, "tolerance": {"size": 0}},
//      "rows": [{"model": "models/kws.tflite"},
//               {"model": "models/decoder.onnx", "bind": {"seq": 128}, "planners": ["hill-climb:attempts=1000"]}]}
//
// Fields of a row, each also a default for all rows: model (defaults excepted), function, importer, import, bind, target,
// planners, lower, alignment, seed, work_limit, time_limit, tolerance. Paths of models and target files are relative to the
// suite's folder.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// The allowed difference of a result from its baseline.
struct Tolerance {
    Bytes size = 0;             ///< allowed growth in bytes, of all pools together and of each scarce one; the larger of this and
                                ///< `sizePercent` counts
    double sizePercent = 0;     ///< per cent of the baseline's size (of the same pool), 0 to 1,000
    std::optional<double> gap;  ///< allowed rise of size / bound - 1; no value: not judged
    bool sameVerdict = false;   ///< a worse status is a regression even if both plans fit
    std::optional<double> time; ///< maximum of planner time / time of greedy-by-size in the same process; no value: not judged
    std::int64_t stalls = 0;    ///< allowed rise of stalls, in cost units; judged for models with pipes

    friend bool operator==(const Tolerance&, const Tolerance&) = default;
};

/// One model planned by one planner: a row of the suite with a single planner. A model with several functions makes one result
/// for each of them.
struct SuiteRow {
    std::string model;    ///< as written in the suite
    std::string function; ///< empty: all functions that `Session::functions` lists
    std::string importer; ///< empty: detected from the contents
    std::vector<std::pair<std::string, std::string>> importOptions;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::string target;  ///< name or file; empty: the model's own pools
    std::string planner; ///< with its options: "hill-climb:attempts=1000"
    OptionValues lowering;
    std::optional<Bytes> alignment; ///< as `--alignment`; no value: the command line's default
    std::uint64_t seed = 0;
    std::uint64_t workLimit = 0; ///< 0: the planner's own
    double timeLimit = 0;        ///< seconds; 0: none
    Tolerance tolerance;
    Position where; ///< of the row in the suite
};

struct Suite {
    std::string name;   ///< a file name without separators; part of the baseline's name
    std::string folder; ///< folder of the suite's file, with a slash at the end; empty: the current one
    std::vector<SuiteRow> rows;
    Diagnostics warnings;
};

/// Reads a suite. Errors: those of the JSON reader, a name that is not a file name, a row without planners, a planner twice in a
/// row, numbers out of range, two rows with equal keys and different settings, more rows than fit into 128 MiB. Warns about time
/// limits, because their results differ between machines. O(rows log planners of a row).
Expected<Suite> readSuite(std::string_view text, const std::string& file);

/// Whether a file that begins with `head` is a suite, whatever its name.
bool isSuiteText(std::string_view head);

/// The key of a result: model, bindings, function (empty: not part of the key), target, planner with options, lowering, and a
/// seed that is not 0: "models/kws.tflite?seq=128#main @esp32-s3 auto order=dag". The same in all versions, because rows of
/// baselines are found by it.
std::string keyOf(const SuiteRow& row, std::string_view function);

/// The parts of a row's keys before and after the function: "models/kws.tflite?seq=128" and " @esp32-s3 auto order=dag".
struct KeyParts {
    std::string head;
    std::string tail;
};
KeyParts keyPartsOf(const SuiteRow& row);

/// What distinguishes a result from others of the same model, target and planner: "function main, seq=128, order=dag, seed=3".
/// Empty if the row sets none of these. `function`: as in `keyOf`.
std::string settingsOf(const SuiteRow& row, std::string_view function);

} // namespace stowage
