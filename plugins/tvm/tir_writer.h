// TIR given back with its plan in it: functions take memories, allocations are addresses in them.
#pragma once

#include "plugins/api/rewriter.h"

namespace stowage::tvm {

/// Pass `plan-memory`. Of every function that the plan reaches
///
///  - the parameters get one handle for each memory that holds something, and its body begins with a flat uint8 buffer over each;
///  - calls of such functions hand the memories on;
///  - T.allocate and T.allocate_const become T.tvm_access_ptr(T.type_annotation("uint8"), memory.data, offset, extent, mask),
///    offset and extent in bytes, mask 3, or 1 in a memory for constants; the pointer keeps element type and storage scope as the
///    annotation T.handle(dtype, scope);
///  - T.alloc_buffer and T.decl_buffer without data become T.decl_buffer with the same arguments and such an address as data.
///
/// All else, comments and layout too, stays byte for byte; so do allocations that were not planned (dynamic sizes, other storage
/// scopes, parallel loops). The importer reads the result as a planned program: the same buffers at the same offsets. The idea is
/// TVM's pass ConvertPoolAllocationsToOffsets; unlike its T.address_of the address says how large the tensor is.
///
/// Errors, with line and column: a function that two of the plans reach; a tensor that calls place differently, or that rotates
/// with a loop; a body on the line of its `def`.
class TirRewriter : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "tvm-tir"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override;
};

} // namespace stowage::tvm
