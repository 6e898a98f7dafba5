// Makes a program from the structure of a kernel.
//
// Every op of the text becomes an op of the program, region ends included, so that its position in pre-order is the number that
// the compiler gives it. A buffer becomes a tensor. Since a program writes each tensor once, each further write makes a view of
// it; subviews, casts and values that a loop carries in place are views, too. Global memory and the tensors of function arguments
// become tensors that are not planned.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/hivm/syntax.h"

namespace stowage::hivm {

struct Built {
    Program program;
    std::vector<FilePlan> plans; ///< one plan with all buffers that have addresses in the text; empty if there are none
    Diagnostics diagnostics;
    std::string target; ///< name of the target in the module: "Ascend910B1"; empty if it has none
};

/// Builds the program. `chunks` is the result of parsing `text`. Errors, with positions: a buffer without a static size; an op of
/// unknown kind that accesses a local buffer; a branch that leads backwards. Near-linear.
Expected<Built> buildProgram(std::string_view text, const std::string& file, const std::vector<Chunk>& chunks);

} // namespace stowage::hivm
