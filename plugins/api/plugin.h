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
/// exporters. 5: buffers, placements and plans have another layout than in older libraries; options without a bound have an
/// infinite one. 6: a problem names the buffers of unknown size (`Problem::unknownSizes`), with another layout.
#define STOWAGE_PLUGIN_API_VERSION 6
#define STOWAGE_PLUGIN_API_OLDEST 6
#define STOWAGE_PLUGIN_IID "org.stowage.Plugin/1"

namespace stowage {

// A library reads and writes these types in place. Another layout needs another version, and is the oldest that works.
#if defined(__GLIBCXX__) && defined(__LP64__) && !defined(_GLIBCXX_DEBUG)
static_assert(STOWAGE_PLUGIN_API_VERSION == 6, "write down the sizes of the new version");
static_assert(sizeof(Buffer) == 216 && sizeof(Pool) == 200 && sizeof(Problem) == 216,
              "raise STOWAGE_PLUGIN_API_VERSION and …_OLDEST");
static_assert(sizeof(Interval) == 16 && sizeof(Window) == 32, "raise STOWAGE_PLUGIN_API_VERSION and …_OLDEST");
static_assert(sizeof(Placement) == 32 && sizeof(Plan) == 176, "raise STOWAGE_PLUGIN_API_VERSION and …_OLDEST");
static_assert(sizeof(SearchCertificate) == 96 && sizeof(Certificate) == 104 && sizeof(Run) == 544,
              "raise STOWAGE_PLUGIN_API_VERSION and …_OLDEST");
static_assert(sizeof(OptionSpec) == 144 && sizeof(PlannerInfo) == 160 && sizeof(PlanContext) == 88 && sizeof(Diagnostic) == 152,
              "raise STOWAGE_PLUGIN_API_VERSION and …_OLDEST");
static_assert(sizeof(Program) == 112 && sizeof(Function) == 128 && sizeof(Tensor) == 264 && sizeof(Op) == 416,
              "raise STOWAGE_PLUGIN_API_VERSION and …_OLDEST");
#endif

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
