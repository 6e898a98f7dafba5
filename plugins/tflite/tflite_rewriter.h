// The pass plan-memory for TensorFlow Lite models.
#pragma once

#include "plugins/api/rewriter.h"

namespace stowage::tflite {

/// Gives a model back with its plan as `OfflineMemoryAllocation` metadata (plugins/tflite/plan_writer.h). The plan is one of the
/// main graph (`subgraphs=main`; the tensors of other sub-graphs are left to the runtime) or of all graphs in one arena
/// (`subgraphs=flat`); with `nested`, of a model with one sub-graph. Variables, constants, and tensors without bytes are left to
/// the runtime. Errors: a plan in several memories, and an offset that is no multiple of 16 or does not fit into 31 bits.
class TfliteRewriter : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "tflite"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override;
};

} // namespace stowage::tflite
