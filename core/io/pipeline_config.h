// Configurations of pipelines as JSON, in the form that TVM's executor reads and in the form of its design document.
#pragma once

#include "core/ir/expected.h"
#include "core/pipeline/config_check.h"

#include <string>
#include <string_view>
#include <vector>

namespace stowage::io {

/// What was read, and everything that is wrong with the text's fields. What is wrong with the connections is found by
/// `pipeline::check`.
struct ReadConfig {
    pipeline::PipelineConfig config;
    std::vector<pipeline::Fault> faults;
};

/// Reads either form; `config.form` says which it was. The shipped form is an object with `module_connection`, `input_connection`
/// and `param_connection`. The document's is an array of modules, or an object whose fields are the modules, each with its
/// `pipeline` section (or `mod_indx` and `output` directly). Fields that the form knows but the program does not use are kept as
/// they are, and so are fields that begin with "x-". An error is a text that is no JSON, or neither of the forms. Linear.
Expected<ReadConfig> readPipelineConfig(std::string_view text, const std::string& file);

/// The configuration in either form. What only the other form has a place for goes under "x-stowage", so that both forms hold
/// everything and are read back as the same configuration.
std::string writePipelineConfig(const pipeline::PipelineConfig& config, pipeline::ConfigForm form);

/// Fields of a module that are kept as they are, in both forms.
inline constexpr std::string_view keptModuleFields[] = {"target",    "target_host", "mod_name",         "build",
                                                        "params",    "dev",         "export_cc",        "lib_name",
                                                        "json_name", "params_name", "cpu_affinity_mode"};

} // namespace stowage::io
