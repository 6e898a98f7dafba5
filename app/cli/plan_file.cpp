#include "app/cli/plan_file.h"

#include "app/session/foreign_plan.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "core/io/input_file.h"
#include "core/io/json_reader.h"
#include "core/io/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::cli {

namespace {

/// What the plan file says about how its problem came about, so that it is judged on the same one.
OptionValues loweringOf(std::string_view text, const std::string& file)
{
    OptionValues values;
    io::JsonReader in(text, file);
    const auto lowering = [&] { in.object([&](std::string_view key) { values.emplace_back(key, in.string()); }); };
    in.object([&](std::string_view key) {
        if (key == "lowering")
            lowering();
        else if (key == "functions")
            in.array([&] {
                in.object([&](std::string_view inner) {
                    if (inner == "lowering" && values.empty())
                        lowering();
                    else
                        in.skip();
                });
            });
        else
            in.skip();
    });
    return in.finish() ? values : OptionValues{}; // a CSV has none, and mistakes are reported where the plan is read
}

/// The plan of one function as a run: its problem, lowered as the file says, and the core's verdict.
Expected<std::shared_ptr<const Run>> judged(const Environment& environment, const Model& model, const PlanningOptions& planning,
                                            const std::string& function, std::string_view text, const std::string& path)
{
    auto request = planning.request(environment, model, function);
    if (!request) return std::move(request).error();
    request->planner.clear();
    OptionValues lowering = loweringOf(text, path);
    std::erase_if(lowering, [&](const auto& option) {
        if (option.first != "alignment") return false;
        if (const auto alignment = parseBytes(option.second);
            alignment && *alignment >= 1 && request->alignment == elementAlignment)
            request->alignment = *alignment;
        return true;
    });
    lowering.insert(lowering.end(), request->lowering.begin(), request->lowering.end()); // what is typed wins
    request->lowering = std::move(lowering);
    const auto lowered = environment.session.lowerNow(model, *request);
    if (!lowered) return lowered.error();

    auto read = io::readPlan(text, path, (*lowered)->problem, function, (*lowered)->options.alignment);
    if (!read) return std::move(read).error();
    environment.say(read->diagnostics);
    auto run = std::make_shared<Run>();
    run->program = model.program;
    run->lowering = *lowered;
    run->plan = std::move(read->value);
    run->mismatches = std::move(read->mismatches);
    run->report = evaluate(*run);
    return std::shared_ptr<const Run>(std::move(run));
}

/// What Ascend's compiler says of its own plan; no plan file of ours has such a field.
bool isMemoryInfo(std::string_view text)
{
    const std::string_view head = text.substr(0, std::size_t{1} << 16);
    return head.find("\"memory_info_array\"") != std::string_view::npos && head.find("\"Record\"") != std::string_view::npos;
}

Expected<std::shared_ptr<const Run>> judgedForeign(const Environment& environment, const Model& model,
                                                   const PlanningOptions& planning, const std::string& function,
                                                   const Model& source)
{
    auto request = planning.request(environment, model, function);
    if (!request) return std::move(request).error();
    request->planner.clear();
    return foreignRun(model, source, *request);
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
    std::optional<Model> source;
    if (isMemoryInfo(text)) {
        auto read = environment.session.read(pathFromNative(path), {}, environment.interrupt);
        if (!read) {
            environment.fail(read.error());
            return {};
        }
        environment.say(read->diagnostics);
        source = *std::move(read);
    }
    const std::vector<std::string> functions = Session::functions(model);
    for (const std::string& function : functions) {
        // It is of one kernel; the others of the file were compiled by themselves.
        if (source && functions.size() > 1 &&
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
        environment.fail(failure(Code::otherKernel, "it is a plan for none of the input's functions", {path, 0, 0, -1}));
    return runs;
}

} // namespace stowage::cli
