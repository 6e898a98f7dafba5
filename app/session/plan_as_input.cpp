#include "app/session/plan_as_input.h"

#include "app/session/number_words.h"
#include "core/io/json_reader.h"
#include "core/io/text.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace stowage {

namespace {

bool placesEveryRow(const Model& model)
{
    return model.problem && !model.problem->buffers.empty() &&
           std::ranges::all_of(model.problem->buffers, [](const Buffer& buffer) { return buffer.pin.has_value(); });
}

std::unordered_set<std::string_view> namesOf(const Model& model)
{
    std::unordered_set<std::string_view> names;
    if (model.problem)
        for (const Buffer& buffer : model.problem->buffers) names.insert(buffer.name);
    if (model.program)
        for (const Function& function : model.program->functions)
            for (const Tensor& tensor : function.tensors) names.insert(tensor.name);
    return names;
}

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

} // namespace

PlanSign planSign(const Model& table, const Model& model)
{
    if (table.importer != QLatin1String("csv") || !table.problem || table.problem->buffers.empty()) return PlanSign::noPlan;
    if (placesEveryRow(model)) return PlanSign::noPlan;
    if (placesEveryRow(table)) return PlanSign::placesEveryRow;
    const auto& rows = table.problem->buffers;
    const bool placesAny = std::ranges::any_of(rows, [](const Buffer& buffer) { return buffer.pin.has_value(); });
    if (!model.program && !placesAny) return PlanSign::noPlan; // two versions of one problem
    const auto names = namesOf(model);
    const bool all = std::ranges::all_of(rows, [&](const Buffer& buffer) { return names.contains(buffer.name); });
    return all ? PlanSign::namesTensors : PlanSign::noPlan;
}

Error planAmongInputs(const Model& table, const Model& model, PlanSign sign)
{
    const std::string file = shownName(table.path.toStdString());
    return failure(Code::usage,
                   fmt::format("{} beside {}: this looks like a plan, not like a problem",
                               sign == PlanSign::placesEveryRow ? "every row has an offset," : "the ids are the model's tensors,",
                               shownName(model.name.toStdString())),
                   {table.path.toStdString(), 0, 0, -1},
                   fmt::format("--plan {} judges it as a plan of the model; --importer csv plans it as a problem", file));
}

Expected<JudgedPlan> judgePlan(const Session& session, const Model& model, PlanRequest request, std::string_view text,
                               const std::string& path)
{
    request.planner.clear();
    OptionValues lowering = loweringOf(text, path);
    std::erase_if(lowering, [&](const auto& option) {
        // What the fingerprint says of edits: the request makes them, or the plan is judged without.
        if (option.first == "pins" || option.first == "changes") return true;
        if (option.first != "alignment") return false;
        if (const auto alignment = parseBytes(option.second);
            alignment && *alignment >= 1 && request.alignment == elementAlignment)
            request.alignment = *alignment;
        return true;
    });
    lowering.insert(lowering.end(), request.lowering.begin(), request.lowering.end()); // what was asked for wins
    request.lowering = std::move(lowering);
    const auto lowered = session.lowerNow(model, request);
    if (!lowered) return lowered.error();

    auto read = io::readPlan(text, path, (*lowered)->problem, request.function, (*lowered)->options.alignment);
    if (!read) return std::move(read).error();
    auto run = std::make_shared<Run>();
    run->program = model.program;
    run->lowering = *lowered;
    run->plan = std::move(read->value);
    run->mismatches = std::move(read->mismatches);
    const auto tensors = io::tensorMismatches(*run, read->tensors);
    run->mismatches.insert(run->mismatches.end(), tensors.begin(), tensors.end());
    run->report = evaluate(*run);
    return JudgedPlan{std::move(run), std::move(read->diagnostics)};
}

} // namespace stowage
