// The built-in kernel: executes the ops of a stage on its planned arena and checks every byte that they read.
#pragma once

#include "core/pipeline/kernel.h"
#include "core/pipeline/stage_memory.h"

namespace stowage::pipeline {

/// Makes a kernel that executes a planned stage frame by frame. An op checks all bytes of its inputs, those handed over by other
/// stages included; outputs are copied out of the arena. The contents of an output depend on the stage's inputs and on its
/// program only, so that every executor computes the same. Variables keep their contents from frame to frame. Errors: an arena
/// above 2 GiB. `StageKernel::run` then fails on the first corrupted read of a frame.
Expected<std::unique_ptr<StageKernel>> checkingKernel(StagePlan stage);

} // namespace stowage::pipeline
