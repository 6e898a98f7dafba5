#include "app/session/levers.h"

#include "app/session/reordering.h"
#include "core/explain/life_split.h"
#include "core/ir/digits.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace stowage {

namespace {

constexpr std::uint64_t workOfOne = 100'000;    ///< placements tried for one plan
constexpr std::size_t movedTried = 4;           ///< buffers that a second memory could take, or that are given up for a while
constexpr std::size_t reorderStates = 20'000;   ///< sets of ops that a search for an order looks at
constexpr std::size_t tooManyBuffers = 100'000; ///< a plan takes seconds: the single changes say enough

class Finder {
public:
    Finder(const Session& session, const Model& model, const PlanRequest& request, const Run& run, std::stop_token stop)
        : session_(session), model_(model), request_(request), run_(run), stop_(std::move(stop))
    {
        request_.planner = session_.defaultPlanner();
        request_.options.clear();
        request_.workLimit = workOfOne;
        request_.timeLimitSeconds = 0;
        request_.record = false;
        if (!model_.program) return;
        for (auto& [key, value] : run_.lowering->fingerprint.fields())
            if (!LowerOptions().set(key, value)) setLowering(request_, key, std::move(value)); // not the alignment, no edits
    }

    Levers find()
    {
        Levers levers;
        if (!whyNotTried(run_).empty()) return levers;
        const auto unchanged = planned(model_, request_);
        if (!unchanged) return levers;
        levers.unchanged = std::min(unchanged->report.totalSize(), run_.report.totalSize());
        const auto add = [&](Lever lever, const std::shared_ptr<const Run>& with) {
            if (!with || !isGoodAnyhow(*with)) return;
            levers.tried.push_back(lever.kind);
            lever.size = with->report.totalSize();
            // A changed problem in the model's place no longer knows of tensors that the program leaves out.
            lever.smallest = provedSmallest(with->report) && !run_.report.partial;
            lever.run = with;
            if (lever.size < levers.unchanged) levers.found.push_back(std::move(lever));
        };
        if (model_.program) {
            const LowerOptions& options = run_.lowering->fingerprint.options;
            if (options.order == Order::linear) {
                if (const auto with = reordered())
                    add({.kind = LeverKind::order, .program = with->program}, with);
                else if (!stop_.stop_requested())
                    levers.tried.push_back(LeverKind::order); // no order that was looked at is better
            }
            add({.kind = LeverKind::inPlace}, lowered("inplace", "allowed"));
            add({.kind = LeverKind::views}, lowered("views", "merged"));
            if (options.order != Order::hivm && options.loops == LoopMode::conservative && passesValuesOn())
                add({.kind = LeverKind::loops}, lowered("loops", "precise"));
            addSplits(*unchanged, add);
        }
        add({.kind = LeverKind::alignment}, withoutAlignment());
        if (auto [lever, with] = withSecondMemory(levers.unchanged); with)
            add(std::move(lever), with);
        else if (!stop_.stop_requested())
            levers.tried.push_back(LeverKind::secondMemory);
        std::stable_sort(levers.found.begin(), levers.found.end(),
                         [](const Lever& a, const Lever& b) { return a.size < b.size; });
        return levers;
    }

private:
    /// Valid; whether it fits is not asked, as the size is what counts here.
    static bool isGoodAnyhow(const Run& run) { return run.report.verdict.valid(); }

    [[nodiscard]] std::shared_ptr<const Run> planned(const Model& model, const PlanRequest& request) const
    {
        if (stop_.stop_requested()) return nullptr;
        auto run = session_.planNow(model, request, stop_);
        return run ? *run : nullptr;
    }

    static void setLowering(PlanRequest& request, std::string_view key, std::string value)
    {
        std::erase_if(request.lowering, [&](const auto& pair) { return pair.first == key; });
        request.lowering.emplace_back(key, std::move(value));
    }

    [[nodiscard]] std::shared_ptr<const Run> lowered(const char* key, const char* value) const
    {
        PlanRequest request = request_;
        setLowering(request, key, value);
        return planned(model_, request);
    }

    /// A planned function has loops or branches: `loops=precise` may save copies.
    [[nodiscard]] bool passesValuesOn() const
    {
        return std::ranges::any_of(run_.lowering->instances, [&](const FunctionInstance& instance) {
            return std::ranges::any_of(model_.program->functions[at(instance.function)].ops,
                                       [](const Op& op) { return op.control == Control::loop || op.control == Control::branch; });
        });
    }

