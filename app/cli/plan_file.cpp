#include "app/cli/plan_file.h"

#include "app/session/laid_plan.h"
#include "app/session/native_path.h"
#include "app/session/plan_as_input.h"
#include "app/session/revision.h"
#include "core/io/input_file.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::cli {

namespace {

/// The plan of one function as a run: with its problem, lowered with the options of the file, and the core's verdict.
Expected<std::shared_ptr<const Run>> judged(const Environment& environment, const Model& model, const PlanningOptions& planning,
                                            const std::string& function, std::string_view text, const std::string& path)
{
    auto request = planning.request(environment, model, function);
    if (!request) return std::move(request).error();
    auto plan = judgePlan(environment.session, model, *std::move(request), text, path);
    if (!plan) return std::move(plan).error();
    environment.say(plan->diagnostics);
    return std::move(plan->run);
}

/// A plan of another tool, matched with the model tensor by tensor.
Expected<std::shared_ptr<const Run>> judgedForeign(const Environment& environment, const Model& model,
                                                   const PlanningOptions& planning, const std::string& function,
                                                   const Model& source)
{
    auto request = planning.request(environment, model, function);
    if (!request) return std::move(request).error();
    auto laid = layBeside(environment.session, model, source, *request);
    if (!laid) return std::move(laid).error();
    const std::string file = shownName(source.name.toStdString());
    environment.note(fmt::format("{}: {}", file, describe(*laid)));
    environment.say(laid->diagnostics);
    return std::move(laid->run);
}

/// The file as read by its importer, if it is of another tool; no value for plans of Stowage and tables with offsets.
std::optional<Model> foreignSource(const Environment& environment, const std::string& path, std::string_view text)
{
    if (path.ends_with(".csv") || isPlanDocument(text)) return std::nullopt; // tables of other tools have no offsets
    auto read = environment.session.read(pathFromNative(path), {}, environment.interrupt);
    if (!read || read->filePlans.empty()) return std::nullopt; // errors are reported when it is read as a plan
    environment.say(read->diagnostics);
    return *std::move(read);
}

} // namespace

std::vector<FunctionRun> runsOfPlanFile(const Environment& environment, const Model& model, const PlanningOptions& planning,
                                        const std::string& path)
{
    const auto bytes = io::readFile(path, {}, [&] { return environment.interrupt.stop_requested(); });
    if (!bytes) {
        environment.fail(bytes.error());
        return {};
    }
    const std::string_view text = *bytes;
    std::vector<FunctionRun> runs;
    const std::optional<Model> source = foreignSource(environment, path, text);
    const std::vector<std::string> functions = Session::functions(model);
    for (const std::string& function : functions) {
        // The plan is of one kernel; others in the file were compiled separately.
        if (source && source->program && functions.size() > 1 &&
            std::none_of(source->program->functions.begin(), source->program->functions.end(),
                         [&](const Function& f) { return f.name == function; }))
            continue;
        auto run = source ? judgedForeign(environment, model, planning, function, *source)
                          : judged(environment, model, planning, function, text, path);
        if (!run) {
            environment.fail(run.error());
            return {};
        }
        runs.push_back({function, *std::move(run)});
    }
    if (runs.empty())
        environment.fail(failure(Code::otherKernel, "the file has no plan for a function of the input", {path, 0, 0, -1}));
    return runs;
}

Expected<Revision> revisionOfFile(const Environment& environment, const Model& model, const PlanRequest& request,
                                  const std::string& path)
{
    const auto bytes = io::readFile(path, {}, [&] { return environment.interrupt.stop_requested(); });
    if (!bytes) return bytes.error();
    const auto plan = judgePlan(environment.session, model, request, *bytes, path);
    if (plan && plan->run->report.verdict.valid()) return revisionOf(*plan->run, path.substr(path.rfind('/') + 1));
    if (isPlanDocument(*bytes)) return revisionOfPlanFile(*bytes, path, request.function);
    if (!plan) return plan.error();
    return failure(Code::badPlan, "the file is neither a plan of this model nor a document 'stowage.plan/1'", {path, 0, 0, -1},
                   "'plan --format json' writes such a file");
}

} // namespace stowage::cli
