// Runs the worker once with limits: it reads frames and writes frames. A crash, a hang, too much output, output that is no
// frames, and too much memory each become one error.
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
    std::chrono::milliseconds time{120'000}; ///< maximum time from start to end
    Bytes output = Bytes{2} << 30;           ///< maximum number of bytes that it may write
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

/// The frames that a worker wrote, and the error of its end.
struct WorkerOutcome {
    std::vector<Frame> frames; ///< all complete frames, also those before an error
    std::optional<Error> error;
};

/// Starts the program with `--memory-limit BYTES --time-limit SECONDS`, writes the input to it, and collects its output until it
/// ends. Blocks; may be called from any thread. Errors: "worker-missing", "worker-crashed", "worker-timeout",
/// "worker-out-of-memory", "worker-flood", "worker-garbage", and "cancelled" within 100 ms of the request.
WorkerOutcome runWorker(const WorkerRun& run, const std::stop_token& stop);

} // namespace stowage
