#include "core/planners/nnc/graph_planners.h"

#include "core/planners/common/table_planner.h"
#include "core/planners/nnc/builder.h"

#include <utility>

namespace stowage {

namespace {

/// A planner that fills allocation graphs by the document's rules or by size.
class GraphPlanner : public TablePlanner {
public:
    using Fill = void (*)(nnc::Builder& builder, const PlannerInfo& info, const OptionValues& options);

    GraphPlanner(PlannerInfo info, Fill fill) : TablePlanner(std::move(info)), fill_(fill) {}

private:
    [[nodiscard]] Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                       const PlanContext& context) const override
    {
        const auto tensors = nnc::Tensors::of(table);
        if (!tensors) return tensors.error();
        nnc::Builder builder(table, *tensors, context);
        fill_(builder, info(), options);
        return builder.finish(info(), options);
    }

    Fill fill_;
};

} // namespace

std::shared_ptr<const Planner> nncDocument()
{
    PlannerInfo info;
    info.lowering = {{"order", "dag"}, {"loops", "precise"}};
    info.name = "nnc";
    info.summary = "Inserts tuples of tensors, those with the most conflicts first, into the edges of an allocation graph.";
    info.source = "libnnc, the NNC tensor allocation algorithm (Liu Liu), as documented in 2018";
    info.options = {{.name = "edges",
                     .type = OptionType::choice,
                     .defaultValue = "inner-first",
                     .description =
                         "inner-first: edges between two tensors, then those with one dummy end, then new memory; inner: without "
                         "the second, exactly as in the document, which shares far less.",
                     .choices = {"inner-first", "inner"}}};
    return std::make_shared<GraphPlanner>(std::move(info),
                                          [](nnc::Builder& builder, const PlannerInfo& own, const OptionValues& options) {
                                              builder.runDocument(optionValue(own, options, "edges") == "inner");
                                          });
}

std::shared_ptr<const Planner> nncSizeFirst()
{
    PlannerInfo info;
    info.lowering = {{"order", "dag"}, {"loops", "precise"}};
    info.name = "nnc-size-first";
    info.summary = "Largest tensor first, each into the tightest edge of an allocation graph.";
    info.source = "libnnc, as it is since 2019";
    return std::make_shared<GraphPlanner>(
        std::move(info), [](nnc::Builder& builder, const PlannerInfo&, const OptionValues&) { builder.runSizeFirst(); });
}

} // namespace stowage
