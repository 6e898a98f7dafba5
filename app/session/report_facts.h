// What a report says of one planned model, gathered once: the run, the other planners, the changes that would help, and the
// difference from an earlier plan. The writer (app/canvas/report) only sets it.
#pragma once

#include "app/session/revision.h"
#include "app/session/session.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// One planner on the model.
struct ReportPlanner {
    std::string name;               ///< as asked for, with options of its own after it
    std::shared_ptr<const Run> run; ///< null: the planner does not take this problem
    std::string refusal;            ///< why not
};

/// A change of the model as a whole, or of one buffer, that gives a smaller plan.
struct ReportChange {
    std::string text;
    Bytes size = 0;         ///< of the memory (or all memories, for the model as a whole) with it
    Bytes saved = 0;        ///< against the best plan found without it
    bool smallest = false;  ///< `size` is proved smallest
    bool wholeModel = true; ///< else of one buffer
};

/// What is wanted in a report.
struct ReportWish {
    PlanRequest request;                                        ///< of the plan that the report is about
    std::shared_ptr<const Run> run;                             ///< that plan; null: planned by `request`
    std::vector<std::pair<std::string, OptionValues>> planners; ///< to compare with, planned one after the other
    std::vector<ReportPlanner> planned;                         ///< to compare with, planned already
    std::optional<Revision> baseline;                           ///< an earlier plan
    std::size_t changes = 8;                                    ///< listed at most; 0: none are looked for
    std::function<void(const std::string& what)> progress;      ///< "planner exact", "changes"; may be null
};

struct ReportFacts {
    std::string model;    ///< file name without folder, or the name of pasted text
    std::string function; ///< empty: the only one
    std::string importer;
    std::string sha256; ///< of the file, 64 hexadecimal digits; empty where it cannot be read again
    std::int64_t fileBytes = -1;
    PlanRequest request;
    std::shared_ptr<const Run> run;
    std::vector<ReportPlanner> planners; ///< those with a plan by `ranksBefore`, then those without
    PoolId changesOf = none;             ///< memory that the changes of single buffers are counted in
    std::vector<ReportChange> changes;   ///< of the whole model first, each kind by what it saves
    std::string noChanges;               ///< why none were looked for; empty: they were
    std::optional<Revision> baseline;
    Revision revision;             ///< of `run`
    RevisionDifference difference; ///< from `baseline`
    std::string fingerprint;       ///< of all placements, 16 hexadecimal digits
    std::string version;           ///< of the program
    std::string build;             ///< `buildId`
    std::string command;           ///< that makes the report again, without folders
};

/// Plans what is missing, and looks for changes with fixed work, so that the answer is the same on every machine; with a time
/// limit in the request it is not. Errors: those of planning the model.
[[nodiscard]] Expected<ReportFacts> gatherReport(const Session& session, const Model& model, const ReportWish& wish,
                                                 const std::stop_token& cancel = {});

} // namespace stowage
