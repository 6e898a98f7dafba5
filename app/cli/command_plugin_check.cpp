// plugin-check MANIFEST or LIBRARY: runs the conformance kit, for authors of plug-ins.
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/table.h"
#include "plugins/host/conformance.h"
#include "plugins/host/plugin_host.h"

#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>

namespace stowage::cli {

namespace {

std::string_view word(ConformanceOutcome outcome)
{
    switch (outcome) {
    case ConformanceOutcome::passed: return "passed";
    case ConformanceOutcome::refused: return "refused";
    case ConformanceOutcome::failed: break;
    }
    return "FAILED";
}

class PluginCheckCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "plugin-check"; }
    [[nodiscard]] std::string summary() const override
    {
        return "check a plug-in before its release: metadata, and planners on the conformance kit";
    }

    [[nodiscard]] std::vector<std::string> examples() const override { return {"plugin-check first-fit.json"}; }

    void declare(Arguments& app) override
    {
        app.option("PLUGIN", path_, "a manifest (*.json) or a library").required().typeName("");
        output_.declare(app, {"text", "json", "csv", "markdown"});
    }

    int run(const Environment& environment) override
    {
        const QString path = QString::fromStdString(path_);
        if (!QFileInfo(path).isFile())
            return environment.fail(failure(Code::cannotOpen, "there is no such file", {path_}, "name a manifest or a library"));
        const PluginRow row = path.endsWith(QLatin1String(".json")) ? readManifestFile(path) : readPlugin(path);
        if (row.state != PluginState::usable)
            return environment.fail(failure(Code::pluginRefused, "the plug-in is refused: " + row.reason.toStdString(), {path_},
                                            row.remedy.toStdString()));
        if (row.planners.empty()) {
            environment.note(fmt::format("{} is an {}: its metadata is complete, and the conformance kit is for planners only",
                                         row.id.toStdString(), row.kind.toStdString()));
            return done;
        }
        Table table{{{"planner", "planner", CellKind::text},
                     {"problem", "problem", CellKind::text},
                     {"outcome", "outcome", CellKind::text},
                     {"elapsed_ms", "time (ms)", CellKind::milliseconds},
                     {"message", "", CellKind::prose}},
                    {}};
        std::size_t failed = 0, passed = 0, refused = 0;
        for (const auto& planner : environment.session.plannersOf(row))
            checkConformance(
                *planner, environment.interrupt,
                [&](const ConformanceResult& result) {
                    failed += result.outcome == ConformanceOutcome::failed;
                    passed += result.outcome == ConformanceOutcome::passed;
                    refused += result.outcome == ConformanceOutcome::refused;
                    table.rows.push_back(
                        {planner->info().name, result.name, std::string(word(result.outcome)), result.elapsedMs, result.message});
                },
                conformanceTime(row.timeout));
        std::string text = print(table, output_.format(), roomFor(output_));
        if (output_.format() == Format::text)
            text = fmt::format("{}: {} passed, {} refused, {} failed of {} problems\n\n{}",
                               failed == 0 ? "Conforms" : "Does not conform", passed, refused, failed, table.rows.size(), text);
        const int written = output_.write(environment, text);
        return written != done ? written : failed == 0 ? int(done) : int(answerIsNo);
    }

private:
    std::string path_;
    OutputOptions output_;
};

} // namespace

std::unique_ptr<Command> pluginCheckCommand()
{
    return std::make_unique<PluginCheckCommand>();
}

} // namespace stowage::cli
