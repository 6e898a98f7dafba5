#include "app/session/session_file.h"

#include "core/io/devices_json.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/io/pool_json.h"
#include "core/ir/checked.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace stowage {

namespace {

using io::JsonReader;
using io::JsonWriter;

constexpr std::array<std::string_view, 6> changeNames{"size", "live", "in-place", "slots", "scale", "tile"};
constexpr std::array<std::string_view, 2> objectiveNames{"period", "latency"};

void writePairs(JsonWriter& json, const char* key, const OptionValues& values)
{
    if (values.empty()) return;
    json.array(key, JsonWriter::compact, [&] {
        for (const auto& pair : values)
            json.array(JsonWriter::compact, [&] {
                json.value(pair.first);
                json.value(pair.second);
            });
    });
}

OptionValues readPairs(JsonReader& in)
{
    OptionValues values;
    in.array([&] {
        std::array<std::string, 2> pair;
        std::size_t count = 0;
        in.array([&] {
            const std::string_view word = in.string();
            if (count < pair.size()) pair[count] = word;
            ++count;
        });
        if (in.ok() && count != pair.size()) in.fail(Code::badValue, "a name and a value are wanted");
        values.emplace_back(std::move(pair[0]), std::move(pair[1]));
    });
    return values;
}

void writeChange(JsonWriter& json, const Change& change)
{
    json.object(JsonWriter::compact, [&] {
        json.field("kind", changeNames[static_cast<std::size_t>(change.kind)]);
        if (!change.names.buffer.empty()) json.field("buffer", change.names.buffer);
        if (change.size != 0) json.field("size", change.size);
        if (!change.live.empty())
            json.array("live", [&] {
                for (const Interval& range : change.live)
                    json.array(JsonWriter::compact, [&] {
                        json.value(range.begin);
                        json.value(range.end);
                    });
            });
        if (!change.names.other.empty()) json.field("other", change.names.other);
        if (change.slots != 1) json.field("slots", change.slots);
        if (!change.names.loop.empty()) json.field("loop", change.names.loop);
        if (change.numerator != 1) json.field("numerator", change.numerator);
        if (change.denominator != 1) json.field("denominator", change.denominator);
    });
}

constexpr std::int64_t largest = std::int64_t{1} << 62;

Change readChange(JsonReader& in)
{
    Change change;
    in.object({"kind"}, [&](std::string_view key) {
        if (key == "kind")
            in.read(change.kind, changeNames);
        else if (key == "buffer")
            in.read(change.names.buffer);
        else if (key == "size")
            in.read(change.size, 0, largest);
        else if (key == "live")
            in.array([&] {
                std::array<Step, 2> range{};
                std::size_t count = 0;
                in.array([&] {
                    const Step step = in.integer(0, largest);
                    if (count < range.size()) range[count] = step;
                    ++count;
                });
                if (in.ok() && count != range.size()) in.fail(Code::badLiveRange, "a first step and an end are wanted");
                change.live.push_back({range[0], range[1]});
            });
        else if (key == "other")
            in.read(change.names.other);
        else if (key == "slots")
            in.read(change.slots, 1, 64);
        else if (key == "loop")
            in.read(change.names.loop);
        else if (key == "numerator")
            in.read(change.numerator, 1, 64);
        else if (key == "denominator")
            in.read(change.denominator, 1, 64);
    });
    return change;
}

void writeRun(JsonWriter& json, const SessionRun& run)
{
    json.object([&] {
        json.field("planner", run.planner);
        writePairs(json, "options", run.options);
        if (run.seed != 0) json.field("seed", run.seed);
        if (run.workLimit != 0) json.field("work_limit", run.workLimit);
        if (run.timeLimitSeconds > 0) json.field("time_limit", run.timeLimitSeconds);
        if (run.elapsedMs > 0) json.field("elapsed_ms", run.elapsedMs);
        json.key("plan");
        json.raw(run.plan);
    });
}

SessionRun readRun(JsonReader& in)
{
    SessionRun run;
    in.object({"planner", "plan"}, [&](std::string_view key) {
        if (key == "planner")
            in.read(run.planner);
        else if (key == "options")
            run.options = readPairs(in);
        else if (key == "seed")
            run.seed = in.unsignedInteger();
        else if (key == "work_limit")
            run.workLimit = in.unsignedInteger();
        else if (key == "time_limit")
            in.read(run.timeLimitSeconds);
        else if (key == "elapsed_ms")
            in.read(run.elapsedMs);
        else if (key == "plan")
            run.plan = in.raw();
    });
    return run;
}

void writeOrder(JsonWriter& json, const std::vector<ListedOps>& order)
{
    json.array("order", [&] {
        for (const ListedOps& region : order)
            json.object(JsonWriter::compact, [&] {
                json.field("function", region.function);
                if (region.region != 0) json.field("region", region.region);
                json.array("ops", [&] {
                    for (const std::string& op : region.ops) json.value(op);
                });
            });
    });
}

ListedOps readOrder(JsonReader& in)
{
    ListedOps region;
    in.object({"function", "ops"}, [&](std::string_view key) {
        if (key == "function")
            in.read(region.function);
        else if (key == "region")
            in.read(region.region, 0, largest);
        else if (key == "ops")
            in.array([&] { region.ops.emplace_back(in.string()); });
    });
    return region;
}

void writePipelineSetup(JsonWriter& json, const PipelineSetup& setup)
{
    json.object("pipeline", [&] {
        std::string devices = io::writeDevices(setup.devices);
        while (devices.ends_with('\n')) devices.pop_back();
        json.key("devices");
        json.raw(devices);
        json.field("objective", objectiveNames[static_cast<std::size_t>(setup.objective)]);
        if (!setup.placement) return;
        json.array("cuts", JsonWriter::compact, [&] {
            for (const std::size_t cut : setup.placement->cuts) json.value(cut);
        });
        json.array("stages", JsonWriter::compact, [&] {
            for (const std::int32_t device : setup.placement->devices) json.value(device);
        });
    });
}

/// The cuts are checked when the program is there.
PipelineSetup readPipelineSetup(JsonReader& in, const std::string& file)
{
    PipelineSetup setup;
    StagePlacement placement;
    in.object({"devices"}, [&](std::string_view key) {
        if (key == "devices") {
            const std::size_t place = in.offset();
            const std::string_view text = in.raw();
            if (!in.ok()) return;
            if (auto devices = io::readDevices(text, file))
                setup.devices = *std::move(devices);
            else
                in.failAt(place, devices.error().code, devices.error().message);
        } else if (key == "objective") {
            in.read(setup.objective, objectiveNames);
        } else if (key == "cuts") {
            in.array([&] { placement.cuts.push_back(static_cast<std::size_t>(in.integer(0, largest))); });
        } else if (key == "stages") {
            in.array([&] { in.read(placement.devices.emplace_back(), 0, std::int32_t{1} << 30); });
        }
    });
    if (placement.cuts.empty() && placement.devices.empty()) return setup;
    const auto count = static_cast<std::int64_t>(setup.devices.devices.size());
    if (in.ok() && (placement.devices.size() != placement.cuts.size() + 1 || !std::ranges::is_sorted(placement.cuts) ||
                    std::ranges::any_of(placement.devices, [count](std::int32_t device) { return device >= count; })))
        in.fail(Code::badValue, "ascending cuts, and for each stage the number of a device, are wanted");
    setup.placement = std::move(placement);
    return setup;
}

/// A path of the session; empty if `path` is.
std::string absolutePath(std::string_view path, const QDir& folder)
{
    if (path.empty()) return {};
    return QDir::cleanPath(folder.absoluteFilePath(QString::fromUtf8(path.data(), static_cast<qsizetype>(path.size()))))
        .toStdString();
}

/// Key of the only zoom of an older session until the view of the session is known.
constexpr const char* ofSessionsView = "";

void writeZooms(JsonWriter& json, const SessionZooms& zooms)
{
    json.object("zooms", JsonWriter::compact, [&] {
        for (const auto& own : zooms)
            json.array(own.first, JsonWriter::compact, [&] {
                for (const auto& [begin, span] : own.second) {
                    json.value(begin);
                    json.value(span);
                }
            });
    });
}

SessionZoom readZoom(JsonReader& in)
{
    std::vector<double> numbers;
    in.array([&] { numbers.push_back(std::clamp(in.number(), -double(maxBytes), double(maxBytes))); });
    SessionZoom zoom;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) zoom.emplace_back(numbers[i], numbers[i + 1]);
    return zoom;
}

