#include "app/cli/arguments.h"

#include "core/ir/neighbours.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace stowage::cli {

namespace {

/// Suffix of the name of a group with rare options. No heading contains a control character.
constexpr std::string_view rareMark = "\x01";

/// Takes whole numbers that the variable can hold, decimal or hexadecimal with 0x. CLI11 reads an empty text as 0, leading zeros
/// as octal, and what is too large as the largest number.
template <typename Integer>
CLI::Option* wholeOnly(CLI::Option* option)
{
    option->transform(CLI::Validator(
        [](std::string& text) {
            std::string_view digits = text;
            const bool negative = digits.starts_with('-');
            if (negative || digits.starts_with('+')) digits.remove_prefix(1);
            const bool hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
            if (hexadecimal) digits.remove_prefix(2);
            std::uint64_t size = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, hexadecimal ? 16 : 10);
            if (digits.empty() || end != digits.data() + digits.size() || error == std::errc::invalid_argument)
                return fmt::format("'{}' is not a whole number", text);
            if (negative && std::is_unsigned_v<Integer> && size > 0) return fmt::format("'{}' is below 0", text);
            const std::uint64_t most = static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()) + (negative ? 1 : 0);
            if (error != std::errc() || size > most) return fmt::format("'{}' is too {}", text, negative ? "small" : "large");
            text = fmt::format("{}{}", negative && size > 0 ? "-" : "", size);
            return std::string();
        },
        std::string()));
    return option;
}

/// Takes finite numbers. CLI11 compares others with its limits, which have hundreds of digits in its messages.
CLI::Option* finiteOnly(CLI::Option* option)
{
    option->check(CLI::Validator(
        [](std::string& text) {
            double value = 0;
            if (text.empty() || !CLI::detail::lexical_cast(text, value)) return fmt::format("'{}' is not a number", text);
            return std::isfinite(value) ? std::string() : fmt::format("'{}' is not a finite number", text);
        },
        std::string()));
    return option;
}

/// Takes numbers above 0, or also 0.
CLI::Validator aboveZero(bool alsoZero)
{
    return {[alsoZero](std::string& text) {
                double value = 0;
                if (!CLI::detail::lexical_cast(text, value)) return fmt::format("'{}' is not a number", text);
                if (value > 0 || (alsoZero && value == 0)) return std::string();
                return fmt::format("'{}' is {} 0", text, alsoZero ? "below" : "not above");
            },
            alsoZero ? "NONNEGATIVE" : "POSITIVE"};
}

} // namespace

Argument Argument::required()
{
    option_->required();
    return *this;
}

Argument Argument::typeName(const std::string& name)
{
    option_->type_name(name);
    return *this;
}

Argument Argument::group(const std::string& name)
{
    option_->group(name);
    return *this;
}

Argument Argument::rare()
{
    if (!Arguments::isRare(*option_)) option_->group(option_->get_group() + std::string(rareMark));
    return *this;
}

Argument Argument::showDefault()
{
    option_->capture_default_str();
    return *this;
}

Argument Argument::showDefault(const std::string& text)
{
    option_->default_str(text);
    return *this;
}

Argument Argument::oneValueEach()
{
    option_->allow_extra_args(false);
    return *this;
}

Argument Argument::excludes(const std::string& other)
{
    option_->excludes(other);
    return *this;
}

Argument Argument::oneOf(std::vector<std::string> choices)
{
    const std::string shown = fmt::format("{{{}}}", fmt::join(choices, ","));
    option_->check(CLI::Validator(
        [choices = std::move(choices)](std::string& text) {
            if (std::find(choices.begin(), choices.end(), text) != choices.end()) return std::string();
            return fmt::format("there is no '{}'; {}", text, suggestion(text, choices, "choices"));
        },
        shown));
    return *this;
}

Argument Argument::between(int least, int most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

Argument Argument::between(double least, double most)
{
    option_->check(CLI::Range(least, most));
    return *this;
}

Argument Argument::notEmpty()
{
    option_->check(
        CLI::Validator([](std::string& text) { return std::string(text.empty() ? "it must not be empty" : ""); }, std::string()));
    return *this;
}

Argument Argument::positive()
{
    option_->check(aboveZero(false));
    return *this;
}

Argument Argument::notNegative()
{
    option_->check(aboveZero(true));
    return *this;
}

Argument Argument::whenGiven(std::function<void()> tell)
{
    option_->each([tell = std::move(tell)](const std::string&) { tell(); });
    return *this;
}

Argument Arguments::option(const std::string& names, std::string& to, const std::string& help)
{
    return Argument(app_.add_option(names, to, help));
}

Argument Arguments::option(const std::string& names, std::vector<std::string>& to, const std::string& help)
{
    return Argument(app_.add_option(names, to, help));
}

Argument Arguments::option(const std::string& names, int& to, const std::string& help)
{
    return Argument(wholeOnly<int>(app_.add_option(names, to, help)));
}

Argument Arguments::option(const std::string& names, unsigned& to, const std::string& help)
{
    return Argument(wholeOnly<unsigned>(app_.add_option(names, to, help)));
}

Argument Arguments::option(const std::string& names, std::int64_t& to, const std::string& help)
{
    return Argument(wholeOnly<std::int64_t>(app_.add_option(names, to, help)));
}

Argument Arguments::option(const std::string& names, std::uint64_t& to, const std::string& help)
{
    return Argument(wholeOnly<std::uint64_t>(app_.add_option(names, to, help)));
}

Argument Arguments::option(const std::string& names, double& to, const std::string& help)
{
    return Argument(finiteOnly(app_.add_option(names, to, help)));
}

Argument Arguments::flag(const std::string& names, bool& to, const std::string& help)
{
    return Argument(app_.add_flag(names, to, help));
}

Arguments Arguments::command(const std::string& name, const std::string& summary, std::function<void()> chosen)
{
    app_.require_subcommand(1);
    CLI::App* sub = app_.add_subcommand(name, summary);
    sub->callback(std::move(chosen));
    return Arguments(*sub);
}

void Arguments::footer(const std::string& text)
{
    app_.footer(text);
}

bool Arguments::isRare(const CLI::Option& option)
{
    return option.get_group().ends_with(rareMark);
}

std::string Arguments::groupOfRare(const CLI::Option& option)
{
    const std::string& group = option.get_group();
    return group.substr(0, group.size() - rareMark.size());
}

std::optional<std::string> parseText(const std::string& text, const std::function<void(Arguments&)>& declare)
{
    CLI::App app;
    app.set_help_flag();
    Arguments arguments(app);
    declare(arguments);
    try {
        app.parse(text, false);
    } catch (const CLI::ParseError& error) {
        return error.what();
    }
    return std::nullopt;
}

} // namespace stowage::cli
