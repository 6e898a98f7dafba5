#include "app/session/fit.h"

#include "app/session/laid_plan.h"
#include "app/session/levers.h"
#include "app/session/number_words.h"
#include "app/session/verdicts.h"
#include "core/explain/counterfactual.h"
#include "core/ir/checked.h"
#include "core/ir/shown_text.h"
#include "core/plan/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace stowage {

namespace {

constexpr Bytes tflmAlignment = 16;
constexpr std::size_t shownChanges = 3;
constexpr std::uint64_t workUnlimited = 1'000'000;  ///< placements tried by a planner that nobody has limited
constexpr std::uint64_t workOfChange = 100'000;     ///< placements tried for one change, as in levers.cpp
constexpr std::size_t maxJudged = 2 * shownChanges; ///< single changes that are planned anew with scratch

/// How a runtime plans by itself, in the order of its preference, by the names of our planners; and how rows are called.
struct OwnPlanner {
    const char* row;
    const char* planner;
};
constexpr std::array<OwnPlanner, 2> tflmPlanners{{{"tflm-greedy", "tflm-greedy"}, {"tflm-linear", "naive"}}};
constexpr std::array<OwnPlanner, 2> executorchPlanners{{{"greedy-by-size", "greedy-by-size"}, {"naive", "naive"}}};
constexpr auto offlineRow = "offline";
constexpr auto fileRow = "in-file";
constexpr auto recordedRow = "recorded";

std::optional<std::int64_t> figure(const FilePlan& plan, std::string_view name)
{
    for (const auto& [key, value] : plan.figures)
        if (key == name) return value;
    return std::nullopt;
}

class Fitter {
public:
    Fitter(const Session& session, const Model& model, const PlanRequest& request, const Model* log,
           const std::stop_token& cancel)
        : session_(session), model_(model), request_(request), log_(log), cancel_(cancel)
    {
        fit_.runtime = runtimeOf(model, request.target);
        fit_.function = Session::functionOf(model, request);
        request_.record = false;
        if (fit_.runtime == Runtime::unknown) return;
        if (fit_.runtime == Runtime::executorch) {
            ownMemories();
            return;
        }
        // The runtime has one arena; it is filled as if it were unbounded, and compared with its capacity afterwards.
        const std::vector<Pool> pools = poolsOf();
        const auto workspace = std::ranges::find_if(pools, [](const Pool& pool) { return pool.kind == PoolKind::workspace; });
        Pool arena;
        arena.name = "arena";
        if (workspace != pools.end()) arena = *workspace;
        fit_.capacity = std::exchange(arena.capacity, std::nullopt);
        arena.alignment = checkedLcm(arena.alignment, tflmAlignment).value_or(tflmAlignment);
        if (request_.alignment == elementAlignment) request_.alignment = tflmAlignment;
        fit_.memory = arena.name;
        request_.target.pools = {std::move(arena)};
    }

    Expected<Fit> run()
    {
        const auto chosen = session_.planners().require(request_.planner);
        if (!chosen) return chosen.error();
        if (auto error = checkOptions((*chosen)->info(), request_.options)) return *std::move(error);
        if (fit_.runtime == Runtime::unknown) {
            if (auto error = everyPlanner()) return *std::move(error);
        } else if (auto error = plannersOfRuntime()) {
            return *std::move(error);
        }
        for (FitRow& row : fit_.rows) {
            if (fit_.runtime == Runtime::unknown) // planners differ in how they lower a program: each has a bound of its own
                row.overBound = overBound(row.tensors, boundOfEveryPlan(*row.run));
            else if (row.run && fit_.bound > 0)
                row.overBound = static_cast<double>(row.tensors + row.scratch.value_or(0)) / static_cast<double>(fit_.bound) - 1;
            if (fit_.runtime != Runtime::unknown && fit_.capacity && !eachItsOwn_)
                row.fits = row.arena <= *fit_.capacity;
            else if (row.run && usesCapacity(row.run->report))
                row.fits = isYes(verdictKind(*row.run));
        }
        fillPeak();
        fillChanges();
        return std::move(fit_);
    }

private:
    using Failure = std::optional<Error>;
    using RunPointer = std::shared_ptr<const Run>;

    /// The tensors and the scratch of a log.
    struct Scratch {
        Problem whole;                            ///< the tensors first
        std::size_t tensors = 0;                  ///< number of buffers that are tensors
        std::shared_ptr<const Lowering> lowering; ///< of the tensors
    };

