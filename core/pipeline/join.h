// Joins the programs of a configuration's modules into one program.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/program.h"
#include "core/pipeline/config.h"

#include <memory>
#include <span>
#include <vector>

namespace stowage::pipeline {

struct JoinedStages {
    Program program; ///< the ops of all stages in its entry, stage after stage
    std::vector<std::size_t>
        modules; ///< positions in `config.modules`, in the order of the ops: each module after those that feed it
    std::vector<std::size_t> cuts; ///< the first operator of each module except the first, numbered as in `CutMap`
};

/// Joins the stages. `programs` is indexed like `config.modules`. A cost of an op that holds for any device becomes a cost for
/// the device of the op's module. Constants with the same name, type and size in several stages become one constant. Requires a
/// configuration without faults. Errors: a module without a program, a program without an operator, and those of the verifier on
/// the result. Linear in the programs.
Expected<JoinedStages> joinStages(const PipelineConfig& config, std::span<const std::shared_ptr<const Program>> programs);

} // namespace stowage::pipeline
