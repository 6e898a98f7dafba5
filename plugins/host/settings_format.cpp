#include "plugins/host/settings_format.h"

#include <QFileDevice>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMutex>
#include <QSet>

#include <cstdio>

namespace stowage {

namespace {

constexpr QLatin1String bytesKey("base64");

QJsonValue toJson(const QVariant& value)
{
    switch (value.typeId()) {
    case QMetaType::QByteArray: return QJsonObject{{bytesKey, QString::fromLatin1(value.toByteArray().toBase64())}};
    case QMetaType::QVariantList:
    case QMetaType::QStringList: {
        QJsonArray array;
        for (const QVariant& one : value.toList()) array.append(toJson(one));
        return array;
    }
    default: return QJsonValue::fromVariant(value);
    }
}

QVariant fromJson(const QJsonValue& value)
{
    if (value.isObject()) return QByteArray::fromBase64(value.toObject().value(bytesKey).toString().toLatin1());
    if (!value.isArray()) return value.toVariant();
    QVariantList list;
    const QJsonArray array = value.toArray();
    for (const QJsonValue one : array) list << fromJson(one);
    return list;
}

bool read(QIODevice& device, QSettings::SettingsMap& map)
{
    auto values = readSettings(device.readAll());
    if (values) map.insert(*values);
    return values.has_value();
}

bool write(QIODevice& device, const QSettings::SettingsMap& map)
{
    const QByteArray text = writeSettings(map);
    if (device.write(text) != text.size()) return false;
    // What is still in the buffer is written by the close, whose failure nobody would see.
    auto* file = qobject_cast<QFileDevice*>(&device);
    return !file || file->flush();
}

} // namespace

std::optional<QSettings::SettingsMap> readSettings(const QByteArray& text)
{
    if (text.trimmed().isEmpty()) return QSettings::SettingsMap();
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(text, &error);
    if (error.error != QJsonParseError::NoError || !document.isObject()) return std::nullopt;
    QSettings::SettingsMap values;
    const QJsonObject all = document.object();
    for (auto one = all.begin(); one != all.end(); ++one) values.insert(one.key(), fromJson(one.value()));
    return values;
}

QByteArray writeSettings(const QSettings::SettingsMap& values)
{
    QJsonObject all;
    for (auto one = values.begin(); one != values.end(); ++one) all.insert(one.key(), toJson(one.value()));
    return QJsonDocument(all).toJson();
}

QSettings::Format settingsFormat()
{
    static const QSettings::Format format = QSettings::registerFormat(QStringLiteral("json"), read, write);
    return format;
}

bool saved(QSettings& settings)
{
    settings.sync();
    if (settings.status() == QSettings::NoError) return true;
    static QMutex mutex;
    static QSet<QString> told;
    const QMutexLocker lock(&mutex);
    if (!told.contains(settings.fileName())) {
        told.insert(settings.fileName());
        std::fprintf(stderr, "warning: settings were not saved: %s cannot be %s; the file stays as it is\n",
                     qUtf8Printable(settings.fileName()), settings.status() == QSettings::FormatError ? "read" : "written");
    }
    return false;
}

} // namespace stowage
