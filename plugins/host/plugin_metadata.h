// What the metadata of a plugin library say, apart from the library.
#pragma once

#include "plugins/host/plugin_host.h"

class QJsonObject;

namespace stowage {

/// The row of a library with these metadata, as `QPluginLoader::metaData` gives them: "IID", and under "MetaData" the plugin's
/// JSON file. A refusal is a row too.
[[nodiscard]] PluginRow pluginOf(const QString& libraryPath, const QJsonObject& whole);

} // namespace stowage
