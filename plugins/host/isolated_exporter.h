// Exporters of plug-ins: libraries, whose code runs in the worker, and programs.
#pragma once

#include "plugins/api/exporter.h"
#include "plugins/host/plugin_host.h"

#include <QString>

#include <memory>
#include <stop_token>
#include <vector>

namespace stowage {

/// The exporters of a usable plug-in. `worker`: path of stowage-worker. A crash, a hang or too much output ends the worker or the
/// program and becomes an error, and so does a file whose name leads out of its folder. `Exporter::write` blocks, and may be
/// called from any thread. `stop` ends it.
[[nodiscard]] std::vector<std::shared_ptr<const Exporter>> exportersOf(const PluginRow& row, const QString& worker,
                                                                       const std::stop_token& stop = {});

} // namespace stowage