    [[nodiscard]] std::shared_ptr<const Run> reordered() const
    {
        OrderLimits limits;
        limits.states = limits.beamStates = reorderStates;
        limits.stop = [this] { return stop_.stop_requested(); };
        auto found = reorderFunction(*model_.program, request_, limits);
        if (!found || found->after >= found->before) return nullptr;
        Model model = model_;
        model.program = std::make_shared<const Program>(std::move(found->program));
        return planned(model, request_);
    }

    /// A problem in the place of the model, planned into the memories that it has.
    [[nodiscard]] std::shared_ptr<const Run> plannedAs(Problem problem) const
    {
        Model model = model_;
        model.program = nullptr;
        model.problem = std::make_shared<const Problem>(std::move(problem));
        PlanRequest request = request_;
        request.function.clear();
        request.lowering.clear();
        request.target = {};
        request.alignment = 1;
        return planned(model, request);
    }

    [[nodiscard]] std::shared_ptr<const Run> withoutAlignment() const
    {
        Problem problem = run_.problem();
        bool any = false;
        for (Buffer& buffer : problem.buffers) any |= std::exchange(buffer.alignment, 1) > 1;
        for (Pool& pool : problem.pools) any |= std::exchange(pool.alignment, 1) > 1;
        return any ? plannedAs(std::move(problem)) : nullptr;
    }

    /// What the bound of the largest pool rests on, or null where nothing.
    static const CliqueCertificate* fullest(const Run& run)
    {
        const auto largest = std::ranges::max_element(run.report.pools, {}, &PoolReport::size);
        return largest == run.report.pools.end() || largest->certificate.buffers.empty() ? nullptr : &largest->certificate;
    }

    /// Its buffers that are no constants, the largest first.
    static std::vector<BufferId> largestOf(const Problem& problem, const CliqueCertificate& fullest)
    {
        std::vector<BufferId> members = fullest.buffers;
        std::erase_if(members, [&](BufferId id) { return problem.buffers[at(id)].kind == BufferKind::constant; });
        std::ranges::stable_sort(members, std::greater<>(), [&](BufferId id) { return problem.buffers[at(id)].size; });
        return members;
    }

    /// One tensor that is live at the fullest step, and is not used there, is given up between its uses: for each way to get it
    /// back the one that leaves least.
    template <typename Add>
    void addSplits(const Run& unchanged, const Add& add) const
    {
        const CliqueCertificate* full = fullest(unchanged);
        if (!full || full->step < 0) return;
        const FunctionId function = unchanged.lowering->instances.front().function;
        const auto splits =
            lifeSplits(*unchanged.program, *unchanged.lowering, full->step, largestOf(unchanged.problem(), *full));
        for (const Regain by : {Regain::copy, Regain::compute}) {
            std::pair<Lever, std::shared_ptr<const Run>> best;
            std::size_t tried = 0;
            for (const LifeSplit& split : splits) {
                if (split.by != by || tried++ >= movedTried) continue;
                Model model = model_;
                model.program = std::make_shared<const Program>(withSplit(*unchanged.program, function, split));
                const auto with = planned(model, request_);
                if (!with || (best.second && with->report.totalSize() >= best.second->report.totalSize())) continue;
                const Function& of = unchanged.program->functions[at(function)];
                const Tensor& tensor = of.tensors[at(split.tensor)];
                best = {{.kind = by == Regain::copy ? LeverKind::spill : LeverKind::recompute,
                         .moved = tensor.bytes.value_or(0),
                         .buffer = tensor.name,
                         .op = of.ops[at(split.producer)].name,
                         .after = split.after,
                         .before = split.before,
                         .program = model.program},
                        with};
            }
            if (best.second) add(std::move(best.first), best.second);
        }
    }

