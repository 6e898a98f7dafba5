// Reads the metadata of a plugin library. Does not need the library itself.
#pragma once

#include "plugins/host/plugin_host.h"

class QJsonObject;

namespace stowage {

/// The row of a library with the metadata `whole`, in the form of `QPluginLoader::metaData`: "IID", and under "MetaData" the
/// plugin's JSON file. A refused plugin gets a row too.
[[nodiscard]] PluginRow pluginOf(const QString& libraryPath, const QJsonObject& whole);

} // namespace stowage
