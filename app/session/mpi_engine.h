// Starts the stages of a pipeline as ranks of MPI, and collects their results.
#pragma once

#include "app/session/pipeline_files.h"

#include <stop_token>

namespace stowage {

/// Latency and bandwidth of a link, fitted to measured ping-pongs.
struct LinkCalibration {
    double latencyUs = 0;
    double bytesPerUs = 0;                        ///< 0: not measurable
    std::vector<std::pair<Bytes, double>> points; ///< size of a frame in bytes, µs one way
};

struct MpiOptions {
    std::int64_t frames = 100;
    std::int64_t queue = 1;
    KernelOptions kernels;
    QString hosts;   ///< as `mpirun --host` takes them; empty: this machine
    QString failure; ///< for tests: "STAGE:FRAME:kernel" or "STAGE:FRAME:crash"
    std::stop_token cancel;
};

/// A run over MPI. After an abnormal end `result.errors` names the stage and its frame, and `result.owed` lists the frames that
/// did not come out, both from the ranks' journals.
struct MpiRun {
    pipeline::RunResult result;
    Diagnostics diagnostics;
};

/// No value if this build has `stowage-stage`; otherwise the error that the build has no MPI.
std::optional<Error> mpiObstacle();

/// An error if stages share a device: ranks do not wait for each other, as stages of one device have to. The error names two.
std::optional<Error> rankObstacle(const pipeline::PipelineModel& model);

/// Runs `mpirun -n STAGES stowage-stage CONFIG` and waits for its end. Errors: no MPI in this build or on this machine,
/// cancelled.
Expected<MpiRun> runOverMpi(const PipelineFile& file, const pipeline::PipelineModel& model, const MpiOptions& options);

/// Measures frames between two ranks, of other sizes than `avoid`, and fits latency and bandwidth.
Expected<LinkCalibration> calibrateMpi(std::span<const Bytes> avoid, const QString& hosts, const std::stop_token& cancel);

/// The model with the calibrated transfer cost on every connection.
pipeline::PipelineModel withLinks(pipeline::PipelineModel model, const LinkCalibration& calibration);

} // namespace stowage
