// File names that are not UTF-8 inside Qt's strings. On Linux a name is any sequence of bytes; `QFile` writes those that it
// cannot decode as question marks, and does not find the file again.
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace stowage {

/// The path for the bytes of a name. A byte b that is not part of UTF-8 becomes the lone surrogate 0xDC00 + b (as in PEP 383).
[[nodiscard]] QString pathFromNative(std::string_view bytes);
/// The bytes of a name from such a path.
[[nodiscard]] std::string nativePath(const QString& path);
/// Whether Qt's own classes can open a file of this name.
[[nodiscard]] bool isUtf8Path(const QString& path);

} // namespace stowage
