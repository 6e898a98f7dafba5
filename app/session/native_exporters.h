// Built-in exporters to formats of other programs, with the interface of plug-ins.
#pragma once

#include "plugins/api/exporter.h"

#include <memory>
#include <vector>

namespace stowage {

/// c-source, c-header, executorch, iree, dsa-solution, chrome-trace.
[[nodiscard]] std::vector<std::shared_ptr<const Exporter>> nativeExporters();

} // namespace stowage
