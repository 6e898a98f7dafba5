// Changes of a whole model that make its plan smaller: order of ops, in-place results, views, pools, alignment, and tensors that
// are given up between two uses.
#pragma once

#include "app/session/session.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

enum class LeverKind : std::uint8_t {
    order,        ///< the ops in another order
    inPlace,      ///< results on their inputs' bytes, where the model permits it
    views,        ///< views share the bytes of the viewed tensor
    secondMemory, ///< the buffer that helps most goes to another memory
    alignment,    ///< no alignment beyond a byte
    spill,        ///< a tensor is copied to another memory between two uses
    recompute,    ///< an op runs a second time, so that its result need not be kept
};

struct Lever {
    LeverKind kind = LeverKind::order;
    Bytes size = 0;     ///< total size of the best plan found with it
    Bytes moved = 0;    ///< `secondMemory`, `spill`: bytes that the other memory takes
    std::string buffer; ///< `secondMemory`, `spill`, `recompute`: name of the buffer that goes there or is given up
    std::string op;     ///< `recompute`: name of the op that runs twice
    Step after = 0;     ///< `spill`, `recompute`: step of the last use before the buffer is given up
    Step before = 0;    ///< and of the first use when it is there again
    std::shared_ptr<const Program> program; ///< `order`, `spill`, `recompute`: the model changed so
    bool equalsBound = false;               ///< `size` is proved smallest for the changed model
};

struct Levers {
    Bytes unchanged = 0;          ///< total size of the best plan found without any, by the same means
    std::vector<Lever> found;     ///< those that give less, the smallest plan first
    std::vector<LeverKind> tried; ///< those of which a plan was judged, whether it is smaller or not
};

/// Plans the model once without a change and once with each: with a short search of fixed work, so that the answer is the same on
/// every machine. A lever that is in use already (the request asks for it) or that the input has no use for (a problem has no
/// ops) is not tried. Planning errors leave a lever out.
[[nodiscard]] Levers findLevers(const Session& session, const Model& model, const PlanRequest& request, const Run& run,
                                const std::stop_token& stop = {});

/// "another order of the ops", for a list of what was tried.
[[nodiscard]] std::string_view nameOf(LeverKind kind);

/// "write results in place where the model permits it".
[[nodiscard]] std::string describe(const Lever& lever);
/// The same with the option or command of `stowage-cli` that does it: "… (--lower inplace=allowed)".
[[nodiscard]] std::string describeForCommandLine(const Lever& lever);

} // namespace stowage
