// The contents of the generated C code of one model, before they are written as text.
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
    bool application = true; ///< true: the application provides the memory; false: it is an array of the generated source
    bool packed = false;     ///< a constant pool with all bytes known
};

/// A pointer that the application passes in.
struct CTensor {
    std::string name;       ///< C identifier, a member of its struct
    Bytes size = 0;         ///< 0: unknown
    BufferId buffer = none; ///< the buffer that holds it; none: not planned
    Bytes delta = 0;        ///< offset in that buffer
    /// An output whose address is known only at run time; the function that calls the operators copies it.
    bool handedOut = false;
    std::string comment;
    bool writable = false;
    const std::vector<std::uint8_t>* data = nullptr; ///< bytes of a constant that is not planned
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

/// One line of the function that calls the operators: a call, or other code (`text`).
struct CLine {
    int depth = 0;             ///< nesting depth
    std::optional<CCall> call; ///< no value: the line is `text`
    std::string text;
};

/// The table with the offsets of a rotating buffer.
struct CTable {
    std::string name;
    BufferId buffer = none;
};

struct CModel {
    std::string name;         ///< C identifier
    std::string macro;        ///< in capitals
    std::vector<CPool> pools; ///< by pool id
    /// By buffer id: "TVM_M_CONV_OUT", to which _OFFSET and _SIZE are appended; empty: not placed.
    std::vector<std::string> bufferMacros;
    std::vector<CTensor> inputs;
    std::vector<CTensor> outputs;
    std::vector<CTensor> tensors; ///< not planned: constants, variables, tensors of unknown size
    std::vector<std::string> devices;
    std::vector<COperator> operators;
    std::vector<CLine> lines; ///< in order
    std::vector<CTable> tables;
    bool ordered = false; ///< `lines` call the operators; false: the application must do it
    bool selects = false; ///< some branch is selected by a tensor
    Diagnostics diagnostics;
};

} // namespace stowage::io
