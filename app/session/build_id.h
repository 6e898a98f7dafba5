// Identifies the version of Stowage and its build.
#pragma once

#include <QString>

#include <optional>
#include <string>

namespace stowage {

/// "0.1.0"
const char* programVersion();

/// The first 16 hexadecimal digits of the SHA-256 of the core library's file: equal for equal builds. Read once; "unknown" if the
/// file cannot be read.
const std::string& buildId();

/// A text that differs between versions of a file: of a program or library its GNU build id and size, without reading the rest;
/// of other files the SHA-256 of the bytes. No value if it is not a regular file that can be read.
std::optional<std::string> fileVersion(const QString& path);

/// The file of the core library; empty if it is not known.
QString coreFile();
/// The running program's file, also after it was moved or removed.
QString programFile();

} // namespace stowage
