#include "app/session/recent_files.h"

#include "plugins/host/settings_format.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace stowage {

namespace {

QSettings settings()
{
    return {settingsFormat(), QSettings::UserScope, QStringLiteral("stowage"), QStringLiteral("stowage")};
}

std::vector<RecentFile> stored()
{
    std::vector<RecentFile> files;
    QSettings from = settings();
    const int count = std::min(from.beginReadArray(QStringLiteral("recent")), RecentFiles::limit);
    for (int i = 0; i < count; ++i) {
        from.setArrayIndex(i);
        files.push_back({from.value(QStringLiteral("path")).toString(), from.value(QStringLiteral("verdict")).toString(),
                         from.value(QStringLiteral("size")).toLongLong(), from.value(QStringLiteral("openedAt")).toLongLong()});
    }
    return files;
}

void store(const std::vector<RecentFile>& files)
{
    QSettings to = settings();
    to.remove(QStringLiteral("recent"));
    to.beginWriteArray(QStringLiteral("recent"), static_cast<int>(files.size()));
    for (std::size_t i = 0; i < files.size(); ++i) {
        to.setArrayIndex(static_cast<int>(i));
        to.setValue(QStringLiteral("path"), files[i].path);
        to.setValue(QStringLiteral("verdict"), files[i].verdict);
        to.setValue(QStringLiteral("size"), static_cast<qlonglong>(files[i].size));
        to.setValue(QStringLiteral("openedAt"), files[i].openedAt);
    }
    to.endArray();
    saved(to);
}

} // namespace

std::vector<RecentFile> RecentFiles::list()
{
    auto files = stored();
    std::erase_if(files, [](const RecentFile& file) { return !QFileInfo::exists(file.path); });
    return files;
}

void RecentFiles::opened(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    auto files = stored();
    RecentFile entry{absolute, {}, 0, 0};
    if (const auto known = std::find_if(files.begin(), files.end(), [&](const auto& file) { return file.path == absolute; });
        known != files.end()) {
        entry = *known;
        files.erase(known);
    }
    entry.openedAt = QDateTime::currentSecsSinceEpoch();
    files.insert(files.begin(), entry);
    if (files.size() > limit) files.resize(limit);
    store(files);
}

void RecentFiles::planned(const QString& path, const QString& verdict, Bytes size)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    auto files = stored();
    for (RecentFile& file : files)
        if (file.path == absolute && (file.verdict != verdict || file.size != size)) {
            file.verdict = verdict;
            file.size = size;
            store(files);
            return;
        }
}

void RecentFiles::clear()
{
    store({});
}

} // namespace stowage
