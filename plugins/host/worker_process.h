// Runs the worker once with limits: it reads frames and writes frames. A crash, a hang, too much output, output that is no
// frames, and too much memory each become one error.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"
#include "plugins/external/frames.h"

#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// Maximum time of a worker if neither the caller nor the user sets one.
inline constexpr std::chrono::milliseconds defaultWorkerTime{120'000};

struct WorkerLimits {
    Bytes memory = 0;                  ///< address space of the worker; 0: that of `userLimits`, or 4 GiB
    std::chrono::milliseconds time{0}; ///< maximum time from start to end; 0: that of `userLimits`, or `defaultWorkerTime`
    Bytes output = Bytes{2} << 30;     ///< maximum number of bytes that it may write
};

/// Limits of workers that the user sets in the environment: STOWAGE_WORKER_MEMORY_MB and STOWAGE_WORKER_TIMEOUT_S.
struct UserLimits {
    std::optional<Bytes> memory;
    std::optional<std::chrono::milliseconds> time;
};
/// Errors: "bad-argument" if a variable is no number in range.
[[nodiscard]] Expected<UserLimits> userLimits();
/// What a user can do if a worker exceeds a limit: names the variable, and the value that was too small.
[[nodiscard]] std::string memoryRemedy(Bytes limit);
[[nodiscard]] std::string timeRemedy(std::chrono::milliseconds limit);

/// Exit status of a worker that could not get memory.
inline constexpr int outOfMemoryStatus = 71;
/// Exit status of a worker whose input became shorter while it was read.
inline constexpr int inputShrankStatus = 74;

struct WorkerRun {
    QString program; ///< absolute path
    WorkerLimits limits;
    std::vector<Frame> input;
    Bytes mapped = 0; ///< size of a file that the worker maps: it may take this much more of the address space
};

/// The frames that a worker wrote, and the error of its end.
struct WorkerOutcome {
    std::vector<Frame> frames; ///< all complete frames, also those before an error
    std::optional<Error> error;
};

/// Starts the program with `--memory-limit BYTES --time-limit SECONDS`, writes the input to it, and collects its output until it
/// ends. Blocks; may be called from any thread. Errors: "worker-missing", "worker-crashed", "worker-timeout",
/// "worker-out-of-memory", "worker-flood", "worker-garbage", "cancelled" within 100 ms of the request, and those of `userLimits`.
WorkerOutcome runWorker(const WorkerRun& run, const std::stop_token& stop);

} // namespace stowage
