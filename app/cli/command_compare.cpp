// compare INPUT…: runs every planner on every input. Runs of different lowerings plan different problems, and are ranked
// separately.
#include "app/cli/commands.h"
#include "app/cli/compare_against.h"
#include "app/cli/output.h"
#include "app/cli/plan_file.h"
#include "app/cli/planned.h"
#include "app/session/comparison_limit.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "app/session/plan_as_input.h"
#include "app/session/verdicts.h"
#include "core/explain/pipe_run.h"
#include "core/explain/ranking.h"
#include "core/io/json_writer.h"
#include "core/io/text.h"
#include "core/ir/shown_text.h"
#include "core/plan/run_failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace stowage::cli {

namespace {

/// The result of one planner on one function of one input.
struct Result {
    std::string planner;
    std::shared_ptr<const Run> run; ///< null: refused
    std::string refusal;
    std::string code;      ///< code of a planner that failed; empty: refused before it began
    bool fromFile = false; ///< the plan came with the input
    bool best = false;     ///< smallest of its group
};

/// Results for one problem, which may be ranked together.
struct Group {
    std::string input;
    std::string function;
    std::shared_ptr<const Lowering> lowering; ///< null if refused before the lowering
    std::vector<Result> results;
};

/// The fingerprint for the reader; empty if the group was refused before the lowering.
std::string fingerprintText(const Group& group)
{
    return group.lowering ? group.lowering->fingerprint.text() : std::string();
}

bool isOfOneProblem(const std::shared_ptr<const Lowering>& a, const std::shared_ptr<const Lowering>& b)
{
    return a && b ? a->fingerprint == b->fingerprint : a == b;
}

void markBest(Group& group)
{
    Bytes least = std::numeric_limits<Bytes>::max();
    for (const Result& result : group.results)
        if (result.run && isYes(verdictKind(*result.run))) least = std::min(least, result.run->report.totalSize());
    for (Result& result : group.results)
        result.best = result.run && isYes(verdictKind(*result.run)) && result.run->report.totalSize() == least;
}

std::string message(const Result& result)
{
    if (!result.run) return result.refusal;
    return isYes(verdictKind(*result.run)) ? std::string() : verdictLine(*result.run);
}

/// "dtcm 20,000 + sram 4,096" with several pools.
std::string perPool(const Run& run)
{
    if (run.report.pools.size() < 2) return {};
    std::string text;
    for (const PoolReport& pool : run.report.pools)
        if (pool.buffers > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : " + ",
                                run.problem().pools[static_cast<std::size_t>(pool.pool)].name, grouped(pool.size));
    return text;
}

class CompareCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "compare"; }
    [[nodiscard]] std::string summary() const override
    {
        return "compare planners: size, bound, gap, validity and time on every input";
    }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"compare problem.csv", "compare model.tflite problem.csv --planners auto,greedy-by-size --format markdown",
                "compare model.tflite --against model.plan.json --format json", "compare new.plan.json --against old.plan.json"};
    }

    void declare(Arguments& app) override
    {
        input_.declareMany(app);
        planning_.declare(app, PlanningOptions::manyPlanners);
        app.option("--plan", plans_,
                   "adds a plan as a row: plan JSON, a CSV with offsets, or a dump, log or profile of another tool; repeatable")
            .typeName("FILE")
            .oneValueEach();
        app.option("--against", against_,
                   "show the differences to an earlier model or plan, tensor by tensor; of two plans when the input is one")
            .typeName("FILE")
            .notEmpty();
        output_.declare(app, {"text", "json", "csv", "markdown"});
        app.footer(fmt::format("Without --time-limit and --work-limit, 'exact' stops here after {} placements tried. With more\n"
                               "than {} buffers, this limit is multiplied by ({} / buffers)³. 'plan' has no such limit.",
                               grouped(static_cast<std::int64_t>(comparedWork)), easilyCompared, easilyCompared));
    }

    int run(const Environment& environment) override
    {
        if (!against_.empty() && !plans_.empty())
            return environment.fail(
                usage("--against compares two files, and --plan adds a row to a table of planners", "leave one of them out"));
        if (!against_.empty()) return compareAgainst(environment, input_, planning_, output_, against_);
        const auto planners = planning_.planners(environment.session);
        if (!planners) return environment.fail(planners.error());
        int status = done;
        if (!plans_.empty() && input_.inputs().size() > 1)
            return environment.fail(failure(Code::usage, "--plan applies to one input", {}, "compare each input separately"));
        std::vector<std::optional<Model>> models;
        for (const std::string& input : input_.inputs()) models.push_back(input_.read(environment, input));
        if (const auto error = planAmong(models)) return environment.fail(*error);
        for (const std::optional<Model>& model : models) {
            if (!model) {
                status = badInput;
                continue;
            }
            // Planning may take long: plans that cannot be read are reported before it.
            std::vector<std::pair<std::string, std::vector<FunctionRun>>> given;
            for (const std::string& plan : plans_) {
                given.emplace_back(plan, runsOfPlanFile(environment, *model, planning_, plan));
                if (given.back().second.empty()) return badInput;
            }
            for (const std::string& function : Session::functions(*model)) {
                const std::size_t first = groups_.size();
                if (!compare(environment, *model, function, *planners)) {
                    status = badInput; // others may go
                    continue;
                }
                if (environment.interrupt.stop_requested()) break;
                status = worse(status, statusOf(first));
            }
            for (const auto& [plan, runs] : given) addPlan(*model, plan, runs);
        }
        if (groups_.empty() && status == badInput) return status;
        for (Group& group : groups_) markBest(group);
        const int written = output_.write(environment, printed());
        return written == done ? status : written;
    }

