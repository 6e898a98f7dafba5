// Reading models and the reference figures about them.
#pragma once

#include "plugins/tflite/tflite_importer.h"
#include "tests/support/shared.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <string>
#include <utility>
#include <vector>

namespace stowage::test {

inline std::string bytesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}

using Options = std::vector<std::pair<std::string, std::string>>;
using Bindings = std::vector<std::pair<std::string, std::int64_t>>;

inline Expected<Imported> importBytes(std::string_view bytes, const Options& options = {}, const Bindings& bindings = {},
                                      const std::string& path = "model.tflite")
{
    return tflite::TfliteImporter().import({path, bytes, bindings, options});
}

/// The entries of reference.json for TFLite models.
inline QList<QJsonObject> referenceModels()
{
    QFile file(sharedFile("models/reference.json"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QList<QJsonObject> models;
    for (const auto& entry : QJsonDocument::fromJson(file.readAll()).object().value(QLatin1String("models")).toArray()) {
        if (entry[QLatin1String("format")].toString() == QLatin1String("tflite")) models.append(entry.toObject());
    }
    return models;
}

inline std::string text(const Error& error)
{
    return toText(error);
}

} // namespace stowage::test
