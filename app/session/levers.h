// Changes of a whole model that make its plan smaller: the order of ops, in-place results, views, loops, pools, alignment, and
// tensors that are spilled or recomputed between two uses.
#pragma once

#include "app/session/session.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

enum class LeverKind : std::uint8_t {
    order,        ///< another order of the ops
    inPlace,      ///< results in place, where the model permits it
    views,        ///< views share the bytes of the viewed tensor
    loops,        ///< values that loops carry and branches return are not copied, where possible
    secondMemory, ///< the buffer whose move saves most goes to another pool
    alignment,    ///< alignment 1
    spill,        ///< a tensor is copied to another pool between two uses
    recompute,    ///< an op runs a second time, so that its result need not be kept
};

struct Lever {
    LeverKind kind = LeverKind::order;
    Bytes size = 0;                         ///< total size of the best plan found with the change
    Bytes moved = 0;                        ///< `secondMemory`, `spill`: bytes in the other pool
    std::string buffer;                     ///< name of the buffer that is moved, spilled or recomputed
    std::string op;                         ///< `recompute`: name of the op that runs twice
    Step after = 0;                         ///< step of the last use before the gap
    Step before = 0;                        ///< `spill`, `recompute`: step of the first use after the gap
    std::shared_ptr<const Program> program; ///< the changed model
    bool smallest = false;                  ///< proved: no plan of the changed model is smaller; never if the run is partial
    std::shared_ptr<const Run> run;         ///< that plan
};

struct Levers {
    Bytes unchanged = 0;          ///< total size of the best plan found without a change, by the same search
    std::vector<Lever> found;     ///< changes with a smaller plan, the smallest first
    std::vector<LeverKind> tried; ///< kinds for which a plan was found, smaller or not
};

/// Plans the model once without a change and once with each change, by a short search of fixed work, so that the answer is the
/// same on every machine. All are lowered as `run` is, also by the options that its planner asks for, so that their sizes compare
/// with its own. A change is not tried if it does not apply to the input (a problem has no ops; an order that is not the listed
/// one; nothing to carry, or `loops=precise` already). If planning fails, the change is left out. Nothing is tried if
/// `whyNotTried` has a reason.
[[nodiscard]] Levers findLevers(const Session& session, const Model& model, const PlanRequest& request, const Run& run,
                                const std::stop_token& stop = {});
/// "the problem has more than 100,000 buffers", "the plan is not valid"; empty: changes are tried.
[[nodiscard]] std::string whyNotTried(const Run& run);

/// "another order of the ops", for a list of the kinds that were tried.
[[nodiscard]] std::string_view nameOf(LeverKind kind);

/// "write results in place where the model permits it".
[[nodiscard]] std::string describe(const Lever& lever);
/// The same with the option or command of `stowage-cli` that makes the change: "… (--lower inplace=allowed)".
[[nodiscard]] std::string describeForCommandLine(const Lever& lever);

} // namespace stowage
