// list planners|targets|devices|importers|exporters|plugins: what is installed.
#include "app/cli/commands.h"
#include "app/cli/exporters.h"
#include "app/cli/output.h"
#include "app/session/number_words.h"
#include "app/session/pipeline_files.h"
#include "core/io/json_writer.h"
#include "plugins/host/plugin_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

namespace stowage::cli {

namespace {

std::string_view typeName(OptionType type)
{
    constexpr std::array<std::string_view, 5> names{"true or false", "whole number", "number", "text", "choice"};
    return names[static_cast<std::size_t>(type)];
}

/// "1 to 64", "at least 1", "a | b": the values of an option.
std::string choices(const OptionSpec& spec)
{
    if (spec.type == OptionType::choice) return fmt::format("{}", fmt::join(spec.choices, " | "));
    if (spec.type == OptionType::boolean) return "true | false";
    const std::string bounds = boundsText(spec);
    return bounds.empty() ? std::string(typeName(spec.type)) : bounds;
}

std::string loweringText(const LoweringDefaults& lowering)
{
    std::string text;
    for (const auto& [key, value] : lowering) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
    return text;
}

class ListCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "list"; }
    [[nodiscard]] std::string summary() const override
    {
        return "list what is installed: planners, targets, devices, importers, exporters, plugins";
    }
    [[nodiscard]] std::vector<std::string> examples() const override { return {"list planners", "list targets --format json"}; }

    void declare(Arguments& app) override
    {
        app.option("WHAT", what_, "planners, targets, devices, importers, exporters or plugins")
            .required()
            .typeName("")
            .oneOf({"planners", "targets", "devices", "importers", "exporters", "plugins"});
        output_.declare(app, {"text", "json", "csv", "markdown"});
        app.option("--enable", enable_, "plugins: enable this one, even if it is new or has crashed").typeName("ID");
        app.option("--disable", disable_, "plugins: disable this one").typeName("ID");
    }

    int run(const Environment& environment) override
    {
        const Session& session = environment.session;
        if (!enable_.empty() && !disable_.empty())
            return environment.fail(usage("--enable and --disable exclude each other", "name one of them"));
        if (!enable_.empty()) return turn(environment, enable_, true);
        if (!disable_.empty()) return turn(environment, disable_, false);
        const bool json = output_.format() == Format::json;
        if (what_ == "planners") return output_.write(environment, json ? plannersJson(session) : planners(session));
        const Table table = what_ == "targets"     ? targets(session)
                            : what_ == "devices"   ? devices()
                            : what_ == "importers" ? importers(session)
                            : what_ == "exporters" ? exporterTable(session)
                                                   : plugins(session);
        if (table.rows.empty() && output_.format() == Format::text)
            return output_.write(environment, fmt::format("There are no {}.\n", what_));
        std::string text = print(table, output_.format(), roomFor(output_));
        if (what_ == "plugins" && output_.format() == Format::text) text += "\n" + confinementLine();
        return output_.write(environment, text);
    }

private:
    /// How plug-ins are confined on this system.
    [[nodiscard]] static std::string confinementLine()
    {
        const std::string_view missing = external::confinementMissing();
        if (missing.empty())
            return "Plug-ins run in processes of their own, with limits of memory, time and file size, and without a network.\n";
        return fmt::format("Plug-ins run in processes of their own, with limits of memory, time and file size; they may use the "
                           "network, as {}.\n",
                           missing);
    }

    [[nodiscard]] std::string planners(const Session& session) const
    {
        Table table{{{"default", "", CellKind::text},
                     {"name", "planner", CellKind::text},
                     {"summary", "what it does", CellKind::prose},
                     {"source", "idea from", CellKind::prose},
                     {"lowering", "lowering", CellKind::text},
                     {"anytime", "anytime", CellKind::text}},
                    {}};
        for (const auto& planner : session.planners().all()) {
            const PlannerInfo& info = planner->info();
            table.rows.push_back({std::string(info.name == session.defaultPlanner() ? "*" : ""), info.name, info.summary,
                                  info.source, loweringText(info.lowering), info.anytime ? Cell{true} : Cell{}});
        }
        std::string text = print(table, output_.format(), roomFor(output_));
        if (output_.format() != Format::text) return text;
        for (const auto& planner : session.planners().all()) {
            const PlannerInfo& info = planner->info();
            if (info.options.empty()) continue;
            Table options{{{"option", "--option", CellKind::text},
                           {"choices", "takes", CellKind::text},
                           {"default", "default", CellKind::text},
                           {"description", "", CellKind::prose}},
                          {}};
            for (const OptionSpec& spec : info.options)
                options.rows.push_back({spec.name, choices(spec), spec.defaultValue, spec.description});
            text += fmt::format("\nOptions of {}\n{}", info.name, toText(options, roomFor(output_)));
        }
        return text + "\n* is used if no planner is named.\n";
    }

