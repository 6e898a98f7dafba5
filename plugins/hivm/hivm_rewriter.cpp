#include "plugins/hivm/hivm_rewriter.h"

#include "plugins/hivm/plan_writer.h"

#include <fmt/format.h>

namespace stowage::hivm {

Expected<Rewritten> HivmRewriter::rewrite(const RewriteRequest& request) const
{
    if (request.pass != "plan-memory")
        return failure(Code::unknownPass, fmt::format("there is no pass '{}' for kernels", request.pass),
                       {request.path, 0, 0, -1}, "its pass is plan-memory");
    WorkspaceForm form = WorkspaceForm::offset;
    for (const auto& [name, value] : request.passOptions)
        if (name == "workspace-form") form = value == "document" ? WorkspaceForm::document : WorkspaceForm::offset;
    std::vector<WrittenFunction> functions;
    for (const PlannedFunction& planned : request.planned) {
        if (planned.lowering.problem.axis != Axis::hivm)
            return failure(Code::wrongOrder, "the plan was made for another order than the compiler's", {request.path, 0, 0, -1},
                           "plan with --lower order=hivm");
        functions.push_back({planned.function, &planned.lowering, &planned.plan});
    }
    auto text = writePlan(request.text, request.path, request.program, functions, form);
    if (!text) return std::move(text).error();
    Rewritten rewritten;
    rewritten.text = *std::move(text);
    return rewritten;
}

} // namespace stowage::hivm
