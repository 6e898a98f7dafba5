// The format of the settings of all programs: one JSON file. Writing is checked, so that a full disk does not destroy the
// settings.
#pragma once

#include <QByteArray>
#include <QSettings>

#include <optional>

namespace stowage {

/// The format to make every `QSettings` with: JSON, byte arrays as base64. Qt's own INI writer replaces the file even where the
/// last bytes could not be flushed (Qt 6.4: `QSaveFile::commit` does not look at the flush of its close); this one flushes before
/// it says that all is written, and `status()` after `sync()` tells of a failure. Registered at the first call. Thread-safe.
[[nodiscard]] QSettings::Format settingsFormat();

/// The values of a settings file; nothing when it is no JSON object. Without text there are no values.
[[nodiscard]] std::optional<QSettings::SettingsMap> readSettings(const QByteArray& text);
/// The text of a settings file with these values.
[[nodiscard]] QByteArray writeSettings(const QSettings::SettingsMap& values);

/// Writes out what was set, and says on standard error, once for each file, that it could not be written. False then.
bool saved(QSettings& settings);

} // namespace stowage