    [[nodiscard]] static std::string plannersJson(const Session& session)
    {
        io::JsonWriter out;
        out.array([&] {
            for (const auto& planner : session.planners().all()) {
                const PlannerInfo& info = planner->info();
                out.object([&] {
                    out.field("name", info.name);
                    out.field("summary", info.summary);
                    out.field("source", info.source);
                    out.field("default", info.name == session.defaultPlanner());
                    out.field("anytime", info.anytime);
                    out.field("deterministic", info.deterministic);
                    out.object("lowering", io::JsonWriter::compact, [&] {
                        for (const auto& [key, value] : info.lowering) out.field(key, value);
                    });
                    out.object("takes", io::JsonWriter::compact, [&] {
                        out.field("multiple_pools", info.takes.multiplePools);
                        out.field("pins", info.takes.pins);
                        out.field("gaps", info.takes.gaps);
                        out.field("windows", info.takes.windows);
                        out.field("explicit_conflicts", info.takes.explicitConflicts);
                        out.field("slots", info.takes.slots);
                        out.field("capacities", info.takes.capacities);
                    });
                    out.array("options", [&] {
                        for (const OptionSpec& spec : info.options)
                            out.object(io::JsonWriter::compact, [&] {
                                out.field("name", spec.name);
                                out.field("type", typeName(spec.type));
                                out.field("default", spec.defaultValue);
                                out.field("description", spec.description);
                                if (!spec.choices.empty())
                                    out.array("choices", [&] {
                                        for (const std::string& choice : spec.choices) out.value(choice);
                                    });
                                if (std::isfinite(spec.minimum)) out.field("minimum", spec.minimum);
                                if (std::isfinite(spec.maximum)) out.field("maximum", spec.maximum);
                            });
                    });
                });
            }
        });
        return std::move(out).text();
    }

    [[nodiscard]] static Table targets(const Session& session)
    {
        Table table{{{"name", "target", CellKind::text},
                     {"pool", "pool", CellKind::text},
                     {"kind", "kind", CellKind::text},
                     {"capacity", "capacity (B)", CellKind::number},
                     {"alignment", "alignment", CellKind::number},
                     {"description", "", CellKind::prose}},
                    {}};
        constexpr std::array<const char*, 3> kinds{"workspace", "constant", "persistent"};
        for (const Target& target : session.targets()) {
            table.rows.push_back({target.name.toStdString(), {}, {}, {}, {}, target.description.toStdString()});
            for (const Pool& pool : target.pools)
                table.rows.push_back({target.name.toStdString(), pool.name,
                                      std::string(kinds[static_cast<std::size_t>(pool.kind)]),
                                      pool.capacity ? Cell{*pool.capacity} : Cell{}, pool.alignment, pool.description});
        }
        return table;
    }

    /// The installed sets of devices for `pipeline split --devices NAME`.
    [[nodiscard]] static Table devices()
    {
        Table table{{{"name", "devices", CellKind::text},
                     {"device", "device", CellKind::text},
                     {"kind", "kind", CellKind::text},
                     {"memory", "memory (B)", CellKind::number},
                     {"alignment", "alignment", CellKind::number},
                     {"description", "", CellKind::prose}},
                    {}};
        for (const QString& name : installedDevices()) {
            const auto set = findDevices(name);
            if (!set) continue; // whoever names it gets the error
            table.rows.push_back({name.toStdString(), {}, {}, {}, {}, set->description});
            for (const pipeline::Device& device : set->devices)
                table.rows.push_back({name.toStdString(),
                                      device.name,
                                      device.kind,
                                      device.memory ? Cell{*device.memory} : Cell{},
                                      device.alignment,
                                      {}});
        }
        return table;
    }

    [[nodiscard]] static Table importers(const Session& session)
    {
        Table table{{{"name", "importer", CellKind::text},
                     {"title", "reads", CellKind::text},
                     {"suffixes", "suffixes", CellKind::text},
                     {"option", "--import", CellKind::text},
                     {"choices", "takes", CellKind::text},
                     {"default", "default", CellKind::text},
                     {"description", "", CellKind::prose}},
                    {}};
        for (const ImporterInfo& info : session.importers()) {
            const std::string suffixes = fmt::format("{}", fmt::join(info.suffixes, ", "));
            if (info.options.empty()) table.rows.push_back({info.name, info.title, suffixes, {}, {}, {}, {}});
            for (const OptionSpec& spec : info.options)
                table.rows.push_back(
                    {info.name, info.title, suffixes, spec.name, choices(spec), spec.defaultValue, spec.description});
        }
        return table;
    }

