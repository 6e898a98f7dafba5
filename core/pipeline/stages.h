// The programs of stages: parts of a program's entry that hand tensors on to each other.
#pragma once

#include "core/pipeline/cuts.h"

namespace stowage::pipeline {

/// A tensor that a stage takes.
struct StageInput {
    TensorId tensor = none;    ///< of the program that was split
    std::string name;          ///< of the stage's input
    std::int32_t stage = none; ///< that gives it; none: the application
    std::int32_t output = 0;   ///< its number there
    std::optional<Bytes> bytes;
};

struct StageOutput {
    TensorId tensor = none;
    std::string name;
    std::int32_t global = none; ///< its number among the outputs of the program; none: it goes to stages only
    std::optional<Bytes> bytes;
};

struct Stage {
    std::size_t begin = 0; ///< operators [begin, end) of the cut map
    std::size_t end = 0;
    Program program; ///< its entry has the stage's inputs and outputs, in the order of the lists below
    std::vector<StageInput> inputs;
    std::vector<StageOutput> outputs;
    Bytes constants = 0; ///< of known size, each once
    Bytes variables = 0;
};

/// The stage of operators [begin, end), wherever the others are cut: its inputs are tensors made before it, its outputs are
/// tensors read after it. New inputs are named data_n_0, data_n_1, …; inputs of the program keep their names. Constants and
/// called functions are copied. `StageInput::stage` is not known here. Linear in the stage and the tensors of the program.
Stage stageOf(const Program& program, const CutMap& map, std::size_t begin, std::size_t end);

/// All stages of the cuts, with `StageInput::stage`. Requires allowed, ascending cuts.
std::vector<Stage> splitAt(const Program& program, const CutMap& map, std::span<const std::size_t> cuts);

} // namespace stowage::pipeline
