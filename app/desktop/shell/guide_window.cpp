#include "app/desktop/shell/guide_window.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/views.h"
#include "app/desktop/widgets/controls.h"
#include "app/session/resources.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextTable>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int textMargin = 24;
constexpr int widestText = 860; ///< logical pixels: longer lines are hard to follow
constexpr int fileRole = Qt::UserRole;

QString readText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The first heading of a page, or its name.
QString titleOf(const QString& path)
{
    const QString text = readText(path);
    const qsizetype end = text.indexOf(u'\n');
    return text.startsWith(QStringLiteral("# ")) ? text.mid(2, end - 2).trimmed() : QFileInfo(path).completeBaseName();
}

} // namespace

QStringList guideFolders()
{
    QStringList folders;
    if (const QString pages = resourcePath(QStringLiteral("guide")); !pages.isEmpty()) folders << pages;
    const QString pictures = QCoreApplication::applicationDirPath() + QStringLiteral("/../share/stowage-guide");
    if (QFileInfo::exists(pictures)) folders << QDir(pictures).canonicalPath();
    return folders;
}

// --- the text ------------------------------------------------------------------------------------------------------------

GuideText::GuideText(QWidget* parent) : QTextBrowser(parent)
{
    setOpenExternalLinks(true);
    setFrameShape(QFrame::NoFrame);
    setObjectName(QStringLiteral("guideText"));
    setAccessibleName(tr("Page of the guide"));
    document()->setDefaultFont(uiFont(metrics::title));
    document()->setDocumentMargin(textMargin);
}

void GuideText::setFolders(const QStringList& folders)
{
    setSearchPaths(folders);
}

QVariant GuideText::loadResource(int type, const QUrl& name)
{
    if (type != QTextDocument::ImageResource) return QTextBrowser::loadResource(type, name);
    for (const QString& folder : searchPaths()) {
        QImage image(QDir(folder).filePath(QFileInfo(name.path()).fileName()));
        if (image.isNull()) continue;
        const double ratio = devicePixelRatioF();
        const int room = int(std::min(widestText, std::max(200, viewport()->width() - 2 * textMargin - 16)) * ratio);
        if (image.width() > room) image = image.scaledToWidth(room, Qt::SmoothTransformation);
        image.setDevicePixelRatio(ratio);
        return image;
    }
    // The build draws it after the programs: until then there is nothing, instead of the sign for a broken picture.
    QImage nothing(1, 1, QImage::Format_ARGB32_Premultiplied);
    nothing.fill(Qt::transparent);
    return nothing;
}

void GuideText::doSetSource(const QUrl& url, QTextDocument::ResourceType type)
{
    pictureWidth_ = viewport()->width();
    QTextBrowser::doSetSource(url, type == QTextDocument::UnknownResource ? QTextDocument::MarkdownResource : type);
    dress();
}

void GuideText::renew()
{
    const QUrl shown = source();
    if (shown.isEmpty()) return;
    document()->clear();
    reload();
    dress();
}

void GuideText::resizeEvent(QResizeEvent* event)
{
    QTextBrowser::resizeEvent(event);
    if (std::abs(viewport()->width() - pictureWidth_) < 40) return;
    pictureWidth_ = viewport()->width();
    renew();
}