    [[nodiscard]] static Table exporterTable(const Session& session)
    {
        Table table{{{"name", "exporter", CellKind::text},
                     {"suffixes", "suffixes", CellKind::text},
                     {"title", "writes", CellKind::text},
                     {"command", "command", CellKind::text}},
                    {}};
        for (const WriterEntry& writer : exporters())
            table.rows.push_back({writer.name, writer.suffixes, writer.title, writer.command});
        for (const auto& exporter : session.exporters()) {
            const ExporterInfo& info = exporter->info();
            std::string suffixes;
            for (const std::string& suffix : info.suffixes) suffixes += (suffixes.empty() ? "." : " .") + suffix;
            table.rows.push_back({info.name, suffixes, info.title, "export --as " + info.name});
        }
        return table;
    }

    [[nodiscard]] Table plugins(const Session& session) const
    {
        if (output_.format() == Format::text) return pluginsForPeople(session);
        Table table{{{"state", "state", CellKind::text},
                     {"id", "plugin", CellKind::text},
                     {"kind", "kind", CellKind::text},
                     {"version", "version", CellKind::text},
                     {"description", "", CellKind::prose},
                     {"path", "file", CellKind::text},
                     {"reason", "why not", CellKind::prose},
                     {"remedy", "what to do", CellKind::prose},
                     {"failure", "last run", CellKind::text},
                     {"failure_message", "", CellKind::prose}},
                    {}};
        for (const PluginRow& row : session.plugins().rows())
            table.rows.push_back({std::string(toText(row.state)), row.id.toStdString(), row.kind.toStdString(),
                                  row.version.toStdString(), row.description.toStdString(), row.path.toStdString(),
                                  row.reason.toStdString(), row.remedy.toStdString(),
                                  row.lastFailure ? row.lastFailure->code.toStdString() : std::string(),
                                  row.lastFailure ? row.lastFailure->message.toStdString() : std::string()});
        return table;
    }

    /// One column for prose, so that it fits a terminal: the description of a usable plug-in, or reason and remedy of another
    /// one.
    [[nodiscard]] static Table pluginsForPeople(const Session& session)
    {
        Table table{{{"state", "state", CellKind::text},
                     {"id", "plugin", CellKind::text},
                     {"kind", "kind", CellKind::text},
                     {"version", "version", CellKind::text},
                     {"description", "", CellKind::prose},
                     {"path", "file", CellKind::text}},
                    {}};
        for (const PluginRow& row : session.plugins().rows()) {
            std::string text = row.state == PluginState::usable ? row.description.toStdString()
                                                                : sentences({row.reason.toStdString(), row.remedy.toStdString()});
            if (row.lastFailure)
                text = sentences({text, fmt::format("The last run failed ({}): {}", row.lastFailure->code.toStdString(),
                                                    row.lastFailure->message.toStdString())});
            table.rows.push_back({std::string(toText(row.state)), row.id.toStdString(), row.kind.toStdString(),
                                  row.version.toStdString(), std::move(text), row.path.toStdString()});
        }
        return table;
    }

    /// Joins the parts, each with a full stop. Empty parts are left out.
    [[nodiscard]] static std::string sentences(const std::vector<std::string>& parts)
    {
        std::string text;
        for (const std::string& part : parts) {
            if (part.empty()) continue;
            text += (text.empty() ? "" : " ") + part;
            if (text.back() != '.') text += '.';
        }
        return text;
    }

    /// Enables or disables a plug-in.
    [[nodiscard]] static int turn(const Environment& environment, const std::string& id, bool on)
    {
        const PluginHost& plugins = environment.session.plugins();
        const PluginRow* turned = plugins.toTurn(QString::fromStdString(id));
        if (const auto error = plugins.setEnabled(QString::fromStdString(id), on)) return environment.fail(*error);
        environment.note(fmt::format("{} is {} from the next start on: {}", id, on ? "enabled" : "disabled",
                                     turned ? turned->path.toStdString() : std::string()));
        return done;
    }

    std::string what_;
    std::string enable_;
    std::string disable_;
    OutputOptions output_;
};

} // namespace

std::unique_ptr<Command> listCommand()
{
    return std::make_unique<ListCommand>();
}

} // namespace stowage::cli
