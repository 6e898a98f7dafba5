// The search and the improvers of `auto`, side by side.
#pragma once

#include "core/plan/planner.h"

#include <string>

namespace stowage {

// A node of the exact search takes 20 to 40 ns for each buffer, so that the default limit is reached after about two seconds for
// every size. It counts work and not time, so that the plan is the same on every machine.
constexpr std::uint64_t portfolioWork = 60'000'000; ///< nodes times buffers
// Above this number of buffers, the neighbour lists of the exact search need too much memory.
constexpr std::size_t maxBuffersForSearch = 4000;

/// The note that names the member that found the plan, or says why none did.
[[nodiscard]] Diagnostic memberNote(std::string text);

/// The exact search beside the improver (core/planners/improve) and greedy orders that learn. They run in rounds.
/// In a round each member has a fixed amount of work and knows only results of earlier rounds; their results are compared at the
/// end of the round. Therefore the result is the same for any number of threads. Each thread takes the next member that has not
/// been taken; the improver is the last member and uses all threads. A member that reaches the bound stops only the members after
/// it in the list, whose results can no longer count. Starts from `start`, a plan of a quick heuristic. Returns it or a smaller
/// plan, with the planner's name from `info` and a note that names the member that found it. `context.workLimit` counts nodes of
/// the search; 0: portfolioWork / buffers, or no limit if there is a deadline. Anytime; publishes better plans.
[[nodiscard]] Plan improvedByPortfolio(const Problem& problem, const PlanContext& context, const PlannerInfo& info,
                                       const OptionValues& options, Plan start);

} // namespace stowage
