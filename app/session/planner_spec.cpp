#include "app/session/planner_spec.h"

#include <algorithm>

namespace stowage {

PlannerSpec plannerSpec(std::string_view text)
{
    PlannerSpec spec;
    auto end = std::min(text.find(':'), text.size());
    spec.name = text.substr(0, end);
    while (end < text.size()) {
        const auto begin = end + 1;
        end = std::min(text.find(':', begin), text.size());
        const std::string_view option = text.substr(begin, end - begin);
        const auto equals = option.find('=');
        if (equals == std::string_view::npos)
            spec.options.emplace_back(std::string(option), std::string());
        else
            spec.options.emplace_back(std::string(option.substr(0, equals)), std::string(option.substr(equals + 1)));
    }
    return spec;
}

} // namespace stowage
