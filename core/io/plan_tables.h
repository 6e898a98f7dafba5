// Writes plans as tables that ExecuTorch and IREE read.
#pragma once

#include "core/ir/expected.h"
#include "core/plan/run.h"

#include <cstdint>
#include <span>
#include <string>

namespace stowage::io {

struct FunctionRun;

/// Largest memory id of an ExecuTorch program that is read or written. Exporters use one to three ids, from 1.
inline constexpr std::uint32_t maxExecutorchMemories = 256;

/// ExecuTorch: {method: {"alignment", "sizes": [0, bytes of memory 1, …], "tensors": {value: {"mem_id", "offset", "bytes"}}}},
/// with bytes rounded up as ExecuTorch's planner does. Buffers must be named after values ("t7"; "t257+t271" for views of one
/// buffer), and pools after memory ids ("arena1"), as the importer names them. Errors: other names; a memory id that is not in 1
/// to `maxExecutorchMemories`.
Expected<std::string> writeExecutorchTable(std::span<const FunctionRun> methods);

/// Name of the buffer for the bytes below the slices of a pack: its `offset`, if it is a constant.
inline constexpr const char* ireeBaseName = "offset";

/// IREE: the total in bytes, then "slice K = OFFSET" for each slice of a pack, in order. With several packs, each begins with a
/// line "// NAME". Error: buffers that are not named "slice0", "slice1", … or `ireeBaseName`.
Expected<std::string> writeIreeOffsets(std::span<const FunctionRun> packs);

} // namespace stowage::io
