// From TIR to a program: functions, their buffers, and one op for each statement.
#pragma once

#include "plugins/tvm/tir_parser.h"

#include "core/ir/program.h"

namespace stowage::tvm {

/// A statement that makes a tensor: T.allocate and its like.
struct Allocation {
    std::size_t function = 0;
    TensorId tensor = none;
    const Expression* call = nullptr;   ///< of the functions that the program is made from
    const Expression* target = nullptr; ///< the name that it gets
    bool with = false;                  ///< `with call as target`, not `target = call`
};

/// What comes out, with what has to be said about it.
struct TirProgram {
    Program program;
    Diagnostics diagnostics;
    std::vector<Allocation> allocations; ///< in the order of the text
};

/// Every prim_func becomes a function. Its entry is the one marked `runner_function`, else one named like TVM's main functions,
/// else the one that nobody calls.
///
///  - T.allocate, T.alloc_buffer and T.decl_buffer without data make tensors; T.allocate_const and T.lookup_param make constants;
///    T.match_buffer, T.buffer_decl with data, T.Buffer name what is there. An extent that is no number makes the size unknown:
///    such a tensor is left out of planning. Only scope "global" is planned. `pinned_memory` and `candidate_memory_pools`, as
///    keyword or annotation, become candidate pools, by name or by number from 1. The program has a pool without a limit for each
///    name, in the order of the text.
///  - Where a memory is handed in (tir_pools.h) an address in it makes a tensor that is pinned there, and the program has the
///    memories as pools.
///  - A statement that stores is an op. So is a loop nest without allocations and calls to functions of the module: what it
///    touches is in use as long as it runs. Another loop becomes a loop; an allocation directly in a parallel one is not planned.
///    Both ways of an if come one after the other.
///  - T.call_extern, T.call_packed and their like call the function of the module that they name; the buffers that it writes are
///    found by looking into it. Of other functions the last buffer is written, the others are read, unless nothing wrote them
///    before.
///  - Parameters are inputs when they are only read, outputs otherwise.
///
/// Errors with line and column: an unknown callee's argument count, a call cycle, two functions of one name, an extent out of
/// range.
Expected<TirProgram> buildProgram(const std::vector<PrimFunction>& functions, const std::string& file, bool planIo);

} // namespace stowage::tvm
