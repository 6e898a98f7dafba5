#include "app/desktop/shell/search_field.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t shownHits = 10;
constexpr int numbersRole = Qt::UserRole + 1; ///< size and address; the names are the texts

/// A name, shortened so that it is told from those of the other buffers, and its numbers, which are whole.
class HitDelegate : public QStyledItemDelegate {
public:
    HitDelegate(const Look& look, const NameFit& names, QObject* parent) : QStyledItemDelegate(parent), look_(look), names_(names)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        constexpr int side = 6, gap = 14;
        const Theme& theme = look_.theme();
        paintRowGround(*painter, option, theme, false);
        QRect box = option.rect.adjusted(side, 0, -side, 0);
        const QString numbers = index.data(numbersRole).toString();
        painter->setFont(monoFont(metrics::body));
        painter->setPen(theme.text2);
        painter->drawText(box, int(Qt::AlignRight | Qt::AlignVCenter), numbers);
        box.setRight(box.right() - painter->fontMetrics().horizontalAdvance(numbers) - gap);
        painter->setFont(uiFont(metrics::body));
        painter->setPen(theme.text);
        painter->drawText(box, int(Qt::AlignLeft | Qt::AlignVCenter),
                          names_.fit(index.data().toString(), painter->fontMetrics(), box.width()));
    }

private:
    const Look& look_;
    const NameFit& names_;
};

} // namespace

SearchField::SearchField(Workspace& workspace, const Look& look, QWidget* parent)
    : QLineEdit(parent), workspace_(workspace), look_(look)
{
    setProperty("search", true);
    setPlaceholderText(tr("Name, regex, size>1K, step:23 or 0x…"));
    setAccessibleName(tr("Search buffers"));
    setTextMargins(32, 0, 34, 0);
    setFixedHeight(metrics::button);

    // A child of the window rather than a popup window: it takes no focus and works on every platform.
    popup_ = new QFrame(parent);
    popup_->setProperty("surface", "popup");
    popup_->setProperty("floating", true); // lies over the window by design
    popup_->hide();
    auto* column = new QVBoxLayout(popup_);
    column->setContentsMargins(5, 5, 5, 5);
    column->setSpacing(2);
    list_ = new QListWidget;
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setUniformItemSizes(true);
    list_->setItemDelegate(new HitDelegate(look, names_, list_));
    list_->setMouseTracking(true);
    column->addWidget(list_);
    summary_ = makeLabel({}, Tone::caption, metrics::caption);
    summary_->setContentsMargins(6, 2, 6, 2);
    summary_->setWordWrap(true);
    column->addWidget(summary_);

    delay_ = new QTimer(this);
    delay_->setSingleShot(true);
    delay_->setInterval(60);
    connect(delay_, &QTimer::timeout, this, &SearchField::showHits);
    connect(this, &QLineEdit::textEdited, this, [this] { delay_->start(); });
    // Nothing is looked for any more: nothing is hidden either.
    connect(this, &QLineEdit::textChanged, this, [this](const QString& now) {
        if (!now.trimmed().isEmpty()) return;
        workspace_.selection().setFilter({});
        showHits();
    });
    connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { chooseRow(list_->row(item)); });
    connect(&workspace_.selection(), &SelectionModel::filterChanged, this, [this] {
        // A filter from another place of the window is written here; what was typed here stays as it was typed.
        const BufferFilter& filter = workspace_.selection().filter();
        if (parseSearch(text()).filter != filter) setText(toSearchText(filter));
    });
}

SearchField::Hits SearchField::hits(std::size_t limit) const
{
    Hits result;
    const SearchQuery query = parseSearch(text());
    result.error = query.error;
    result.atAddress = query.address.has_value();
    if (const auto run = workspace_.run()) static_cast<SearchHits&>(result) = findBuffers(*run, query, limit);
    return result;
}

