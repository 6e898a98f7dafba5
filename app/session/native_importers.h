// Built-in importers of Stowage's text formats and of MiniMalloc's CSV, with the interface of plug-ins. They run in this process.
#pragma once

#include "plugins/api/importer.h"

#include <memory>
#include <vector>

namespace stowage {

/// program JSON, problem JSON, CSV.
std::vector<std::unique_ptr<const Importer>> nativeImporters();

} // namespace stowage