    static double overBound(Bytes size, Bytes bound)
    {
        return bound > 0 && size > bound ? static_cast<double>(size) / static_cast<double>(bound) - 1 : 0;
    }

    /// The target's memories, else the model's own.
    [[nodiscard]] std::vector<Pool> poolsOf() const
    {
        if (!request_.target.pools.empty()) return request_.target.pools;
        if (model_.program) return model_.program->pools;
        for (const auto& [name, problem] : model_.problems)
            if (name == request_.function) return problem->pools;
        return model_.problem ? model_.problem->pools : std::vector<Pool>();
    }

    /// A program of ExecuTorch names its memories, and its plan keeps to them. One is filled as if it were unbounded; of several
    /// each keeps its capacity, and the capacity of all together is told where each has one.
    void ownMemories()
    {
        std::vector<Pool> pools = poolsOf();
        eachItsOwn_ = pools.size() > 1;
        Bytes together = 0;
        bool bounded = !pools.empty();
        for (Pool& pool : pools) {
            bounded = bounded && pool.capacity && !__builtin_add_overflow(together, *pool.capacity, &together);
            if (!eachItsOwn_) pool.capacity.reset();
        }
        if (bounded) fit_.capacity = together;
        fit_.memory = pools.size() == 1 ? pools.front().name : "arenas";
        request_.target.pools = std::move(pools);
    }

    [[nodiscard]] Expected<RunPointer> planned(const std::string& planner) const
    {
        PlanRequest request = request_;
        if (planner != request.planner) request.options.clear();
        request.planner = planner;
        const auto known = session_.planners().find(planner);
        const bool limited = request.timeLimitSeconds > 0 || request.workLimit > 0;
        if (known && known->info().anytime && planner != session_.defaultPlanner() && !limited)
            request.workLimit = workUnlimited; // a search to its end may take days
        return session_.planNow(model_, request, cancel_);
    }

    /// A problem in the model's place.
    [[nodiscard]] Expected<RunPointer> planned(const std::string& planner, Problem problem) const
    {
        Model model = model_;
        model.program = nullptr;
        model.problems.clear();
        model.problem = std::make_shared<const Problem>(std::move(problem));
        PlanRequest request = request_;
        if (planner != request.planner) request.options.clear();
        request.planner = planner;
        request.function.clear();
        request.lowering.clear();
        request.target = {};
        request.alignment = 1;
        return session_.planNow(model, request, cancel_);
    }

