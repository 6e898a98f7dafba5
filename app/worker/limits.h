// Limits on the resources of the worker process.
#pragma once

#include <cstdint>

namespace stowage::worker {

/// Limits the address space in bytes (0: unlimited; never limited in a build with a sanitizer, which reserves terabytes) and the
/// processor time in seconds. Also forbids core dumps, files above 256 MiB, and, where the kernel can filter system calls
/// (`external::CallFilter`), opening sockets and starting programs. Ends the process with the status `notConfinedStatus` if the
/// kernel then refuses the filter. The worker ends with its host, and ends with the status `outOfMemoryStatus` if an allocation
/// fails.
void applyLimits(std::int64_t memoryBytes, std::int64_t processorSeconds);

} // namespace stowage::worker
