// The parts of the verifier. Each checks one kind of rule, and relies on the parts listed before it.
#pragma once

#include "core/ir/program.h"
#include "core/ir/region_tree.h"

#include <string>

namespace stowage::verifying {

/// Collects errors: keeps the first `limit` and counts the others.
class Findings {
public:
    void error(Code code, std::string message, const Position& where, std::string remedy = {});
    [[nodiscard]] std::size_t errors() const { return errors_; }
    Diagnostics take() &&;

private:
    static constexpr std::size_t limit = 100;
    Diagnostics list_;
    std::size_t errors_ = 0;
};

/// "op 'conv' of 'main'", "tensor 'x' of 'main'"; a missing name is replaced by the index.
std::string describe(const Function& function, const Op& op);
std::string describe(const Function& function, const Tensor& tensor);
std::string describe(const Function& function, const Region& region);

/// Checks that indices are in range, and that each region and op is listed once, by the owner that it names. False on an error:
/// then no other part may check the function.
bool checkShape(const Program& program, const Function& function, Findings& findings);
/// Checks names, sizes, alignments, counts and aliases of tensors.
void checkTensors(const Function& function, const RegionTree& tree, Findings& findings);
/// Checks what each kind of op requires: regions, callee, matching inputs and outputs, in-place pairs, costs.
void checkOps(const Program& program, const Function& function, Findings& findings);
/// Checks that each tensor is written once, and read only where it is visible and after it was written.
void checkDataFlow(const Function& function, const RegionTree& tree, Findings& findings);

} // namespace stowage::verifying
