#include "core/plan/planner.h"

#include "core/ir/neighbours.h"
#include "core/ir/occupied.h"
#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

std::optional<bool> parseFlag(std::string_view text)
{
    if (text == "true" || text == "on" || text == "yes" || text == "1") return true;
    if (text == "false" || text == "off" || text == "no" || text == "0") return false;
    return std::nullopt;
}

const OptionSpec* findOption(const PlannerInfo& info, std::string_view name)
{
    const auto found =
        std::find_if(info.options.begin(), info.options.end(), [&](const OptionSpec& spec) { return spec.name == name; });
    return found == info.options.end() ? nullptr : &*found;
}

Error outOfRange(const OptionSpec& spec, std::string_view value)
{
    const bool both = std::isfinite(spec.minimum) && std::isfinite(spec.maximum);
    return failure(Code::optionOutOfRange, fmt::format("option '{}' is {}, {} {}", spec.name, value,
                                                       both ? "outside" : "and has to be", boundsText(spec)));
}

std::optional<Error> checkValue(const OptionSpec& spec, std::string_view value)
{
    const auto outside = [&](double number) { return !(number >= spec.minimum && number <= spec.maximum); };
    const auto wrong = [&](std::string_view expected) {
        return failure(Code::badOptionValue, fmt::format("option '{}' takes {}, not '{}'", spec.name, expected, value));
    };
    switch (spec.type) {
    case OptionType::boolean:
        if (!parseFlag(value)) return wrong("true or false");
        break;
    case OptionType::integer: {
        const auto number = parsedNumber<std::int64_t>(value);
        if (!number) return wrong("an integer");
        if (outside(static_cast<double>(*number))) return outOfRange(spec, value);
        break;
    }
    case OptionType::number: {
        const auto number = parsedNumber<double>(value);
        if (!number || !std::isfinite(*number)) return wrong("a number");
        if (outside(*number)) return outOfRange(spec, value);
        break;
    }
    case OptionType::choice:
        if (std::find(spec.choices.begin(), spec.choices.end(), value) == spec.choices.end())
            return wrong(fmt::format("one of {}", fmt::join(spec.choices, ", ")));
        break;
    case OptionType::text: break;
    }
    return std::nullopt;
}

} // namespace

std::optional<StoppedBy> PlanContext::shouldStop(std::uint64_t work) const
{
    if (cancel.stop_requested()) return StoppedBy::cancelled;
    if (workLimit > 0 && work >= workLimit) return StoppedBy::workLimit;
    if (deadline && std::chrono::steady_clock::now() >= *deadline) return StoppedBy::deadline;
    return std::nullopt;
}

std::string_view optionValue(const PlannerInfo& info, const OptionValues& values, std::string_view name)
{
    const auto given = std::find_if(values.rbegin(), values.rend(), [&](const auto& value) { return value.first == name; });
    if (given != values.rend()) return given->second;
    const OptionSpec* spec = findOption(info, name);
    return spec ? std::string_view(spec->defaultValue) : std::string_view();
}

bool optionFlag(const PlannerInfo& info, const OptionValues& values, std::string_view name)
{
    return parseFlag(optionValue(info, values, name)).value_or(false);
}

std::int64_t optionInteger(const PlannerInfo& info, const OptionValues& values, std::string_view name)
{
    return parsedNumber<std::int64_t>(optionValue(info, values, name)).value_or(0);
}

double optionNumber(const PlannerInfo& info, const OptionValues& values, std::string_view name)
{
    return parsedNumber<double>(optionValue(info, values, name)).value_or(0);
}

std::string boundsText(const OptionSpec& spec)
{
    const bool low = std::isfinite(spec.minimum), high = std::isfinite(spec.maximum);
    if (low && high) return fmt::format("{} to {}", spec.minimum, spec.maximum);
    if (low) return fmt::format("at least {}", spec.minimum);
    return high ? fmt::format("at most {}", spec.maximum) : std::string();
}

std::optional<Error> checkOptions(const PlannerInfo& info, const OptionValues& values)
{
    for (const auto& [name, value] : values) {
        const OptionSpec* spec = findOption(info, name);
        if (!spec) {
            std::vector<std::string> names;
            for (const OptionSpec& option : info.options) names.push_back(option.name);
            return failure(Code::unknownOption, fmt::format("planner '{}' has no option '{}'", info.name, name), {},
                           names.empty() ? "it has no options" : suggestion(name, names, "options"));
        }
        if (auto error = checkValue(*spec, value)) return error;
    }
    return std::nullopt;
}

std::optional<Error> checkCapabilities(const PlannerInfo& info, const Problem& problem)
{
    const auto refuse = [&](std::string_view what, const std::string& name) {
        return failure(Code::notSupported, fmt::format("planner '{}' does not support {} ('{}')", info.name, what, name), {},
                       "choose another planner");
    };
    const Capabilities& takes = info.takes;
    if (!takes.multiplePools && problem.pools.size() > 1) return refuse("more than one pool", problem.pools[1].name);
    if (!takes.capacities)
        for (const Pool& pool : problem.pools)
            if (pool.capacity) return refuse("pools with a capacity", pool.name);
    for (const Buffer& buffer : problem.buffers) {
        if (!takes.pins && buffer.pin) return refuse("pinned buffers", buffer.name);
        if (!takes.gaps && buffer.live.size() > 1) return refuse("live ranges with holes", buffer.name);
        if (!takes.windows && buffer.hasWindows()) return refuse("windows", buffer.name);
        if (!takes.explicitConflicts && !buffer.conflicts.empty()) return refuse("explicit conflicts", buffer.name);
        if (!takes.slots && buffer.slots > 1) return refuse("buffers with several slots", buffer.name);
        if (!takes.carried && iterationsMeet(buffer, 1))
            return refuse("values carried beside a newer value of the same buffer", buffer.name);
    }
    return std::nullopt;
}

} // namespace stowage
