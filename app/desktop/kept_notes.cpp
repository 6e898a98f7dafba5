#include "app/desktop/kept_notes.h"

#include "plugins/host/settings_format.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

/// A key of settings must have no slash in it, so a file is known by the hash of its path.
QString groupOf(const QString& path)
{
    const QByteArray name = QFileInfo(path).absoluteFilePath().toUtf8();
    return QStringLiteral("notes/") + QString::fromLatin1(QCryptographicHash::hash(name, QCryptographicHash::Sha1).toHex());
}

/// Forgets the files whose notes were changed longest ago.
void forgetOldest(QSettings& settings)
{
    settings.beginGroup(QStringLiteral("notes"));
    std::vector<std::pair<qint64, QString>> files;
    for (const QString& file : settings.childGroups())
        files.emplace_back(settings.value(file + QStringLiteral("/changedAt")).toLongLong(), file);
    std::sort(files.begin(), files.end());
    for (std::size_t i = 0; i + KeptNotes::maxFiles < files.size(); ++i) settings.remove(files[i].second);
    settings.endGroup();
}

} // namespace

std::vector<MapNote> KeptNotes::of(const QString& path)
{
    std::vector<MapNote> notes;
    if (path.isEmpty()) return notes;
    QSettings settings;
    settings.beginGroup(groupOf(path));
    const int count = settings.beginReadArray(QStringLiteral("note"));
    for (int i = 0; i < count; ++i) {
        settings.setArrayIndex(i);
        // Settings written by hand may hold anything.
        if (!settings.contains(QStringLiteral("text"))) break;
        MapNote note;
        note.id = i + 1;
        note.pool = settings.value(QStringLiteral("memory")).toString().toStdString();
        note.step = settings.value(QStringLiteral("step")).toLongLong();
        note.address = settings.value(QStringLiteral("address")).toLongLong();
        note.text = settings.value(QStringLiteral("text")).toString();
        if (note.step >= 0 && note.address >= 0 && !note.text.trimmed().isEmpty()) notes.push_back(std::move(note));
    }
    return notes;
}

void KeptNotes::keep(const QString& path, const std::vector<MapNote>& notes)
{
    if (path.isEmpty()) return;
    QSettings settings;
    settings.remove(groupOf(path));
    if (notes.empty()) {
        saved(settings);
        return;
    }
    settings.beginGroup(groupOf(path));
    settings.setValue(QStringLiteral("file"), QFileInfo(path).absoluteFilePath());
    settings.setValue(QStringLiteral("changedAt"), QDateTime::currentMSecsSinceEpoch());
    settings.beginWriteArray(QStringLiteral("note"), int(notes.size()));
    for (std::size_t i = 0; i < notes.size(); ++i) {
        settings.setArrayIndex(int(i));
        settings.setValue(QStringLiteral("memory"), QString::fromStdString(notes[i].pool));
        settings.setValue(QStringLiteral("step"), qlonglong(notes[i].step));
        settings.setValue(QStringLiteral("address"), qlonglong(notes[i].address));
        settings.setValue(QStringLiteral("text"), notes[i].text);
    }
    settings.endArray();
    settings.endGroup();
    forgetOldest(settings);
    saved(settings);
}

} // namespace stowage
