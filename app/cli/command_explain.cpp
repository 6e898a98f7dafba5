// explain INPUT: explains offsets, size, bound and fragmentation, and which change helps most.
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/plan_file.h"
#include "app/session/levers.h"
#include "app/session/number_words.h"
#include "app/session/robustness_study.h"
#include "app/session/verdicts.h"
#include "core/explain/counterfactual.h"
#include "core/explain/loop_story.h"
#include "core/explain/support_chain.h"
#include "core/ir/shown_text.h"
#include "core/plan/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace stowage::cli {

namespace {

/// The explanation of one pool.
struct PoolStory {
    PoolId pool = none;
    std::string name;
    Bytes size = 0, bound = 0;
    Table proof;    ///< the buffers of the bound's certificate
    Step step = -1; ///< of the certificate
    Table tower;    ///< from the highest byte down
    std::string towerEnd;
    Table together;           ///< buffers that do not fit together; no rows if unknown
    bool irreducible = false; ///< proved: without any one of them the others fit
    std::string room;         ///< pool and capacity that they do not fit into
    UsageSample worst;        ///< sample with the most free bytes outside of the largest free block
    Bytes unchanged = 0;      ///< size of a new plan without changes
    bool unchangedSmallest = false;
    Table changes;
};

/// The changes of the whole model.
struct ModelStory {
    Table levers;
    std::string noRows = "none could be tried"; ///< why there are no rows
};

/// The answers to --what-if.
struct Answers {
    Table changes;
    std::string notes; ///< the pools for which a smaller plan was found without a change
};

/// Names come last, because they can be long and figures should be aligned.
Table changesTable()
{
    return {{{"size", "best size", CellKind::number},
             {"saved", "saved", CellKind::number},
             {"bound", "lower bound", CellKind::number},
             {"smallest", "proved smallest"},
             {"change", "change", CellKind::prose}},
            {}};
}

void addChange(Table& table, const Problem& problem, const Counterfactual& found, Bytes unchanged)
{
    table.rows.push_back({found.size, unchanged - found.size, found.bound, found.smallest, describe(problem, found.change)});
}

/// The reference of the savings in a table of changes, if it is not the size of the plan.
std::string unchangedLine(Bytes size, Bytes unchanged, bool smallest)
{
    if (unchanged >= size) return {};
    return fmt::format("Without any change, a plan of {} bytes was found{}, {} less than this one; savings are relative to "
                       "it (planners that search, such as auto and exact, find such plans)\n",
                       grouped(unchanged), smallest ? " and proved smallest" : "", grouped(size - unchanged));
}

/// "in these plans 3 to 9 of 24 sizes are different". Requires samples.
std::string changedSizesLine(const std::vector<RobustnessSample>& samples, std::size_t buffers)
{
    const auto [least, most] = std::ranges::minmax(samples, {}, &RobustnessSample::changed);
    return fmt::format("in these plans {}{} of {} sizes {} different\n", least.changed,
                       most.changed > least.changed ? fmt::format(" to {}", most.changed) : std::string(), buffers,
                       most.changed == 1 ? "is" : "are");
}

std::string endWords(SupportEnd end)
{
    switch (end) {
    case SupportEnd::ground: return "down to address 0";
    case SupportEnd::pinned: return "down to a buffer that is pinned";
    case SupportEnd::nothing: break;
    }
    return "the last one rests on nothing: it could lie lower";
}

Table chainTable(const Problem& problem, const SupportChain& chain)
{
    Table table{{{"offset", "offset", CellKind::address},
                 {"size", "bytes", CellKind::number},
                 {"gap", "lost to alignment", CellKind::number},
                 {"together", "live with the one above"},
                 {"buffer", "buffer"}},
                {}};
    for (std::size_t k = 0; k < chain.links.size(); ++k) {
        const SupportLink& link = chain.links[k];
        const Buffer& buffer = problem.buffers[at(link.buffer)];
        table.rows.push_back({link.offset, buffer.size, link.gap > 0 ? Cell(link.gap) : Cell(),
                              k == 0                  ? Cell()
                              : link.together.empty() ? Cell(std::string("in conflict"))
                                                      : Cell(intervalText(link.together)),
                              buffer.name});
    }
    return table;
}

std::string typeOf(ViewType type)
{
    return type == ViewType::fixed ? "fixed" : type == ViewType::typeI ? "I" : type == ViewType::typeII ? "II" : "chosen";
}

/// A row for each tensor, a column for each iteration.
Table viewTable(const Problem& problem, const LoopViews& views)
{
    constexpr std::size_t maxColumns = 16;
    Table table{{{"tensor", "tensor"}, {"type", "view"}, {"pool", "pool"}}, {}};
    const auto columns = std::min(static_cast<std::size_t>(views.iterations), maxColumns);
    for (std::size_t i = 0; i < columns; ++i)
        table.columns.push_back(
            {fmt::format("iteration{}", i), i == 0 ? "iteration 0" : fmt::format("{}", i), CellKind::address});
    const auto addRow = [&](const std::string& name, const std::string& type, const std::vector<ViewPlace>& places) {
        std::vector<Cell>& row = table.rows.emplace_back();
        const PoolId pool = places.front().pool;
        row = {name, type, pool == none ? Cell() : Cell(problem.pools[at(pool)].name)};
        for (std::size_t i = 0; i < columns; ++i) row.push_back(places[i].buffer == none ? Cell() : Cell(places[i].offset));
    };
    for (const LoopView& view : views.views) {
        if (view.choices.empty()) addRow(view.name, typeOf(view.type), view.places);
        for (std::size_t c = 0; c < view.choices.size(); ++c)
            addRow(view.name, fmt::format("{} {}", typeOf(view.type), c), view.choices[c]);
    }
    return table;
}

constexpr std::uint64_t nodesOfQuestion = 100'000; ///< limit of the search for one change of --what-if

class ExplainCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "explain"; }
    [[nodiscard]] std::string summary() const override
    {
        return "explain the offsets of buffers, and which changes reduce the size";
    }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"explain model.tflite", "explain problem.csv --buffer a --what-if size:a=5"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {"text", "json"});
        app.option("--plan", plan_, "explain this plan (JSON, or a CSV with offsets) instead of making one")
            .typeName("FILE")
            .excludes("--planner");
        app.option("--buffer", buffers_, "explain the offset of this buffer; may be repeated").typeName("NAME");
        app.option("--loop", loops_, "show the places that each iteration of this loop uses; may be repeated").typeName("NAME");
        app.option("--changes", changes_, "maximum number of single changes to show; 0: none").typeName("N").showDefault();
        app.flag("--constants", constants_, "also try changes of constants").rare();
        app.option("--what-if", whatIf_,
                   "show the effect of a change: size:NAME=BYTES, live:NAME=3-7,9-12 or in-place:NAME=OTHER; may be repeated")
            .typeName("CHANGE");
        app.option("--robustness", robustness_,
                   "number of further plans: half with other seeds, half with sizes changed by up to 5 %")
            .typeName("N")
            .between(0, 1000)
            .showDefault();
    }

    int run(const Environment& environment) override
    {
        // The other options of a planner are limits, also of the changes and further plans that are tried.
        if (const std::string& given = planning_.givenForPlanner(); !plan_.empty() && (given == "--option" || given == "--seed"))
            return environment.fail(usage(fmt::format("{} has no effect: the plan is that of --plan", given), "leave it out"));
        const auto model = input_.read(environment);
        if (!model) return badInput;
        std::optional<Error> failedRun;
        const auto runs = plan_.empty() ? planFunctions(environment, *model, planning_, &failedRun)
                                        : runsOfPlanFile(environment, *model, planning_, plan_);
        if (runs.empty()) return failedRun ? answerIsNo : badInput;
        std::string out;
        io::JsonWriter json;
        const bool asJson = output_.format() == Format::json;
        if (asJson && runs.size() > 1)
            return environment.fail(
                failure(Code::severalFunctions, "explain works on one function", {}, "choose one with --function NAME"));
        if (runs.size() > 1) out = verdictOfAll(runs, output_);
        for (const FunctionRun& planned : runs) {
            const Run& run = *planned.run;
            if (runs.size() > 1) out += fmt::format("\n{}\n", planned.function);
            std::vector<std::pair<std::string, SupportChain>> chains;
            const SupportFinder finder(run.problem(), run.plan);
            for (const std::string& wanted : buffers_) {
                const auto& all = run.problem().buffers;
                const auto found = std::find_if(all.begin(), all.end(), [&](const Buffer& b) { return b.name == wanted; });
                if (found == all.end())
                    return environment.fail(failure(Code::noBuffer, fmt::format("there is no buffer named '{}'", wanted), {},
                                                    "plan --rows 0 lists all"));
                chains.emplace_back(wanted, finder.chain(static_cast<BufferId>(found - all.begin())));
            }
            std::vector<LoopStory> loops;
            for (const std::string& wanted : loops_) {
                const auto& all = run.problem().loops;
                const auto found = std::find_if(all.begin(), all.end(), [&](const Loop& l) { return l.name == wanted; });
                if (found == all.end())
                    return environment.fail(failure(Code::noLoop, fmt::format("there is no loop named '{}'", wanted), {},
                                                    "info shows the ops of the program"));
                auto told = run.program
                                ? loopStory(*run.program, *run.lowering, run.plan, static_cast<LoopId>(found - all.begin()))
                                : std::nullopt;
                if (!told) return environment.fail(failure(Code::noLoop, "--loop needs a program, and the input is a problem"));
                loops.push_back(*std::move(told));
            }
            const auto asked = ask(environment, run);
            if (!asked) return environment.fail(asked.error());
            std::vector<PoolStory> stories;
            for (const PoolReport& pool : run.report.pools)
                if (pool.size > 0) stories.push_back(tell(environment, run, pool, finder));
            std::vector<RobustnessSample> samples;
            if (robustness_ > 0) {
                const auto limits = planning_.request(environment, *model, planned.function);
                if (!limits) return environment.fail(limits.error());
                RobustnessRequest request;
                request.planner = run.plan.planner;
                request.options = run.plan.options;
                request.which.seeds = (robustness_ + 1) / 2;
                request.which.perturbed = robustness_ / 2;
                request.workLimit = limits->workLimit;
                request.timeLimitSeconds = limits->timeLimitSeconds;
                request.threads = limits->threads;
                auto found = studyRobustness(environment.session.planners(), run, request, environment.interrupt);
                if (!found) return environment.fail(found.error());
                samples = *std::move(found);
            }
            const ModelStory whole = leversOf(environment, *model, planned);
            if (asJson)
                write(json, run, chains, loops, *asked, whole, stories, samples);
            else
                out += report(run, chains, loops, *asked, whole, stories, samples) + callStacks(*model, run);
        }
        const int written = output_.write(environment, asJson ? std::move(json).text() : out);
        return written == done ? exitStatusOf(runs) : written;
    }