void writeModel(JsonWriter& json, const SessionModel& model, const QDir& folder)
{
    json.object([&] {
        json.field("path", folder.relativeFilePath(QString::fromStdString(model.path)).toStdString());
        if (!model.sha256.empty()) json.field("sha256", model.sha256);
        if (!model.importer.empty()) json.field("importer", model.importer);
        if (!model.function.empty()) json.field("function", model.function);
        if (!model.bindings.empty())
            json.object("bind", JsonWriter::compact, [&] {
                for (const auto& [name, size] : model.bindings) json.field(name, size);
            });
        writePairs(json, "import", model.importOptions);
        if (!model.target.empty()) json.field("target", model.target);
        if (model.targetAssumed) json.field("target_assumed", true);
        if (model.targetChosen) json.field("target_chosen", true);
        if (!model.targetFile.empty())
            json.field("target_file", folder.relativeFilePath(QString::fromStdString(model.targetFile)).toStdString());
        if (!model.runtime.empty()) json.field("runtime", model.runtime);
        if (!model.pools.empty()) {
            json.key("pools");
            io::writePools(json, model.pools);
        }
        if (model.alignment != elementAlignment) json.field("alignment", model.alignment);
        writePairs(json, "lowering", model.lowering);
        if (!model.pins.empty())
            json.array("pins", [&] {
                for (const PinRequest& pin : model.pins)
                    json.object(JsonWriter::compact, [&] {
                        json.field("buffer", pin.buffer);
                        json.field("pool", pin.pool);
                        json.field("offset", pin.offset);
                    });
            });
        if (!model.changes.empty())
            json.array("changes", [&] {
                for (const Change& change : model.changes) writeChange(json, change);
            });
        if (!model.notes.empty())
            json.array("notes", [&] {
                for (const SessionNote& note : model.notes)
                    json.object(JsonWriter::compact, [&] {
                        if (!note.pool.empty()) json.field("pool", note.pool);
                        json.field("step", note.step);
                        if (note.address != 0) json.field("address", note.address);
                        json.field("text", note.text);
                    });
            });
        if (!model.zooms.empty()) writeZooms(json, model.zooms);
        if (!model.order.empty()) writeOrder(json, model.order);
        if (model.opsLeftOut) json.field("ops_left_out", true);
        if (model.pipeline) writePipelineSetup(json, *model.pipeline);
        if (!model.runtimeLog.empty())
            json.field("runtime_log", folder.relativeFilePath(QString::fromStdString(model.runtimeLog)).toStdString());
        if (!model.shown.empty()) json.field("shown", model.shown);
        if (model.shownRun) json.field("shown_run", *model.shownRun);
        if (!model.runs.empty())
            json.array("runs", [&] {
                for (const SessionRun& run : model.runs) writeRun(json, run);
            });
        if (model.runsLeftOut != 0) json.field("runs_left_out", model.runsLeftOut);
    });
}

