// Finds files by patterns.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

/// Files that match `pattern`, relative to `folder` (absolute for an absolute pattern), ascending by bytes. `*` and `?` match
/// within a name, `[...]` one character of a set, `**` any count of folders. A pattern without any of these is returned unchanged
/// if the file exists. Hidden files match only if the pattern for their name begins with a dot. Links to folders are not
/// followed. Stops early on `cancel`.
std::vector<std::string> filesMatching(const std::string& folder, const std::string& pattern, const std::stop_token& cancel = {});

/// Whether a text is a valid pattern; not valid is a range with the wrong order: "[z-a].csv".
bool isPattern(const std::string& text);

/// Count of regular files whose names are not UTF-8 among those that `filesMatching` looks at. No pattern matches such names.
std::size_t filesOutsideUtf8(const std::string& folder, const std::string& pattern, const std::stop_token& cancel = {});

} // namespace stowage
