// Finds files by patterns.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// Files that match `pattern`, as paths relative to `folder` (as the pattern was written: absolute ones stay absolute), ascending
/// by bytes. `*` and `?` match within a name, `[...]` one of a set, `**` any number of folders. A pattern without any of these
/// is returned as it is when the file exists. Hidden files match only where the pattern begins their name with a dot. Does not
/// follow links to folders. Stops early on `cancel`.
std::vector<std::string> filesMatching(const std::string& folder, const std::string& pattern, const std::stop_token& cancel = {});

/// False for a text with a set in brackets that is none: "[z-a].csv".
bool isPattern(const std::string& text);

/// Number of regular files that `filesMatching` looks at, and whose names are not UTF-8: no pattern matches them.
std::size_t filesOutsideUtf8(const std::string& folder, const std::string& pattern, const std::stop_token& cancel = {});

} // namespace stowage
