#include "core/planners/nnc/document.h"

#include "core/planners/greedy.h"
#include "core/planners/nnc/builder.h"

namespace stowage {

namespace {

class NncDocument : public Planner {
public:
    [[nodiscard]] const PlannerInfo& info() const override { return info_; }

    [[nodiscard]] Expected<Plan> plan(const Problem& problem, const OptionValues& options, const PlanContext& context) const override
    {
        if (auto error = cannotPlan(info_, problem, options)) return *error;
        const BufferTable table(problem);
        if (table.error()) return *table.error();
        const auto tensors = nnc::Tensors::of(table);
        if (!tensors) return tensors.error();
        nnc::Builder builder(table, *tensors, context);
        builder.runDocument(optionValue(info_, options, "edges") == "inner");
        return builder.finish(info_, options);
    }

private:
    PlannerInfo info_ = {
        .name = "nnc",
        .summary = "Tuples of tensors that meet the most others go into edges of an allocation graph, which keep parts for reuse.",
        .source = "libnnc, the NNC tensor allocation algorithm (Liu Liu), as documented in 2018",
        .options = {{.name = "edges",
                     .type = OptionType::choice,
                     .defaultValue = "inner-first",
                     .description = "inner-first: edges between two tensors, then those with one dummy end, then new memory; inner: never "
                                    "the second, which is the document to the letter and shares far less.",
                     .choices = {"inner-first", "inner"}}},
        .takes = {},
        .lowering = {{"order", "dag"}, {"loops", "precise"}},
    };
};

} // namespace

std::shared_ptr<const Planner> nncDocument() { return std::make_shared<NncDocument>(); }

} // namespace stowage
