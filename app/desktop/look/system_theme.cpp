#include "app/desktop/look/system_theme.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace stowage {

namespace {

/// The setting as the portal has it: 0 no preference, 1 dark, 2 light. `Read` wraps its answer in a second variant.
int scheme(QVariant value)
{
    while (value.canConvert<QDBusVariant>()) value = value.value<QDBusVariant>().variant();
    return value.toInt();
}

} // namespace

void SystemTheme::start()
{
    const QString service = QStringLiteral("org.freedesktop.portal.Desktop");
    const QString path = QStringLiteral("/org/freedesktop/portal/desktop");
    const QString interface = QStringLiteral("org.freedesktop.portal.Settings");
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) return;
    bus.connect(service, path, interface, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    QDBusMessage call = QDBusMessage::createMethodCall(service, path, interface, QStringLiteral("Read"));
    call << QStringLiteral("org.freedesktop.appearance") << QStringLiteral("color-scheme");
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call, 2000), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* done) {
        const QDBusPendingReply<QDBusVariant> reply = *done;
        if (reply.isValid())
            if (const int value = scheme(reply.value().variant()); value != 0) Q_EMIT darkChanged(value == 1);
        done->deleteLater();
    });
}

void SystemTheme::settingChanged(const QString& group, const QString& key, const QDBusVariant& value)
{
    if (group == u"org.freedesktop.appearance" && key == u"color-scheme")
        if (const int now = scheme(value.variant()); now != 0) Q_EMIT darkChanged(now == 1);
}

} // namespace stowage
