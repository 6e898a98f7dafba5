#include "core/io/pipeline_config.h"

#include "core/io/json_writer.h"

#include <algorithm>

namespace stowage::io {

namespace {

using namespace pipeline;

class ConfigWriter {
public:
    ConfigWriter(const PipelineConfig& config, ConfigForm form) : config_(config), document_(form == ConfigForm::document) {}

    std::string run()
    {
        const bool labelled =
            std::any_of(config_.modules.begin(), config_.modules.end(), [](const Module& m) { return !m.label.empty(); });
        const bool own = !ownFields().empty() || !config_.fields.empty() ||
                         (document_ && (!config_.inputs.empty() || !config_.parameters.empty()));
        if (document_ && !labelled && !own) {
            out_.array([&] {
                for (const Module& module : config_.modules) writeModule(module);
            });
        } else {
            out_.object([&] { writeFields(labelled); });
        }
        return std::move(out_).text();
    }

private:
    void writeFields(bool labelled)
    {
        if (!document_) {
            out_.array("param_connection", [&] { writeParameters(); });
            out_.array("input_connection", [&] { writeInputs(); });
            out_.array("module_connection", [&] {
                for (const Module& module : config_.modules) writeModule(module);
            });
        } else if (labelled) {
            for (const Module& module : config_.modules) {
                out_.key(module.label.empty() ? "mods[" + std::to_string(module.index) + "]" : module.label);
                writeModule(module);
            }
        } else {
            out_.array("modules", [&] {
                for (const Module& module : config_.modules) writeModule(module);
            });
        }
        writeKept(config_.fields);
        const auto own = ownFields();
        const bool connections = document_ && (!config_.inputs.empty() || !config_.parameters.empty());
        if (own.empty() && !connections) return;
        out_.object("x-stowage", [&] {
            if (!config_.model.empty()) out_.field("model", config_.model);
            if (!config_.planner.empty()) out_.field("planner", config_.planner);
            if (config_.chain) out_.field("chain", true);
            if (document_ && !config_.parameters.empty()) out_.array("param_connection", [&] { writeParameters(); });
            if (document_ && !config_.inputs.empty()) out_.array("input_connection", [&] { writeInputs(); });
            if (!config_.devices.empty()) {
                out_.key("devices");
                out_.raw(config_.devices);
            }
        });
    }

    /// Names of the fields of Stowage to write for the file.
    [[nodiscard]] std::vector<std::string_view> ownFields() const
    {
        std::vector<std::string_view> names;
        if (!config_.model.empty()) names.emplace_back("model");
        if (!config_.planner.empty()) names.emplace_back("planner");
        if (!config_.devices.empty()) names.emplace_back("devices");
        if (config_.chain) names.emplace_back("chain");
        return names;
    }

    void writeParameters()
    {
        for (const GlobalParameter& parameter : config_.parameters)
            out_.object(JsonWriter::compact, [&] {
                out_.field("global_param_name", parameter.name);
                out_.field("mod_idx", parameter.module);
            });
    }

    void writeInputs()
    {
        for (const GlobalInput& input : config_.inputs)
            out_.object(JsonWriter::compact, [&] {
                out_.field("global_interface_name", input.name);
                out_.field("mod_idx", input.module);
                out_.field("module_interface_name", input.input);
            });
    }

    void writeKept(const std::vector<KeptField>& fields)
    {
        for (const auto& [name, json] : fields) {
            out_.key(name);
            out_.raw(json);
        }
    }

    void writeModule(const Module& module)
    {
        out_.object([&] {
            if (document_) {
                writeKept(module.fields);
                out_.object("pipeline", [&] { writeConnections(module); });
            } else {
                writeConnections(module);
                writeKept(module.fields);
            }
            writeStage(module.stage, document_ ? std::string() : module.label);
        });
    }

    void writeConnections(const Module& module)
    {
        out_.field(document_ ? "mod_indx" : "mod_idx", counted(module.index));
        if (!module.cpuAffinity.empty()) out_.field("cpu_affinity", module.cpuAffinity);
        out_.array("output", [&] {
            for (const ModuleOutput& output : module.outputs)
                out_.object(JsonWriter::compact, [&] {
                    out_.field(document_ ? "output_indx" : "output_idx", counted(output.index));
                    out_.array(document_ ? "dependent" : "dependencies", [&] {
                        for (const Dependency& to : output.dependencies) writeDependency(to);
                    });
                });
        });
    }

    void writeDependency(const Dependency& to)
    {
        out_.object(JsonWriter::compact, [&] {
            if (to.globalOutput && document_) {
                out_.field("mod_indx", 0);
                out_.field("input_name", std::to_string(*to.globalOutput + 1));
            } else if (to.globalOutput) {
                out_.field("global_output_index", *to.globalOutput);
            } else {
                out_.field(document_ ? "mod_indx" : "mod_idx", counted(to.module));
                out_.field("input_name", to.input);
            }
        });
    }

    void writeStage(const StageReference& stage, const std::string& label)
    {
        if (stage.empty() && label.empty()) return;
        out_.object("x-stowage", JsonWriter::compact, [&] {
            if (!label.empty()) out_.field("label", label);
            if (!stage.program.empty()) out_.field("program", stage.program);
            if (!stage.device.empty()) out_.field("device", stage.device);
            if (stage.cost) out_.field("cost_us", *stage.cost);
            if (stage.transfer) out_.field("transfer_us", *stage.transfer);
            if (stage.transferBytes) out_.field("transfer_bytes", *stage.transferBytes);
        });
    }

    [[nodiscard]] std::int64_t counted(std::int64_t index) const { return index + (document_ ? 1 : 0); }

    const PipelineConfig& config_;
    bool document_;
    JsonWriter out_;
};

} // namespace

std::string writePipelineConfig(const PipelineConfig& config, ConfigForm form)
{
    return ConfigWriter(config, form).run();
}

} // namespace stowage::io
