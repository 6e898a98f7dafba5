// A plan as the runtime that the problem came from takes it back.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <span>
#include <string>

namespace stowage::io {

struct FunctionRun;

/// ExecuTorch: {method: {"alignment", "sizes": [0, bytes of memory 1, …], "tensors": {value: {"mem_id", "offset", "bytes"}}}},
/// bytes rounded up as the planner of ExecuTorch does. The buffers have to be named after values ("t7", and "t257+t271" for views
/// of one) and the pools after memory ids ("arena1"), as its importer does. Error: names that are not so.
Expected<std::string> writeExecutorchTable(std::span<const FunctionRun> methods);

/// IREE: the total in bytes, then "slice K = OFFSET" for each slice of a pack in order. Of several packs each begins with a line
/// "// NAME". Error: buffers that are not named "slice0" ….
Expected<std::string> writeIreeOffsets(std::span<const FunctionRun> packs);

} // namespace stowage::io
