// Reading models in this process, as the worker does in its own.
#pragma once

#include "plugins/tflite/tflite_importer.h"
#include "tests/plugins/importing.h"
#include "tests/support/shared.h"

#include <QFile>

#include <string>

namespace stowage::test {

inline std::string bytesOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}

inline Expected<Imported> importBytes(std::string_view bytes, const Options& options = {}, const Bindings& bindings = {},
                                      const std::string& path = "model.tflite")
{
    return tflite::TfliteImporter().import({path, bytes, bindings, options});
}

} // namespace stowage::test
