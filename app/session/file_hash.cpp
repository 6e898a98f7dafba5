#include "app/session/file_hash.h"

#include <QByteArray>
#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

namespace stowage {

std::string fileHash(const QString& path, const std::stop_token& cancel)
{
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly | QIODevice::Unbuffered)) return {};
    QCryptographicHash hash(QCryptographicHash::Sha256);
    QByteArray part(1 << 20, Qt::Uninitialized);
    for (;;) {
        const qint64 count = file.read(part.data(), part.size());
        if (count == 0) break;
        if (count < 0 || cancel.stop_requested()) return {};
        hash.addData(QByteArrayView(part.constData(), count));
    }
    return hash.result().toHex().toStdString();
}

} // namespace stowage
