// Identifies the version of Stowage and the build of its core library.
#pragma once

#include <string>

namespace stowage {

/// "0.1.0"
const char* programVersion();

/// The first 16 hexadecimal digits of the SHA-256 of the core library's file: equal for equal builds. Read once; "unknown" if the
/// file cannot be read.
const std::string& buildId();

} // namespace stowage
