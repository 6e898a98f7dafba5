#include "app/worker/limits.h"

#include "plugins/external/confinement.h"
#include "plugins/host/worker_process.h"

#include <csignal>
#include <cstdlib>
#include <new>
#include <sys/prctl.h>
#include <sys/resource.h>

namespace stowage::worker {
namespace {

void setLimit(__rlimit_resource resource, std::int64_t value)
{
    rlimit limit{};
    limit.rlim_cur = static_cast<rlim_t>(value);
    limit.rlim_max = static_cast<rlim_t>(value);
    ::setrlimit(resource, &limit);
}

// GCC defines macros, clang answers questions. Shadow memory alone exceeds any limit on the address space.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

/// Bytes of any file that it writes; it has none to write but what a library may keep for itself.
constexpr std::int64_t largestFile = std::int64_t{256} << 20;

} // namespace

void applyLimits(std::int64_t memoryBytes, std::int64_t processorSeconds)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    setLimit(RLIMIT_CORE, 0);
    if (processorSeconds > 0) setLimit(RLIMIT_CPU, processorSeconds);
    if (memoryBytes > 0 && !sanitized) setLimit(RLIMIT_AS, memoryBytes);
    setLimit(RLIMIT_FSIZE, largestFile);
    // Leak checkers stop the process from a clone of it.
    if (!sanitized)
        if (const auto filter = external::CallFilter::make(external::Confined::worker)) (void)filter->apply();
    // Unwinding from a failed allocation needs memory itself, and libraries in C crash on a null pointer: end here, with a clear
    // answer.
    std::set_new_handler([] { std::_Exit(outOfMemoryStatus); });
}

} // namespace stowage::worker
