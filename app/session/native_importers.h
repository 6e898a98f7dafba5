// The text formats of our own and MiniMalloc's CSV, behind the interface that all importers have. They run in process.
#pragma once

#include "plugins/api/importer.h"

#include <memory>
#include <vector>

namespace stowage {

/// program JSON, problem JSON, CSV.
std::vector<std::unique_ptr<const Importer>> nativeImporters();

} // namespace stowage
