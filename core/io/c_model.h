// The contents of the generated code of one model, before it is written as text.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/program.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage::io {

/// A pool of the model.
struct CPool {
    PoolId id = none;
    std::string name;  ///< C identifier
    std::string macro; ///< "TVM_M_SRAM_WORKSPACE_BUFFER": _SIZE, _ALIGNMENT and _SECTION are appended
    PoolKind kind = PoolKind::workspace;
    Bytes size = 0;
    Bytes alignment = 1;
    bool application = true; ///< its memory is handed in; else it is an array of the generated source
    bool packed = false;     ///< constants: all of its bytes are known
};

/// A pointer that the application hands in.
struct CTensor {
    std::string name;       ///< C identifier, a member of its struct
    Bytes size = 0;         ///< 0: not known
    BufferId buffer = none; ///< where it is planned to lie
    Bytes delta = 0;        ///< in that buffer
    bool handedOut =
        false; ///< an output whose place turns out when the model runs: the function that calls the operators copies it
    std::string comment;
    bool writable = false;
    const std::vector<std::uint8_t>* data = nullptr; ///< of a constant that is not planned
};

/// One operator that the entry point calls.
struct COperator {
    std::string name; ///< C identifier
    std::size_t inputs = 0;
    std::size_t outputs = 0; ///< temporaries included
    std::string comment;
};

struct CCall {
    std::size_t op = 0;                 ///< into `operators`
    std::vector<std::string> arguments; ///< addresses: inputs, outputs, temporaries
    std::string device;                 ///< expression; empty: none
};

/// One line of the function that calls the operators: a call, or what goes round it.
struct CLine {
    int depth = 0;             ///< of nesting
    std::optional<CCall> call; ///< else `text`
    std::string text;
};

/// The offsets of a buffer that rotates.
struct CTable {
    std::string name;
    BufferId buffer = none;
};

struct CModel {
    std::string name;                      ///< C identifier
    std::string macro;                     ///< in capitals
    std::vector<CPool> pools;              ///< by pool id
    std::vector<std::string> bufferMacros; ///< by buffer id: "TVM_M_CONV_OUT": _OFFSET and _SIZE are appended; empty: not placed
    std::vector<CTensor> inputs;
    std::vector<CTensor> outputs;
    std::vector<CTensor> tensors; ///< not planned: constants, variables, tensors of unknown size
    std::vector<std::string> devices;
    std::vector<COperator> operators;
    std::vector<CLine> lines; ///< in order
    std::vector<CTable> tables;
    bool ordered = false; ///< `lines` are what a run does; else the application does it
    bool selects = false; ///< a branch takes its number from a tensor
    Diagnostics diagnostics;
};

} // namespace stowage::io
