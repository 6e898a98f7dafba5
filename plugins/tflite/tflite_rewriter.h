// The pass plan-memory for TensorFlow Lite models.
#pragma once

#include "plugins/api/rewriter.h"

namespace stowage::tflite {

/// Writes the plan into the model file as `OfflineMemoryAllocation` metadata (plugins/tflite/plan_writer.h). The plan covers the
/// main sub-graph (`subgraphs=main`; the runtime places the tensors of other sub-graphs), all sub-graphs in one arena
/// (`subgraphs=flat`), or with `nested` the only sub-graph. The runtime places variables, constants, and tensors without bytes.
/// Errors: a plan in several pools, an offset that is not a multiple of 16 or exceeds 31 bits.
class TfliteRewriter : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "tflite"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override;
};

} // namespace stowage::tflite
