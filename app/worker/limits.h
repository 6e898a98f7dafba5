// What keeps the worker from taking the machine with it.
#pragma once

#include <cstdint>

namespace stowage::worker {

/// Bounds the address space (0: not at all; never in a build with a sanitizer, which reserves terabytes) and the processor time,
/// writes no core dump and no file above
/// 256 MiB, opens no socket and starts no program (where the kernel has filters for that: `external::CallFilter`), ends with the
/// process that started it, and answers a failed allocation with `outOfMemoryStatus`.
void applyLimits(std::int64_t memoryBytes, std::int64_t processorSeconds);

} // namespace stowage::worker
