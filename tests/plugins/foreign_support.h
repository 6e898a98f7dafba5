// What tests of readers of other runtimes' files share: reading one, and looking into what came of it.
#pragma once

#include "plugins/api/importer.h"
#include "tests/support/shared.h"

#include <QByteArray>
#include <QFile>

#include <algorithm>
#include <string>

namespace stowage::test {

/// Reads the bytes as `Reader` does a file.
template <typename Reader>
Expected<Imported> importedBy(const QByteArray& bytes, const std::string& path)
{
    return Reader().import({path, {bytes.constData(), std::size_t(bytes.size())}, {}, {}});
}

inline std::string errorOf(const Expected<Imported>& imported)
{
    return imported ? std::string() : toText(imported.error());
}

/// A file of ../shared/models/foreign; empty where it is absent.
inline QByteArray foreignFile(const QString& name)
{
    QFile file(sharedFile("models/foreign/") + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline const std::vector<NamedProblem>& problemsOf(const Imported& imported)
{
    return std::get<std::vector<NamedProblem>>(imported.content);
}

inline const Buffer* bufferOf(const Problem& problem, const std::string& name)
{
    for (const Buffer& buffer : problem.buffers)
        if (buffer.name == name) return &buffer;
    return nullptr;
}

/// Where a plan of the file places a buffer; -1: it does not.
inline Bytes offsetOf(const Imported& imported, const std::string& name, std::size_t plan = 0)
{
    const FilePlan& from = imported.plans.at(plan);
    const Problem& problem = problemsOf(imported).at(at(from.problem)).problem;
    for (const FilePlan::Offset& offset : from.offsets)
        if (problem.buffers.at(at(offset.tensor)).name == name) return offset.offset;
    return -1;
}

/// The most bytes that are live at once in a memory; step by step, of buffers with one candidate.
inline Bytes maxLive(const Problem& problem, PoolId pool)
{
    Bytes most = 0;
    for (Step step = 0; step < problem.horizon(); ++step) {
        Bytes live = 0;
        for (const Buffer& buffer : problem.buffers)
            for (const Interval& range : buffer.live)
                if (range.contains(step) && buffer.pools.front() == pool) live += buffer.size;
        most = std::max(most, live);
    }
    return most;
}

} // namespace stowage::test
