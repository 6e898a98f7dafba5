// The interface of an in-process plugin. The loader reads the JSON metadata first and compares the whole IID and the
// API range before any code of the plugin runs (see plugins/host).
#pragma once

#include "core/plan/planner.h"
#include "plugins/api/exporter.h"
#include "plugins/api/importer.h"
#include "plugins/api/rewriter.h"

#include <QtPlugin>

#include <memory>

/// Version of this interface. The metadata of a plugin state the version that it was built for (`apiVersion`) and the oldest host
/// that it works with (`compatVersion`). The host accepts it if compatVersion <= STOWAGE_PLUGIN_API_VERSION and apiVersion >=
/// STOWAGE_PLUGIN_API_OLDEST.
///
/// 2: adds rewriters. 3: codes of diagnostics are values (core/ir/code.h), with another layout than in older libraries. 4: adds
/// exporters.
#define STOWAGE_PLUGIN_API_VERSION 4
#define STOWAGE_PLUGIN_API_OLDEST 3
#define STOWAGE_PLUGIN_IID "org.stowage.Plugin/1"

namespace stowage {

class Plugin {
public:
    virtual ~Plugin() = default;
    [[nodiscard]] virtual std::vector<std::shared_ptr<const Importer>> importers() const { return {}; }
    [[nodiscard]] virtual std::vector<std::shared_ptr<const Planner>> planners() const { return {}; }
    /// Asked only when the metadata lists "rewriters".
    [[nodiscard]] virtual std::vector<std::shared_ptr<const Rewriter>> rewriters() const { return {}; }
    /// Asked only when the metadata lists "exporters".
    [[nodiscard]] virtual std::vector<std::shared_ptr<const Exporter>> exporters() const { return {}; }
};

} // namespace stowage

Q_DECLARE_INTERFACE(stowage::Plugin, STOWAGE_PLUGIN_IID)
