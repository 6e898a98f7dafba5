// Identifies the build of the core library.
#pragma once

#include <string>

namespace stowage {

/// The first 16 hexadecimal digits of the SHA-256 of the core library's file: equal for equal builds. Read once; "unknown" if the
/// file cannot be read.
const std::string& buildId();

} // namespace stowage
