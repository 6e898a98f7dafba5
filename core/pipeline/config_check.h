// Finds errors in the configuration of a pipeline.
#pragma once

#include "core/pipeline/config.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::pipeline {

enum class FaultCode : std::uint8_t {
    cycle,            ///< a cycle of modules that feed each other
    selfConnection,   ///< a module feeds itself
    unknownModule,    ///< no module has the index
    unknownInput,     ///< the module's program has no input of this name
    unknownOutput,    ///< the module's program has no output of this index
    outOfRange,       ///< an index below 0 or above `maxIndex`
    inputBoundTwice,  ///< two connections end at one input
    outputBoundTwice, ///< two outputs of modules are connected to the same output of the application
    unboundInput,     ///< no connection ends at this input
    missingOutput,    ///< no module's output is connected to this output of the application
    duplicateModule,  ///< two modules have the same index, or a module lists an output twice
    unknownKey,       ///< a field that the form does not have
    wrongType,        ///< the value has the wrong type
    missingSection,   ///< a required field is missing
};

/// As in files and messages: "self-connection".
std::string_view toText(FaultCode);

struct Fault {
    FaultCode code = FaultCode::cycle;
    std::optional<std::int64_t> module; ///< index of the module, from 0; no value: the fault is in the configuration as a whole
    std::string interface;              ///< the input, output or field
    std::string detail; ///< further names for the message: the other end of the connection, the modules of the cycle, or the type
    Place place;

    friend bool operator==(const Fault&, const Fault&) = default;
};

/// The fault in one sentence. Modules and outputs are numbered as in `form`: from 0 in the shipped form, from 1 in the
/// document's.
std::string describe(const Fault& fault, ConfigForm form);

/// All faults in the connections of `config`, in the order of the file; each cycle is reported once. `interfaces` is indexed like
/// `config.modules`; an entry has no value where the module's program is not known. Names of inputs and outputs of such a module
/// are not checked, but a module of the shipped form without any input is a fault. An output may feed two inputs of one module.
/// O(modules + connections).
std::vector<Fault> check(const PipelineConfig& config, std::span<const std::optional<ModuleInterface>> interfaces = {});

/// The inputs of modules that no connection feeds, as inputs of the application with the same names: what the shipped form lists,
/// and the document's form does not. `interfaces` as for `check`; inputs of a module whose program is not known are not found.
/// O(connections + inputs).
std::vector<GlobalInput> unfedInputs(const PipelineConfig& config, std::span<const std::optional<ModuleInterface>> interfaces);

/// Largest index of a module, input or output that is accepted.
inline constexpr std::int64_t maxIndex = 1'000'000'000;

} // namespace stowage::pipeline
