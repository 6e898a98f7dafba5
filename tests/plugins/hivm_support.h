// Reading kernels in this process, as the worker does in its own.
#pragma once

#include "core/lower/lower.h"
#include "plugins/hivm/hivm_importer.h"
#include "tests/support/shared.h"

#include <QDir>
#include <QFile>

#include <string>
#include <vector>

namespace stowage::test {

inline std::string textOf(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().toStdString();
}

/// The files of a folder of models/ascend with their paths; empty without the shared files.
inline QStringList ascendFiles(const QString& folder, const QString& pattern)
{
    const QString path = sharedFolder().isEmpty() ? QString() : sharedFolder() + QStringLiteral("/models/ascend/") + folder;
    const QDir dir(path);
    QStringList files;
    if (path.isEmpty()) return files;
    for (const QString& name : dir.entryList({pattern}, QDir::Files, QDir::Name)) files += dir.filePath(name);
    return files;
}

/// The lowering of the entry (or of `function`) as the file itself wants it.
inline Expected<Lowering> lowered(const Imported& imported, const std::string& function = {},
                                  std::vector<std::pair<std::string, std::string>> more = {})
{
    Program program = std::get<Program>(imported.content);
    for (std::size_t f = 0; f < program.functions.size(); ++f)
        if (program.functions[f].name == function) program.entry = static_cast<FunctionId>(f);
    LowerOptions options;
    for (const auto* list : {&program.lowering, &more})
        for (const auto& [key, value] : *list)
            if (auto error = options.set(key, value)) return *std::move(error);
    return lower(program, options);
}

} // namespace stowage::test
