// What tests of planners that are programs share: the script that misbehaves on request, and manifests that name it.
#pragma once

#include "tests/cli/cli_process.h"

#include <QProcess>
#include <QString>

namespace stowage::test {

inline const char* const hostileScript = STOWAGE_SOURCE_DIR "/tests/plugins/hostile/hostile.py";

/// A manifest that runs the script with `arguments` (JSON texts, separated by commas); `more` are further fields.
inline QByteArray hostileManifest(const QString& id, const QString& transport, const QString& arguments, const QString& more = {})
{
    return QStringLiteral(R"({"id": "%1", "protocol": 1, "transport": "%2", "argv": ["python3", "%3", %4]%5})")
        .arg(id, transport, QString::fromLatin1(hostileScript), arguments, more)
        .toUtf8();
}

/// Settings and data of the user are in the folder of `cli`, and python3 is the interpreter itself. Where it is a script that
/// looks for the interpreter, each of the many starts would take a third of a second.
inline bool prepareForPlugins(const Cli& cli)
{
    qputenv("XDG_CONFIG_HOME", cli.path(QStringLiteral("config")).toUtf8());
    qputenv("XDG_DATA_HOME", cli.path(QStringLiteral("data")).toUtf8());
    qunsetenv("STOWAGE_PLUGIN_PATH");
    QProcess python;
    python.start("python3", {"-c", "import os, sys; print(os.path.dirname(sys.executable), end='')"});
    if (!python.waitForFinished(60'000) || python.exitCode() != 0) return false;
    qputenv("PATH", python.readAllStandardOutput() + ":" + qgetenv("PATH"));
    return true;
}

/// The code of the first message in the JSON of a plan.
inline QString codeOf(const CliResult& result)
{
    return result.object()["diagnostics"].toArray().first().toObject()["code"].toString();
}

} // namespace stowage::test
