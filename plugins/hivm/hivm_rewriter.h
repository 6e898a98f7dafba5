// The pass plan-memory for kernels of Ascend's compiler.
#pragma once

#include "plugins/api/rewriter.h"

namespace stowage::hivm {

/// Gives a kernel back with its plan in it: plugins/hivm/plan_writer.h says how. Its option is `workspace-form`, `offset` or
/// `document`.
class HivmRewriter : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "hivm"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override;
};

} // namespace stowage::hivm
