// A manifest as a row: what it says, and whether its program is there.
#include "plugins/external/command_line.h"
#include "plugins/external/external_planner.h"
#include "plugins/external/manifest_reader.h"
#include "plugins/host/plugin_host.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

#include <array>

namespace stowage {

namespace {

constexpr qint64 largestManifest = qint64{1} << 20;

/// The program of a manifest: on PATH when it is a bare name, else a path, from the manifest's folder. Empty when it is not
/// there.
QString programOf(const external::Manifest& manifest)
{
    const auto words = external::commandLine(manifest, {{"dir", manifest.folder}});
    if (words.empty()) return {};
    const QString word = QString::fromStdString(words.front());
    if (!word.contains(u'/')) return QStandardPaths::findExecutable(word);
    const QFileInfo file(QDir(QString::fromStdString(manifest.folder)), word);
    return file.isFile() && file.isExecutable() ? file.absoluteFilePath() : QString();
}

/// Identifies what a permission covers: the manifest, the place of its program, and the contents of the files that its command
/// line names, such as the script of an interpreter. A program from elsewhere, such as this interpreter, may be updated.
/// O(files).
QString fingerprintOf(const PluginRow& row, const QByteArray& text, const QString& program)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(text);
    const QString own = QDir(QString::fromStdString(row.manifest->folder)).canonicalPath() + u'/';
    const QString place = QFileInfo(program).canonicalFilePath();
    for (const QString& path : filesOf(row)) {
        const QString canonical = QFileInfo(path).canonicalFilePath();
        QFile file(path);
        if (path == row.path || (canonical == place && !canonical.startsWith(own))) continue;
        if (!file.open(QIODevice::ReadOnly) || !hash.addData(&file)) return {}; // never permitted
    }
    return QString::fromLatin1(hash.result().toHex().left(32)) + u':' + place;
}

} // namespace

PluginRow readManifestFile(const QString& path)
{
    PluginRow row;
    row.path = QFileInfo(path).absoluteFilePath();
    row.id = row.name = QFileInfo(path).completeBaseName();
    QFile file(row.path);
    if (file.size() > largestManifest || !file.open(QIODevice::ReadOnly)) {
        row.refuse(file.size() > largestManifest ? QStringLiteral("it is larger than 1 MiB") : file.errorString(),
                   QStringLiteral("Correct or remove the file."));
        return row;
    }
    const QByteArray text = file.readAll();
    auto manifest = external::readManifest({text.constData(), static_cast<std::size_t>(text.size())}, row.path.toStdString());
    if (!manifest) {
        const Error& error = manifest.error();
        const QString line = error.where.line > 0 ? QStringLiteral("line %1: ").arg(error.where.line) : QString();
        row.refuse(line + QString::fromStdString(error.message),
                   error.remedy.empty() ? QStringLiteral("Correct the manifest.") : QString::fromStdString(error.remedy));
        return row;
    }
    row.id = QString::fromStdString(manifest->id);
    row.name = QString::fromStdString(manifest->name);
    row.version = QString::fromStdString(manifest->version);
    row.license = QString::fromStdString(manifest->license);
    row.description = QString::fromStdString(manifest->description);
    row.timeout = manifest->timeout;
    const std::string title = manifest->description.empty() ? manifest->name : manifest->description;
    switch (manifest->kind) {
    case external::ManifestKind::planner:
        row.kind = QStringLiteral("planner");
        row.planners = {external::externalPlanner(*manifest)->info()};
        break;
    case external::ManifestKind::importer:
        row.kind = QStringLiteral("importer");
        row.importers = {{manifest->id, title, manifest->suffixes, manifest->options}};
        break;
    case external::ManifestKind::exporter:
        row.kind = QStringLiteral("exporter");
        row.exporters = {{manifest->id, title, manifest->suffixes, ExportForm::file, false, manifest->options}};
        break;
    }
    const QString program = programOf(*manifest);
    if (program.isEmpty()) {
        row.refuse(QStringLiteral("its program \"%1\" is not there").arg(QString::fromStdString(manifest->argv.front().front())),
                   QStringLiteral("Install the program on PATH, or correct the first word of \"argv\"."));
    } else {
        manifest->argv.front().front() = program.toStdString();
        row.state = PluginState::usable;
    }
    row.manifest = std::make_shared<const external::Manifest>(*std::move(manifest));
    if (row.state == PluginState::usable) row.fingerprint = fingerprintOf(row, text, program);
    return row;
}

QStringList filesOf(const PluginRow& row)
{
    QStringList files{row.path};
    if (!row.manifest) {
        const QFileInfo library(QFileInfo(row.path).canonicalFilePath());
        const QDir above(QFileInfo(library.path()).path());
        for (const QString& name :
             above.entryList({library.completeBaseName() + QStringLiteral("-*.so")}, QDir::Files, QDir::Name))
            files << above.filePath(name);
        return files;
    }
    const QDir folder(QString::fromStdString(row.manifest->folder));
    for (const std::string& word : external::commandLine(*row.manifest, {{"dir", row.manifest->folder}}))
        if (const QFileInfo file(folder, QString::fromStdString(word)); file.isFile()) files << file.filePath();
    return files;
}

} // namespace stowage
