// A pipeline as it runs: stages, the connections between them, devices and times. The simulator and the executors read this.
#pragma once

#include "core/ir/expected.h"
#include "core/pipeline/config.h"
#include "core/pipeline/devices.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage::pipeline {

/// What is known of a module's program.
struct StageFacts {
    ModuleInterface interface;
    std::vector<std::optional<Bytes>> inputBytes;  ///< by input
    std::vector<std::optional<Bytes>> outputBytes; ///< by output
    std::optional<Ticks> cost;                     ///< sum over its ops; nothing where an op has none
};

/// One tensor that a connection carries: an output of the producer that is an input of the consumer.
struct ConnectionTensor {
    std::int32_t output = 0; ///< among the producer's outputs
    std::string input;       ///< name of the consumer's input
    std::optional<Bytes> bytes;
};

/// Everything that one stage hands to another, frame by frame.
struct ConnectionModel {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int64_t capacity = 1; ///< frames that were put and not taken, those on the link included; 0: unbounded
    Ticks transfer = 0;
    Bytes transferBytes = 0;
    std::int32_t link = none; ///< transfers over one link wait for each other; none: in no time
    std::vector<ConnectionTensor> tensors;
};

struct GlobalTensor {
    std::string name;  ///< among the inputs of the pipeline
    std::string input; ///< of the stage
    std::optional<Bytes> bytes;
};

struct StageModel {
    std::string device;        ///< name; empty: one of its own
    std::int32_t resource = 0; ///< stages of one resource wait for each other
    Ticks cost = 0;
    std::string cpuAffinity;
    std::vector<std::int32_t> inputs;                           ///< connections that end here
    std::vector<std::int32_t> outputs;                          ///< connections that begin here
    std::vector<GlobalTensor> global;                           ///< what the application sets
    std::vector<std::pair<std::int32_t, std::int64_t>> results; ///< (output, number among the pipeline's outputs)
};

struct PipelineModel {
    std::vector<StageModel> stages; ///< by module index
    std::vector<ConnectionModel> connections;
    std::int32_t resources = 0;
    std::int32_t links = 0;
    std::int64_t outputs = 0; ///< of the pipeline

    /// True when every stage feeds the next one and nothing else but later stages that this covers: then N frames take
    /// `chainTime`.
    [[nodiscard]] bool isChain() const;
    /// sum + (N - 1) x max over stages and transfers, for frames >= 1.
    [[nodiscard]] Ticks chainTime(std::int64_t frames) const;
};

/// The model of a configuration without faults. `facts`: by position in `config.modules`. `queue`: frames that wait on a
/// connection between neighbours; 0: unbounded. A connection of a chain that passes over stages holds as many frames as those
/// stages and the connections between them. Errors: a stage without a known cost, a device that is not in `devices`.
Expected<PipelineModel> modelOf(const PipelineConfig& config, std::span<const StageFacts> facts, const DeviceSet& devices,
                                std::int64_t queue);

} // namespace stowage::pipeline