SessionModel readModel(JsonReader& in, const QDir& folder, const std::string& file)
{
    SessionModel model;
    in.object({"path"}, [&](std::string_view key) {
        if (key == "path") {
            model.path = absolutePath(in.string(), folder);
            if (in.ok() && model.path.empty()) in.fail(Code::badValue, "the path is empty");
        } else if (key == "sha256") {
            in.read(model.sha256);
        } else if (key == "importer") {
            in.read(model.importer);
        } else if (key == "function") {
            in.read(model.function);
        } else if (key == "bind") {
            in.object([&](std::string_view name) { model.bindings.emplace_back(std::string(name), in.integer(0, largest)); });
        } else if (key == "import") {
            model.importOptions = readPairs(in);
        } else if (key == "target") {
            in.read(model.target);
        } else if (key == "target_assumed") {
            in.read(model.targetAssumed);
        } else if (key == "target_chosen") {
            in.read(model.targetChosen);
        } else if (key == "target_file") {
            model.targetFile = absolutePath(in.string(), folder);
        } else if (key == "runtime") {
            const std::size_t place = in.offset();
            in.read(model.runtime);
            if (in.ok() && model.runtime != "tflm" && model.runtime != "executorch")
                in.failAt(place, Code::badValue, "a runtime is \"tflm\" or \"executorch\"");
        } else if (key == "pools") {
            model.pools = io::readPools(in);
        } else if (key == "alignment") {
            in.read(model.alignment, 0, Bytes{1} << 30);
        } else if (key == "lowering") {
            model.lowering = readPairs(in);
        } else if (key == "pins") {
            in.array([&] {
                PinRequest& pin = model.pins.emplace_back();
                in.object({"buffer", "pool", "offset"}, [&](std::string_view field) {
                    if (field == "buffer")
                        in.read(pin.buffer);
                    else if (field == "pool")
                        in.read(pin.pool);
                    else if (field == "offset")
                        in.read(pin.offset, 0, largest);
                });
            });
        } else if (key == "changes") {
            in.array([&] { model.changes.push_back(readChange(in)); });
        } else if (key == "notes") {
            in.array([&] {
                SessionNote& note = model.notes.emplace_back();
                in.object({"step", "text"}, [&](std::string_view field) {
                    if (field == "pool")
                        in.read(note.pool);
                    else if (field == "step")
                        in.read(note.step, 0, largest);
                    else if (field == "address")
                        in.read(note.address, 0, largest);
                    else if (field == "text")
                        in.read(note.text);
                });
            });
        } else if (key == "zooms") {
            in.object([&](std::string_view view) {
                std::string id(view);
                model.zooms.insert_or_assign(std::move(id), readZoom(in));
            });
        } else if (key == "zoom") {
            model.zooms.insert_or_assign(ofSessionsView, readZoom(in));
        } else if (key == "order") {
            in.array([&] { model.order.push_back(readOrder(in)); });
        } else if (key == "ops_left_out") {
            in.read(model.opsLeftOut);
        } else if (key == "pipeline") {
            model.pipeline = readPipelineSetup(in, file);
        } else if (key == "runtime_log") {
            model.runtimeLog = absolutePath(in.string(), folder);
        } else if (key == "shown") {
            in.read(model.shown);
        } else if (key == "shown_run") {
            model.shownRun = static_cast<std::size_t>(in.integer(0, largest));
        } else if (key == "runs") {
            in.array([&] { model.runs.push_back(readRun(in)); });
        } else if (key == "runs_left_out") {
            in.read(model.runsLeftOut, 0, largest);
        }
    });
    return model;
}

} // namespace

