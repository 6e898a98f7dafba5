#include "app/desktop/widgets/open_dialog.h"

#include "app/canvas/kit/number_text.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QGridLayout>
#include <QHeaderView>
#include <QRegularExpression>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int previewWidth = 250;
constexpr qint64 looked = 4096; ///< bytes
constexpr qsizetype headLines = 12;
constexpr qsizetype headColumns = 34;

/// The format that a file of ours names ("program"); empty for others.
QString ownFormat(const QByteArray& head)
{
    static const QRegularExpression format(QStringLiteral(R"("format"\s*:\s*"stowage\.([a-z-]+)/)"));
    return format.match(QString::fromUtf8(head)).captured(1);
}

class PreviewWords {
    Q_DECLARE_TR_FUNCTIONS(OpenDialog)

public:
    static QString ownKind(const QString& name)
    {
        if (name == u"program") return tr("Stowage program");
        if (name == u"problem") return tr("Stowage problem");
        if (name == u"session") return tr("Stowage session");
        return tr("Stowage %1").arg(name);
    }
    static QString hint(const QString& name)
    {
        if (name == u"plan") return tr("open its model first");
        if (name == u"target") return tr("Plan > Target from a file");
        return {};
    }
    static QString unknown() { return tr("No reader knows this kind of file"); }
    static QString unreadable() { return tr("The file cannot be read"); }
    static QString facts(qint64 size, const QDateTime& written)
    {
        NumberFormat format;
        if (size >= 10'240) format.unit = NumberFormat::Unit::kibibytes;
        return tr("%1, written %2").arg(bytesText(size, format), written.toString(QStringLiteral("yyyy-MM-dd HH:mm")));
    }
    static QString either(const QStringList& kinds) { return kinds.join(tr(" or ")); }
};

} // namespace

FilePreview previewOf(const QString& path, const std::vector<ImporterInfo>& importers)
{
    FilePreview preview;
    const QFileInfo info(path);
    QFile file(path);
    if (!info.isFile() || !file.open(QIODevice::ReadOnly)) {
        preview.kind = PreviewWords::unreadable();
        return preview;
    }
    const QByteArray head = file.read(looked);
    preview.facts = PreviewWords::facts(info.size(), info.lastModified());
    QStringList kinds;
    const QString own = ownFormat(head);
    preview.hint = PreviewWords::hint(own);
    if (!own.isEmpty())
        kinds << PreviewWords::ownKind(own);
    else
        for (const ImporterInfo& importer : importers)
            for (const std::string& suffix : importer.suffixes)
                if (path.endsWith(QLatin1Char('.') + QString::fromStdString(suffix), Qt::CaseInsensitive))
                    if (const QString title = QString::fromStdString(importer.title); !kinds.contains(title)) kinds << title;
    preview.readable = !kinds.isEmpty();
    preview.kind = kinds.isEmpty() ? PreviewWords::unknown() : PreviewWords::either(kinds.mid(0, 4));
    if (head.contains('\0')) return preview;
    QStringList lines = QString::fromUtf8(head).split(u'\n').mid(0, headLines);
    for (QString& line : lines)
        if (line.size() > headColumns) line = line.left(headColumns - 1) + QChar(0x2026);
    for (QString& line : lines) line.remove(QRegularExpression(QStringLiteral("[\\x{00}-\\x{08}\\x{0b}-\\x{1f}]")));
    preview.head = lines.join(u'\n');
    return preview;
}

OpenDialog::OpenDialog(std::vector<ImporterInfo> importers, const QString& folder, QWidget* parent)
    : QFileDialog(parent, tr("Open models"), folder), importers_(std::move(importers)), hints_(true)
{
    addPreview();
    setProperty(guidePageProperty, QStringLiteral("file-formats"));
    setFileMode(QFileDialog::ExistingFiles);
    QStringList patterns;
    for (const ImporterInfo& importer : importers_)
        for (const std::string& suffix : importer.suffixes)
            if (const QString pattern = QStringLiteral("*.") + QString::fromStdString(suffix); !patterns.contains(pattern))
                patterns << pattern;
    QStringList filters{tr("All files (*)")};
    if (!patterns.isEmpty()) filters.prepend(tr("Models and sessions (%1 *.stow)").arg(patterns.join(u' ')));
    setNameFilters(filters);
}

OpenDialog::OpenDialog(std::vector<ImporterInfo> importers, const QString& title, const QStringList& filters,
                       const QString& guidePage, const QString& folder, QWidget* parent)
    : QFileDialog(parent, title, folder), importers_(std::move(importers))
{
    addPreview();
    setProperty(guidePageProperty, guidePage);
    setFileMode(QFileDialog::ExistingFile);
    setNameFilters(filters);
}

QString OpenDialog::ask()
{
    return exec() == QDialog::Accepted ? selectedFiles().value(0) : QString();
}

void OpenDialog::addPreview()
{
    setOption(QFileDialog::DontUseNativeDialog); // which has no room for a preview
    setObjectName(QStringLiteral("openDialog"));
    // Sizes and dates are whole; the preview says the kind better than the table.
    if (auto* table = findChild<QTreeView*>()) {
        QHeaderView* columns = table->header();
        columns->hideSection(2);
        columns->setStretchLastSection(false);
        columns->setSectionResizeMode(QHeaderView::ResizeToContents);
        columns->setSectionResizeMode(0, QHeaderView::Stretch);
    }

    auto* pane = new QWidget;
    pane->setFixedWidth(previewWidth);
    auto* column = new QVBoxLayout(pane);
    column->setContentsMargins(8, 4, 0, 4);
    column->setSpacing(6);
    name_ = makeLabel({}, Tone::main, metrics::title, QFont::DemiBold);
    kind_ = makeLabel(tr("Choose a file to see its kind and its first lines."), Tone::secondary);
    facts_ = makeLabel({}, Tone::secondary);
    head_ = makeNumber({}, Tone::secondary, metrics::caption);
    for (QLabel* label : {name_, kind_, facts_}) label->setWordWrap(true);
    kind_->setObjectName(QStringLiteral("previewKind"));
    for (QLabel* label : {name_, kind_, facts_, head_}) column->addWidget(label);
    column->addStretch();
    if (auto* grid = qobject_cast<QGridLayout*>(layout())) grid->addWidget(pane, 0, grid->columnCount(), grid->rowCount(), 1);
    resize(940, 560);
    connect(this, &QFileDialog::currentChanged, this, &OpenDialog::preview);
}

void OpenDialog::preview(const QString& path)
{
    const bool file = QFileInfo(path).isFile();
    FilePreview shown = file ? previewOf(path, hints_ ? importers_ : std::vector<ImporterInfo>()) : FilePreview();
    if (!hints_ && !shown.readable && !shown.facts.isEmpty()) { // no reader of models is asked for this file
        shown.kind.clear();
        shown.readable = true;
    }
    setBreakableText(*name_, file ? QFileInfo(path).fileName() : QString());
    const QString kind = hints_ && !shown.hint.isEmpty() ? tr("%1: %2").arg(shown.kind, shown.hint) : shown.kind;
    kind_->setText(file ? kind : tr("Choose a file to see its kind and its first lines."));
    setTone(kind_, !file || shown.readable ? Tone::secondary : Tone::warn);
    facts_->setText(shown.facts);
    head_->setText(shown.head);
}

QString askFileToWrite(const QString& title, const QString& proposed, const QString& filter, const QString& guidePage,
                       QWidget* window)
{
    const QFileInfo known(proposed);
    QFileDialog dialog(window, title, known.path(), filter);
    dialog.setProperty(guidePageProperty, guidePage);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.selectFile(known.fileName());
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

QString askFolder(const QString& title, const QString& proposed, const QString& guidePage, QWidget* window)
{
    QFileDialog dialog(window, title, proposed);
    dialog.setProperty(guidePageProperty, guidePage);
    dialog.setFileMode(QFileDialog::Directory);
    dialog.setOption(QFileDialog::ShowDirsOnly);
    return dialog.exec() == QDialog::Accepted ? dialog.selectedFiles().value(0) : QString();
}

} // namespace stowage
