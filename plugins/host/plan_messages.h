// Messages between host and worker for a planning.
#pragma once

#include "core/plan/planner.h"
#include "plugins/host/archive_plan.h"

#include <string>

namespace stowage {

/// Names of frames.
namespace frame {
inline constexpr auto planOrder = "plan";      ///< to the worker: PlanOrder
inline constexpr auto cancel = "cancel";       ///< to the worker while it plans: stop, and answer with the best plan
inline constexpr auto incumbent = "incumbent"; ///< Incumbent
inline constexpr auto planned = "planned";     ///< Plan: the answer
} // namespace frame

struct PlanOrder {
    std::string plugin;  ///< path of the library
    std::string planner; ///< name of the planner in the library
    Problem problem;
    OptionValues options;
    std::uint64_t seed = 0;
    std::uint64_t workLimit = 0;
    std::uint32_t threads = 1;
    std::int64_t deadlineMs = 0; ///< milliseconds from the arrival of the order; 0: none
};

template <typename Archive, SameAs<PlanOrder> T>
void fields(Archive& archive, T& value)
{
    auto& [plugin, planner, problem, options, seed, workLimit, threads, deadlineMs] = value;
    archive(plugin, planner, problem, options, seed, workLimit, threads, deadlineMs);
}

template <typename Archive, SameAs<Incumbent> T>
void fields(Archive& archive, T& value)
{
    auto& [plan, bound, work] = value;
    archive(plan, bound, work);
}

} // namespace stowage
