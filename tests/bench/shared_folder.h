// Where the reference models and instances lie that benchmarks read.
#pragma once

#include <cstdlib>
#include <string>

namespace stowage::bench {

/// The folder that STOWAGE_SHARED_DIR names, or the one beside the project.
inline std::string sharedFolder()
{
    const char* const named = std::getenv("STOWAGE_SHARED_DIR");
    return named != nullptr && *named != '\0' ? named : STOWAGE_SHARED_DIR;
}

} // namespace stowage::bench
