// Runs a whole module with the interpreter of core/exec: what the tests set beside MLIR's own JIT.
#pragma once

#include "core/ir/expected.h"

#include <string>
#include <string_view>

namespace stowage::mlirfile {

/// Parses the module and runs `@main`, which takes nothing. A tensor or scalar that is handed to a function without a body is
/// printed: its elements as numbers in row-major order, one value a line. Errors: those of `parseModule`; "no-functions" without
/// `@main`; "not-supported", with its place, for an op that the interpreter does not know.
Expected<std::string> runMain(std::string_view text, const std::string& path);

} // namespace stowage::mlirfile
