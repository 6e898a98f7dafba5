// The stages of a configuration put together again as one program.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/program.h"
#include "core/pipeline/config.h"

#include <memory>
#include <span>
#include <vector>

namespace stowage::pipeline {

struct JoinedStages {
    Program program;                  ///< the ops of all stages in its entry, stage after stage
    std::vector<std::size_t> modules; ///< positions in `config.modules`, in the order of the ops: each after those that feed it
    std::vector<std::size_t> cuts;    ///< the first operator (as `CutMap` counts) of each module but the first
};

/// `programs`: by position in `config.modules`. Costs for any device become those for the module's device. Constants of one name,
/// type and size that several stages have are one again. Requires a configuration without faults. Errors: a module without a
/// program, or with one that has no operator; the result is verified. Linear in the programs.
Expected<JoinedStages> joinStages(const PipelineConfig& config, std::span<const std::shared_ptr<const Program>> programs);

} // namespace stowage::pipeline
