// The text formats of our own and MiniMalloc's CSV, with the interface of all importers. They run in process.
#pragma once

#include "plugins/api/importer.h"

#include <memory>
#include <vector>

namespace stowage {

/// program JSON, problem JSON, CSV.
std::vector<std::unique_ptr<const Importer>> nativeImporters();

} // namespace stowage
