// The command line that plans a run again, for the report.
#pragma once

#include "app/session/session.h"

#include <string>

namespace stowage {

/// One of both is empty.
struct AgainCommand {
    std::string line;   ///< for a shell, without the folders of files
    std::string whyNot; ///< what no option can say: "not from the command line: 1 pinned buffer; its ops were edited"
};

/// The command line that makes a report on the plan of `run` from the file `file` of `model` (a name without folder). Its pools
/// are those of `request.target`, with every property: by a target's name or file, by capacities, or by TVM's flags. `function`:
/// the function that is read; empty: all.
[[nodiscard]] AgainCommand againCommand(const Session& session, const Model& model, const PlanRequest& request, const Run& run,
                                        const std::string& file, const std::string& function);

} // namespace stowage
