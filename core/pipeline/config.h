// The configuration of a pipeline: the connections between its modules, and the inputs and outputs that the application sees.
//
// Two forms are in use. TVM's shipped executor counts modules and outputs from 0 and has sections for inputs and parameters. The
// design document (TVM RFC 14) counts from 1, and its module 0 is the pipeline itself. `PipelineConfig` holds either form and
// counts from 0.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage::pipeline {

enum class ConfigForm : std::uint8_t { shipped, document };

/// Line and column in the configuration's file, both from 1; 0 for a configuration that was not read from a file.
struct Place {
    std::int32_t line = 0;
    std::int32_t column = 0;

    friend bool operator==(const Place&, const Place&) { return true; } // places do not make configurations different
};

/// A set of parameters that the application provides, and the module that uses it.
struct GlobalParameter {
    std::string name;
    std::int64_t module = 0;
    Place place;

    friend bool operator==(const GlobalParameter&, const GlobalParameter&) = default;
};

/// An input of the application, and the input of a module that it feeds. One input of the application may feed several modules.
struct GlobalInput {
    std::string name;
    std::int64_t module = 0;
    std::string input;
    Place place;

    friend bool operator==(const GlobalInput&, const GlobalInput&) = default;
};

/// A consumer of a module's output: an input of another module, or the application.
struct Dependency {
    std::int64_t module = 0;                  ///< index of the consumer; ignored when `globalOutput` is set
    std::string input;                        ///< name of the consumer's input
    std::optional<std::int64_t> globalOutput; ///< index among the outputs of the application, from 0
    Place place;

    friend bool operator==(const Dependency&, const Dependency&) = default;
};

struct ModuleOutput {
    std::int64_t index = 0; ///< among the outputs of the module, from 0
    std::vector<Dependency> dependencies;
    Place place;

    friend bool operator==(const ModuleOutput&, const ModuleOutput&) = default;
};

/// A field that Stowage does not interpret: its name, and the JSON text of its value as written.
using KeptField = std::pair<std::string, std::string>;

/// Fields that Stowage adds to a module, under "x-stowage".
struct StageReference {
    std::string program;        ///< path of the stage's program, relative to the configuration's file; empty: not known
    std::string device;         ///< name of one of the configuration's devices; empty: the stage has a device to itself
    std::optional<double> cost; ///< time of one frame in µs; without a value, the sum of the costs of the program's ops is used
    std::optional<double> transfer;     ///< time in µs of the transfer into the stage (see `PipelineConfig::chain`)
    std::optional<Bytes> transferBytes; ///< bytes of that transfer in one frame

    friend bool operator==(const StageReference&, const StageReference&) = default;
    [[nodiscard]] bool empty() const { return *this == StageReference{}; }
};

struct Module {
    std::int64_t index = 0;  ///< from 0
    std::string label;       ///< document form: the module's key, if the modules are the fields of an object ("mods[0]")
    std::string cpuAffinity; ///< "0,1": processor cores for the stage's thread; empty: any
    std::vector<ModuleOutput> outputs;
    std::vector<KeptField> fields; ///< `target`, `target_host`, `mod_name`, `build`, `params`, `dev`, "x-…", …
    StageReference stage;
    Place place;

    friend bool operator==(const Module&, const Module&) = default;
};

struct PipelineConfig {
    ConfigForm form = ConfigForm::shipped; ///< the form that the file had
    std::vector<GlobalParameter> parameters;
    std::vector<GlobalInput> inputs;
    std::vector<Module> modules;   ///< in the order of the file
    std::vector<KeptField> fields; ///< "x-…" of the whole file, kept as written
    std::string model;             ///< path of the model that was split; empty: not known
    std::string planner;           ///< name of the planner for the stages' arenas; empty: `auto`
    std::string devices;           ///< JSON text of a `stowage.devices/1` document; empty: each stage has a device of its own
    bool chain = false; ///< all tensors that cross the boundary between two neighbouring stages travel in one transfer, also
                        ///< those for later stages; this is how `split` counts transfers

    /// True when the two differ in `form` at most.
    [[nodiscard]] bool sameAs(const PipelineConfig& other) const
    {
        return parameters == other.parameters && inputs == other.inputs && modules == other.modules && fields == other.fields &&
               model == other.model && planner == other.planner && devices == other.devices && chain == other.chain;
    }
};

/// Names of the inputs and outputs of a module's program.
struct ModuleInterface {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};

} // namespace stowage::pipeline
