// Runs the real stowage-cli.
#pragma once

#include "tests/support/paths.h"

#include <QByteArray>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QtGlobal>

namespace stowage::test {

struct CliResult {
    int status = -1;
    QByteArray out;
    QByteArray err;

    [[nodiscard]] QJsonObject object() const { return QJsonDocument::fromJson(out).object(); }
    [[nodiscard]] QJsonArray array() const { return QJsonDocument::fromJson(out).array(); }
};

class Cli {
public:
    [[nodiscard]] static QString program()
    {
        return qEnvironmentVariable("STOWAGE_BIN", QCoreApplication::applicationDirPath() + "/../bin") + "/stowage-cli";
    }

    CliResult operator()(const QStringList& arguments, const QByteArray& input = {}) const
    {
        QProcess process;
        process.start(program(), arguments);
        process.write(input);
        process.closeWriteChannel();
        if (!process.waitForFinished(60'000)) process.kill();
        CliResult result;
        result.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
        result.out = process.readAllStandardOutput();
        result.err = process.readAllStandardError();
        return result;
    }

    /// A file in a folder that is gone after the test.
    QString file(const QString& name, const QByteArray& text) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
        return file.fileName();
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] QByteArray contents(const QString& name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    [[nodiscard]] static QString sample(const char* name)
    {
        return QString::fromUtf8(STOWAGE_SOURCE_DIR "/resources/samples/") + QString::fromUtf8(name);
    }

private:
    QTemporaryDir folder_;
};

/// Three buffers: a and b are live at step 1, b and c at step 2, so 30 bytes are live at most, of 40 in all.
inline const char* const threeBuffers = "id,lower,upper,size\na,0,2,10\nb,1,3,20\nc,2,4,10\n";

} // namespace stowage::test
