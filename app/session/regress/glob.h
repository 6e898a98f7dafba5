// Files by pattern.
#pragma once

#include <QString>

#include <string>
#include <vector>

namespace stowage {

/// Files that match `pattern`, as paths relative to `folder` (as the pattern was written: absolute ones stay absolute), ascending
/// by bytes. `*` and `?` match within a name, `[...]` one of a set, `**` any number of folders. A pattern without any of these
/// is returned as it is when the file exists. Hidden files match only where the pattern begins their name with a dot. Does not
/// follow links to folders.
std::vector<std::string> filesMatching(const std::string& folder, const std::string& pattern);

} // namespace stowage
