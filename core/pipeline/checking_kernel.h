// The built-in kernel: runs the ops of a stage on its planned arena with checking bytes.
#pragma once

#include "core/pipeline/kernel.h"
#include "core/pipeline/stage_memory.h"

namespace stowage::pipeline {

/// A kernel of a planned stage. Its inputs come by the payloads' bytes and are checked wherever an op reads them; its outputs are
/// copied out of the arena. What an output holds follows from the inputs and the stage alone, so that every engine makes the
/// same. Variables keep their contents from frame to frame. Errors: an arena above 2 GiB; of a frame, the first corrupted read.
Expected<std::unique_ptr<StageKernel>> checkingKernel(StagePlan stage);

} // namespace stowage::pipeline
