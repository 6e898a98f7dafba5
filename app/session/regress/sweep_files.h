// The files of a sweep: its specification, the list of its runs, and the result of each run. See sweep.h.
#pragma once

#include "app/session/regress/suite.h"
#include "core/plan/run.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

/// A name in a specification, with its line and column (without a file).
struct SweepName {
    std::string text;
    Position where;
};

/// The lists of a specification. Absent lists hold one default.
struct SweepLists {
    std::vector<SweepName> models;   ///< patterns, relative to the specification
    std::vector<SweepName> targets;  ///< "*": all installed ones; empty: the model's own pools
    std::vector<SweepName> planners; ///< "all": the built-in ones; "plugins": those of plug-ins
    std::vector<std::uint64_t> seeds;
    std::vector<std::uint64_t> workLimits; ///< 0: the planner's own
    double timeLimit = 0;                  ///< seconds; 0: none
    std::vector<OptionValues> lowerings;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
};

/// Reads a specification (`stowage.sweep/1`), without the files that it names. Errors: those of the JSON reader, an invalid
/// pattern (`isPattern`), an unknown lowering option, a time limit out of range.
Expected<SweepLists> readSweepLists(std::string_view text, const std::string& file);

/// One run of a sweep: the row that is planned, and the key of its result.
struct SweepRun {
    SuiteRow row;
    std::string key; ///< 64 hexadecimal digits (SHA-256) of input, options and build
    double cost = 0; ///< expected: bytes of the file * weight of the planner; only compared
    /// Why the model cannot be read: the run fails with it, and its key has the model's name in place of its bytes. Null: it can.
    std::shared_ptr<const Error> unread = nullptr;
};

/// One line of a merged sweep.
struct SweepRow {
    std::string key;
    std::string model;
    std::string function;
    std::string target;
    std::string planner;
    std::string lowering; ///< "order=dag inplace=off"
    std::uint64_t seed = 0;
    std::uint64_t workLimit = 0;
    double timeLimit = 0;
    std::optional<Status> status; ///< none: there is no plan; the run failed, or is missing
    Bytes size = 0;
    Bytes bound = 0;
    bool partial = false; ///< tensors of unknown size are left out: `size` and `bound` are those of the others
    double elapsedMs = 0;
    bool cut = false;    ///< a clock cut the plan (`cutBy`): the figures differ from machine to machine
    std::string error;   ///< of a failed run, not empty then
    bool repeat = false; ///< its error may be one of the machine (`isOfTheMachine`): the next sweep plans it again
    [[nodiscard]] bool planned() const { return status.has_value(); }
    [[nodiscard]] bool missing() const { return !status && error.empty(); }
    /// "optimal" and the other words of verdicts, "failed", "missing".
    [[nodiscard]] std::string_view statusText() const;
};

/// Whether `text` has the form of a run's key: 64 hexadecimal digits.
bool isSweepKey(std::string_view text);

/// The result of one run for one function.
struct SweepFunctionResult {
    std::string function;           ///< empty: the model has only one
    std::shared_ptr<const Run> run; ///< null: failed
    std::optional<Error> error;
};

/// `sweep.json` of a sweep's folder (`stowage.sweep-list/1`).
std::string writeSweepList(std::span<const SweepRun> runs);
/// Whether a file that begins with `head` is such a list.
bool isSweepListText(std::string_view head);
/// Reads such a list. The rows have no status.
Expected<std::vector<SweepRow>> readSweepList(std::string_view text, const std::string& file);

/// Whether an error may be one of the machine at this moment: a part of the installation is absent, or a module that a planner's
/// program needs; a file cannot be read or written; a process crashed, ended before it answered, or needed more memory or time
/// than it may have. Such an error need not follow from what a run's key is a hash of, so that the same run may succeed later or
/// elsewhere.
bool isOfTheMachine(const Error& error);

/// The file of one run (`stowage.sweep-run/1`).
std::string writeSweepResult(const SweepRun& run, std::span<const SweepFunctionResult> results);
/// Reads the file of one run: a row for each function, with the settings of the run from `listed`. Errors: those of the JSON
/// reader, another key than that of `listed` (unless this is empty), a file without results.
Expected<std::vector<SweepRow>> readSweepResult(std::string_view text, const std::string& file, const SweepRow& listed);

} // namespace stowage
