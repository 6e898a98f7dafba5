// Reading models in this process, as the worker does in its own.
#pragma once

#include "plugins/tflite/tflite_importer.h"
#include "tests/support/shared.h"

#include <QFile>

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

inline std::string text(const Error& error)
{
    return toText(error);
}

} // namespace stowage::test
