// Changes of a whole model that make its plan smaller: order of ops, in-place results, views, pools, alignment.
#pragma once

#include "app/session/session.h"

#include <optional>
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
};

struct Lever {
    LeverKind kind = LeverKind::order;
    Bytes size = 0;           ///< total size of the best plan found with it
    Bytes moved = 0;          ///< `secondMemory`: bytes that the other memory takes
    std::string buffer;       ///< `secondMemory`: the name of the buffer that goes there
    bool equalsBound = false; ///< `size` is proved smallest for the changed model
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

/// "let results lie on their inputs (--lower inplace=allowed)".
[[nodiscard]] std::string describe(const Lever& lever);

} // namespace stowage