/// Markdown has no style sheet: headings, code and tables get their looks here.
void GuideText::dress()
{
    const QPalette colours = palette();
    for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat lines = block.blockFormat();
        const int level = lines.headingLevel();
        const bool code = lines.hasProperty(QTextFormat::BlockCodeLanguage) || lines.hasProperty(QTextFormat::BlockCodeFence) ||
                          lines.nonBreakableLines();
        if (level > 0) {
            lines.setTopMargin(level == 1 ? 0 : 18);
            lines.setBottomMargin(6);
            cursor.select(QTextCursor::BlockUnderCursor);
            QTextCharFormat letters;
            letters.setFont(uiFont(level == 1 ? metrics::welcome : metrics::section, QFont::DemiBold));
            cursor.mergeCharFormat(letters);
        } else if (code) {
            lines.setBackground(colours.color(QPalette::AlternateBase));
            lines.setLeftMargin(8);
            lines.setNonBreakableLines(false); // a long line of output wraps rather than leaves the page
            cursor.select(QTextCursor::BlockUnderCursor);
            QTextCharFormat letters;
            letters.setFont(monoFont(metrics::body));
            cursor.mergeCharFormat(letters);
        } else if (!block.textList() && !cursor.currentTable()) {
            lines.setTopMargin(4);
            lines.setBottomMargin(8);
            lines.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
        }
        QTextCursor(block).setBlockFormat(lines);
        if (QTextTable* table = QTextCursor(block).currentTable()) {
            QTextTableFormat format = table->format();
            if (format.cellPadding() == 5) continue; // done
            format.setCellPadding(5);
            format.setCellSpacing(0);
            format.setBorderCollapse(true);
            format.setBorder(1);
            format.setBorderBrush(colours.color(QPalette::Mid));
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            table->setFormat(format);
        }
        for (QTextBlock::iterator it = block.begin(); !it.atEnd(); ++it) {
            const QTextFragment piece = it.fragment();
            if (!piece.isValid() || !piece.charFormat().fontFixedPitch()) continue;
            QTextCursor inside(document());
            inside.setPosition(piece.position());
            inside.setPosition(piece.position() + piece.length(), QTextCursor::KeepAnchor);
            QTextCharFormat letters;
            letters.setFontFamilies(monoFont(metrics::body).families());
            inside.mergeCharFormat(letters);
        }
    }
}

// --- the window ----------------------------------------------------------------------------------------------------------

GuideWindow::GuideWindow(const Look& look, QWidget* parent) : QDialog(parent), folders_(guideFolders())
{
    setWindowTitle(tr("Guide"));
    setObjectName(QStringLiteral("guideWindow"));
    resize(1120, 760);

    text_ = new GuideText;
    text_->setFolders(folders_);
    list_ = new QListWidget;
    list_->setObjectName(QStringLiteral("guidePages"));
    list_->setAccessibleName(tr("Pages of the guide"));
    list_->setFixedWidth(304);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setWordWrap(true);
    list_->setTextElideMode(Qt::ElideNone); // else one that needs two lines is cut after the first
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    search_ = new QLineEdit;
    search_->setObjectName(QStringLiteral("guideSearch"));
    search_->setPlaceholderText(tr("Search the guide"));
    search_->setAccessibleName(tr("Search the guide"));
    search_->setClearButtonEnabled(true);

    auto* back = makeButton(tr("Back"), {}, ButtonKind::normal);
    auto* forward = makeButton(tr("Forward"), {}, ButtonKind::normal);
    auto* home = makeButton(tr("Contents"), QStringLiteral("book"), ButtonKind::normal);
    connect(back, &QPushButton::clicked, text_, &QTextBrowser::backward);
    connect(forward, &QPushButton::clicked, text_, &QTextBrowser::forward);
    connect(home, &QPushButton::clicked, this, [this] { openPage(QStringLiteral("index")); });
    connect(text_, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(text_, &QTextBrowser::forwardAvailable, forward, &QWidget::setEnabled);
    back->setEnabled(false);
    forward->setEnabled(false);
    connect(search_, &QLineEdit::textChanged, this, &GuideWindow::find);
    connect(list_, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item && item->data(fileRole).toString() != page())
            openPage(item->data(fileRole).toString(), search_->text().trimmed());
    });
    connect(text_, &QTextBrowser::sourceChanged, this, [this](const QUrl& url) {
        const QString shown = QFileInfo(url.path()).completeBaseName(); // `source()` is still the one before
        const QSignalBlocker quiet(list_);
        for (int row = 0; row < list_->count(); ++row)
            if (list_->item(row)->data(fileRole).toString() == shown) list_->setCurrentRow(row);
    });
    connect(&look, &Look::themeChanged, text_, &GuideText::renew);

    auto* top = new QHBoxLayout;
    top->setContentsMargins(10, 8, 10, 8);
    top->setSpacing(8);
    top->addWidget(search_);
    search_->setFixedWidth(250);
    top->addStretch();
    top->addWidget(back);
    top->addWidget(forward);
    top->addWidget(home);
    auto* parts = new QHBoxLayout;
    parts->setSpacing(0);
    parts->addWidget(list_);
    parts->addWidget(makeLine(Qt::Vertical));
    parts->addWidget(text_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(top);
    column->addWidget(makeLine(Qt::Horizontal));
    column->addLayout(parts, 1);

    // In the order of the index, so that a page that it forgets is seen at the end.
    const QDir pages(folders_.value(0));
    pages_ << QStringLiteral("index");
    static const QRegularExpression link(QStringLiteral(R"(\]\(([\w-]+)\.md\))"));
    const QString index = readText(pages.filePath(QStringLiteral("index.md")));
    for (auto it = link.globalMatch(index); it.hasNext();)
        if (const QString name = it.next().captured(1); !pages_.contains(name)) pages_ << name;
    for (const QString& file : pages.entryList({QStringLiteral("*.md")}, QDir::Files))
        if (const QString name = QFileInfo(file).completeBaseName(); !pages_.contains(name)) pages_ << name;
    for (const QString& name : std::as_const(pages_)) {
        auto* item = new QListWidgetItem(titleOf(pages.filePath(name + QStringLiteral(".md"))), list_);
        item->setData(fileRole, name);
        item->setToolTip(item->text());
    }
    find({});
    openPage(QStringLiteral("index"));
}

