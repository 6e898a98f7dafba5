#include "app/session/plan_as_input.h"

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

} // namespace

PlanSign planSign(const Model& table, const Model& model)
{
    if (table.importer != QLatin1String("csv") || !table.problem || table.problem->buffers.empty()) return PlanSign::none;
    if (placesEveryRow(model)) return PlanSign::none;
    if (placesEveryRow(table)) return PlanSign::placesEveryRow;
    const auto& rows = table.problem->buffers;
    const bool placesAny = std::ranges::any_of(rows, [](const Buffer& buffer) { return buffer.pin.has_value(); });
    if (!model.program && !placesAny) return PlanSign::none; // two versions of one problem
    const auto names = namesOf(model);
    const bool all = std::ranges::all_of(rows, [&](const Buffer& buffer) { return names.contains(buffer.name); });
    return all ? PlanSign::namesTensors : PlanSign::none;
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

} // namespace stowage
