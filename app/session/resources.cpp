#include "app/session/resources.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QtGlobal>

namespace stowage {

QString resourceFolder()
{
    const QString named = qEnvironmentVariable("STOWAGE_RESOURCES");
    if (!named.isEmpty()) return QDir(named).exists() ? QDir(named).absolutePath() : QString();
    for (const QString& folder : {QCoreApplication::applicationDirPath() + QStringLiteral("/../share/stowage"),
                                  QStringLiteral(STOWAGE_INSTALL_DATA_DIR)}) {
        QString found = QDir(folder).canonicalPath();
        if (!found.isEmpty()) return found;
    }
    return {};
}

QString resourcePath(const QString& relative)
{
    const QString folder = resourceFolder();
    const QFileInfo file(folder + QLatin1Char('/') + relative);
    return !folder.isEmpty() && file.exists() ? file.absoluteFilePath() : QString();
}

} // namespace stowage
