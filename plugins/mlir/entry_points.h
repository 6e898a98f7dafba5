// The functions of the library that reads modules. The plugin loads that library when the first module is read.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/api/rewriter.h"

#include <optional>

namespace stowage::mlirfile {

struct EntryPoints {
    Expected<Imported> (*import)(const ImportRequest&) = nullptr;
    Expected<Rewritten> (*rewrite)(const RewriteRequest&) = nullptr;
    Expected<std::string> (*runMain)(std::string_view text, const std::string& path) = nullptr; ///< for tests: see execution.h
    /// For tests: what MLIR does before our code sees anything. The error of `parseModule`, or nothing.
    std::optional<Error> (*parse)(std::string_view text, const std::string& path) = nullptr;
};

inline constexpr auto entryPointsName = "stowageMlirEntryPoints";
using GetEntryPoints = EntryPoints (*)();

} // namespace stowage::mlirfile
