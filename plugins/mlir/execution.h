// Runs a whole module with the interpreter of core/exec. Tests compare its output with that of MLIR's own JIT.
#pragma once

#include "core/ir/expected.h"

#include <string>
#include <string_view>

namespace stowage::mlirfile {

/// Parses the module and runs `@main`, which has no arguments. Returns the printed text: a tensor or scalar that is passed to a
/// function without a body is printed as numbers in row-major order, one a line. Errors: those of `parseModule`; "no-functions"
/// without `@main`; "not-supported", with its place, for an op that the interpreter does not support.
Expected<std::string> runMain(std::string_view text, const std::string& path);

} // namespace stowage::mlirfile
