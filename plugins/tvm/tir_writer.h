// Writes a plan into TIR: functions take pools as parameters, allocations become addresses in them.
#pragma once

#include "plugins/api/rewriter.h"

namespace stowage::tvm {

/// Pass `plan-memory`. In every function that the plan reaches
///
///  - the parameters get a handle for each pool that is used, and the body begins with a flat uint8 buffer that covers each pool;
///  - calls of such functions pass the pools on;
///  - T.allocate and T.allocate_const become T.tvm_access_ptr(T.type_annotation("uint8"), pool.data, offset, extent, mask).
///  Offset
///    and extent are in bytes; the mask is 3, or 1 in a pool for constants. The pointer keeps its element type and storage scope
///    as the annotation T.handle(dtype, scope);
///  - T.alloc_buffer and T.decl_buffer without data become T.decl_buffer with the same arguments and such an address as data.
///
/// All other text stays the same byte for byte, including comments, layout, and allocations that are not planned (dynamic sizes,
/// other storage scopes, parallel loops). The importer reads the result as a planned program with the same buffers at the same
/// offsets. The idea is from TVM's pass ConvertPoolAllocationsToOffsets; unlike the T.address_of of that pass, the address states
/// the size of the tensor.
///
/// Errors, with line and column: a function that several plans reach, or that is also called by a function that no plan reaches;
/// a tensor that several calls of its function place differently, or that rotates with a loop; a body on the line of its `def`.
class TirRewriter : public Rewriter {
public:
    [[nodiscard]] std::string importer() const override { return "tvm-tir"; }
    [[nodiscard]] Expected<Rewritten> rewrite(const RewriteRequest& request) const override;
};

} // namespace stowage::tvm
