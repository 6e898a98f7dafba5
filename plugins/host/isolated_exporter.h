// Exporters of others: libraries, whose code runs in the worker, and programs by manifest.
#pragma once

#include "plugins/api/exporter.h"
#include "plugins/host/plugin_host.h"

#include <QString>

#include <memory>
#include <stop_token>
#include <vector>

namespace stowage {

/// Those of a usable plug-in. What they do costs no more than an error: a crash, a hang or a flood ends the worker or the
/// program, and files with names that lead out of their folder are refused. `write` blocks, and may be called from any thread.
[[nodiscard]] std::vector<std::shared_ptr<const Exporter>> exportersOf(const PluginRow& row, const QString& worker,
                                                                       const std::stop_token& stop = {});

} // namespace stowage
