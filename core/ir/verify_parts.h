// The parts of the verifier. Each looks at one kind of rule and relies on those before it.
#pragma once

#include "core/ir/program.h"
#include "core/ir/region_tree.h"

#include <string>

namespace stowage::verifying {

/// Collects what is wrong. Keeps the first `limit` and counts the rest.
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

/// "op 'conv' of 'main'", "tensor 'x' of 'main'"; the index stands for a name that is missing.
std::string describe(const Function& function, const Op& op);
std::string describe(const Function& function, const Tensor& tensor);
std::string describe(const Function& function, const Region& region);

/// Indices in range; regions and ops listed once and by the one that they name. False when something is wrong: nothing else may
/// look at the function then.
bool checkShape(const Program& program, const Function& function, Findings& findings);
/// Names, sizes, alignments, counts, aliases.
void checkTensors(const Function& function, const RegionTree& tree, Findings& findings);
/// What each kind of op has to have: regions, callee, positions that correspond, in-place pairs, cost.
void checkOps(const Program& program, const Function& function, Findings& findings);
/// Each tensor written once, and read where it is visible and after it was written.
void checkDataFlow(const Function& function, const RegionTree& tree, Findings& findings);

} // namespace stowage::verifying
