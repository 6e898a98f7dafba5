// Builds the programs of stages: consecutive operators of a program's entry, with the tensors that stages exchange.
#pragma once

#include "core/pipeline/cuts.h"

namespace stowage::pipeline {

/// An input of a stage.
struct StageInput {
    TensorId tensor = none;    ///< of the program that was split
    std::string name;          ///< name of the stage's input
    std::int32_t stage = none; ///< the stage that makes it; none: the application
    std::int32_t output = 0;   ///< number of the output of that stage
    std::optional<Bytes> bytes;
};

struct StageOutput {
    TensorId tensor = none;
    std::string name;
    std::int32_t global = none; ///< number of the program's output; none: only stages read it
    std::optional<Bytes> bytes;
};

struct Stage {
    std::size_t begin = 0; ///< operators [begin, end) of the `CutMap`
    std::size_t end = 0;
    Program program; ///< the inputs and outputs of its entry are in the order of the lists below
    std::vector<StageInput> inputs;
    std::vector<StageOutput> outputs;
    Bytes constants = 0; ///< as `keptBytes` counts them
    Bytes variables = 0;
};

/// Upper limit of each part of a stage's memory, so that sums of the parts do not overflow. Larger numbers end there.
inline constexpr Bytes maxStageBytes = Bytes{1} << 58;

/// What a stage keeps from frame to frame.
struct KeptBytes {
    Bytes constants = 0; ///< constants of known size, and those that ops make and an operator reads, each counted once
    Bytes variables = 0;
};

/// Of a stage: `map` is that of its own program. Each sum is at most `maxStageBytes`. Linear in the program.
[[nodiscard]] KeptBytes keptBytes(const CutMap& map);

/// Bytes of `frames` (>= 0) frames that wait, of `bytes` (>= 0) each; at most `maxStageBytes`.
[[nodiscard]] Bytes waitingBytes(std::int64_t frames, Bytes bytes);

/// The stage of operators [begin, end), whatever the other cuts are. Its inputs are the tensors made before it that it reads; its
/// outputs are the tensors made in it that are read after it. New inputs are named data_n_0, data_n_1, …; inputs of the program
/// keep their names. Constants and called functions are copied. `StageInput::stage` and `output` are left unset. Linear in the
/// stage and the tensors of the program.
Stage stageOf(const Program& program, const CutMap& map, std::size_t begin, std::size_t end);

/// All stages that the cuts make, with `StageInput::stage` and `output` set. Requires allowed, ascending cuts.
std::vector<Stage> splitAt(const Program& program, const CutMap& map, std::span<const std::size_t> cuts);

} // namespace stowage::pipeline
