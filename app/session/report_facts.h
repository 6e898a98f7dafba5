// The contents of a report on one planned model: the run, other planners, changes that would help, and the difference from an
// earlier plan. The writer (app/canvas/report) only formats them.
#pragma once

#include "app/session/again_command.h"
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

/// The result of one planner.
struct ReportPlanner {
    std::string name;               ///< as requested, with its options
    std::shared_ptr<const Run> run; ///< null: the planner refuses this problem
    std::string refusal;            ///< reason of the refusal
};

/// A change of the model as a whole, or of one buffer, that gives a smaller plan.
struct ReportChange {
    std::string text;
    Bytes size = 0;         ///< bytes of the pool (of all pools, for a change of the whole model) with the change
    Bytes saved = 0;        ///< bytes less than the best plan found without it
    bool smallest = false;  ///< no plan with the change is smaller than `size`
    bool wholeModel = true; ///< false: a change of one buffer
};

/// The request for a report.
struct ReportWish {
    PlanRequest request;                                        ///< of the plan that the report is about
    std::shared_ptr<const Run> run;                             ///< that plan; null: it is planned from `request`
    std::vector<std::pair<std::string, OptionValues>> planners; ///< planners to compare with, planned one after the other
    std::vector<ReportPlanner> planned;                         ///< results to compare with
    std::optional<Revision> baseline;                           ///< an earlier plan
    std::size_t changes = 8;                                    ///< maximum count; 0: no changes are searched
    std::function<void(const std::string& what)> progress;      ///< "planner exact", "changes"; may be null
};

struct ReportFacts {
    std::string model;    ///< file name without folder, or the name of pasted text
    std::string function; ///< empty: the only one
    std::string importer;
    std::string sha256; ///< of the file, 64 hexadecimal digits; empty if it cannot be read again
    std::int64_t fileBytes = -1;
    PlanRequest request;
    std::shared_ptr<const Run> run;
    std::vector<ReportPlanner> planners; ///< with a plan first, in the order of `ranksBefore`
    PoolId changesOf = none;             ///< pool that the sizes of changes of single buffers refer to
    std::vector<ReportChange> changes;   ///< descending by `saved`; of equal ones changes of the whole model first
    std::vector<std::string> tried;      ///< kinds of changes of the whole model that were tried: "merged views"
    std::string noChanges;               ///< reason why none were searched; empty: they were searched
    std::optional<Revision> baseline;
    Revision revision;             ///< of `run`
    RevisionDifference difference; ///< from `baseline`
    std::string fingerprint;       ///< of all placements, 16 hexadecimal digits
    std::string version;           ///< of Stowage
    std::string build;             ///< `buildId`
    AgainCommand command;          ///< command line that makes the same report
};

/// Plans the missing runs, and searches for changes with fixed work, so that the answer is the same on every machine unless the
/// request has a time limit. Errors: those of planning the model.
[[nodiscard]] Expected<ReportFacts> gatherReport(const Session& session, const Model& model, const ReportWish& wish,
                                                 const std::stop_token& cancel = {});

} // namespace stowage
