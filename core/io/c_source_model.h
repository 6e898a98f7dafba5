// A planned model for which C code is generated.
#pragma once

#include "core/plan/run.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace stowage::io {

/// One planned model.
struct CSourceModel {
    std::string name; ///< name of the model object, and part of all other names
    const Run* run = nullptr;
    std::map<std::string, std::vector<std::uint8_t>> constants; ///< known bytes of constants, by name of tensor or buffer
    bool internalWorkspaces = false; ///< true: workspaces are arrays in the generated source (use case U1); false: the
                                     ///< application provides them (U2, U3)
};

} // namespace stowage::io
