// A planned model that becomes a C source.
#pragma once

#include "core/plan/run.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stowage::io {

/// One planned model.
struct CSourceModel {
    std::string name; ///< becomes the name of the model object, and part of all others
    const Run* run = nullptr;
    std::map<std::string, std::vector<std::uint8_t>> constants; ///< bytes of constants by tensor name, where they are known
    bool internalWorkspaces = false; ///< the workspaces are arrays of the generated source (U1), not the application's (U2, U3)
};

} // namespace stowage::io