private:
    /// The call stacks of the allocations of the requested buffers, if the file has them.
    [[nodiscard]] std::string callStacks(const Model& model, const Run& run) const
    {
        std::string out;
        for (const std::string& wanted : buffers_) {
            const auto& all = run.problem().buffers;
            const auto found = std::ranges::find(all, wanted, &Buffer::name);
            const auto frames = callStackOf(model, run, static_cast<BufferId>(found - all.begin()));
            if (frames.empty()) continue;
            out += "\n" +
                   toned(fmt::format("Who asked for {}, the innermost frame first", shownName(wanted)), Tone::strong, output_) +
                   "\n";
            for (const std::string& frame : frames) out += "  " + shownName(frame) + "\n";
        }
        return out;
    }

    /// The effect of each change of --what-if on its pool, compared with replanning the pool without a change. Errors: a change
    /// that does not exist, or that cannot be made.
    [[nodiscard]] Expected<Answers> ask(const Environment& environment, const Run& run) const
    {
        const Problem& problem = run.problem();
        Answers answers{changesTable(), {}};
        Plan best = run.plan;
        std::map<PoolId, Bytes> unchanged;
        CounterfactualLimits limits;
        limits.nodesEach = nodesOfQuestion;
        limits.cancel = environment.interrupt;
        limits.run = &run;
        CounterfactualLimits withoutOne = limits;
        withoutOne.nodesEach /= 10; // `withoutChange` does ten times the work of a change
        for (const std::string& text : whatIf_) {
            const auto change = parseChange(problem, text);
            if (!change) return change.error();
            const PoolId pool = run.plan.placements[at(change->buffer)].pool;
            if (pool != none && !unchanged.contains(pool)) {
                const Bytes size = run.plan.poolSize(problem, pool);
                RankedChanges replanned{.unchanged = size};
                if (run.report.verdict.valid()) replanned = withoutChange(problem, best, pool, withoutOne);
                unchanged[pool] = replanned.unchanged;
                const std::string line = unchangedLine(size, replanned.unchanged, replanned.unchangedSmallest);
                if (!line.empty() && problem.pools.size() > 1) answers.notes += shownName(problem.pools[at(pool)].name) + ": ";
                answers.notes += line;
            }
            const auto answer = counterfactual(problem, best, *change, limits);
            if (!answer) return answer.error();
            addChange(answers.changes, problem, *answer, unchanged[pool]);
        }
        return answers;
    }

    /// Changes of the whole model, the most helpful first; no rows if none helps, or if --changes is 0.
    [[nodiscard]] ModelStory leversOf(const Environment& environment, const Model& model, const FunctionRun& planned) const
    {
        ModelStory story;
        story.levers = {{{"size", "best size", CellKind::number},
                         {"saved", "saved", CellKind::number},
                         {"do", "what to do", CellKind::prose}},
                        {}};
        if (changes_ == 0) return story;
        if (const std::string why = whyNotTried(*planned.run); !why.empty()) {
            story.noRows = "not looked for: " + why;
            return story;
        }
        const auto request = planning_.request(environment, model, planned.function);
        if (!request) return story;
        const Levers levers = findLevers(environment.session, model, *request, *planned.run, environment.interrupt);
        for (const Lever& lever : levers.found)
            story.levers.rows.push_back({lever.size, levers.unchanged - lever.size, describeForCommandLine(lever)});
        std::vector<std::string_view> tried;
        for (const LeverKind kind : levers.tried) tried.push_back(nameOf(kind));
        if (!tried.empty()) story.noRows = fmt::format("no change tried makes it smaller: {}", fmt::join(tried, ", "));
        return story;
    }

    [[nodiscard]] PoolStory tell(const Environment& environment, const Run& run, const PoolReport& pool,
                                 const SupportFinder& finder) const
    {
        const Problem& problem = run.problem();
        PoolStory story;
        story.pool = pool.pool;
        story.name = problem.pools[at(pool.pool)].name;
        story.size = pool.size;
        story.bound = pool.lowerBound;
        story.step = pool.certificate.step;
        story.proof = {{{"size", "bytes", CellKind::number}, {"buffer", "buffer"}}, {}};
        std::vector<BufferId> proof = pool.certificate.buffers;
        std::stable_sort(proof.begin(), proof.end(),
                         [&](BufferId a, BufferId b) { return problem.buffers[at(a)].size > problem.buffers[at(b)].size; });
        for (const BufferId id : proof)
            story.proof.rows.push_back({heldAt(problem, id, story.step), problem.buffers[at(id)].name});
        for (const Certificate& claim : run.plan.claims) {
            const auto* search = std::get_if<SearchCertificate>(&claim);
            if (!search || !search->infeasible || search->core.empty() || (search->pool != none && search->pool != pool.pool) ||
                pool.excess == 0)
                continue;
            story.together = {{{"size", "bytes", CellKind::number}, {"buffer", "buffer"}}, {}};
            story.irreducible = search->irreducible;
            for (const BufferId id : search->core)
                story.together.rows.push_back({problem.buffers[at(id)].size, problem.buffers[at(id)].name});
            story.room = search->pool == none && problem.pools.size() > 1
                             ? "all pools together"
                             : fmt::format("{} bytes", grouped(pool.capacity.value_or(0)));
            break;
        }
        // The buffer that ends highest, with its highest slot.
        if (const SupportChain chain = finder.highest(pool.pool); !chain.links.empty()) {
            story.tower = chainTable(problem, chain);
            story.towerEnd = endWords(chain.end);
        }
        for (const UsageSample& sample : usage(problem, run.plan, pool.pool))
            if (sample.live > 0 && sample.free - sample.largestFree > story.worst.free - story.worst.largestFree)
                story.worst = sample;
        story.changes = changesTable();
        if (changes_ == 0) return story;
        CounterfactualLimits limits;
        limits.cancel = environment.interrupt;
        limits.run = &run;
        const RankedChanges ranked = bestSingleChanges(problem, run.plan, pool.pool, limits);
        story.unchanged = ranked.unchanged;
        story.unchangedSmallest = ranked.unchangedSmallest;
        for (const Counterfactual& found : ranked.changes) {
            if (story.changes.rows.size() == changes_) break;
            // The sizes of constants of a trained model cannot be changed.
            const BufferId changed = found.change.buffer;
            if (!constants_ && changed != none && problem.buffers[at(changed)].kind == BufferKind::constant) continue;
            addChange(story.changes, problem, found, ranked.unchanged);
        }
        return story;
    }

    using Chains = std::vector<std::pair<std::string, SupportChain>>;

    [[nodiscard]] std::string report(const Run& run, const Chains& chains, const std::vector<LoopStory>& loops,
                                     const Answers& asked, const ModelStory& whole, const std::vector<PoolStory>& stories,
                                     const std::vector<RobustnessSample>& samples) const
    {
        const std::size_t room = roomFor(output_);
        std::string out = verdictText(run, output_) + problemLine(*run.lowering) + "\n";
        const auto head = [&](const std::string& line) { out += "\n" + toned(line, Tone::strong, output_) + "\n"; };
        for (const auto& [name, chain] : chains) {
            head(fmt::format("Why '{}' lies where it does: each rests on the next, {}", name, endWords(chain.end)));
            out += chain.links.empty() ? "it is not placed\n" : toText(chainTable(run.problem(), chain), room);
        }
        for (const LoopStory& told : loops) {
            const LoopViews& views = told.views;
            head(views.repeat == 1 && views.first == 0
                     ? fmt::format("Loop '{}': every iteration uses the same places", views.name)
                     : fmt::format("Loop '{}': iteration i uses the places of iteration i - {}{}", views.name, views.repeat,
                                   views.first > 0 ? fmt::format(", from iteration {} on", views.iterations) : std::string()));
            out += toText(viewTable(run.problem(), views), room);
            if (!told.carries.empty())
                out +=
                    fmt::format("{} carried to later iterations: {} bytes in each iteration stay in place, {} must be copied\n",
                                told.carries.size() == 1 ? "one value is" : fmt::format("{} values are", told.carries.size()),
                                grouped(told.kept), grouped(told.moved));
        }
        if (!asked.changes.rows.empty()) {
            head("What if");
            out += asked.notes + toText(asked.changes, room);
        }
        if (changes_ > 0) {
            head("Changes of the whole model");
            out += whole.levers.rows.empty() ? whole.noRows + "\n" : toText(whole.levers, room);
        }
        for (const PoolStory& story : stories) {
            head(fmt::format("Why {} is {} bytes high: from its highest byte each rests on the next, {}", story.name,
                             grouped(story.size), story.towerEnd));
            out += toText(story.tower, room);
            head(story.step >= 0
                     ? fmt::format("Why it cannot be below {} bytes: these are live together at step {}", grouped(story.bound),
                                   story.step)
                     : fmt::format("Why it cannot be below {} bytes: these conflict with one another", grouped(story.bound)));
            out += toText(story.proof, room);
            if (!story.together.rows.empty()) {
                head(fmt::format("Why nothing fits: these {} do not fit into {}{}",
                                 counted(static_cast<std::int64_t>(story.together.rows.size()), "buffer"), story.room,
                                 story.irreducible ? ", but they do without any one of them" : ""));
                out += toText(story.together, room);
            }
            if (story.worst.free > story.worst.largestFree)
                out += fmt::format(
                    "\nMost scattered at step {}: {} bytes are free below the top, the largest block of them has {}\n",
                    story.worst.step, grouped(story.worst.free), grouped(story.worst.largestFree));
            if (changes_ == 0) continue;
            head("Changes of single buffers that would help most");
            if (story.unchanged > 0) out += unchangedLine(story.size, story.unchanged, story.unchangedSmallest);
            const auto saves = [](const std::vector<Cell>& row) { return std::get<std::int64_t>(row[1]) > 0; };
            if (!story.changes.rows.empty() && std::none_of(story.changes.rows.begin(), story.changes.rows.end(), saves))
                out += "No smaller plan was found with these changes; they lower the bound, so a longer search may find one\n";
            if (!run.report.verdict.valid())
                out += "not looked for: the plan is not valid\n";
            else
                out += story.changes.rows.empty() ? "none of those tried makes it smaller\n" : toText(story.changes, room);
        }
        if (const std::string lines = pipeLines(run); !lines.empty()) {
            head(buffers_.empty() ? "What reuse costs the pipes" : "What these take over, and who takes over from them");
            out += lines;
            const Table reuse = reuseTable(run, buffers_);
            if (!reuse.rows.empty()) out += toText(reuse, room);
        }
        if (!samples.empty()) {
            head("Sensitivity to seeds and sizes");
            for (const bool perturbed : {false, true}) {
                std::vector<RobustnessSample> own;
                std::ranges::copy_if(samples, std::back_inserter(own),
                                     [&](const RobustnessSample& sample) { return sample.perturbed == perturbed; });
                const auto found = spreadFigures(own);
                if (!found) continue;
                out += fmt::format("{}: {}{} above the lower bound, {} of {} fit\n",
                                   perturbed ? "sizes up to 5 % different" : "other seeds", percent(found->least - 1),
                                   found->most > found->least ? " to " + percent(found->most - 1) : std::string(), found->fitting,
                                   found->valid);
                if (perturbed) out += changedSizesLine(own, run.problem().buffers.size());
            }
        }
        return out;
    }

    static void write(io::JsonWriter& json, const Run& run, const Chains& chains, const std::vector<LoopStory>& loops,
                      const Answers& asked, const ModelStory& whole, const std::vector<PoolStory>& stories,
                      const std::vector<RobustnessSample>& samples)
    {
        json.object([&] {
            json.field("format", "stowage.explanation/1");
            json.field("status", toText(run.report.status));
            if (verdictKind(run) == VerdictKind::asPreferred) json.field("scope", toText(run.report.among));
            json.array("buffers", [&] {
                for (const auto& one : chains)
                    json.object([&] {
                        json.field("buffer", one.first);
                        json.array("chain", [&] { writeRows(json, chainTable(run.problem(), one.second)); });
                        json.field("end", endWords(one.second.end));
                    });
            });
            json.array("levers", [&] { writeRows(json, whole.levers); });
            json.array("loops", [&] {
                for (const LoopStory& told : loops)
                    json.object([&] {
                        const LoopViews& views = told.views;
                        json.field("loop", views.name);
                        json.field("first", views.first);
                        json.field("repeat", views.repeat);
                        json.field("kept", told.kept);
                        json.field("moved", told.moved);
                        json.array("carries", [&] {
                            for (const LoopCarry& carry : told.carries)
                                json.object(io::JsonWriter::compact, [&] {
                                    json.field("from", carry.fromName);
                                    json.field("to", carry.toName);
                                    json.field("bytes", carry.bytes);
                                    json.field("moved", carry.moved);
                                });
                        });
                        json.array("views", [&] {
                            for (const LoopView& view : views.views)
                                json.object(io::JsonWriter::compact, [&] {
                                    json.field("tensor", view.name);
                                    json.field("type", typeOf(view.type));
                                    json.array("offsets", [&] {
                                        for (const ViewPlace& place : view.places) json.value(place.offset);
                                    });
                                });
                        });
                    });
            });
            Table answers = asked.changes; // and the sizes that the savings are relative to
            answers.columns.push_back({"unchanged", "without the change", CellKind::number});
            for (auto& row : answers.rows) row.emplace_back(std::get<std::int64_t>(row[0]) + std::get<std::int64_t>(row[1]));
            json.array("what_if", [&] { writeRows(json, answers); });
            json.array("pools", [&] {
                for (const PoolStory& story : stories)
                    json.object([&] {
                        json.field("pool", story.name);
                        json.field("size", story.size);
                        json.field("lower_bound", story.bound);
                        if (story.step >= 0) json.field("step", story.step);
                        json.array("bound", [&] { writeRows(json, story.proof); });
                        json.array("chain", [&] { writeRows(json, story.tower); });
                        json.field("chain_end", story.towerEnd);
                        if (!story.together.rows.empty()) {
                            json.array("infeasible_set", [&] { writeRows(json, story.together); });
                            json.field("irreducible", story.irreducible);
                        }
                        json.field("most_scattered_step", story.worst.step);
                        json.field("free", story.worst.free);
                        json.field("largest_free", story.worst.largestFree);
                        if (story.unchanged > 0) {
                            json.field("unchanged", story.unchanged);
                            json.field("unchanged_smallest", story.unchangedSmallest);
                        }
                        json.array("changes", [&] { writeRows(json, story.changes); });
                    });
            });
            if (const Table reuse = reuseTable(run); run.problem().axis == Axis::hivm)
                json.array("reuse", [&] { writeRows(json, reuse); });
            json.array("robustness", [&] {
                for (const RobustnessSample& sample : samples)
                    json.object(io::JsonWriter::compact, [&] {
                        json.field("seed", static_cast<std::int64_t>(sample.seed));
                        json.field("perturbed", sample.perturbed);
                        if (sample.perturbed) json.field("changed", static_cast<std::int64_t>(sample.changed));
                        json.field("size", sample.size);
                        json.field("lower_bound", sample.bound);
                        json.field("valid", sample.valid);
                        json.field("fits", sample.fits);
                    });
            });
        });
    }

    InputOptions input_;
    bool constants_ = false;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string plan_;
    std::vector<std::string> buffers_;
    std::vector<std::string> loops_;
    std::vector<std::string> whatIf_;
    std::size_t changes_ = 10;
    int robustness_ = 0;
};

} // namespace

std::unique_ptr<Command> explainCommand()
{
    return std::make_unique<ExplainCommand>();
}

} // namespace stowage::cli
