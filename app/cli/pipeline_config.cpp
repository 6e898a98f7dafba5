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
        if (file.faults.size() > maxLines)
            text += fmt::format("… and {} more faults\n", grouped(static_cast<std::int64_t>(file.faults.size() - maxLines)));
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
        return output_.write(
            environment, io::writePipelineConfig(file->config, to_ == "shipped" ? ConfigForm::shipped : ConfigForm::document));
    }

private:
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
