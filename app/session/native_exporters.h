// Writers of what other programs take, on the interface that plug-ins have.
#pragma once

#include "plugins/api/exporter.h"

#include <memory>
#include <vector>

namespace stowage {

/// c-source, c-header, executorch, iree, dsa-solution, chrome-trace.
[[nodiscard]] std::vector<std::shared_ptr<const Exporter>> nativeExporters();

} // namespace stowage
