#include "app/worker/limits.h"

#include "plugins/external/confinement.h"
#include "plugins/external/sanitized.h"
#include "plugins/host/worker_process.h"

#include <csignal>
#include <cstdio>
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

/// Bytes of any file that it writes; it has none to write but what a library may keep for itself.
constexpr std::int64_t largestFile = std::int64_t{256} << 20;

} // namespace

void applyLimits(std::int64_t memoryBytes, std::int64_t processorSeconds)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    setLimit(RLIMIT_CORE, 0);
    if (processorSeconds > 0) setLimit(RLIMIT_CPU, processorSeconds);
    if (memoryBytes > 0 && !external::sanitized) setLimit(RLIMIT_AS, memoryBytes);
    setLimit(RLIMIT_FSIZE, largestFile);
    if (!external::sanitized)
        if (const auto filter = external::CallFilter::make(external::Confined::worker); filter && !filter->apply()) {
            std::fprintf(stderr, "%s\n", external::notConfinedText.data());
            std::_Exit(external::notConfinedStatus);
        }
    // Unwinding from a failed allocation needs memory itself, and libraries in C crash on a null pointer: end here, with a clear
    // answer.
    std::set_new_handler([] { std::_Exit(outOfMemoryStatus); });
}

} // namespace stowage::worker
