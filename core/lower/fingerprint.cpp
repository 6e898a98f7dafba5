#include "core/lower/fingerprint.h"

#include "core/lower/element_alignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace stowage {

namespace {

std::string textOf(const Change& change)
{
    const Change::Names& names = change.names;
    switch (change.kind) {
    case Change::Kind::size: return fmt::format("size({})={}", names.buffer, change.size);
    case Change::Kind::inPlace: return fmt::format("in-place({})={}", names.buffer, names.other);
    case Change::Kind::slots: return fmt::format("slots({})={}", names.buffer, change.slots);
    case Change::Kind::scale: return fmt::format("scale({})={}/{}", names.buffer, change.numerator, change.denominator);
    case Change::Kind::tile: return fmt::format("tile({})={}/{}", names.loop, change.numerator, change.denominator);
    case Change::Kind::live: break;
    }
    std::string text = fmt::format("live({})=", names.buffer);
    for (const Interval& live : change.live) text += fmt::format("[{},{})", live.begin, live.end);
    return text;
}

std::string textOf(const PinRequest& pin)
{
    return fmt::format("{}@{}={}", pin.buffer, pin.pool, pin.offset);
}

template <typename Entry>
std::string joined(const std::vector<Entry>& entries)
{
    std::string text;
    for (const Entry& entry : entries) {
        if (!text.empty()) text += '+';
        text += textOf(entry);
    }
    return text;
}

} // namespace

Fingerprint::Fingerprint(LowerOptions from, std::vector<Pool> pools, bool isGiven) : options(std::move(from)), given(isGiven)
{
    if (given) {
        const Bytes alignment = std::max<Bytes>(1, options.alignment);
        options = {};
        options.alignment = alignment;
    } else if (options.order == Order::hivm) { // loops and views are as the compiler has them
        options.loops = {};
        options.views = {};
        options.alignment = std::max<Bytes>(1, options.alignment);
    } else {
        const LowerOptions defaults;
        options.isaInPlace = defaults.isaInPlace;
        options.memPlan = defaults.memPlan;
        options.simtBytes = defaults.simtBytes;
        options.coupledApart = defaults.coupledApart;
    }
    options.pools = std::move(pools);
}

Fingerprint Fingerprint::withoutPins() const
{
    Fingerprint result = *this;
    result.pins.clear();
    return result;
}

Fingerprint Fingerprint::withoutEdits() const
{
    Fingerprint result = withoutPins();
    result.changes.clear();
    return result;
}

Fingerprint Fingerprint::withoutPools() const
{
    Fingerprint result = *this;
    result.options.pools.clear();
    return result;
}

std::vector<std::pair<std::string_view, std::string>> Fingerprint::fields() const
{
    using namespace lowering;
    std::vector<std::pair<std::string_view, std::string>> all;
    const auto add = [&](std::string_view key, auto value, std::span<const std::string_view> names) {
        all.emplace_back(key, names[static_cast<std::size_t>(value)]);
    };
    if (!given) {
        const LowerOptions defaults;
        add("order", options.order, orderNames);
        if (options.order != Order::hivm) {
            add("loops", options.loops, loopNames);
            add("views", options.views, viewNames);
        }
        add("inplace", options.inPlace, inPlaceNames);
        if (options.isaInPlace) add("restrict-inplace-as-isa", true, switchNames);
        if (options.memPlan != defaults.memPlan) add("mem-plan-mode", options.memPlan, memPlanNames);
        if (options.simtBytes != defaults.simtBytes)
            all.emplace_back("simt-vf-dynamic-size", std::to_string(options.simtBytes / 1024));
        if (options.coupledApart) add("disable-tightly-coupled-buffer-reuse", true, switchNames);
    }
    all.emplace_back("alignment", options.alignment == elementAlignment ? "element" : std::to_string(options.alignment));
    if (!changes.empty()) all.emplace_back("changes", joined(changes));
    if (!pins.empty()) all.emplace_back("pins", joined(pins));
    if (aliases > 0) all.emplace_back("aliases", std::to_string(aliases));
    if (withScratch) all.emplace_back("scratch", "on");
    return all;
}

std::string Fingerprint::text() const
{
    std::string text = given ? "problem" : "";
    for (const auto& [key, value] : fields()) text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
    return text;
}

} // namespace stowage