void SearchField::showHits()
{
    const Hits found = hits(shownHits);
    setLook(this, "invalid", !found.error.isEmpty());
    setAccessibleDescription(found.error);
    // What is wrong stays in sight as long as it is wrong.
    if (text().trimmed().isEmpty() || (!hasFocus() && found.error.isEmpty())) {
        popup_->hide();
        return;
    }
    list_->clear();
    const auto run = workspace_.run();
    if (run && run != namesOf_) names_ = NameFit(run->problem());
    namesOf_ = run;
    const auto address = [&](BufferId id) {
        const Placement& placement = run->plan.placements[std::size_t(id)];
        return placement.placed() ? addressText(placement.offset, workspace_.numbers()) : QString();
    };
    qsizetype widest = 0; // sizes and addresses end below each other
    for (const BufferId id : found.buffers) widest = std::max(widest, address(id).size());
    for (const BufferId id : found.buffers) {
        const Buffer& buffer = run->problem().buffers[std::size_t(id)];
        auto* item = new QListWidgetItem(nameText(buffer.name));
        item->setToolTip(item->text());
        item->setData(Qt::UserRole, id);
        item->setData(numbersRole,
                      bytesText(buffer.size, workspace_.numbers()) + QStringLiteral("  ") + address(id).rightJustified(widest));
        item->setData(Qt::AccessibleTextRole, item->text() + u' ' + item->data(numbersRole).toString());
        item->setSizeHint({10, metrics::listRow});
        list_->addItem(item);
    }
    list_->setVisible(list_->count() > 0);
    list_->setFixedHeight(list_->count() * metrics::listRow);
    setTone(summary_, found.error.isEmpty() ? Tone::caption : Tone::bad);
    if (!found.error.isEmpty())
        summary_->setText(found.error);
    else if (!run)
        summary_->setText(tr("Nothing is planned yet."));
    else if (found.count == 0)
        summary_->setText(tr("No buffer matches."));
    else if (found.atAddress)
        summary_->setText(found.count == 1
                              ? tr("Enter selects the buffer at this address.")
                              : tr("Enter selects, of %1 at this address, the one that is live at the cursor, else the first.")
                                    .arg(countedText(std::int64_t(found.count), tr("buffer"))));
    else
        summary_->setText(tr("Enter shows only %1 of %2, in every view. Down chooses one.")
                              .arg(countText(std::int64_t(found.count)),
                                   countedText(std::int64_t(run->problem().buffers.size()), tr("buffer"))));
    // In a narrow window the field is narrower than a sentence.
    constexpr int minWidth = 320, usualWidth = 480, frame = 1, beside = 8;
    const int room = popup_->parentWidget()->width() - mapTo(popup_->parentWidget(), QPoint()).x() - beside;
    const int wide = std::max({width(), minWidth, std::min(usualWidth, room)});
    const QMargins margins = popup_->layout()->contentsMargins();
    popup_->setFixedWidth(wide);
    summary_->setFixedHeight(summary_->heightForWidth(wide - margins.left() - margins.right() - 2 * frame));
    popup_->adjustSize();
    popup_->move(mapTo(popup_->parentWidget(), QPoint(0, height() + 3)));
    popup_->show();
    popup_->raise();
}

void SearchField::apply()
{
    popup_->hide();
    const SearchQuery query = parseSearch(text());
    if (!query.error.isEmpty()) {
        showHits();
        return;
    }
    SelectionModel& selection = workspace_.selection();
    if (query.address) {
        // An address finds a buffer rather than hiding others; of several in turn, the one that is live at the cursor.
        const Hits found = hits(std::size_t(-1));
        const auto run = workspace_.run();
        BufferId best = found.buffers.empty() ? none : found.buffers.front();
        if (const auto cursor = selection.cursor()) {
            for (const BufferId id : found.buffers)
                for (const Interval& range : run->problem().buffers[std::size_t(id)].live)
                    if (range.contains(*cursor)) best = id;
        }
        selection.select(best);
        clear();
        return;
    }
    selection.setFilter(query.filter);
}

void SearchField::chooseRow(int row)
{
    if (const QListWidgetItem* item = list_->item(row)) {
        workspace_.selection().select(item->data(Qt::UserRole).toInt());
        popup_->hide();
    }
}

bool SearchField::event(QEvent* event)
{
    // Escape is a command of the window, but first of the field.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void SearchField::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Up:
        if (popup_->isVisible() && list_->count() > 0) {
            const int step = event->key() == Qt::Key_Down ? 1 : -1;
            list_->setCurrentRow(std::clamp(list_->currentRow() + step, 0, list_->count() - 1));
        }
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        delay_->stop();
        if (popup_->isVisible() && list_->currentRow() >= 0)
            chooseRow(list_->currentRow());
        else
            apply();
        return;
    case Qt::Key_Escape:
        popup_->hide();
        if (text().isEmpty()) {
            workspace_.selection().setFilter({}); // also one set in another place of the window
            clearFocus();
        } else {
            clear();
        }
        return;
    default: QLineEdit::keyPressEvent(event);
    }
}

void SearchField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (!list_->underMouse() && !property("invalid").toBool()) popup_->hide();
}

void SearchField::paintEvent(QPaintEvent* event)
{
    QLineEdit::paintEvent(event);
    QPainter painter(this);
    const Theme& theme = look_.theme();
    paintIcon(painter, QRectF(8, 0, 16, height()), QStringLiteral("search"), theme.text2);
    if (hasFocus() || !text().isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF key(width() - 26.5, height() / 2.0 - 8.5, 16, 17);
    painter.setPen(theme.line2);
    painter.drawRoundedRect(key, metrics::chipRadius, metrics::chipRadius);
    painter.setPen(theme.text2);
    painter.setFont(monoFont(metrics::caption));
    painter.drawText(key, Qt::AlignCenter, QStringLiteral("/"));
}

} // namespace stowage
