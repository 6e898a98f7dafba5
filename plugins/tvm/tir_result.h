// A program made from TIR, with the places of its allocations in the text.
#pragma once

#include "plugins/tvm/tir_parser.h"

#include "core/ir/program.h"

namespace stowage::tvm {

/// A statement that makes a tensor: T.allocate and similar functions.
struct Allocation {
    std::size_t function = 0;
    TensorId tensor = none;
    const Expression* call = nullptr;   ///< in the functions that the program is made from
    const Expression* target = nullptr; ///< the name that the tensor gets
    bool with = false;                  ///< `with call as target`, not `target = call`
};

struct TirProgram {
    Program program;
    Diagnostics diagnostics;
    std::vector<Allocation> allocations; ///< in the order of the text
};

} // namespace stowage::tvm
