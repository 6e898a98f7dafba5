// Reads and writes the files of a pipeline: its configuration, the programs of its stages, its devices.
#pragma once

#include "core/io/input_file.h"
#include "core/io/pipeline_config.h"
#include "core/pipeline/checking_kernel.h"
#include "core/pipeline/executor.h"
#include "core/pipeline/simulate.h"
#include "core/pipeline/split.h"

#include <QString>

#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// A configuration with the programs and devices that it refers to.
struct PipelineFile {
    QString path;
    pipeline::PipelineConfig config;
    std::vector<pipeline::Fault> faults;                  ///< of the text, then of the connections
    std::vector<std::shared_ptr<const Program>> programs; ///< by index in `config.modules`; null: the module names none
    std::vector<std::optional<pipeline::ModuleInterface>> interfaces;
    std::vector<pipeline::StageFacts> facts; ///< by index in `config.modules`
    pipeline::DeviceSet devices;
    Diagnostics diagnostics;
};

/// Reads a configuration, the programs that it names (in its folder or below) and its devices. Errors: a file that cannot be
/// read, a name that leads out of the folder. Mistakes of the configuration are `faults`, not errors. `stop` ends the wait for a
/// FIFO.
Expected<PipelineFile> readPipeline(const QString& path, io::StopReading stop = {});
/// The same for the text of a configuration; programs are searched in the folder of `path`.
Expected<PipelineFile> readPipelineText(std::string_view text, const QString& path);
/// Whether a text that begins with `head` looks like a pipeline configuration, in either of its forms.
bool isPipelineText(std::string_view head);

/// Inputs, outputs and costs of a stage's program. The costs hold for every device.
pipeline::StageFacts factsOf(const Program& program);

/// The devices of an installed file (resources/targets/devices) by its name, or of any file.
Expected<pipeline::DeviceSet> findDevices(const QString& nameOrFile);
/// Names of the installed device files.
QStringList installedDevices();
Expected<pipeline::Measurements> readMeasurements(const QString& path, io::StopReading stop = {});
/// A measured run: a trace that `pipeline run --trace` wrote, or its output as JSON.
Expected<pipeline::RunResult> readMeasuredRun(const QString& path);

/// The files of a split: the configuration, and the programs of its stages.
struct SplitFiles {
    pipeline::PipelineConfig config;
    std::string configText;
    std::vector<std::pair<QString, std::string>> programs; ///< path, text
};
/// Makes the files of a split for a configuration at `configPath`, and sets the costs of the stages' ops.
SplitFiles splitFiles(const pipeline::Split& split, const pipeline::Splitter& splitter, std::vector<pipeline::Stage>& stages,
                      const QString& configPath, const std::string& model, const std::string& planner);

/// The pipeline model of a configuration without faults, with queues of `queue` frames on all connections.
Expected<pipeline::PipelineModel> modelOf(const PipelineFile& file, std::int64_t queue);

struct KernelOptions {
    double timeScale = 1;
    bool check = true;                                 ///< runs the ops on planned arenas; false: only waits as long
    std::vector<std::pair<std::int32_t, double>> slow; ///< stages, with the factors on their times
};
/// The planner that a configuration names; an error if there is none of this name.
Expected<std::shared_ptr<const Planner>> plannerOf(const pipeline::PipelineConfig& config);
/// Plans the arena of a module whose program is known, by its position in `config.modules`, with at most `stageWork`.
Expected<pipeline::StagePlan> planModule(const PipelineFile& file, std::size_t position, const Planner& planner,
                                         const std::stop_token& cancel = {});
/// Whether the kernel of one stage checks bytes: without a program it only waits.
[[nodiscard]] bool checksBytes(const PipelineFile& file, std::size_t stage, const KernelOptions& options);
/// The kernel of one stage, with its plan; null: plans the stage's arena with the planner that the configuration names.
Expected<std::unique_ptr<pipeline::StageKernel>> kernelOf(const PipelineFile& file, const pipeline::PipelineModel& model,
                                                          std::size_t stage, const KernelOptions& options,
                                                          const pipeline::StagePlan* plan = nullptr);
/// The names of the inputs and outputs of a stage, given by module index.
pipeline::ModuleInterface interfaceOf(const PipelineFile& file, const pipeline::PipelineModel& model, std::size_t stage);

/// A stage whose times differ from the prediction.
struct SlowStage {
    std::int32_t stage = none; ///< `none`: no stage differs
    double factor = 1;         ///< measured time of a frame / predicted time
};
/// The stage with the largest factor, if that is at least 1.25 and at least 1.25 times the median of all stages.
SlowStage slowestStage(const pipeline::RunResult& measured, const pipeline::RunResult& predicted);

} // namespace stowage
