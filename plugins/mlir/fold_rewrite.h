// Constant folding of a module: applies to the functions of a module the decisions of `core/passes/fold.h`.
#pragma once

#include "plugins/api/rewriter.h"
#include "plugins/mlir/module_reader.h"

namespace stowage::mlirfile {

/// The module's text with the functions folded; see the pass "constant-fold" for the options. Errors: "bad-option", and those of
/// `decideFolds`; "fold-not-valid" when the result does not verify, which is a bug.
Expected<Rewritten> rewriteFolded(const RewriteRequest& request);

} // namespace stowage::mlirfile
