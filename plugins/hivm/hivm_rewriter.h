// The pass plan-memory for kernels of Ascend's compiler.
#pragma once

#include "plugins/api/rewriter.h"

namespace stowage::hivm {

/// Writes a plan into the text of a kernel (see plugins/hivm/plan_writer.h). Its option is `workspace-form`: `offset` or
/// `document`.
class HivmRewriter : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "hivm"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override;
};

} // namespace stowage::hivm
