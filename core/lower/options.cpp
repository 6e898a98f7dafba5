#include "core/lower/options.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <span>

namespace stowage {

namespace {

/// Sets `to` to the choice that `value` names; the error lists the choices.
template <typename Enum>
std::optional<Error> choose(Enum& to, std::string_view key, std::string_view value, std::span<const std::string_view> names)
{
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == value) {
            to = static_cast<Enum>(i);
            return std::nullopt;
        }
        list += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == names.size() ? " or " : ", ", names[i]);
    }
    return failure("bad-option", fmt::format("the lowering option '{}' cannot be '{}'", key, value), {},
                   fmt::format("it is {}", list));
}

} // namespace

std::optional<Error> LowerOptions::set(std::string_view key, std::string_view value)
{
    using namespace lowering;
    if (key == "order") return choose(order, key, value, orderNames);
    if (key == "loops") return choose(loops, key, value, loopNames);
    if (key == "views") return choose(views, key, value, viewNames);
    if (key == "inplace") return choose(inPlace, key, value, inPlaceNames);
    return failure("bad-option", fmt::format("there is no lowering option '{}'", key), {},
                   "they are 'order', 'loops', 'views' and 'inplace'");
}

namespace lowering {

std::string fingerprint(const LowerOptions& options)
{
    const auto name = [](auto value, std::span<const std::string_view> of) { return of[static_cast<std::size_t>(value)]; };
    return fmt::format("order={} loops={} views={} inplace={} alignment={}", name(options.order, orderNames),
                       name(options.loops, loopNames), name(options.views, viewNames), name(options.inPlace, inPlaceNames),
                       options.alignment);
}

std::optional<Error> check(const LowerOptions& options)
{
    if (options.alignment < 1 || options.alignment > maxBytes)
        return failure("bad-option", fmt::format("the alignment is {}", options.alignment), {},
                       "give a positive number of bytes");
    return std::nullopt;
}

std::optional<Error> checkAvailable(const LowerOptions& options)
{
    const auto missing = [](std::string_view what, std::string_view instead) {
        return failure("not-available", fmt::format("{} is not available in this version", what), {},
                       fmt::format("use --lower {}", instead));
    };
    if (options.order == Order::hivm) return missing("the order 'hivm'", "order=linear");
    return std::nullopt;
}

} // namespace lowering

} // namespace stowage
