// All planners by name. A new planner is one new file pair and one line in registry.cpp.
#pragma once

#include "core/plan/planner.h"

namespace stowage {

/// A set of planners, in the order in which they are listed to the user. A value: no global state, no registration at start-up.
class PlannerRegistry {
public:
    /// The planners of the core.
    static PlannerRegistry builtIn();

    /// Adds a planner. Returns an error when the name is taken.
    std::optional<Error> add(std::shared_ptr<const Planner> planner);
    /// The planner of this name; null when there is none.
    [[nodiscard]] std::shared_ptr<const Planner> find(std::string_view name) const;
    [[nodiscard]] std::span<const std::shared_ptr<const Planner>> all() const { return planners_; }
    /// The planner, or an error that suggests the nearest name.
    [[nodiscard]] Expected<std::shared_ptr<const Planner>> require(std::string_view name) const;

private:
    std::vector<std::shared_ptr<const Planner>> planners_;
};

} // namespace stowage
