// Reads a manifest from its text: see manifest.h for the form.
#pragma once

#include "plugins/external/manifest.h"

#include <string>
#include <string_view>

namespace stowage::external {

/// Reads a manifest. `path` is that of its file, absolute: `{dir}` in `argv` stands for its folder. Errors, each with its
/// position in `text`: unknown or missing fields, options that cannot be used, placeholders without a meaning. O(text).
[[nodiscard]] Expected<Manifest> readManifest(std::string_view text, const std::string& path);

} // namespace stowage::external
