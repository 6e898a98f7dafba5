// Memory spaces as pools: memrefs of different memory spaces lie in different memories.
#pragma once

#include "plugins/mlir/function_reader.h"

#include <vector>

namespace stowage::mlirfile {

/// If a planned tensor has a memory space, makes a pool for each memory space of planned tensors, and makes it the only candidate
/// of its tensors. A pool is named as the attribute is written in full ("1 : i64", "#gpu.address_space<workgroup>"), a string
/// without its quotes ("L1"); the default memory space is the pool "arena". Otherwise the program has no pools, and any pool will
/// do, as with targets that do not have the pools (core/ir/memory_spaces.h). `read` is by function. O(tensors).
void addMemorySpaces(Program& program, const std::vector<ReadFunction>& read);

} // namespace stowage::mlirfile
