// Errors in the configuration of a pipeline.
#pragma once

#include "core/pipeline/config.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::pipeline {

enum class FaultCode : std::uint8_t {
    cycle,            ///< modules feed each other in a circle
    selfConnection,   ///< a module feeds itself
    unknownModule,    ///< no module has the index
    unknownInput,     ///< the module's program has no such input
    unknownOutput,    ///< the module's program has no such output
    outOfRange,       ///< an index that nothing can have
    inputBoundTwice,  ///< two connections end at one input
    outputBoundTwice, ///< two outputs give one output of the application
    unboundInput,     ///< nothing feeds an input
    missingOutput,    ///< no module gives an output of the application
    duplicateModule,  ///< two modules have one index, or one output is listed twice
    unknownKey,       ///< a field that the form does not have
    wrongType,        ///< a value of another type than the field has
    missingSection,   ///< a field that has to be there
};

/// As in files and messages: "self-connection".
std::string_view toText(FaultCode);

struct Fault {
    FaultCode code = FaultCode::cycle;
    std::optional<std::int64_t> module; ///< from 0; nothing: the configuration itself
    std::string interface;              ///< the input, output or field
    std::string detail;                 ///< what the sentence names besides: the other end, the circle, the type
    Place place;

    friend bool operator==(const Fault&, const Fault&) = default;
};

/// One sentence. Modules and outputs are counted as the form does: from 0, or from 1 in the document's.
std::string describe(const Fault& fault, ConfigForm form);

/// Everything that is wrong with the connections of `config`, in the order of the file; each circle once. `interfaces`: by
/// position in `config.modules`, nothing where the program is not known, and then inputs and outputs are believed (but a module
/// of the shipped form with no input at all is found). An output may feed two inputs of one module. O(modules + connections).
std::vector<Fault> check(const PipelineConfig& config, std::span<const std::optional<ModuleInterface>> interfaces = {});

/// The largest index that is accepted for anything.
inline constexpr std::int64_t maxIndex = 1'000'000'000;

} // namespace stowage::pipeline