QString GuideWindow::page() const
{
    return QFileInfo(text_->source().path()).completeBaseName();
}

bool GuideWindow::openPage(const QString& page, const QString& words)
{
    const QString file = page + QStringLiteral(".md");
    const bool there =
        std::ranges::any_of(folders_, [&](const QString& folder) { return QFileInfo::exists(QDir(folder).filePath(file)); });
    if (!there) return false;
    if (this->page() != page) text_->setSource(QUrl(file), QTextDocument::MarkdownResource);
    text_->moveCursor(QTextCursor::Start);
    if (!words.isEmpty()) text_->find(words);
    return true;
}

void GuideWindow::find(const QString& words)
{
    const QString needle = words.trimmed();
    const QDir pages(folders_.value(0));
    for (int row = 0; row < list_->count(); ++row) {
        QListWidgetItem* item = list_->item(row);
        const QString name = item->data(fileRole).toString();
        item->setHidden(!needle.isEmpty() &&
                        !readText(pages.filePath(name + QStringLiteral(".md"))).contains(needle, Qt::CaseInsensitive));
    }
    if (needle.size() < 2) return;
    text_->moveCursor(QTextCursor::Start);
    text_->find(needle);
}

QString GuideWindow::pageOfView(const QString& view)
{
    for (const ViewEntry& entry : viewEntries())
        if (view == QLatin1String(entry.id)) return QString::fromLatin1(entry.guide);
    return QStringLiteral("index");
}

QString GuideWindow::pageOf(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (QString page = widget->property(guidePageProperty).toString(); !page.isEmpty()) return page;
    return {};
}

void GuideWindow::helpIn(QDialog& dialog, const QString& page, const Look& look)
{
    const auto help = [&dialog, page, &look] {
        auto* guide = dialog.findChild<GuideWindow*>(QString(), Qt::FindDirectChildrenOnly);
        if (!guide) guide = new GuideWindow(look, &dialog);
        guide->openPage(page);
        guide->show();
        guide->raise();
        guide->activateWindow();
    };
    const QString name = QStringLiteral("dialogHelp");
    if (dialog.findChild<QShortcut*>(name, Qt::FindDirectChildrenOnly)) return; // two of one key would be ambiguous
    auto* key = new QShortcut(QKeySequence(Qt::Key_F1), &dialog);
    key->setObjectName(name);
    connect(key, &QShortcut::activated, &dialog, help);
    if (auto* box = dialog.findChild<QDialogButtonBox*>())
        connect(box->addButton(QDialogButtonBox::Help), &QPushButton::clicked, &dialog, help);
}

} // namespace stowage
