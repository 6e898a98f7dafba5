#include "app/session/build_id.h"

#include "core/plan/report.h"

#include <QCryptographicHash>
#include <QFile>

#include <dlfcn.h>

namespace stowage {

namespace {

std::string hashOfCore()
{
    Dl_info info{};
    // Any function of the core tells the file that it is in.
    if (dladdr(reinterpret_cast<const void*>(&evaluate), &info) == 0 || !info.dli_fname) return "unknown";
    QFile file(QString::fromLocal8Bit(info.dli_fname));
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) return "unknown";
    return hash.result().toHex().left(16).toStdString();
}

} // namespace

const char* programVersion()
{
    return STOWAGE_VERSION;
}

const std::string& buildId()
{
    static const std::string id = hashOfCore();
    return id;
}

} // namespace stowage
