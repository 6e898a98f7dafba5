#include "core/plan/run.h"

#include <set>

namespace stowage {

std::vector<TensorRef> unknownSizes(const Run& run)
{
    if (!run.program) return {};
    std::set<TensorRef> found;
    for (const LeftOut& left : run.lowering->leftOut)
        if (isOfUnknownSize(left, *run.program)) found.insert({left.function, left.tensor});
    return {found.begin(), found.end()};
}

std::vector<std::string_view> unknownSizeNames(const Run& run)
{
    const std::vector<std::string>& buffers = run.problem().unknownSizes;
    std::vector<std::string_view> names(buffers.begin(), buffers.end());
    for (const TensorRef& unknown : unknownSizes(run))
        names.push_back(run.program->functions[static_cast<std::size_t>(unknown.function)]
                            .tensors[static_cast<std::size_t>(unknown.tensor)]
                            .name);
    return names;
}

void addMismatches(Report& report, std::span<const Mismatch> mismatches)
{
    if (mismatches.empty()) return;
    std::vector<Violation>& all = report.verdict.violations;
    std::vector<Violation> first;
    for (const Mismatch& found : mismatches)
        (found.kind == MismatchKind::otherTensor ? all : first)
            .push_back({.kind = ViolationKind::mismatch, .first = found.buffer, .pool = found.pool, .mismatch = found});
    all.insert(all.begin(), first.begin(), first.end());
    report.status = Status::invalid;
    report.proof = ProofKind::unproven;
    report.provedBy.clear();
}

Report evaluate(const Run& run)
{
    Report report = evaluate(run.problem(), run.plan);
    addMismatches(report, run.mismatches);
    if (!unknownSizes(run).empty()) makePartial(report);
    return report;
}

} // namespace stowage
