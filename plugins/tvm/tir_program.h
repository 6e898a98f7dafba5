// Makes a program from TIR: functions, their buffers, and one op for each statement.
#pragma once

#include "plugins/tvm/tir_result.h"

namespace stowage::tvm {

/// Makes a function of every prim_func. The entry is the function marked `runner_function`, otherwise one with a name of TVM's
/// main functions, otherwise the one that no other calls.
///
///  - T.allocate, T.alloc_buffer and T.decl_buffer without data make tensors; T.allocate_const and T.lookup_param make constants;
///    T.match_buffer, T.buffer_decl with data, and T.Buffer give an existing buffer a further name. If an extent is not an
///    integer literal, the size is unknown, and the tensor is not planned. `pinned_memory` and `candidate_memory_pools`, as
///    keyword or annotation, become candidates, by name or by number from 1. The program has an unbounded pool for each name, in
///    the order of the text. Of other scopes than "global" nothing is planned, unless it names its pools (tir_unplanned.h).
///  - If functions take pools as parameters (tir_pools.h), each address in a pool makes a tensor that is pinned there, and the
///    program has these pools.
///  - A statement that stores is an op. A loop nest without allocations and without calls to functions of the module is one op,
///    too: its buffers are in use as long as it runs. Another loop becomes a loop of the program; an allocation in a parallel
///    loop, or in a function that one calls, is not planned. The condition, bounds or value of such a loop, and of an `if` or
///    `with` around allocations and calls, are read by an op before the body; of a `while` by a second one at the end of its
///    body. A scalar argument of a call is read by an op before the call. The two branches of an `if` follow one another. An
///    `assert` is an op that reads.
///  - T.call_extern, T.call_packed and similar functions call the function of the module that they name; its body tells which
///    buffers it writes. A function outside the module writes the last of its buffers and reads the others; a buffer without
///    an earlier write counts as written.
///  - Parameters that are only read are inputs, all others outputs.
///
/// Errors, with line and column: a call with another count of arguments than its function has, a cycle of calls, two functions of
/// one name, an extent out of range.
Expected<TirProgram> buildProgram(const std::vector<PrimFunction>& functions, const std::string& file, bool planIo);

} // namespace stowage::tvm
