#include "app/session/reordering.h"

#include "app/session/planning.h"

namespace stowage {

Expected<ReorderOptions> reorderOptions(const PlanRequest& request, const Program& program)
{
    auto lowering = lowerOptions(nullptr, request, &program);
    if (!lowering) return std::move(lowering).error();
    if (lowering->order != Order::linear)
        return failure(Code::usage, "reordering is for programs that run in listed order", {},
                       "choose order=linear, or leave it out");
    ReorderOptions options;
    options.lower = *std::move(lowering);
    return options;
}

} // namespace stowage
