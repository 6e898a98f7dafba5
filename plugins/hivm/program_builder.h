// From the structure of a kernel to a program.
//
// Every op of the text becomes an op of the program, region ends included, so that its place in pre-order is the number that the
// compiler gives it. A buffer is a tensor; whatever is written to it a second time is a view of it (a program writes a tensor
// once), and so are subviews, casts and what is carried round a loop without leaving its place. Global memory and tensors of
// functions' arguments are there, and are not planned.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/hivm/syntax.h"

namespace stowage::hivm {

struct Built {
    Program program;
    std::vector<FilePlan> plans; ///< of functions that are planned already: one with all their buffers
    Diagnostics diagnostics;
    std::string target; ///< that the module names: "Ascend910B1"; empty when it names none
};

/// Errors, all with their places: a buffer without a static size, an op of unknown kind that touches a local buffer, a branch
/// that leads backwards. `text` is what `chunks` was parsed from. Near-linear.
Expected<Built> buildProgram(std::string_view text, const std::string& file, const std::vector<Chunk>& chunks);

} // namespace stowage::hivm