private:
    /// Adds the groups of one function. False if the options do not apply to it, which is reported.
    bool compare(const Environment& environment, const Model& model, const std::string& function,
                 const std::vector<std::string>& planners)
    {
        const std::size_t first = groups_.size();
        auto base = planning_.request(environment, model, function);
        if (!base) {
            environment.fail(base.error());
            return false;
        }
        // An option of the lowering that does not go is nobody's refusal. The lowering is kept for the planners.
        if (const auto lowered = environment.session.lowerNow(model, *base); !lowered) {
            environment.fail(lowered.error());
            return false;
        }
        for (const std::string& name : planners) {
            if (environment.interrupt.stop_requested()) return true;
            PlanRequest request = *base;
            request.planner = PlanningOptions::nameIn(name);
            const PlannerInfo& info = environment.session.planners().find(PlanningOptions::nameIn(name))->info();
            request.options = planning_.optionsOf(info, name);
            const auto run =
                planWithProgress(environment, model, limitedForComparison(environment.session, model, std::move(request)),
                                 fmt::format("{} · {}", model.name.toStdString(), name));
            Result result;
            result.planner = name;
            if (run)
                result.run = *run;
            else
                refused(result, run.error());
            groupOf(first, model, function, result.run ? result.run->lowering : nullptr).results.push_back(std::move(result));
        }
        for (const auto& run : environment.session.fileRuns(model, *base)) {
            Result result;
            result.planner = run->plan.planner;
            result.run = run;
            result.fromFile = true;
            groupOf(first, model, function, run->lowering).results.push_back(std::move(result));
        }
        return true;
    }

    /// An error if an input is a plan; no value if the user declared it a problem.
    [[nodiscard]] std::optional<Error> planAmong(const std::vector<std::optional<Model>>& models) const
    {
        if (models.size() < 2 || input_.importer() == "csv") return std::nullopt;
        for (const auto& table : models)
            for (const auto& model : models) {
                if (!table || !model || &table == &model) continue;
                if (const PlanSign sign = planSign(*table, *model); sign != PlanSign::noPlan)
                    return planAmongInputs(*table, *model, sign);
            }
        return std::nullopt;
    }

    /// Adds a row for each function of a plan of another tool, named after its file.
    void addPlan(const Model& model, const std::string& path, const std::vector<FunctionRun>& runs)
    {
        for (const auto& [function, run] : runs) {
            Result result;
            result.planner = path.substr(path.rfind('/') + 1);
            result.run = run;
            result.fromFile = true;
            groupOf(0, model, function, run->lowering).results.push_back(std::move(result));
        }
    }

    static void refused(Result& result, const Error& error)
    {
        result.refusal = error.message;
        if (const auto failure = runFailureOf(error)) result.code = toText(*failure);
    }

    Group& groupOf(std::size_t first, const Model& model, const std::string& function,
                   const std::shared_ptr<const Lowering>& lowering)
    {
        for (std::size_t i = first; i < groups_.size(); ++i)
            if (groups_[i].function == function && isOfOneProblem(groups_[i].lowering, lowering)) return groups_[i];
        groups_.push_back({nativePath(model.path), function, lowering, {}});
        return groups_.back();
    }

    /// The exit status of the groups of one function: `answerIsNo` if no planner has a plan that fits, or a plan of Stowage is
    /// not valid; `badInput` if all planners refuse the problem, as for `plan`.
    [[nodiscard]] int statusOf(std::size_t first) const
    {
        bool any = false;
        bool open = false;
        bool refusedByAll = true;
        for (std::size_t i = first; i < groups_.size(); ++i)
            for (const Result& result : groups_[i].results) {
                if (result.fromFile) continue;
                refusedByAll &= !result.run && result.code.empty();
                if (!result.run) continue;
                if (result.run->report.status == Status::invalid) return answerIsNo;
                any |= isYes(verdictKind(*result.run));
                open |= result.run->report.status == Status::undecided;
            }
        return any ? done : open ? undecided : refusedByAll ? badInput : answerIsNo;
    }

    static int worse(int a, int b)
    {
        if (a == badInput || b == badInput) return badInput;
        return a == answerIsNo || b == done ? a : b;
    }

    [[nodiscard]] static Table tableOf(const std::vector<Group>& groups)
    {
        Table table{{{"best", "", CellKind::text},
                     {"input", "input", CellKind::text},
                     {"function", "function", CellKind::text},
                     {"planner", "planner", CellKind::text},
                     {"size", "size (B)", CellKind::number},
                     {"lower_bound", "lower bound (B)", CellKind::number},
                     {"gap", "gap", CellKind::ratio},
                     {"verdict", "verdict", CellKind::text},
                     {"elapsed_ms", "time (ms)", CellKind::milliseconds},
                     {"pools", "pools (B)", CellKind::text},
                     {"lowering", "lowering", CellKind::text},
                     {"slowdown", "slower by reuse", CellKind::ratio},
                     {"cross_pipe", "across pipes", CellKind::number},
                     {"breaks_double_buffer", "double buffers broken", CellKind::number},
                     {"message", "", CellKind::text}},
                    {}};
        for (const Group& group : groups)
            for (const Result& result : group.results) {
                std::vector<Cell> row(table.columns.size());
                row[0] = std::string(result.best ? "*" : "");
                row[1] = group.input;
                row[2] = group.function;
                row[3] = result.planner;
                if (result.run) {
                    const Report& report = result.run->report;
                    row[4] = report.totalSize();
                    row[5] = report.totalBound();
                    row[6] = totalGap(report);
                    row[7] = std::string(verdictWord(*result.run));
                    if (!result.fromFile) row[8] = result.run->elapsedMs;
                    row[9] = perPool(*result.run);
                } else {
                    row[7] = result.code.empty() ? std::string("refused") : "failed: " + result.code;
                }
                row[10] = fingerprintText(group);
                if (const auto pipes = result.run ? analysePipes(*result.run) : std::nullopt) {
                    row[11] = pipes->report.slowdown();
                    row[12] = pipes->report.count(ReuseKind::crossPipe);
                    row[13] = pipes->report.count(ReuseKind::breaksDoubleBuffer);
                }
                row[14] = message(result);
                table.rows.push_back(std::move(row));
            }
        // Only kernels with several pipes have these columns.
        const bool pipes =
            std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) { return row[11].index() != 0; });
        if (!pipes) {
            table.columns.erase(table.columns.begin() + 11, table.columns.begin() + 14);
            for (auto& row : table.rows) row.erase(row.begin() + 11, row.begin() + 14);
        }
        return table;
    }

    [[nodiscard]] std::string printed() const
    {
        if (output_.format() == Format::json) return json();
        if (output_.format() == Format::csv) return toCsv(tableOf(groups_));
        const bool markdown = output_.format() == Format::markdown;
        std::string text;
        if (groups_.size() > 1 && !markdown) text = verdictOfGroups();
        for (const Group& group : groups_) {
            std::string title = shownName(group.input);
            if (!group.function.empty()) title += " · " + shownName(group.function);
            if (!text.empty()) text += '\n';
            if (groups_.size() == 1 && !markdown) text += verdictOf(group) + '\n';
            text += markdown ? fmt::format("### {}\n\n", title) : toned(title, Tone::strong, output_) + '\n';
            if (groups_.size() > 1 || markdown) text += verdictOf(group) + (markdown ? "\n" : "");
            for (const std::string& gain : gainsOf(group)) text += gain + (markdown ? "\n\n" : "\n");
            if (group.lowering) text += problemLine(*group.lowering) + (markdown ? "\n\n" : "\n");
            Table table = tableOf({group});
            for (auto& row : table.rows) row[1] = row[2] = row[10] = {}; // shown above the table
            text += markdown ? toMarkdown(table) : toText(table, roomFor(output_));
        }
        const bool apart = std::ranges::any_of(groups_, [&](const Group& a) {
            return a.lowering && std::ranges::any_of(groups_, [&](const Group& b) {
                       return b.lowering && isOfOneFunction(a, b) && !isOfOneProblem(a.lowering, b.lowering);
                   });
        });
        if (apart) text += "\nDifferent lowerings make different problems, so their sizes cannot be ranked together.\n";
        return text;
    }

    static bool isOfOneFunction(const Group& a, const Group& b) { return a.input == b.input && a.function == b.function; }

    /// Whether a planner that is not of this group has a plan for its function.
    [[nodiscard]] bool isPlannedByOthers(const Group& group) const
    {
        return std::ranges::any_of(groups_, [&](const Group& other) { return isOfOneFunction(group, other) && bestOf(other); });
    }

    /// Whether a planner of the group failed; a refusal is no failure.
    static bool hasFailure(const Group& group)
    {
        return std::ranges::any_of(group.results, [](const Result& result) { return !result.run && !result.code.empty(); });
    }

    /// The verdict on the best plan of a group, and its planner. Empty if the group has no plan and another one of the function
    /// has: the rows name those that refuse or fail.
    [[nodiscard]] std::string verdictOf(const Group& group) const
    {
        const Result* best = bestOf(group);
        if (!best && isPlannedByOthers(group)) return {};
        if (!best)
            return toned(hasFailure(group) ? "Failed: no planner made a plan" : "Refused: no planner supports this problem",
                         Tone::bad, output_) +
                   "\n";
        const VerdictKind kind = verdictKind(*best->run);
        std::string line = verdictLine(*best->run);
        if (group.results.size() > 1) {
            const auto equals = std::ranges::count_if(group.results, [](const Result& result) { return result.best; });
            if (isYes(kind))
                line += fmt::format("; smallest of {}: {}{}", counted(static_cast<std::int64_t>(group.results.size()), "plan"),
                                    best->planner, equals > 1 ? fmt::format(" and {} more", equals - 1) : std::string());
            else
                line += fmt::format(" ({} is the closest of {})", best->planner,
                                    counted(static_cast<std::int64_t>(group.results.size()), "planner"));
        }
        return toned(line, toneOf(kind), output_) + "\n";
    }

    /// For each plan of another tool, the gain of the best plan.
    static std::vector<std::string> gainsOf(const Group& group)
    {
        const Result* ours = nullptr;
        for (const Result& result : group.results)
            if (result.run && !result.fromFile && (!ours || ranksBefore(*result.run, *ours->run))) ours = &result;
        std::vector<std::string> lines;
        for (const Result& result : group.results)
            if (ours && result.fromFile) lines.push_back(gainLine(*result.run, *ours->run));
        return lines;
    }

    static const Result* bestOf(const Group& group)
    {
        const Result* best = nullptr;
        for (const Result& result : group.results)
            if (result.run && (!best || ranksBefore(*result.run, *best->run))) best = &result;
        return best;
    }

    /// One line for several inputs, functions or lowerings: the worst verdict.
    [[nodiscard]] std::string verdictOfGroups() const
    {
        std::int64_t good = 0, all = 0;
        bool capacity = false, partial = false;
        const Group* bad = nullptr;
        for (const Group& group : groups_) {
            const Result* best = bestOf(group);
            // That a planner refuses says nothing where others have planned.
            if (!best && isPlannedByOthers(group)) continue;
            ++all;
            if (best && isYes(verdictKind(*best->run))) {
                ++good;
                capacity |= usesCapacity(best->run->report);
                partial |= verdictKind(*best->run) == VerdictKind::partial;
            } else if (!bad) {
                bad = &group;
            }
        }
        const Result* best = bad ? bestOf(*bad) : nullptr;
        const VerdictKind kind = best       ? verdictKind(*best->run)
                                 : partial  ? VerdictKind::partial
                                 : capacity ? VerdictKind::fits
                                            : VerdictKind::valid;
        const bool noPlan = bad && !best;
        const std::string_view word = noPlan ? hasFailure(*bad) ? "Failed" : "Refused" : verdictWord(kind);
        const std::string line = bad ? fmt::format("{}: {} of {}, the first is {}", word, all - good, counted(all, "comparison"),
                                                   shownName(bad->input))
                                     : fmt::format("{}: {} of {}", word, good, counted(all, "comparison"));
        return toned(line, noPlan ? Tone::bad : toneOf(kind), output_) + "\n";
    }

    [[nodiscard]] std::string json() const
    {
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.comparison/1");
            out.array("rows", [&] {
                for (const Group& group : groups_)
                    for (const Result& result : group.results)
                        out.object(io::JsonWriter::compact, [&] {
                            out.field("input", group.input);
                            if (!group.function.empty()) out.field("function", group.function);
                            out.field("planner", result.planner);
                            out.field("lowering", fingerprintText(group));
                            if (!result.run) {
                                out.field("status", result.code.empty() ? "refused" : "failed");
                                if (!result.code.empty()) out.field("code", result.code);
                                out.field("message", result.refusal);
                                return;
                            }
                            const Run& run = *result.run;
                            out.field("status", toText(run.report.status));
                            if (verdictKind(run) == VerdictKind::asPreferred) out.field("scope", toText(run.report.among));
                            io::writePartial(out, run);
                            out.field("valid", run.report.verdict.valid());
                            out.field("fits", !run.report.verdict.overCapacity);
                            out.field("best", result.best);
                            out.field("size", run.report.totalSize());
                            out.field("lower_bound", run.report.totalBound());
                            out.field("gap", totalGap(run.report));
                            if (!result.fromFile) out.field("elapsed_ms", run.elapsedMs);
                            out.field("work", run.plan.work);
                            out.array("pools", io::JsonWriter::compact, [&] {
                                for (const PoolReport& pool : run.report.pools)
                                    out.object([&] {
                                        out.field("name", run.problem().pools[static_cast<std::size_t>(pool.pool)].name);
                                        out.field("size", pool.size);
                                        out.field("lower_bound", pool.lowerBound);
                                        if (pool.capacity) out.field("capacity", *pool.capacity);
                                    });
                            });
                            if (const auto pipes = analysePipes(run))
                                out.object("pipes", io::JsonWriter::compact, [&] {
                                    out.field("time", pipes->report.time);
                                    out.field("time_without_reuse", pipes->report.timeWithoutReuse);
                                    out.field("slowdown", pipes->report.slowdown());
                                    out.field("same_pipe", pipes->report.count(ReuseKind::samePipe));
                                    out.field("cross_pipe", pipes->report.count(ReuseKind::crossPipe));
                                    out.field("breaks_double_buffer", pipes->report.count(ReuseKind::breaksDoubleBuffer));
                                });
                            if (!message(result).empty()) out.field("message", message(result));
                        });
            });
        });
        return std::move(out).text();
    }

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::vector<std::string> plans_;
    std::string against_;
    std::vector<Group> groups_;
};

} // namespace

std::unique_ptr<Command> compareCommand()
{
    return std::make_unique<CompareCommand>();
}

} // namespace stowage::cli
