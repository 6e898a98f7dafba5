// Pipelines in files: the configuration, the programs of its stages beside it, its devices.
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
#include <string>
#include <vector>

namespace stowage {

/// A configuration with all that it refers to.
struct PipelineFile {
    QString path;
    pipeline::PipelineConfig config;
    std::vector<pipeline::Fault> faults;                  ///< of the text, then of the connections
    std::vector<std::shared_ptr<const Program>> programs; ///< by position in `config.modules`; null: not named
    std::vector<std::optional<pipeline::ModuleInterface>> interfaces;
    std::vector<pipeline::StageFacts> facts; ///< by position
    pipeline::DeviceSet devices;
    Diagnostics diagnostics;
};

/// Reads a configuration, the programs that it names (in its folder or below) and its devices. An error when a file cannot be
/// read, or a name leads out of the folder; what is wrong with the configuration are `faults`. `stop` ends the wait for a FIFO.
Expected<PipelineFile> readPipeline(const QString& path, io::StopReading stop = {});
/// The same for a text at hand; programs are looked for beside `path`.
Expected<PipelineFile> readPipelineText(std::string_view text, const QString& path);
/// True for a text that looks like a configuration of a pipeline in either form.
bool isPipelineText(std::string_view head);

/// Inputs, outputs and costs of a stage's program. The costs are those for any device.
pipeline::StageFacts factsOf(const Program& program);

/// Devices by the name of an installed file (resources/targets/devices), or from a file.
Expected<pipeline::DeviceSet> findDevices(const QString& nameOrFile);
/// Names of the installed ones.
QStringList installedDevices();
Expected<pipeline::Measurements> readMeasurements(const QString& path, io::StopReading stop = {});
/// A measured run: a trace that `pipeline run --trace` wrote, or its output as JSON.
Expected<pipeline::RunResult> readMeasuredRun(const QString& path);

/// The files of a split: the configuration, and each stage's program beside it.
struct SplitFiles {
    pipeline::PipelineConfig config;
    std::string configText;
    std::vector<std::pair<QString, std::string>> programs; ///< path, text
};
/// `configPath`: where the configuration will be. Sets the costs of the stages' ops.
SplitFiles splitFiles(const pipeline::Split& split, const pipeline::Splitter& splitter, std::vector<pipeline::Stage>& stages,
                      const QString& configPath, const std::string& model, const std::string& planner);

/// The model of a configuration without faults, with `queue` frames on each connection.
Expected<pipeline::PipelineModel> modelOf(const PipelineFile& file, std::int64_t queue);

struct KernelOptions {
    double timeScale = 1;
    bool check = true;                                 ///< run the ops on planned arenas; else wait only
    std::vector<std::pair<std::int32_t, double>> slow; ///< stages and the factors on their times
};
/// The kernel of one stage. Plans its arena with the planner that the configuration names.
Expected<std::unique_ptr<pipeline::StageKernel>> kernelOf(const PipelineFile& file, const pipeline::PipelineModel& model,
                                                          std::size_t stage, const KernelOptions& options);
/// The names of a stage's inputs and outputs, by module index.
pipeline::ModuleInterface interfaceOf(const PipelineFile& file, const pipeline::PipelineModel& model, std::size_t stage);

/// A stage whose times differ from the prediction.
struct SlowStage {
    std::int32_t stage = none; ///< none: all are as predicted
    double factor = 1;         ///< measured time of a frame / predicted time
};
/// The stage with the largest factor, where that is at least 1.25 and a quarter above the middle one of all stages.
SlowStage slowestStage(const pipeline::RunResult& measured, const pipeline::RunResult& predicted);

} // namespace stowage
