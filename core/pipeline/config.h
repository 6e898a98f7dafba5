// The configuration of a pipeline: which module feeds which, and what the application binds.
//
// Two forms are in use. TVM's shipped executor counts modules and outputs from 0 and has sections for inputs and parameters. The
// design document (TVM RFC 14) counts from 1, and its module 0 is the pipeline itself. Both are read into this one type, which
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

/// Line and column in the configuration's file, both from 1; 0 where it was not read from a file.
struct Place {
    std::int32_t line = 0;
    std::int32_t column = 0;

    friend bool operator==(const Place&, const Place&) { return true; } // a place is no part of what a configuration means
};

/// A parameter set of the application and the module that takes it.
struct GlobalParameter {
    std::string name;
    std::int64_t module = 0;
    Place place;

    friend bool operator==(const GlobalParameter&, const GlobalParameter&) = default;
};

/// An input of the application and the module's input that takes it. One input of the application may feed several.
struct GlobalInput {
    std::string name;
    std::int64_t module = 0;
    std::string input;
    Place place;

    friend bool operator==(const GlobalInput&, const GlobalInput&) = default;
};

/// Who takes an output: an input of a module, or the application.
struct Dependency {
    std::int64_t module = 0;                  ///< of the consumer; not used for an output of the application
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

/// A field that is kept as it was written: its name and the JSON text of its value.
using KeptField = std::pair<std::string, std::string>;

/// What Stowage adds to a module, under "x-stowage".
struct StageReference {
    std::string program;                ///< file of the stage's program, relative to the configuration; empty: not known
    std::string device;                 ///< by its name among the configuration's devices; empty: a device of its own
    std::optional<double> cost;         ///< µs a frame; without it the sum over the ops of the program counts
    std::optional<double> transfer;     ///< µs of the boundary in front of the stage (see `PipelineConfig::chain`)
    std::optional<Bytes> transferBytes; ///< of that boundary, a frame

    friend bool operator==(const StageReference&, const StageReference&) = default;
    [[nodiscard]] bool empty() const { return *this == StageReference{}; }
};

struct Module {
    std::int64_t index = 0;  ///< from 0
    std::string label;       ///< document form: its key where the modules are the fields of an object ("mods[0]")
    std::string cpuAffinity; ///< "0,1": processor cores for the stage's thread; empty: any
    std::vector<ModuleOutput> outputs;
    std::vector<KeptField> fields; ///< `target`, `target_host`, `mod_name`, `build`, `params`, `dev`, "x-…", …
    StageReference stage;
    Place place;

    friend bool operator==(const Module&, const Module&) = default;
};

struct PipelineConfig {
    ConfigForm form = ConfigForm::shipped; ///< as it was read
    std::vector<GlobalParameter> parameters;
    std::vector<GlobalInput> inputs;
    std::vector<Module> modules;   ///< in the order of the file
    std::vector<KeptField> fields; ///< "x-…" of the whole file
    std::string model;             ///< what was split; empty: not known
    std::string planner;           ///< plans the stages' arenas; empty: `auto`
    std::string devices;           ///< JSON text of a `stowage.devices/1` document; empty: each stage has a device of its own
    bool chain = false; ///< what crosses a boundary between neighbouring stages travels over it in one transfer, also what later
                        ///< stages take: how `split` counts

    /// Equal but for the form that it was read from.
    [[nodiscard]] bool sameAs(const PipelineConfig& other) const
    {
        return parameters == other.parameters && inputs == other.inputs && modules == other.modules && fields == other.fields &&
               model == other.model && planner == other.planner && devices == other.devices && chain == other.chain;
    }
};

/// The names of a module's inputs and outputs, where its program is known.
struct ModuleInterface {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
};

} // namespace stowage::pipeline