    /// One buffer of the proof of the bound goes elsewhere: the one that leaves least.
    [[nodiscard]] std::pair<Lever, std::shared_ptr<const Run>> withSecondMemory(Bytes unchanged) const
    {
        std::pair<Lever, std::shared_ptr<const Run>> best;
        const CliqueCertificate* full = fullest(run_);
        if (!full) return best;
        const Problem& problem = run_.problem();
        std::vector<BufferId> members = largestOf(problem, *full);
        members.resize(std::min(members.size(), movedTried));
        for (const BufferId id : members) {
            Problem rest = problem;
            Pool other;
            other.name = "second memory";
            while (std::any_of(rest.pools.begin(), rest.pools.end(), [&](const Pool& pool) { return pool.name == other.name; }))
                other.name += '\'';
            // Everything else says that it stays where it could lie before.
            std::vector<PoolId> before;
            for (std::size_t pool = 0; pool < rest.pools.size(); ++pool)
                if (rest.pools[pool].kind == PoolKind::workspace) before.push_back(static_cast<PoolId>(pool));
            for (Buffer& buffer : rest.buffers)
                if (buffer.pools.empty()) buffer.pools = before;
            rest.buffers[at(id)].pools = {static_cast<PoolId>(rest.pools.size())};
            rest.buffers[at(id)].pin.reset();
            rest.pools.push_back(other);
            const auto with = plannedAs(std::move(rest));
            if (!with) continue;
            // What counts is the memory that is too large, so the moved bytes are told apart.
            auto told = std::make_shared<Run>(*with);
            const Bytes moved = told->report.pools.back().size;
            told->report.pools.pop_back();
            if (told->report.totalSize() > 0 &&
                told->report.totalSize() < (best.second ? best.second->report.totalSize() : unchanged))
                best = {{.kind = LeverKind::secondMemory, .moved = moved, .buffer = problem.buffers[at(id)].name}, told};
        }
        return best;
    }

    const Session& session_;
    const Model& model_;
    PlanRequest request_;
    const Run& run_;
    std::stop_token stop_;
};

} // namespace

std::string whyNotTried(const Run& run)
{
    if (run.problem().buffers.size() > tooManyBuffers)
        return fmt::format("the problem has more than {} buffers", grouped(static_cast<std::int64_t>(tooManyBuffers)));
    return run.report.verdict.valid() ? std::string() : "the plan is not valid";
}

Levers findLevers(const Session& session, const Model& model, const PlanRequest& request, const Run& run,
                  const std::stop_token& stop)
{
    return Finder(session, model, request, run, stop).find();
}

std::string_view nameOf(LeverKind kind)
{
    switch (kind) {
    case LeverKind::order: return "another order of the ops";
    case LeverKind::inPlace: return "results in place";
    case LeverKind::views: return "merged views";
    case LeverKind::loops: return "loops without copies";
    case LeverKind::secondMemory: return "a second pool";
    case LeverKind::spill: return "copying a tensor to another memory and back";
    case LeverKind::recompute: return "computing a tensor twice";
    case LeverKind::alignment: break;
    }
    return "no alignment";
}

std::string describe(const Lever& lever)
{
    switch (lever.kind) {
    case LeverKind::order: return "run the ops in another order";
    case LeverKind::inPlace: return "write results in place where the model permits it";
    case LeverKind::views: return "let views share the bytes of the tensors that they view";
    case LeverKind::loops: return "let loops and branches pass values on without copies where possible";
    case LeverKind::alignment: return "place buffers at any byte, without alignment";
    case LeverKind::spill:
        return fmt::format("copy '{}' to another memory after step {} and back before step {} ({} bytes each way)",
                           shownName(lever.buffer), lever.after, lever.before, grouped(lever.moved));
    case LeverKind::recompute:
        return fmt::format("compute '{}' again before step {} instead of keeping it from step {} on ('{}' runs twice)",
                           shownName(lever.buffer), lever.before, lever.after, shownName(lever.op));
    case LeverKind::secondMemory: break;
    }
    return fmt::format("put '{}' into a second pool of {} bytes", shownName(lever.buffer), grouped(lever.moved));
}

std::string describeForCommandLine(const Lever& lever)
{
    switch (lever.kind) {
    case LeverKind::order: return describe(lever) + " ('reorder' writes it)";
    case LeverKind::inPlace: return describe(lever) + " (--lower inplace=allowed)";
    case LeverKind::views: return describe(lever) + " (--lower views=merged)";
    case LeverKind::loops: return describe(lever) + " (--lower loops=precise)";
    default: return describe(lever);
    }
}

} // namespace stowage
