#include "plugins/host/plugin_ledger.h"

#include "plugins/host/settings_format.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace stowage {

namespace {

QSettings settings()
{
    return {settingsFormat(), QSettings::UserScope, QStringLiteral("stowage"), QStringLiteral("plugins")};
}

QString key(const char* group, const QString& id)
{
    // Any id is one key, whatever it has in it.
    return QLatin1String(group) + u'/' + QString::fromLatin1(id.toUtf8().toPercentEncoding());
}

QString markFolder()
{
    return QFileInfo(settings().fileName()).path() + QStringLiteral("/loading/");
}

QString markFile(const QString& id)
{
    return markFolder() + QString::fromLatin1(QCryptographicHash::hash(id.toUtf8(), QCryptographicHash::Sha1).toHex());
}

/// The process that wrote a mark; 0 when the mark is gone.
qint64 processOf(const QString& mark)
{
    QFile file(mark);
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toLongLong() : 0;
}

} // namespace

bool PluginLedger::disabled(const QString& id) const
{
    return settings().value(key("disabled", id)).toBool();
}

void PluginLedger::setDisabled(const QString& id, bool disabled)
{
    QSettings to = settings();
    if (disabled)
        to.setValue(key("disabled", id), true);
    else
        to.remove(key("disabled", id));
}

bool PluginLedger::confirmed(const QString& fingerprint) const
{
    return settings().value(key("confirmed", fingerprint)).toBool();
}

void PluginLedger::confirm(const QString& fingerprint)
{
    settings().setValue(key("confirmed", fingerprint), true);
}

std::optional<PluginFailure> PluginLedger::lastFailure(const QString& id) const
{
    const QSettings from = settings();
    const QString group = key("failed", id);
    PluginFailure failure{from.value(group + QStringLiteral("/code")).toString(),
                          from.value(group + QStringLiteral("/message")).toString(),
                          from.value(group + QStringLiteral("/when")).toLongLong()};
    if (failure.code.isEmpty()) return std::nullopt;
    return failure;
}

void PluginLedger::noteOutcome(const QString& id, const std::optional<Error>& failure)
{
    QSettings to = settings();
    const QString group = key("failed", id);
    if (!failure) {
        if (to.contains(group + QStringLiteral("/code"))) to.remove(group);
        return;
    }
    to.setValue(group + QStringLiteral("/code"), QString::fromStdString(std::string(codeText(*failure))));
    to.setValue(group + QStringLiteral("/message"), QString::fromStdString(failure->message));
    to.setValue(group + QStringLiteral("/when"), QDateTime::currentSecsSinceEpoch());
}

bool PluginLedger::crashedWhileLoading(const QString& id) const
{
    const QString mark = markFile(id);
    if (!QFile::exists(mark)) return false;
    const auto pid = static_cast<pid_t>(processOf(mark));
    const bool alive = pid > 0 && (::kill(pid, 0) == 0 || errno == EPERM);
    return !alive;
}

void PluginLedger::forgetCrash(const QString& id)
{
    QFile::remove(markFile(id));
}

void PluginLedger::forgetMarksOf(qint64 pid)
{
    for (const QFileInfo& mark : QDir(markFolder()).entryInfoList(QDir::Files))
        if (pid > 0 && processOf(mark.filePath()) == pid) QFile::remove(mark.filePath());
}

PluginLedger::LoadMark::LoadMark(const QString& id) : file_(markFile(id))
{
    QDir().mkpath(QFileInfo(file_).path());
    QFile file(file_);
    if (file.open(QIODevice::WriteOnly)) file.write(QByteArray::number(static_cast<qlonglong>(::getpid())));
}

PluginLedger::LoadMark::~LoadMark()
{
    QFile::remove(file_);
}

} // namespace stowage
