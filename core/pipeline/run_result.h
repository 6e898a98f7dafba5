// The result of a pipeline run, simulated or measured.
#pragma once

#include "core/ir/types.h"
#include "core/pipeline/ticks.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace stowage::pipeline {

/// Idle time of a stage between the start of the run and its last frame, by cause.
struct Stalls {
    Ticks input = 0;  ///< waiting for a frame
    Ticks output = 0; ///< the frame was finished, and a following queue was full
    Ticks device = 0; ///< another stage used the device
    Ticks link = 0;   ///< the frame was in transfer on a link

    [[nodiscard]] Ticks total() const { return input + output + device + link; }
};

/// Times of one frame in one stage. The stalls lie before `start`, except `output`, which lies after `finish`.
struct FrameTimes {
    Ticks start = 0;
    Ticks finish = 0;
    Stalls stalls;
};

/// Delay between the requested and the actual wake-up of sleeping threads. It limits the precision of measured times.
struct TimerLateness {
    std::int64_t wakes = 0;
    Ticks sum = 0;
    Ticks largest = 0;

    /// Counts one wake-up that came `late` picoseconds after the requested time. O(1).
    void add(Ticks late)
    {
        ++wakes;
        sum += late;
        if (late > largest) largest = late;
    }
    /// Adds the wake-ups of another thread. O(1).
    void add(const TimerLateness& other)
    {
        wakes += other.wakes;
        sum += other.sum;
        if (other.largest > largest) largest = other.largest;
    }
    /// Mean delay, rounded towards 0; 0 without a wake-up.
    [[nodiscard]] Ticks mean() const { return wakes > 0 ? sum / wakes : 0; }
};

struct StageRun {
    Ticks busy = 0;
    Stalls stalls;
    TimerLateness late;             ///< of executors only
    std::vector<FrameTimes> frames; ///< of the first frames, as many as the options ask for
    std::int64_t done = 0;          ///< number of frames that the stage finished
};

/// The number of frames in a queue from `time` until the next entry.
struct QueueLength {
    Ticks time = 0;
    std::int64_t length = 0;
};

struct ConnectionRun {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int64_t maxQueued = 0;       ///< largest number of frames that had arrived and were not taken yet
    std::vector<QueueLength> lengths; ///< the first changes, as many as the options ask for
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
    std::int64_t frames = 0;    ///< number of frames that were put in
    std::int64_t framesOut = 0; ///< number of frames whose outputs were all delivered
    bool inOrder = true;
    Ticks total = 0;        ///< from the start until the last frame came out
    Ticks period = 0;       ///< steady period: mean time between frames in the second half of the run
    Ticks firstLatency = 0; ///< of frame 0
    std::vector<StageRun> stages;
    std::vector<ConnectionRun> connections;
    std::vector<TransferTimes> transfers; ///< of the first frames
    std::vector<StageError> errors;
    std::vector<std::int64_t> owed;     ///< numbers of frames that were put in and did not come out; at most the first thousand
    std::uint64_t events = 0;           ///< number of ends of stages and transfers in the simulation
    std::vector<std::uint64_t> digests; ///< by frame that came out: digest of its outputs; set by executors only
};

/// Steady period of a run of `frames` frames: frame (frames - 1) / 2 came out at time `middle`, the last frame at time `last`. 0
/// for fewer than two frames.
[[nodiscard]] inline Ticks steadyPeriod(std::int64_t frames, Ticks middle, Ticks last)
{
    const std::int64_t between = frames - 1 - (frames - 1) / 2;
    return between > 0 ? (last - middle) / between : 0;
}

} // namespace stowage::pipeline
