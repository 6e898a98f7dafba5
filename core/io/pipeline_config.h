// Reads and writes configurations of pipelines as JSON, in two forms: the one that TVM's executor reads (shipped), and the one of
// its design document.
#pragma once

#include "core/ir/expected.h"
#include "core/pipeline/config_check.h"

#include <string>
#include <string_view>
#include <vector>

namespace stowage::io {

/// A configuration and the faults of its fields. `pipeline::check` finds the faults of its connections.
struct ReadConfig {
    pipeline::PipelineConfig config;
    std::vector<pipeline::Fault> faults;
};

/// Reads either form; `config.form` tells which one. The shipped form is an object with `module_connection`, `input_connection`
/// and `param_connection`. The form of the document is an array of modules, or an object whose fields are the modules; each has a
/// section `pipeline`, or `mod_indx` and `output` directly. Known fields without a meaning here, and fields that begin with "x-",
/// are kept unchanged. Errors: the text is not JSON, or has neither form. Linear.
Expected<ReadConfig> readPipelineConfig(std::string_view text, const std::string& file);

/// Writes the configuration in either form. Properties that exist only in the other form are written under "x-stowage", so that
/// both forms are read back as the same configuration.
std::string writePipelineConfig(const pipeline::PipelineConfig& config, pipeline::ConfigForm form);

/// Fields of a module that are kept unchanged, in both forms.
inline constexpr std::string_view keptModuleFields[] = {"target",    "target_host", "mod_name",         "build",
                                                        "params",    "dev",         "export_cc",        "lib_name",
                                                        "json_name", "params_name", "cpu_affinity_mode"};

} // namespace stowage::io
