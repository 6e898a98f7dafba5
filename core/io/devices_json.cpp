#include "core/io/devices_json.h"

#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <set>
#include <utility>

namespace stowage::io {

namespace {

using namespace pipeline;

constexpr double maxRate = 1e15;
constexpr double maxMicroseconds = 1e12;

/// Reads a number in a range that excludes overflow.
double number(JsonReader& in, double most)
{
    const double value = in.number();
    if (in.ok() && !(value >= 0 && value <= most))
        in.fail(Code::outOfRange, fmt::format("a number from 0 to {:.0e} is expected", most));
    return value;
}

Device readDevice(JsonReader& in, std::set<std::string, std::less<>>& names)
{
    Device device;
    in.object({"name"}, [&](std::string_view key) {
        if (key == "name") {
            device.name = in.string();
            if (in.ok() && device.name.empty()) in.fail(Code::badValue, "a device needs a name");
            if (in.ok() && !names.insert(device.name).second)
                in.fail(Code::duplicateName, fmt::format("two devices are named '{}'", device.name));
        } else if (key == "kind")
            in.read(device.kind);
        else if (key == "memory")
            in.read(device.memory, 0, maxBytes / 1024);
        else if (key == "alignment")
            in.read(device.alignment, 1, Bytes{1} << 30);
        else if (key == "flops_per_us")
            device.flopsPerUs = number(in, maxRate);
        else if (key == "bytes_per_us")
            device.bytesPerUs = number(in, maxRate);
        else if (key == "start_us")
            device.startUs = number(in, maxMicroseconds);
        else if (key == "description")
            in.string();
    });
    return device;
}

} // namespace

Expected<DeviceSet> readDevices(std::string_view text, const std::string& file)
{
    JsonReader in(text, file);
    DeviceSet set;
    std::set<std::string, std::less<>> names;
    std::vector<std::pair<Link, std::size_t>> links;
    in.object({"format", "devices"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.devices/1");
        else if (key == "name")
            in.read(set.name);
        else if (key == "description")
            in.read(set.description);
        else if (key == "source")
            in.read(set.source);
        else if (key == "devices") {
            const std::size_t place = in.offset();
            in.array([&] { set.devices.push_back(readDevice(in, names)); });
            if (in.ok() && set.devices.empty()) in.failAt(place, Code::badValue, "at least one device is expected");
        } else if (key == "links")
            in.array([&] {
                links.emplace_back(Link{}, in.offset());
                Link& link = links.back().first;
                in.object({"from", "to"}, [&](std::string_view field) {
                    if (field == "from")
                        in.read(link.from);
                    else if (field == "to")
                        in.read(link.to);
                    else if (field == "latency_us")
                        link.latencyUs = number(in, maxMicroseconds);
                    else if (field == "bytes_per_us")
                        link.bytesPerUs = number(in, maxRate);
                });
            });
    });
    std::set<std::pair<std::string_view, std::string_view>> linked;
    for (const auto& [link, place] : links) {
        for (const std::string& end : {link.from, link.to})
            if (in.ok() && !names.contains(end))
                in.failAt(place, Code::unknownDevice, fmt::format("a link ends at '{}', and there is no such device", end));
        if (in.ok() && link.from == link.to)
            in.failAt(place, Code::badValue, fmt::format("a link leads from '{}' to itself", link.from));
        if (!linked.emplace(link.from, link.to).second && in.ok())
            in.failAt(place, Code::duplicateLink, fmt::format("two links lead from '{}' to '{}'", link.from, link.to));
        set.links.push_back(link);
    }
    if (!in.finish()) return in.error();
    return set;
}

std::string writeDevices(const DeviceSet& set)
{
    JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.devices/1");
        if (!set.name.empty()) out.field("name", set.name);
        if (!set.description.empty()) out.field("description", set.description);
        if (!set.source.empty()) out.field("source", set.source);
        out.array("devices", [&] {
            for (const Device& device : set.devices)
                out.object(JsonWriter::compact, [&] {
                    out.field("name", device.name);
                    if (!device.kind.empty()) out.field("kind", device.kind);
                    if (device.memory) out.field("memory", *device.memory);
                    if (device.alignment != 1) out.field("alignment", device.alignment);
                    out.field("flops_per_us", device.flopsPerUs);
                    out.field("bytes_per_us", device.bytesPerUs);
                    out.field("start_us", device.startUs);
                });
        });
        if (set.links.empty()) return;
        out.array("links", [&] {
            for (const Link& link : set.links)
                out.object(JsonWriter::compact, [&] {
                    out.field("from", link.from);
                    out.field("to", link.to);
                    out.field("latency_us", link.latencyUs);
                    out.field("bytes_per_us", link.bytesPerUs);
                });
        });
    });
    return std::move(out).text();
}

Expected<Measurements> readCosts(std::string_view text, const std::string& file)
{
    JsonReader in(text, file);
    Measurements costs;
    in.object({"format", "ops"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.costs/1");
        else if (key == "ops")
            in.object([&](std::string_view op) {
                auto& byDevice = costs[std::string(op)];
                in.object([&](std::string_view device) {
                    std::string name(device);
                    byDevice[std::move(name)] = number(in, maxMicroseconds);
                });
            });
        else if (key == "description")
            in.string();
    });
    if (!in.finish()) return in.error();
    return costs;
}

std::string writeCosts(const Measurements& measurements)
{
    JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.costs/1");
        out.object("ops", [&] {
            for (const auto& measured : measurements)
                out.object(measured.first, JsonWriter::compact, [&] {
                    for (const auto& [device, cost] : measured.second) out.field(device, cost);
                });
        });
    });
    return std::move(out).text();
}

} // namespace stowage::io
