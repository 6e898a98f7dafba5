#include "plugins/external/option_reader.h"

#include "core/io/json_reader.h"
#include "core/ir/parsed_number.h"
#include "core/plan/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace stowage::external {

namespace {

constexpr std::array<std::string_view, 5> typeNames{"flag", "int", "real", "text", "choice"}; // by enumerator of OptionType

/// An integer as it is written, because a double cannot represent all integers beyond 2^53. Empty `written`: 0.
std::string numberText(std::string_view written)
{
    if (parsedNumber<std::int64_t>(written)) return std::string(written);
    return fmt::format("{}", parsedNumber<double>(written).value_or(0));
}

/// `value` as an option of the type takes it: an integer has no exponent.
std::string numberText(double value, OptionType type)
{
    const bool whole = type == OptionType::integer && std::trunc(value) == value;
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

} // namespace

bool isId(std::string_view text)
{
    const auto plain = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !text.empty() && text.size() <= 64 && text.front() != '-' && std::all_of(text.begin(), text.end(), plain);
}

void readOption(io::JsonReader& in, OptionSource source, std::vector<OptionSpec>& options)
{
    OptionSpec spec;
    bool typeGiven = false;
    bool defaultGiven = false;
    const std::size_t start = in.offset();
    const auto field = [&](std::string_view key) {
        if (key == "name")
            in.read(spec.name);
        else if (key == "type") {
            in.read(spec.type, typeNames);
            typeGiven = true;
        } else if (key == "default") {
            defaultGiven = true;
            switch (in.type()) {
            case io::JsonType::boolean: spec.defaultValue = in.boolean() ? "true" : "false"; break;
            case io::JsonType::number: spec.defaultValue = numberText(in.raw()); break;
            default: in.read(spec.defaultValue);
            }
        } else if (key == "min")
            in.read(spec.minimum);
        else if (key == "max")
            in.read(spec.maximum);
        else if (key == "choices")
            in.array([&] { spec.choices.emplace_back(in.string()); });
        else if (key == "help" || (key == "description" && source == OptionSource::library))
            in.read(spec.description);
    };
    if (source == OptionSource::manifest)
        in.object({"name", "type"}, field);
    else
        in.object({"name"}, field);
    if (!in.ok()) return;
    const auto bad = [&](const std::string& message) {
        in.failAt(start, Code::badOption, fmt::format("option '{}': {}", spec.name, message));
    };
    if (!isId(spec.name)) return bad("its name is not made of lower-case letters, digits and '-'");
    if (std::any_of(options.begin(), options.end(), [&](const OptionSpec& other) { return other.name == spec.name; }))
        return bad("there are two of that name");
    if (!typeGiven && !spec.choices.empty()) spec.type = OptionType::choice;
    if (spec.type == OptionType::choice && spec.choices.empty()) return bad("it is a choice, and has no choices");
    if (spec.minimum > spec.maximum) return bad("its min is above its max");
    if (!defaultGiven) {
        const double nearest = std::clamp(0.0, spec.minimum, spec.maximum);
        if (spec.type == OptionType::boolean) spec.defaultValue = "false";
        if (spec.type == OptionType::integer || spec.type == OptionType::number)
            spec.defaultValue = numberText(nearest, spec.type);
        if (spec.type == OptionType::choice) spec.defaultValue = spec.choices.front();
    }
    PlannerInfo judge;
    judge.options = {spec};
    if (const auto error = checkOptions(judge, {{spec.name, spec.defaultValue}}))
        return bad(fmt::format("its default does not suit it: {}", error->message));
    options.push_back(std::move(spec));
}

Expected<std::vector<OptionSpec>> readOptions(std::string_view json, OptionSource source)
{
    io::JsonReader in(json, {});
    std::vector<OptionSpec> options;
    in.array([&] { readOption(in, source, options); });
    if (!in.finish()) return in.error();
    return options;
}

} // namespace stowage::external
