// The search and the improvers of `auto`, side by side.
#pragma once

#include "core/plan/planner.h"

#include <string>

namespace stowage {

// A node costs 20 to 40 ns for each buffer; so the default stops after about two seconds whatever the size. It counts work and
// not time, so that the plan is the same on every machine.
constexpr std::uint64_t portfolioWork = 60'000'000; ///< nodes times buffers
// Beyond this many buffers the search's neighbour lists would outgrow memory before the search could gain anything.
constexpr std::size_t maxBuffersForSearch = 4000;

/// The note on which member gave the plan, or why none did.
[[nodiscard]] Diagnostic memberNote(std::string text);

/// The exact search beside the improver (core/planners/improve) and greedy orders that learn. They run in rounds.
/// In a round each member has a fixed amount of work and knows only what was found before it; what they find is compared when all
/// are done. So the result is the same for any number of threads, each of which takes the next member that nobody has taken; the
/// improver is the last member, and has all threads. A member that reaches the bound stops those that come after it in the list,
/// whose results could not count any more, and no others.
/// Begins with `start`, a plan of a quick heuristic, and returns it or a smaller one, named after `info`, with a note on which
/// member gave it. `context.workLimit` counts nodes of the search; 0: portfolioWork / buffers, or without end where there is a
/// deadline. Anytime; publishes better plans.
[[nodiscard]] Plan improvedByPortfolio(const Problem& problem, const PlanContext& context, const PlannerInfo& info,
                                       const OptionValues& options, Plan start);

} // namespace stowage
