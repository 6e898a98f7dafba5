// Allocations of TIR that a plan leaves where they are: those of other memories, and those that exist several times at once.
#pragma once

#include "plugins/tvm/tir_result.h"

#include <string>
#include <vector>

namespace stowage::tvm {

/// A call of one function of the module by another one.
struct FunctionCall {
    std::size_t caller = 0;
    std::size_t callee = 0;
    bool parallel = false; ///< a loop around the call is parallel
};

/// Keeps these allocations and their versions out of the plan, with messages:
///
///  - those of another scope than "global", with one note for each scope. TVM places them in memories of the hardware
///    ("global.vtcm", "shared"), which share no bytes with the workspace. Of a scope "global.…" those that name their pools stay.
///  - those of functions that a parallel loop calls, directly or through other functions, with a warning for each: every thread
///    needs bytes of its own. Constants stay.
///
/// O(functions + calls + tensors).
void keepOutUnplaceable(TirProgram& program, const std::vector<FunctionCall>& calls, const std::string& file);

} // namespace stowage::tvm
