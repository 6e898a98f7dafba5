#include "app/cli/plan_file.h"

#include "app/session/comparison_limit.h"
#include "app/session/laid_plan.h"
#include "app/session/native_path.h"
#include "app/session/plan_as_input.h"
#include "app/session/revision.h"
#include "core/io/input_file.h"
#include "core/ir/shown_text.h"

#include <QFileInfo>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

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
    auto laid = layBeside(environment.session, model, source, *request, environment.interrupt);
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

Expected<EarlierInput> readEarlier(const Environment& environment, const InputOptions& input, const std::string& path)
{
    const auto model = [&](std::optional<Model> read) -> Expected<EarlierInput> {
        if (!read) return failure(Code::cannotOpen, "the file was not read", {path, 0, 0, -1}, "name a model or a plan file");
        return EarlierInput{path, *std::move(read)};
    };
    auto file = io::InputFile::open(path, {}, [&] { return environment.interrupt.stop_requested(); });
    if (!file) return std::move(file).error();
    if (!file->isStream()) {
        const auto head = file->head(headOfPlan);
        if (!head) return head.error();
        if (!isPlanDocument(*head)) return model(input.read(environment, path)); // its importer reads what it needs
    }
    auto text = file->all();
    if (!text) return std::move(text).error();
    if (!isPlanDocument(*text)) return model(input.readText(environment, path, *text));
    return EarlierInput{path, *std::move(text)};
}

Expected<Revision> earlierRevision(const Environment& environment, const PlanningOptions& planning, const Model& model,
                                   const PlanRequest& request, const EarlierInput& earlier)
{
    const std::string& path = earlier.path;
    if (const auto* text = std::get_if<std::string>(&earlier.contents)) {
        const auto plan = judgePlan(environment.session, model, request, *text, path);
        if (plan && plan->run->report.verdict.valid()) return revisionOf(*plan->run, path.substr(path.rfind('/') + 1));
        return revisionOfPlanFile(*text, path, request.function);
    }
    const auto& read = std::get<Model>(earlier.contents);
    const auto functions = Session::functions(read);
    const bool same = std::ranges::find(functions, request.function) != functions.end();
    const bool only = functions.size() == 1 && (functions.front().empty() || Session::functions(model).size() == 1);
    if (!same && !only)
        return failure(Code::noSuchFunction, fmt::format("the file has no function '{}'", request.function), {path, 0, 0, -1},
                       fmt::format("name a file with this function; it has {}", fmt::join(functions, ", ")));
    auto asked = planning.request(environment, read, same ? request.function : functions.front());
    if (!asked) return std::move(asked).error();
    asked->planner = request.planner;
    asked->options = request.options;
    const auto run = planWithProgress(environment, read, limitedForComparison(environment.session, read, *std::move(asked)),
                                      fmt::format("{} · {}", read.name.toStdString(), request.planner));
    if (!run) return run.error();
    return revisionOf(**run, QFileInfo(pathFromNative(path)).fileName().toStdString());
}

} // namespace stowage::cli
