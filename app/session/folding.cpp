#include "app/session/folding.h"

#include "app/session/native_path.h"
#include "app/session/planning.h"
#include "core/io/text.h"
#include "plugins/host/plugin_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr auto constantFold = "constant-fold";

std::vector<FunctionId> functionsOf(const Model& model)
{
    if (!model.options.function.isEmpty()) return {model.program->entry};
    return foldableFunctions(*model.program);
}

} // namespace

Expected<Folding> foldModel(const Model& model, const FoldRequest& request)
{
    if (!model.program)
        return failure(Code::noProgram, "the input is a problem, which has no ops that could be folded",
                       {nativePath(model.path), 0, 0, -1}, "give a model or a program");
    auto folded = foldProgram(*model.program, functionsOf(model), request.options);
    if (!folded) return std::move(folded).error();
    Folding folding{request, std::make_shared<const FoldedProgram>(*std::move(folded)), {}, {}};
    folding.runs = simulateRuns(*folding.folded, request);
    return folding;
}

std::optional<Error> planFolding(const Session& session, const Model& model, const PlanRequest& base, Folding& folding,
                                 const std::stop_token& cancel)
{
    const FoldedProgram& folded = *folding.folded;
    Model before = model, after = model;
    before.program = std::shared_ptr<const Program>(folding.folded, &folded.before);
    after.program = std::shared_ptr<const Program>(folding.folded, &folded.program);
    for (const SplitFunction& split : folded.functions) {
        FoldPlans plans;
        const auto plan = [&](const Model& of, FunctionId function, std::shared_ptr<const Run>& to) -> std::optional<Error> {
            if (function == none) return std::nullopt;
            PlanRequest request = base;
            // As the costs count: views and accumulators share bytes, unless the request says otherwise.
            for (const auto& [key, value] : {std::pair("views", "merged"), std::pair("inplace", "allowed")}) {
                const auto says = [wanted = key](const auto& option) { return option.first == wanted; };
                if (std::none_of(request.lowering.begin(), request.lowering.end(), says))
                    request.lowering.emplace_back(key, value);
            }
            request.function = of.program->functions[at(function)].name;
            auto run = session.planNow(of, request, cancel);
            if (!run) return std::move(run).error();
            to = *std::move(run);
            return std::nullopt;
        };
        if (auto error = plan(before, split.entry, plans.before)) return error;
        if (auto error = plan(after, split.entry, plans.after)) return error;
        if (auto error = plan(after, split.compileTimeFold, plans.compileTimeFold)) return error;
        if (auto error = plan(after, split.runTimeFold, plans.runTimeFold)) return error;
        folding.plans.push_back(std::move(plans));
    }
    return std::nullopt;
}

std::vector<io::FoldRuns> simulateRuns(const FoldedProgram& folded, const FoldRequest& request)
{
    FoldRuntime runtime(request.cache, request.cacheCapacity, ConstantCache::accounts);
    std::vector<io::FoldRuns> runs;
    for (const SplitFunction& split : folded.functions) {
        runtime.add({folded.before.functions[at(split.entry)].name, split.fold.folded, {}, {}, {}});
        runs.push_back({request.cache, request.cacheCapacity, {}});
    }
    for (int run = 0; run < shownRuns; ++run)
        for (std::size_t f = 0; f < runs.size(); ++f)
            if (auto execution = runtime.execute(f)) runs[f].executions.push_back(*std::move(execution));
    return runs;
}

Expected<std::shared_ptr<const Run>> planLike(const Run& like, const std::shared_ptr<const Program>& program, FunctionId function,
                                              const std::stop_token& cancel)
{
    const PlannerRegistry planners = PlannerRegistry::builtIn();
    PlanRequest request;
    request.planner = like.plan.planner;
    auto planner = planners.find(request.planner);
    if (planner) {
        request.options = like.plan.options;
    } else {
        request.planner = "auto"; // a plug-in's, or what a file tells
        auto ours = planners.require(request.planner);
        if (!ours) return std::move(ours).error();
        planner = *std::move(ours);
    }
    request.seed = like.plan.seed;
    request.target.name = QString::fromStdString(like.targetName);
    LowerOptions options = like.lowering->options;
    options.views = ViewMode::merged;
    options.inPlace = InPlaceMode::allowed;
    auto own = std::make_shared<Program>(*program);
    own->entry = function;
    auto lowered = lower(*own, options);
    if (!lowered) return std::move(lowered).error();
    PlanContext context;
    context.cancel = cancel;
    return runPlanner(*planner, {std::make_shared<const Lowering>(*std::move(lowered)), std::move(own)}, request, context, {});
}

Bytes arenaBytes(const Run& run)
{
    Bytes size = 0;
    for (const PoolReport& pool : run.report.pools)
        if (run.problem().pools[at(pool.pool)].kind == PoolKind::workspace) size += pool.size;
    return size;
}

bool foldsInOwnForm(const Session& session, const Model& model)
{
    const RewriterInfo* rewriter = session.plugins().rewriter(model.importer.toStdString());
    return rewriter && std::any_of(rewriter->passes.begin(), rewriter->passes.end(),
                                   [](const PassInfo& pass) { return pass.name == constantFold; });
}

Expected<FoldedFile> foldedFile(const Session& session, const Model& model, const Folding& folding, const std::stop_token& cancel)
{
    if (!foldsInOwnForm(session, model)) return FoldedFile{io::writeProgramJson(folding.folded->program), {}};
    auto rewritten = session.rewrite(model, constantFold, foldPassOptions(model, folding.request.options), {}, cancel);
    if (!rewritten) return std::move(rewritten).error();
    return FoldedFile{std::move(rewritten->text), std::move(rewritten->diagnostics)};
}

io::FoldReport reportOf(const Folding& folding)
{
    io::FoldReport report{folding.folded.get(), folding.request.options, {}, folding.runs, {}};
    for (const FoldPlans& plans : folding.plans) {
        const auto arena = [](const std::shared_ptr<const Run>& run) -> std::optional<Bytes> {
            return run ? std::optional(arenaBytes(*run)) : std::nullopt;
        };
        report.arenas.push_back(
            {arena(plans.before), arena(plans.after), arena(plans.compileTimeFold), arena(plans.runTimeFold)});
    }
    return report;
}

OptionValues foldPassOptions(const Model& model, const FoldOptions& options)
{
    const auto list = [](const std::vector<std::int32_t>& values) { return fmt::format("{}", fmt::join(values, ",")); };
    return {{"mode", std::string(toText(options.mode))},         {"postpone", options.postpone ? "on" : "off"},
            {"threshold", fmt::format("{}", options.threshold)}, {"compiletime-args", list(options.compileTimeArguments)},
            {"runtime-args", list(options.runTimeArguments)},    {"function", model.options.function.toStdString()}};
}

} // namespace stowage
