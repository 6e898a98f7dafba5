// Writes a plan into a .tflite file as `OfflineMemoryAllocation` metadata, which TensorFlow Lite Micro reads.
#pragma once

#include "core/ir/expected.h"
#include "plugins/api/rewriter.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stowage::tflite {

/// TensorFlow Lite Micro aligns every offset of its arena to this number of bytes, and rounds every size up to a multiple of it.
inline constexpr Bytes runtimeAlignment = 16;

/// The file `bytes` (a flatbuffer that the importer has read) with `offsets` as its only `OfflineMemoryAllocation` metadata.
/// `offsets`: one for each tensor of all sub-graphs, sub-graph 0 first; multiples of `runtimeAlignment`, -1 where the runtime
/// places the tensor.
///
/// If the file has such metadata for the same number of tensors, in a buffer that nothing else uses, its numbers are overwritten.
/// Otherwise new tables are written before the old bytes: offsets of a flatbuffer only point forward, and relative offsets inside
/// the old bytes stay right when all of them move by k bytes, k a multiple of 64. So writing the same offsets twice gives the
/// same file.
///
/// Errors: a result beyond 2 GiB - 1; a model with fields that this schema does not have; data or options at absolute positions
/// after the flatbuffer. A note or warning reports other bytes after the flatbuffer (a zip archive). O(file).
Expected<Rewritten> writeOfflinePlan(std::string_view bytes, const std::string& file, std::span<const std::int32_t> offsets);

} // namespace stowage::tflite
