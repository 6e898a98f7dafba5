// Constant folding of a module: does to the functions of a module what `core/passes/fold.h` has decided.
#pragma once

#include "plugins/api/rewriter.h"
#include "plugins/mlir/module_reader.h"

namespace stowage::mlirfile {

/// The module's text with the functions folded; see the pass "constant-fold" for the options. Errors: "bad-option", and those of
/// `decideFolds`; "fold-not-valid" when the result does not verify, which is a fault of this code.
Expected<Rewritten> rewriteFolded(const RewriteRequest& request);

} // namespace stowage::mlirfile
