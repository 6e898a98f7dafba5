#include "core/planners/nnc/size_first.h"

#include "core/planners/greedy.h"
#include "core/planners/nnc/builder.h"

namespace stowage {

namespace {

class NncSizeFirst : public Planner {
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
        builder.runSizeFirst();
        return builder.finish(info_, options);
    }

private:
    PlannerInfo info_ = {
        .name = "nnc-size-first",
        .summary = "Largest tensor first, each into the tightest edge of an allocation graph.",
        .source = "libnnc, as it is since 2019",
        .options = {},
        .takes = {},
        .lowering = {{"order", "dag"}, {"loops", "precise"}},
    };
};

} // namespace

std::shared_ptr<const Planner> nncSizeFirst() { return std::make_shared<NncSizeFirst>(); }

} // namespace stowage
