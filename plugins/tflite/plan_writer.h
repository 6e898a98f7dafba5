// A plan written into a .tflite file as `OfflineMemoryAllocation` metadata, the form that TensorFlow Lite Micro reads.
#pragma once

#include "core/ir/expected.h"
#include "plugins/api/rewriter.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace stowage::tflite {

/// TensorFlow Lite Micro aligns every offset of its arena to this, and rounds every size up to it.
inline constexpr Bytes runtimeAlignment = 16;

/// The file `bytes` (a flatbuffer that the importer has read) with `offsets` as its only `OfflineMemoryAllocation` metadata.
/// `offsets`: one for each tensor of all sub-graphs, sub-graph 0 first; multiples of `runtimeAlignment`, -1 where the runtime
/// places the tensor.
///
/// Where the file has such metadata for as many tensors, in a buffer that nothing else uses, its numbers are replaced in place.
/// Else new tables go in front of the old file: offsets of a flatbuffer point forward only, and every relative offset inside the
/// old bytes survives the move by k bytes, k a multiple of 64. No old byte changes. So a file written twice with the same offsets
/// is the same file.
///
/// Errors: a file that grows beyond 2 GiB - 1; a model with fields that this schema does not know; data or options that lie
/// beyond the flatbuffer at absolute positions. A note or warning says what a reader should know (a zip archive after the
/// flatbuffer). O(file).
Expected<Rewritten> writeOfflinePlan(std::string_view bytes, const std::string& file, std::span<const std::int32_t> offsets);

} // namespace stowage::tflite
