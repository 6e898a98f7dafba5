// One run of a helper process under limits: frames in, frames out. Whatever the process does - crash, hang, flood, garbage, eat
// all memory - comes back as one error, and costs no more than that.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"
#include "plugins/external/frames.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <stop_token>
#include <vector>

namespace stowage {

struct WorkerLimits {
    Bytes memory = Bytes{4} << 30;           ///< address space of the worker
    std::chrono::milliseconds time{120'000}; ///< from start to answer
    Bytes output = Bytes{2} << 30;           ///< all that it may say
};

/// Exit status of a worker that could not get memory.
inline constexpr int outOfMemoryStatus = 71;
/// Exit status of a worker whose input became shorter while it was read.
inline constexpr int inputShrankStatus = 74;

struct WorkerRun {
    QString program; ///< absolute path
    WorkerLimits limits;
    std::vector<Frame> input;
};

/// What a worker said until its end, and why it did not end well.
struct WorkerOutcome {
    std::vector<Frame> frames; ///< complete ones, also before an error
    std::optional<Error> error;
};

/// Starts the program with `--memory-limit BYTES --time-limit SECONDS`, hands it the input, and collects what it says until it
/// exits. Blocks; to be called from any thread. Error codes: "worker-missing", "worker-crashed", "worker-timeout",
/// "worker-out-of-memory", "worker-flood", "worker-garbage", and "cancelled" within 100 ms of the request.
WorkerOutcome runWorker(const WorkerRun& run, const std::stop_token& stop);

} // namespace stowage
