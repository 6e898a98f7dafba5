// The format of the settings of all programs: one JSON file. Writing is checked, so that a full disk does not destroy the
// settings.
#pragma once

#include <QByteArray>
#include <QSettings>

#include <optional>

namespace stowage {

/// The format of every `QSettings` of the programs: JSON, byte arrays as base64. Qt's own INI writer replaces the file even if
/// the last bytes could not be flushed (Qt 6.4: `QSaveFile::commit` ignores the flush of its close). This one flushes before it
/// reports success, and `status()` after `sync()` reports a failure. Registered by the first call. Thread-safe.
[[nodiscard]] QSettings::Format settingsFormat();

/// The values of a settings file; no value if it is not a JSON object. An empty text has no values.
[[nodiscard]] std::optional<QSettings::SettingsMap> readSettings(const QByteArray& text);
/// The text of a settings file with these values.
[[nodiscard]] QByteArray writeSettings(const QSettings::SettingsMap& values);

/// Writes the settings. Returns false if that fails, and reports it on standard error, once for each file.
bool saved(QSettings& settings);

} // namespace stowage
