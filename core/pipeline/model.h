// The model of a pipeline that the simulator and the executors run: stages, the connections between them, devices and times.
#pragma once

#include "core/ir/expected.h"
#include "core/pipeline/config.h"
#include "core/pipeline/devices.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stowage::pipeline {

/// Facts about a module's program.
struct StageFacts {
    ModuleInterface interface;
    std::vector<std::optional<Bytes>> inputBytes;  ///< by input
    std::vector<std::optional<Bytes>> outputBytes; ///< by output
    std::optional<Ticks> cost;                     ///< sum over its ops; no value when the cost of an op is unknown
};

/// One tensor that a connection carries: an output of the producer that is an input of the consumer.
struct ConnectionTensor {
    std::int32_t output = 0; ///< among the producer's outputs
    std::string input;       ///< name of the consumer's input
    std::optional<Bytes> bytes;
};

/// A connection from one stage to another, with all tensors that it carries in each frame.
struct ConnectionModel {
    std::int32_t from = 0;
    std::int32_t to = 0;
    std::int64_t capacity = 1; ///< frames that may be on the connection, in transfer or waiting; 0: unbounded
    Ticks transfer = 0;
    Bytes transferBytes = 0;
    std::int32_t link = none; ///< transfers over one link follow one another; none: transfers take no time
    std::vector<ConnectionTensor> tensors;
};

struct GlobalTensor {
    std::string name;  ///< name of the pipeline's input
    std::string input; ///< of the stage
    std::optional<Bytes> bytes;
};

struct StageModel {
    std::string device;        ///< name; empty: a device that no other stage uses
    std::int32_t resource = 0; ///< the device as a number; stages with the same number run one at a time
    Ticks cost = 0;
    std::string cpuAffinity;
    std::vector<std::int32_t> inputs;                           ///< indices of the connections that end at this stage
    std::vector<std::int32_t> outputs;                          ///< indices of the connections that begin at this stage
    std::vector<GlobalTensor> global;                           ///< inputs that the application sets
    std::vector<std::pair<std::int32_t, std::int64_t>> results; ///< pairs (output of the stage, output of the pipeline)
};

struct PipelineModel {
    std::vector<StageModel> stages; ///< by module index
    std::vector<ConnectionModel> connections;
    std::int32_t resources = 0;
    std::int32_t links = 0;
    std::int64_t outputs = 0; ///< of the pipeline

    /// Bytes of the frames that may wait in front of a stage, on all connections that end there. A connection that is not bounded
    /// counts as empty. At most `maxStageBytes`. O(connections of the stage).
    [[nodiscard]] Bytes waitingBytes(std::size_t stage) const;
    /// True when every stage has its own device and feeds its successor, and when every other connection leads to a later stage,
    /// takes no time, and holds enough frames to delay nothing. N frames then take `chainTime(N)`.
    [[nodiscard]] bool isChain() const;
    /// Time of `frames` (>= 1) frames in a chain: the sum of all times of stages and transfers, plus (frames - 1) times the
    /// largest of them.
    [[nodiscard]] Ticks chainTime(std::int64_t frames) const;
};

/// The model of a configuration. Requires a configuration without faults. `facts` is indexed like `config.modules`. `queue` is
/// the number of frames that may wait on a connection between neighbours; 0: unbounded. In a chain, a connection that skips
/// stages may hold as many frames as these stages and the connections between them together. Errors: a stage of unknown cost; a
/// device that is not in `devices`.
Expected<PipelineModel> modelOf(const PipelineConfig& config, std::span<const StageFacts> facts, const DeviceSet& devices,
                                std::int64_t queue);

} // namespace stowage::pipeline
