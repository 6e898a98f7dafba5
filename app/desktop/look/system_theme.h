// Reads whether the desktop's theme is dark, and reports changes.
#pragma once

#include <QObject>

class QDBusVariant;

namespace stowage {

/// Reads `org.freedesktop.appearance color-scheme` of the settings portal without blocking; emits nothing without a portal. (Qt
/// has this from 6.5.)
class SystemTheme : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;
    void start();

Q_SIGNALS:
    void darkChanged(bool dark);

private Q_SLOTS:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);
};

} // namespace stowage
