#include "core/lower/options.h"

#include "core/ir/checked.h"
#include "core/ir/neighbours.h"
#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

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
    return failure(Code::badOption, fmt::format("the lowering option '{}' cannot be '{}'", key, value), {},
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
    if (key == "disable-tightly-coupled-buffer-reuse") return choose(coupledApart, key, value, switchNames);
    if (key == "mem-plan-mode") return choose(memPlan, key, value, memPlanNames);
    if (key == "simt-vf-dynamic-size") {
        const Bytes kilobytes = parsedNumber<Bytes>(value).value_or(0);
        if (kilobytes < 1 || kilobytes > maxSimtKilobytes)
            return failure(Code::badOption, fmt::format("the lowering option '{}' cannot be '{}'", key, value), {},
                           fmt::format("it is a number of KB from 1 to {}", maxSimtKilobytes));
        simtBytes = kilobytes * 1024;
        return std::nullopt;
    }
    const std::string names[] = {"order",
                                 "loops",
                                 "views",
                                 "inplace",
                                 "mem-plan-mode",
                                 "restrict-inplace-as-isa",
                                 "simt-vf-dynamic-size",
                                 "disable-tightly-coupled-buffer-reuse"};
    return failure(Code::badOption, fmt::format("there is no lowering option '{}'", key), {},
                   suggestion(key, names, "lowering options"));
}

namespace lowering {

std::optional<Error> check(const LowerOptions& options)
{
    if (options.alignment < 0 || options.alignment > maxBytes)
        return failure(Code::badOption, fmt::format("the alignment is {}", options.alignment), {},
                       "give a positive number of bytes");
    return std::nullopt;
}

} // namespace lowering

} // namespace stowage