    Failure everyPlanner()
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < session_.ownPlanners(); ++i) names.push_back(session_.planners().all()[i]->info().name);
        const bool ofPlugin = request_.planner != "auto" && std::ranges::find(names, request_.planner) == names.end();
        if (ofPlugin) names.push_back(request_.planner);
        std::optional<Error> last;
        for (const std::string& name : names) {
            const auto run = planned(name);
            if (!run) { // a planner that cannot take this problem is no row
                if (ofPlugin && name == request_.planner) return run.error();
                last = run.error();
                continue;
            }
            if (!(*run)->report.verdict.valid()) continue;
            addRow(name, *run);
            const auto key = [](const FitRow& row) { return std::pair(!isYes(verdictKind(*row.run)), row.arena); };
            if (key(fit_.rows.back()) < key(fit_.best())) fit_.answer = fit_.rows.size() - 1;
        }
        if (fit_.rows.empty()) return last ? *last : failure(Code::noPlan, "no planner found a plan");
        fit_.bound = boundOfEveryPlan(*fit_.best().run);
        for (const PoolReport& pool : fit_.best().run->report.pools)
            if (pool.capacity && fit_.best().run->report.pools.size() == 1) fit_.capacity = pool.capacity;
        fit_.memory = fit_.best().run->problem().pools.front().name;
        return std::nullopt;
    }

    Failure plannersOfRuntime()
    {
        const std::array<OwnPlanner, 2>& own = fit_.runtime == Runtime::tflm ? tflmPlanners : executorchPlanners;
        for (const auto& [row, planner] : own) {
            const auto run = planned(planner);
            if (!run) return run.error();
            addRow(row, *run);
        }
        const auto offline = planned(request_.planner);
        if (!offline) return offline.error();
        addRow(offlineRow, *offline);
        fit_.plan = *offline;
        fit_.answer = fit_.rows.size() - 1;
        fit_.bound = boundOfEveryPlan(**offline);
        const auto key = [&](const FitRow& row) { return std::pair(eachItsOwn_ && !isYes(verdictKind(*row.run)), row.arena); };
        if (key(fit_.rows.front()) <= key(fit_.best())) fit_.answer = 0; // then the file may stay as it is
        for (const auto& run : session_.fileRuns(model_, request_))      // the plan that the file has already
            if (run->report.verdict.valid()) addRow(fileRow, run);
        return log_ ? addLog(**offline) : std::nullopt;
    }

    void addRow(std::string name, const RunPointer& run)
    {
        FitRow row;
        row.planner = std::move(name);
        row.tensors = row.arena = run->report.totalSize();
        row.partial = run->report.partial;
        row.run = run;
        fit_.rows.push_back(std::move(row));
    }

    /// Scratch and tail of the log, for each row. The runtime gives ids to tensors first, in the model's order, then to scratch.
    Failure addLog(const Run& tensors)
    {
        const Position where{log_->path.toStdString(), 0, 0, -1};
        if (!log_->problem)
            return failure(Code::wrongFormat, "this is not a log of a runtime's memory plan", where,
                           "build the runtime with TF_LITE_SHOW_MEMORY_USE, or with the RecordingMicroInterpreter");
        FitLog told;
        if (!log_->filePlans.empty()) {
            const FilePlan& plan = log_->filePlans.front();
            told.head = figure(plan, "head");
            told.tail = figure(plan, "tail");
            told.total = figure(plan, "total");
        }
        const auto& recorded = log_->problem->buffers;
        const Problem& own = tensors.problem();
        if (!log_->filePlans.empty() && log_->filePlans.front().offsets.empty()) {
            // Totals alone: the tail is known, and what scratch adds with the runtime's own planner.
            for (FitRow& row : fit_.rows) setTail(row, told.tail);
            addRecorded(told, std::nullopt, nullptr);
            fit_.log = told;
            return std::nullopt;
        }
        std::vector<BufferId> wanted; // ours with bytes, in the order of their tensors
        for (std::size_t b = 0; b < own.buffers.size(); ++b)
            if (own.buffers[b].size > 0) wanted.push_back(static_cast<BufferId>(b));
        if (tensors.program) std::ranges::sort(wanted, {}, [&](BufferId b) { return tensors.lowering->origins[at(b)].tensor; });
        if (recorded.size() < wanted.size())
            return failure(
                Code::otherProblem,
                fmt::format("the log has {} buffers, and the model {} tensors to place", recorded.size(), wanted.size()), where,
                "record the log with this model");
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const Buffer& mine = own.buffers[at(wanted[i])];
            if (alignUp(mine.size, tflmAlignment) == alignUp(recorded[i].size, tflmAlignment)) continue;
            return failure(Code::otherProblem,
                           fmt::format("buffer {} of the log has {} bytes, and tensor '{}' {}: it is a log of another model", i,
                                       grouped(recorded[i].size), shownName(mine.name), grouped(mine.size)),
                           where, "record the log with this model");
        }
        Problem whole = own;
        const std::vector<Interval> steps = stepsOfTimes(tensors);
        for (std::size_t i = wanted.size(); i < recorded.size(); ++i) {
            Buffer scratch;
            scratch.name = fmt::format("scratch {}", recorded[i].name);
            while (std::ranges::any_of(own.buffers, [&](const Buffer& b) { return b.name == scratch.name; }))
                scratch.name += '\'';
            scratch.size = alignUp(recorded[i].size, tflmAlignment);
            scratch.alignment = tflmAlignment;
            const Interval hull = recorded[i].hull();
            const auto inside = [&](Step time) { return std::clamp<Step>(time, 0, static_cast<Step>(steps.size()) - 1); };
            scratch.live = {{steps[at(inside(hull.begin))].begin, steps[at(inside(hull.end - 1))].end}};
            whole.buffers.push_back(std::move(scratch));
        }
        if (recorded.size() > wanted.size()) scratch_ = Scratch{whole, own.buffers.size(), tensors.lowering};
        told.tensors = wanted.size();
        told.scratch = recorded.size() - wanted.size();
        for (std::size_t r = 0; r < fit_.rows.size(); ++r) {
            FitRow& row = fit_.rows[r];
            const bool given = row.planner == offlineRow || row.planner == fileRow;
            auto with = given ? withScratch(whole, *row.run, row.planner == offlineRow) : planned(row.run->plan.planner, whole);
            if (!with) return with.error();
            if (given) row.tensors = tensorsOf(**with, own.buffers.size());
            row.scratch = (*with)->report.totalSize() - row.tensors;
            row.arena = (*with)->report.totalSize();
            row.run = *with;
            if (row.planner == offlineRow) {
                auto written = std::make_shared<Run>(*fit_.plan);
                const auto& places = (*with)->plan.placements;
                written->plan.placements.assign(places.begin(), places.begin() + std::ssize(own.buffers));
                written->plan.claims.clear(); // of other offsets
                written->report = evaluate(*written);
                fit_.plan = std::move(written);
            }
            fit_.bound = std::max(fit_.bound, (*with)->report.totalBound());
            setTail(row, told.tail);
        }
        Bytes head = 0;
        RunPointer asRecorded;
        if (!log_->filePlans.empty()) {
            std::vector<Bytes> offsets(recorded.size(), -1);
            for (const FilePlan::Offset& each : log_->filePlans.front().offsets) {
                head = std::max(head, each.offset + recorded[at(each.tensor)].size);
                offsets[at(each.tensor)] = each.offset;
            }
            asRecorded = recordedRun(whole, wanted, offsets);
        }
        addRecorded(told, head, std::move(asRecorded));
        told.matchesGreedy = head == fit_.rows.front().tensors + fit_.rows.front().scratch.value_or(0);
        const auto offline = std::ranges::find(fit_.rows, offlineRow, &FitRow::planner);
        fit_.answer = fit_.rows.front().arena <= offline->arena ? 0 : static_cast<std::size_t>(offline - fit_.rows.begin());
        fit_.log = told;
        return std::nullopt;
    }

    static Bytes tensorsOf(const Run& run, std::size_t count)
    {
        Bytes top = 0;
        for (std::size_t b = 0; b < count; ++b)
            top = std::max(top, run.plan.placements[b].offset + run.problem().buffers[b].size);
        return top;
    }

    static void setTail(FitRow& row, const std::optional<Bytes>& tail)
    {
        row.tail = tail;
        row.arena += tail.value_or(0);
    }

    /// What the runtime did, as the log has it: `offsets` by buffer of the log, the first of them for the tensors `wanted`.
    [[nodiscard]] RunPointer recordedRun(const Problem& whole, const std::vector<BufferId>& wanted,
                                         const std::vector<Bytes>& offsets) const
    {
        auto run = std::make_shared<Run>();
        auto lowering = std::make_shared<Lowering>();
        lowering->problem = whole;
        run->lowering = std::move(lowering);
        run->plan.planner = recordedRow;
        run->plan.placements.resize(whole.buffers.size());
        const std::size_t first = whole.buffers.size() - (offsets.size() - wanted.size()); // of the scratch
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            Placement& place = run->plan.placements[i < wanted.size() ? at(wanted[i]) : first + i - wanted.size()];
            if (offsets[i] < 0) continue;
            place.pool = 0;
            place.offset = offsets[i];
        }
        run->report = evaluate(*run);
        return run;
    }

    void addRecorded(const FitLog& told, std::optional<Bytes> head, RunPointer run)
    {
        if (told.head) head = told.head; // what the allocator counted, beyond what the plan shows
        if (!head) return;
        FitRow row;
        row.planner = recordedRow;
        row.tensors = std::min(*head, fit_.rows.front().tensors);
        row.scratch = *head - row.tensors;
        row.arena = *head;
        setTail(row, told.tail);
        row.overBound = fit_.bound > 0 ? static_cast<double>(*head) / static_cast<double>(fit_.bound) - 1 : 0;
        row.run = std::move(run);
        fit_.rows.push_back(std::move(row));
    }

    /// The file holds offsets of tensors only; the runtime's greedy planner puts the scratch round them. Of the tensors planned
    /// alone, and (`ours`: nobody has fixed the tensors yet) of those planned with room for the scratch, the ones that leave the
    /// smaller head.
    [[nodiscard]] Expected<RunPointer> withScratch(const Problem& whole, const Run& tensors, bool ours) const
    {
        const auto pinned = [&](const Plan& plan) {
            Problem problem = whole;
            for (std::size_t b = 0; b < tensors.problem().buffers.size(); ++b) problem.buffers[b].pin = plan.placements[b].offset;
            auto run = planned(tflmPlanners[0].planner, std::move(problem));
            if (!run) return run;
            // The pins were a means; without them the bound is that of the tensors.
            auto free = std::make_shared<Run>(**run);
            auto lowering = std::make_shared<Lowering>(*free->lowering);
            for (Buffer& buffer : lowering->problem.buffers) buffer.pin.reset();
            free->lowering = std::move(lowering);
            free->report = evaluate(*free);
            return Expected<RunPointer>(RunPointer(std::move(free)));
        };
        auto alone = pinned(tensors.plan);
        if (!ours) return alone;
        const auto reserved = planned(request_.planner, whole);
        if (!reserved) return reserved.error();
        auto together = pinned((*reserved)->plan);
        if (!alone || !together) return alone ? alone : together;
        return (*together)->report.totalSize() < (*alone)->report.totalSize() ? together : alone;
    }

    void fillPeak()
    {
        const Run* run = fit_.best().run.get();
        if (!run) return;
        const auto largest = std::ranges::max_element(run->report.pools, {}, &PoolReport::lowerBound);
        if (largest == run->report.pools.end()) return;
        const CliqueCertificate certificate = choosesPools(*run) ? lowerBound(run->problem(), none) : largest->certificate;
        fit_.peakStep = certificate.step;
        for (const BufferId id : certificate.buffers)
            fit_.peak.push_back(
                {run->problem().buffers[at(id)].name, heldAt(run->problem(), id, fit_.peakStep),
                 fit_.log && fit_.log->tensors > 0 && at(id) >= run->problem().buffers.size() - fit_.log->scratch});
        std::ranges::stable_sort(fit_.peak, std::greater<>(), &FitPart::bytes);
    }

    void fillChanges()
    {
        const FitRow& best = fit_.best();
        const auto alone = planned(fit_.runtime == Runtime::unknown ? best.planner : request_.planner);
        if (!alone || !(*alone)->report.verdict.valid()) return;
        const Levers levers = findLevers(session_, model_, request_, **alone, cancel_);
        if (scratch_) { // each change is planned several times: a limit that is meant for one plan is too much here
            request_.workLimit = request_.workLimit == 0 ? workOfChange : std::min(request_.workLimit, workOfChange);
            request_.timeLimitSeconds = 0;
        }
        for (const Lever& lever : levers.found) {
            // The runtime's alignment, its one arena and its copies in loops are not to be had otherwise.
            const bool another = lever.kind == LeverKind::secondMemory || lever.kind == LeverKind::spill;
            const bool fixed = another || lever.kind == LeverKind::alignment || lever.kind == LeverKind::loops;
            if (fit_.runtime != Runtime::unknown && fixed) continue;
            std::vector<std::string> names;
            if (!lever.buffer.empty()) names.push_back(shownName(lever.buffer));
            if (!scratch_)
                fit_.changes.push_back({describe(lever), lever.size + best.tail.value_or(0), lever.smallest, std::move(names)});
            else if (const auto whole = withScratchOf(lever))
                addJudged(describe(lever), *whole, lever.run->problem().buffers.size(), std::move(names));
        }
        addSingleChanges(**alone, levers);
        std::ranges::stable_sort(fit_.changes, {}, &FitChange::arena);
        if (fit_.changes.size() > shownChanges) fit_.changes.resize(shownChanges);
    }

    /// Tries changes of single tensors: of all buffers that the arena holds, with the scratch if a log tells it.
    void addSingleChanges(const Run& alone, const Levers& levers)
    {
        const FitRow& best = fit_.best();
        const Run& run = scratch_ ? *best.run : alone;
        if (run.report.pools.size() != 1) return;
        CounterfactualLimits limits;
        limits.cancel = cancel_;
        limits.run = &alone; // tensors have the same ids there; scratch is no result of an op
        const RankedChanges ranked = bestSingleChanges(run.problem(), run.plan, 0, limits);
        const Bytes unchanged = scratch_ ? ranked.unchanged : levers.unchanged > 0 ? levers.unchanged : run.report.totalSize();
        std::size_t judged = 0;
        for (const Counterfactual& found : ranked.changes) {
            if (found.size >= unchanged || judged == maxJudged) break; // the others are no better
            const std::array buffers{found.change.buffer, found.change.other};
            const bool fixed = std::ranges::any_of(buffers, [&](BufferId id) { return id != none && isFixed(run, id); });
            if (fixed) continue;
            std::vector<std::string> names;
            for (const BufferId id : buffers)
                if (id != none) names.push_back(run.problem().buffers[at(id)].name);
            std::string text = describe(run.problem(), found.change);
            if (!scratch_) {
                fit_.changes.push_back({std::move(text), found.size + best.tail.value_or(0), found.smallest, std::move(names)});
            } else if (const auto whole = changed(run.problem(), found.change)) {
                ++judged;
                addJudged(std::move(text), *whole, scratch_->tensors, std::move(names));
            }
        }
    }

    /// The weights of a model and the scratch of its kernels are not to be changed.
    [[nodiscard]] bool isFixed(const Run& run, BufferId id) const
    {
        return run.problem().buffers[at(id)].kind == BufferKind::constant || (scratch_ && at(id) >= scratch_->tensors);
    }

    /// Adds a change if the arena is smaller with it. As without it, the runtime places tensors and scratch, or the tensors,
    /// which come first in `whole`, lie in the file and the scratch round them.
    void addJudged(std::string text, const Problem& whole, std::size_t tensors, std::vector<std::string> names)
    {
        Problem alone = whole;
        alone.buffers.resize(tensors);
        Expected<RunPointer> greedy = planned(tflmPlanners[0].planner, whole);
        Expected<RunPointer> offline = planned(request_.planner, std::move(alone));
        if (offline) offline = withScratch(whole, **offline, true);
        const Report* smallest = nullptr;
        for (const Expected<RunPointer>* run : {&greedy, &offline})
            if (*run && (**run)->report.verdict.valid() && (!smallest || (**run)->report.totalSize() < smallest->totalSize()))
                smallest = &(**run)->report;
        if (!smallest) return;
        const Bytes arena = smallest->totalSize() + fit_.best().tail.value_or(0);
        if (arena < fit_.best().arena)
            fit_.changes.push_back({std::move(text), arena, provedSmallest(*smallest) && !fit_.best().partial, std::move(names)});
    }

    /// The tensors of a changed model and the scratch of its ops, each at the step of its op. No value if an op runs twice, as no
    /// log tells the scratch of its second run, or if scratch is not of one op.
    [[nodiscard]] std::optional<Problem> withScratchOf(const Lever& lever) const
    {
        if (lever.kind == LeverKind::recompute) return std::nullopt;
        const std::vector<StepInfo>&was = scratch_->lowering->steps, &is = lever.run->lowering->steps;
        Problem whole = lever.run->problem();
        for (std::size_t b = scratch_->tensors; b < scratch_->whole.buffers.size(); ++b) {
            Buffer scratch = scratch_->whole.buffers[b];
            const Interval hull = scratch.hull();
            if (hull.length() != 1 || at(hull.begin) >= was.size() || was[at(hull.begin)].op == none) return std::nullopt;
            const auto step = std::ranges::find_if(is, [&op = was[at(hull.begin)]](const StepInfo& info) {
                return info.function == op.function && info.op == op.op && info.instance == op.instance;
            });
            if (step == is.end()) return std::nullopt;
            scratch.live = {{step - is.begin(), step - is.begin() + 1}};
            whole.buffers.push_back(std::move(scratch));
        }
        return whole;
    }

    const Session& session_;
    const Model& model_;
    PlanRequest request_;
    const Model* log_;
    std::stop_token cancel_;
    bool eachItsOwn_ = false; ///< each memory has a capacity of its own, or none
    std::optional<Scratch> scratch_;
    Fit fit_;
};

} // namespace

std::string_view toText(Runtime runtime)
{
    switch (runtime) {
    case Runtime::tflm: return "tflm";
    case Runtime::executorch: return "executorch";
    case Runtime::unknown: break;
    }
    return "none";
}

Runtime runtimeOf(const Model& model, const Target& target)
{
    const QString named = target.runtime.isEmpty() ? model.importer : target.runtime;
    if (named == QLatin1String("tflm") || named == QLatin1String("tflite")) return Runtime::tflm;
    return named == QLatin1String("executorch") ? Runtime::executorch : Runtime::unknown;
}

double Fit::saved() const
{
    const Bytes theirs = runtimes().arena;
    return theirs > best().arena ? static_cast<double>(theirs - best().arena) / static_cast<double>(theirs) : 0;
}

Expected<Fit> fit(const Session& session, const Model& model, const PlanRequest& request, const Model* log,
                  const std::stop_token& cancel)
{
    return Fitter(session, model, request, log, cancel).run();
}

} // namespace stowage
