// The result of a run of a pipeline, simulated or measured.
#pragma once

#include "core/ir/types.h"
#include "core/pipeline/ticks.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stowage::pipeline {

/// Why a stage did nothing, between the start of the run and its last frame.
struct Stalls {
    Ticks input = 0;  ///< no frame was there
    Ticks output = 0; ///< the frame was done, and the next queue was full
    Ticks device = 0; ///< another stage was on the device
    Ticks link = 0;   ///< the frame was under way

    [[nodiscard]] Ticks total() const { return input + output + device + link; }
};

/// One frame at one stage. Waits are those in front of `start`, but for `output`, which is after `finish`.
struct FrameTimes {
    Ticks start = 0;
    Ticks finish = 0;
    Stalls stalls;
};

/// How much later than asked for the machine woke a thread that waited for a moment: what a measurement cannot be more exact
/// than.
struct TimerLateness {
    std::int64_t wakes = 0;
    Ticks sum = 0;
    Ticks largest = 0;

    /// Counts one wake, `late` picoseconds after the moment asked for. O(1).
    void add(Ticks late)
    {
        ++wakes;
        sum += late;
        if (late > largest) largest = late;
    }
    /// Counts the wakes of another thread, too. O(1).
    void add(const TimerLateness& other)
    {
        wakes += other.wakes;
        sum += other.sum;
        if (other.largest > largest) largest = other.largest;
    }
    /// Picoseconds, rounded towards 0; 0 without a wake.
    [[nodiscard]] Ticks mean() const { return wakes > 0 ? sum / wakes : 0; }
};

struct StageRun {
    Ticks busy = 0;
    Stalls stalls;
    TimerLateness late;             ///< of executors only
    std::vector<FrameTimes> frames; ///< of the first frames, as many as were asked for
    std::int64_t done = 0;          ///< frames that it finished
};

/// The number of frames in a queue from a time on.
struct QueueLength {
    Ticks time = 0;
    std::int64_t length = 0;
};

struct ConnectionRun {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int64_t maxQueued = 0;       ///< frames that arrived and were not taken yet
    std::vector<QueueLength> lengths; ///< of the first changes, as many as were asked for
};

/// A transfer over a link, for pictures and traces.
struct TransferTimes {
    std::int32_t connection = 0;
    std::int64_t frame = 0;
    Ticks start = 0;
    Ticks finish = 0;
};

struct StageError {
    std::int32_t stage = 0;
    std::int64_t frame = -1; ///< -1: no frame was begun
    std::string message;
};

struct RunResult {
    std::int64_t frames = 0;    ///< that were put in
    std::int64_t framesOut = 0; ///< that came out whole
    bool inOrder = true;
    Ticks total = 0;        ///< from the start to the last frame out
    Ticks period = 0;       ///< steady: mean time between the frames of the second half
    Ticks firstLatency = 0; ///< of frame 0
    std::vector<StageRun> stages;
    std::vector<ConnectionRun> connections;
    std::vector<TransferTimes> transfers; ///< of the first frames
    std::vector<StageError> errors;
    std::vector<std::int64_t> owed;     ///< frames that were put in and did not come out, the first thousand
    std::uint64_t events = 0;           ///< ends of stages and transfers that the simulator went through
    std::vector<std::uint64_t> digests; ///< by frame that came out: of its outputs; of executors only
};

/// The steady period of frames that came out at these times: from number (frames - 1) / 2 to the last one.
[[nodiscard]] inline Ticks steadyPeriod(std::int64_t frames, Ticks middle, Ticks last)
{
    const std::int64_t between = frames - 1 - (frames - 1) / 2;
    return between > 0 ? (last - middle) / between : 0;
}

} // namespace stowage::pipeline
