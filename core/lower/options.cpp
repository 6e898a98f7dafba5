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
    if (key == "restrict-inplace-as-isa") return choose(isaInPlace, key, value, switchNames);
    return failure("bad-option", fmt::format("there is no lowering option '{}'", key), {},
                   "they are 'order', 'loops', 'views', 'inplace' and 'restrict-inplace-as-isa'");
}

namespace lowering {

std::string fingerprint(const LowerOptions& options)
{
    const auto name = [](auto value, std::span<const std::string_view> of) { return of[static_cast<std::size_t>(value)]; };
    if (options.order == Order::hivm) // loops and views are as the compiler has them
        return fmt::format("order=hivm inplace={}{} alignment={}", name(options.inPlace, inPlaceNames), options.isaInPlace ? " restrict-inplace-as-isa=on" : "",
                           options.alignment);
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

} // namespace lowering

} // namespace stowage
