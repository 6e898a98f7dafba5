// Tells whether a file is the one that was read before.
#pragma once

#include <QString>

#include <stop_token>
#include <string>

namespace stowage {

/// SHA-256 of a file, 64 hexadecimal digits; empty if it cannot be read, or `cancel` asks for an end. About 100 MB a second.
[[nodiscard]] std::string fileHash(const QString& path, const std::stop_token& cancel = {});

} // namespace stowage
