// Small MLIR modules, and facts about plans of them and modules that were written.
#pragma once

#include "tests/cli/cli_process.h"

#include <QMap>
#include <QRegularExpression>
#include <QSet>

#include <sys/resource.h>

namespace stowage::test {

/// In a body, "$M" is a memref of 1,024 bytes, and "exp %x, %y" writes %y from %x.
inline QByteArray spelled(const QByteArray& text)
{
    static const QRegularExpression step(QStringLiteral("\\bexp (%[\\w#]+), (%[\\w#]+)"));
    QString whole = QString::fromUtf8(text);
    whole.replace(step, "linalg.exp ins(\\1 : $M) outs(\\2 : $M)");
    return whole.replace("$M", "memref<256xf32>").toUtf8();
}

/// A module with the function f, whose body begins in line 2, and further functions.
inline QByteArray moduleOf(const QByteArray& body, const QByteArray& more = {})
{
    return spelled("func.func @f(%c: i1, %in: $M, %out: $M) {" + body + "  return\n}\n" + more);
}

/// The bounds of loops of eight iterations.
inline const QByteArray bounds = "  %c0 = arith.constant 0 : index\n"
                                 "  %c1 = arith.constant 1 : index\n"
                                 "  %c8 = arith.constant 8 : index\n";

/// The line, from 1, in which `part` stands first.
inline int lineOf(const QByteArray& text, const QByteArray& part)
{
    const qsizetype found = text.indexOf(part);
    return found < 0 ? -1 : int(text.left(found).count('\n')) + 1;
}

/// The bytes that a buffer takes, [begin, end).
struct Place {
    qint64 begin = 0;
    qint64 end = 0;
};

inline QMap<QString, Place> placesIn(const test::CliResult& plan)
{
    QMap<QString, Place> places;
    const QJsonArray placements = plan.object()["placements"].toArray();
    for (const QJsonValue& each : placements) {
        const qint64 offset = each["offset"].toInteger();
        places[each["buffer"].toString()] = {offset, offset + each["size"].toInteger()};
    }
    return places;
}

/// Two of the buffers that share a byte; empty if there are none.
inline QString overlapIn(const QMap<QString, Place>& places)
{
    for (auto a = places.begin(); a != places.end(); ++a)
        for (auto b = std::next(a); b != places.end(); ++b)
            if (a->begin < b->end && b->begin < a->end) return a.key() + " and " + b.key();
    return {};
}

/// The folder of mlir-opt and mlir-cpu-runner; empty without mlir-19-tools.
inline QString mlirTools()
{
    const QString folder = QStringLiteral("/usr/lib/llvm-19/bin");
    return QFile::exists(folder + "/mlir-opt") && QFile::exists(folder + "/mlir-cpu-runner") ? folder : QString();
}

/// Runs mlir_equal.py, which needs `mlirTools()`: the module and its folded form of each mode, compiled and interpreted.
inline CliResult comparedWithFolded(const QString& path, const QStringList& modes)
{
    QProcess script;
    script.start("python3", QStringList{QStringLiteral(STOWAGE_SOURCE_DIR "/tests/cli/mlir_equal.py"), mlirTools(),
                                        Cli::program(), STOWAGE_MLIR_INTERPRETER, STOWAGE_MLIR_READER, path} +
                                modes);
    const bool ended = script.waitForFinished(240'000) && script.exitStatus() == QProcess::NormalExit;
    return {ended ? script.exitCode() : -1, script.readAllStandardOutput(), script.readAllStandardError()};
}

/// Checks a module with MLIR's verifier; true without mlir-19-tools.
inline bool verifies(const QString& path)
{
    const QString program = QStringLiteral("/usr/lib/llvm-19/bin/mlir-opt");
    if (!QFile::exists(program)) return true;
    QProcess verifier;
    verifier.start(program, {"--allow-unregistered-dialect", path});
    return verifier.waitForFinished(60'000) && verifier.exitStatus() == QProcess::NormalExit && verifier.exitCode() == 0;
}

/// The arenas that the views of a module are in, and the number of views.
struct Views {
    QSet<QString> arenas;
    int count = 0;
};

inline Views viewsIn(const QByteArray& text)
{
    static const QRegularExpression view(QStringLiteral("memref\\.view (%\\w+)\\["));
    Views found;
    for (auto it = view.globalMatch(QString::fromUtf8(text)); it.hasNext(); ++found.count) found.arenas << it.next().captured(1);
    return found;
}

/// Time of a processor that ended children and theirs have taken: what others do on the machine hardly counts.
inline double secondsOfChildren()
{
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

} // namespace stowage::test
