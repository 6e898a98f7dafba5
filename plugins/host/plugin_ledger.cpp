#include "plugins/host/plugin_ledger.h"

#include "plugins/host/settings_format.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>

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

constexpr auto crashedWord = "crashed";

/// A process, told from a later one of the same number.
struct ProcessName {
    qint64 pid = 0;     ///< 0: none
    qint64 started = 0; ///< in ticks since the machine's start
};

/// Nothing when there is no such process, or when it has ended and only waits to be asked how.
std::optional<ProcessName> processOf(qint64 pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (pid <= 0 || !file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QByteArray line = file.readAll();
    // The name in brackets may hold anything; state is the first field after it, the start the twentieth.
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 1).simplified().split(' ');
    constexpr qsizetype startField = 19;
    if (fields.size() <= startField || fields.front() == "Z" || fields.front() == "X") return std::nullopt;
    return ProcessName{pid, fields[startField].toLongLong()};
}

bool alive(const ProcessName& process)
{
    const auto now = processOf(process.pid);
    return now && now->started == process.started;
}

/// What a lock file says.
struct Mark {
    bool crashed = false; ///< seen by the host
    ProcessName loader;
    ProcessName host; ///< none: the loader is the host
};

/// Nothing when the mark is gone.
std::optional<Mark> readMark(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QList<QByteArray> words = file.readAll().simplified().split(' ');
    Mark mark;
    mark.crashed = words.contains(crashedWord);
    const auto number = [&](qsizetype i) { return i < words.size() ? words[i].toLongLong() : 0; };
    mark.loader = {number(0), number(1)};
    mark.host = {number(2), number(3)};
    return mark;
}

template <typename Do>
void forMarksOf(qint64 pid, const Do& change)
{
    if (pid <= 0) return;
    for (const QFileInfo& file : QDir(markFolder()).entryInfoList(QDir::Files))
        if (const auto mark = readMark(file.filePath()); mark && mark->loader.pid == pid) change(file.filePath());
}

} // namespace

bool PluginLedger::disabled(const QString& id) const
{
    return settings().value(key("disabled", id)).toBool();
}

QString PluginLedger::file()
{
    return settings().fileName();
}

bool PluginLedger::setDisabled(const QString& id, bool disabled)
{
    QSettings to = settings();
    if (disabled)
        to.setValue(key("disabled", id), true);
    else
        to.remove(key("disabled", id));
    return saved(to);
}

bool PluginLedger::confirmed(const QString& fingerprint) const
{
    return !fingerprint.isEmpty() && settings().value(key("confirmed", fingerprint)).toBool();
}

bool PluginLedger::confirm(const QString& fingerprint)
{
    QSettings to = settings();
    to.setValue(key("confirmed", fingerprint), true);
    return saved(to);
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
        if (!to.contains(group + QStringLiteral("/code"))) return;
        to.remove(group);
        saved(to);
        return;
    }
    to.setValue(group + QStringLiteral("/code"), QString::fromStdString(std::string(codeText(*failure))));
    to.setValue(group + QStringLiteral("/message"), QString::fromStdString(failure->message));
    to.setValue(group + QStringLiteral("/when"), QDateTime::currentSecsSinceEpoch());
    saved(to);
}

bool PluginLedger::crashedWhileLoading(const QString& id) const
{
    const auto mark = readMark(markFile(id));
    if (!mark) return false;
    if (mark->crashed) return true;
    if (alive(mark->loader)) return false;
    // A worker does not outlive its host; what a host saw of its worker's end it has noted.
    return mark->host.pid == 0 || alive(mark->host);
}

bool PluginLedger::forgetCrash(const QString& id)
{
    const QString mark = markFile(id);
    return QFile::remove(mark) || !QFile::exists(mark);
}

void PluginLedger::forgetMarksOf(qint64 pid)
{
    forMarksOf(pid, [](const QString& path) { QFile::remove(path); });
}

void PluginLedger::keepMarksOf(qint64 pid)
{
    forMarksOf(pid, [](const QString& path) {
        QFile file(path);
        if (file.open(QIODevice::Append)) file.write(QByteArray(" ") + crashedWord);
    });
}

PluginLedger::LoadMark::LoadMark(const QString& id, LoadedIn process) : file_(markFile(id))
{
    QByteArray words;
    const auto add = [&](qint64 pid) {
        const ProcessName name = processOf(pid).value_or(ProcessName{pid, 0});
        words += QByteArray::number(name.pid) + ' ' + QByteArray::number(name.started) + ' ';
    };
    add(::getpid());
    if (process == LoadedIn::worker) add(::getppid());
    QDir().mkpath(QFileInfo(file_).path());
    QFile file(file_);
    if (file.open(QIODevice::WriteOnly)) file.write(words);
}

PluginLedger::LoadMark::~LoadMark()
{
    QFile::remove(file_);
}

} // namespace stowage
