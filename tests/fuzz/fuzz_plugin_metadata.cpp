// All metadata give either a plugin in which every part has a name, or a refusal with a reason and a remedy.
#include "plugins/api/plugin.h"
#include "plugins/host/plugin_metadata.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

/// True if every entry of the list has a name.
template <typename List>
bool named(const List& list)
{
    return std::all_of(list.begin(), list.end(), [](const auto& each) { return !each.name.empty(); });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace stowage;
    const auto document = QJsonDocument::fromJson(QByteArray(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size)));
    if (!document.isObject()) return 0; // the compiler of the plugin rejects it
    const QJsonObject whole{{QStringLiteral("IID"), QStringLiteral(STOWAGE_PLUGIN_IID)},
                            {QStringLiteral("MetaData"), document.object()}};
    const PluginRow row = pluginOf(QStringLiteral("/nowhere/fuzz.so"), whole);
    if (row.state != PluginState::usable) {
        if (row.reason.isEmpty() || row.remedy.isEmpty()) std::abort();
        return 0;
    }
    if (row.id.isEmpty() || row.name.isEmpty() || row.version.isEmpty()) std::abort();
    if (row.importers.empty() && row.planners.empty() && row.exporters.empty()) std::abort();
    if (!named(row.importers) || !named(row.planners) || !named(row.exporters)) std::abort();
    for (const RewriterInfo& rewriter : row.rewriters)
        if (rewriter.passes.empty() || !named(rewriter.passes)) std::abort();
    return 0;
}
