// pipeline config check|convert: lists the faults of a configuration, and converts it to the other form.
#include "app/cli/output.h"
#include "app/cli/pipeline_parts.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "app/session/pipeline_files.h"
#include "app/session/verdicts.h"
#include "core/io/json_writer.h"

#include <fmt/format.h>

namespace stowage::cli {

namespace {

using namespace pipeline;

std::string_view formName(ConfigForm form)
{
    return form == ConfigForm::shipped ? "shipped" : "document";
}

std::string moreFaults(std::size_t count)
{
    return fmt::format("… and {}", counted(static_cast<std::int64_t>(count), "more fault"));
}

class ConfigCheckCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "check"; }
    [[nodiscard]] std::string summary() const override { return "list the faults of a configuration, with code and position"; }
    void declare(Arguments& app) override
    {
        app.option("FILE", file_, "configuration, in either form").required();
        output_.declare(app, {"text", "json"});
    }
    int run(const Environment& environment) override
    {
        const auto file = readPipeline(pathFromNative(file_), [stop = environment.interrupt] { return stop.stop_requested(); });
        if (!file) return environment.fail(file.error());
        environment.say(file->diagnostics);
        const int written = output_.write(environment, output_.format() == Format::json ? json(*file) : text(*file));
        return written != done ? written : file->faults.empty() ? done : answerIsNo;
    }

private:
    static constexpr std::size_t maxLines = 1000;

    [[nodiscard]] std::string text(const PipelineFile& file) const
    {
        std::string text;
        for (std::size_t f = 0; f < file.faults.size() && f < maxLines; ++f) {
            const Fault& fault = file.faults[f];
            text += placedText(failure(Code::faultyConfiguration,
                                       fmt::format("{}: {}", toText(fault.code), describe(fault, file.config.form)),
                                       {file_, fault.place.line, fault.place.column, -1})) +
                    '\n';
        }
        if (file.faults.size() > maxLines) text += moreFaults(file.faults.size() - maxLines) + '\n';
        if (file.faults.empty())
            text =
                fmt::format("{}: {}, {} form.\n", verdictWord(VerdictKind::valid),
                            counted(static_cast<std::int64_t>(file.config.modules.size()), "module"), formName(file.config.form));
        return text;
    }

    [[nodiscard]] static std::string json(const PipelineFile& file)
    {
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.pipeline-check/1");
            out.field("form", formName(file.config.form));
            out.field("valid", file.faults.empty());
            out.field("modules", file.config.modules.size());
            out.array("faults", [&] {
                for (const Fault& fault : file.faults)
                    out.object(io::JsonWriter::compact, [&] {
                        out.field("code", toText(fault.code));
                        if (fault.module) out.field("module", *fault.module);
                        if (!fault.interface.empty()) out.field("interface", fault.interface);
                        out.field("line", fault.place.line);
                        out.field("column", fault.place.column);
                        out.field("message", describe(fault, file.config.form));
                    });
            });
        });
        return std::move(out).text();
    }

    std::string file_;
    OutputOptions output_;
};

class ConvertConfigCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "convert"; }
    [[nodiscard]] std::string summary() const override
    {
        return "convert a configuration to the other form, with all its fields";
    }
    void declare(Arguments& app) override
    {
        app.option("FILE", file_, "configuration, in either form").required();
        app.option("--to", to_, "shipped: TVM's, counted from 0; document: the design document's, counted from 1")
            .required()
            .oneOf({"shipped", "document"});
        output_.declare(app, {});
    }
    int run(const Environment& environment) override
    {
        auto file = readPipeline(pathFromNative(file_), [stop = environment.interrupt] { return stop.stop_requested(); });
        if (!file) return environment.fail(file.error());
        environment.note(fmt::format("{} is of the {} form", file_, formName(file->config.form)));
        if (!file->faults.empty()) {
            const Fault& fault = file->faults.front();
            environment.fail(
                failure(Code::faultyConfiguration, fmt::format("{}: {}", toText(fault.code), describe(fault, file->config.form)),
                        {file_, fault.place.line, fault.place.column, -1}, "'pipeline config check' lists all faults"));
            return answerIsNo;
        }
        PipelineConfig config = file->config;
        config.form = to_ == "shipped" ? ConfigForm::shipped : ConfigForm::document;
        // The document's form need not list the inputs of the application, the shipped form has to.
        if (config.form == ConfigForm::shipped && config.inputs.empty()) config.inputs = unfedInputs(config, file->interfaces);
        const int written = output_.write(environment, io::writePipelineConfig(config, config.form));
        if (written != done) return written;
        const std::vector<Fault> faults = pipeline::check(config, file->interfaces);
        for (std::size_t f = 0; f < faults.size() && f < maxLines; ++f)
            environment.fail(failure(Code::faultyConfiguration,
                                     fmt::format("{}: {}", toText(faults[f].code), describe(faults[f], config.form)), {},
                                     remedyOf(faults[f])));
        if (faults.size() > maxLines) environment.note(moreFaults(faults.size() - maxLines));
        return faults.empty() ? done : answerIsNo;
    }

private:
    static constexpr std::size_t maxLines = 20;

    /// What is not known here has to be added to the written file by hand.
    static std::string remedyOf(const Fault& fault)
    {
        if (fault.code != FaultCode::unboundInput || !fault.module) return "'pipeline config check' lists all faults";
        return fmt::format("the shipped form lists the inputs of the application: add {{\"global_interface_name\": \"NAME\", "
                           "\"mod_idx\": {}, \"module_interface_name\": \"NAME\"}} to \"input_connection\"",
                           *fault.module);
    }

    std::string file_;
    std::string to_;
    OutputOptions output_;
};

class ConfigCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "config"; }
    [[nodiscard]] std::string summary() const override { return "check a configuration, or convert it"; }
    void declare(Arguments& app) override
    {
        declareInside(app, check_, chosen_);
        declareInside(app, convert_, chosen_);
    }
    int run(const Environment& environment) override { return chosen_->run(environment); }

private:
    ConfigCheckCommand check_;
    ConvertConfigCommand convert_;
    Command* chosen_ = nullptr;
};

} // namespace

std::unique_ptr<Command> pipelineConfigCommand()
{
    return std::make_unique<ConfigCommand>();
}

} // namespace stowage::cli