std::string writeSession(const SessionDocument& session, const std::string& file)
{
    const QDir folder = QFileInfo(QString::fromStdString(file)).absoluteDir();
    JsonWriter json;
    json.object([&] {
        json.field("format", "stowage.session/1");
        json.array("files", [&] {
            for (const SessionModel& model : session.models) writeModel(json, model, folder);
        });
        json.field("current", session.current);
        if (!session.suite.empty())
            json.field("suite", folder.relativeFilePath(QString::fromStdString(session.suite)).toStdString());
        if (!session.view.empty()) json.field("view", session.view);
        json.array("planners", JsonWriter::compact, [&] {
            for (const std::string& planner : session.planners) json.value(planner);
        });
        if (session.kernelTickSettled) json.field("kernel_tick_settled", true);
        if (!session.options.empty())
            json.array("options", [&] {
                for (const auto& own : session.options)
                    json.object(JsonWriter::compact, [&] {
                        json.field("planner", own.first);
                        writePairs(json, "values", own.second);
                    });
            });
        json.field("time_limit", session.timeLimitSeconds);
        json.field("seed", session.seed);
        json.object("window", JsonWriter::compact, [&] {
            if (!session.docks.empty()) json.field("docks", session.docks);
            if (!session.panels.empty())
                json.object("panels", JsonWriter::compact, [&] {
                    for (const auto& own : session.panels) json.field(own.first, own.second);
                });
            json.field("unit", session.unit);
            json.field("hex", session.hexAddresses);
        });
    });
    return std::move(json).text();
}

Expected<SessionDocument> readSession(std::string_view text, const std::string& file)
{
    const QDir folder = QFileInfo(QString::fromStdString(file)).absoluteDir();
    SessionDocument session;
    JsonReader in(text, file);
    in.object({"format", "files"}, [&](std::string_view key) {
        if (key == "format") {
            in.format("stowage.session/1");
        } else if (key == "files") {
            in.array([&] { session.models.push_back(readModel(in, folder, file)); });
        } else if (key == "current") {
            in.read(session.current, 0, largest);
        } else if (key == "suite") {
            session.suite = absolutePath(in.string(), folder);
        } else if (key == "view") {
            in.read(session.view);
        } else if (key == "planners") {
            in.array([&] { session.planners.emplace_back(in.string()); });
        } else if (key == "kernel_tick_settled") {
            in.read(session.kernelTickSettled);
        } else if (key == "options") {
            in.array([&] {
                auto& own = session.options.emplace_back();
                in.object({"planner"}, [&](std::string_view field) {
                    if (field == "planner")
                        in.read(own.first);
                    else if (field == "values")
                        own.second = readPairs(in);
                });
            });
        } else if (key == "time_limit") {
            in.read(session.timeLimitSeconds);
        } else if (key == "seed") {
            session.seed = in.unsignedInteger();
        } else if (key == "window") {
            in.object([&](std::string_view field) {
                if (field == "docks")
                    in.read(session.docks);
                else if (field == "panels")
                    in.object([&](std::string_view view) {
                        std::string name(view);
                        session.panels.emplace_back(std::move(name), static_cast<int>(in.integer(0, 255)));
                    });
                else if (field == "unit")
                    in.read(session.unit, 0, 2);
                else if (field == "hex")
                    in.read(session.hexAddresses);
            });
        }
    });
    if (!in.finish()) return in.error();
    for (SessionModel& model : session.models)
        if (auto old = model.zooms.extract(ofSessionsView); !old.empty() && !session.view.empty())
            model.zooms.try_emplace(session.view, std::move(old.mapped()));
    session.timeLimitSeconds = std::clamp(session.timeLimitSeconds, 0.0, 1e6);
    return session;
}

} // namespace stowage
