#include "app/desktop/widgets/table.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/glossary.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"

#include <QActionGroup>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <utility>
#include <vector>

namespace stowage {

void paintRowFocus(QPainter& painter, const QStyleOptionViewItem& row, const Theme& theme)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(row.widget);
    if (!view || !view->hasFocus() || !(row.state & (QStyle::State_Selected | QStyle::State_HasFocus))) return;
    const QRect box = row.rect.adjusted(0, 0, 0, -1);
    painter.fillRect(QRect(box.left(), box.top(), box.width(), 1), theme.accent);
    painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.accent);
    // The sides of the row, not of each cell.
    if (box.left() <= 0) painter.fillRect(QRect(box.left(), box.top(), 1, box.height()), theme.accent);
    if (box.right() >= view->viewport()->width() - 1)
        painter.fillRect(QRect(box.right(), box.top(), 1, box.height()), theme.accent);
}

void paintRowGround(QPainter& painter, const QStyleOptionViewItem& row, const Theme& theme, bool line)
{
    const bool selected = row.state & QStyle::State_Selected;
    painter.fillRect(row.rect, selected ? theme.accentSoft : row.state & QStyle::State_MouseOver ? theme.hover : theme.panel);
    if (line) painter.fillRect(QRect(row.rect.left(), row.rect.bottom(), row.rect.width(), 1), theme.line);
    paintRowFocus(painter, row, theme);
}

namespace {

/// Left and right edge of what is in view of the table of `cell`, in its pixels.
std::pair<int, int> seenEdges(const QStyleOptionViewItem& cell)
{
    const auto* view = qobject_cast<const QAbstractItemView*>(cell.widget);
    return {0, view ? view->viewport()->width() - 1 : cell.rect.right()};
}

} // namespace

QRect upToEdge(const QStyleOptionViewItem& cell, QRect box)
{
    constexpr int margin = 4;
    box.setRight(std::min(box.right(), seenEdges(cell).second - margin));
    return box;
}

void paintNumber(QPainter& painter, const QStyleOptionViewItem& cell, const QRect& box, const QString& number)
{
    constexpr int minSize = 8;
    constexpr auto align = Qt::AlignRight | Qt::AlignVCenter;
    if (const auto [left, right] = seenEdges(cell); box.left() < left || box.right() > right) {
        const QString mark(QChar(0x2026));
        QRect seen = box;
        seen.setLeft(std::max(box.left(), left));
        seen.setRight(std::min(box.right(), right));
        if (!number.isEmpty() && painter.fontMetrics().horizontalAdvance(mark) <= seen.width())
            painter.drawText(seen, int(align), mark);
        return;
    }
    QString text = number;
    QFont font = painter.font();
    const auto fits = [&] { return QFontMetricsF(font).horizontalAdvance(text) <= box.width() + 0.5; };
    while (!fits() && font.pixelSize() > minSize) font.setPixelSize(font.pixelSize() - 1);
    if (!fits()) text.remove(u',');
    if (!fits())
        font.setStretch(std::max(50, int(100 * box.width() / std::max(1.0, QFontMetricsF(font).horizontalAdvance(text)))));
    const QFont before = painter.font();
    painter.setFont(font);
    painter.drawText(box, int(align) | Qt::TextDontClip, text);
    painter.setFont(before);
}

TableHeader::TableHeader(const Look& look, QWidget* parent) : QHeaderView(Qt::Horizontal, parent), look_(look)
{
    setSectionsClickable(true);
    setHighlightSections(false);
    setFixedHeight(metrics::tableHeader);
    setMinimumSectionSize(28);
}

QSize TableHeader::sizeHint() const
{
    return {QHeaderView::sizeHint().width(), metrics::tableHeader};
}

bool TableHeader::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return QHeaderView::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int section = logicalIndexAt(help->pos());
    QString tip;
    if (section >= 0) {
        const QString title = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
        tip = model()->headerData(section, orientation(), Qt::ToolTipRole).toString();
        const QString term = explained(title);
        if (tip.isEmpty()) tip = term.isEmpty() ? title : term; // a title that has no room is whole here
    }
    QToolTip::showText(help->globalPos(), tip, viewport());
    return true;
}

void TableHeader::paintEvent(QPaintEvent* event)
{
    QPainter(viewport()).fillRect(event->rect(), look_.theme().panel);
    QHeaderView::paintEvent(event);
    QPainter(viewport()).fillRect(QRect(0, height() - 1, width(), 1), look_.theme().line);
}

void TableHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    constexpr int minTitle = 10;
    const Theme& theme = look_.theme();
    QString title = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    const int align = model()->headerData(section, Qt::Horizontal, Qt::TextAlignmentRole).toInt();
    const bool right = align & Qt::AlignRight;
    const bool sorted = isSortIndicatorShown() && sortIndicatorSection() == section && !title.isEmpty();
    QRect text = rect.adjusted(8, 0, -8, 0);
    // Of a section that an edge cuts, the title has the part in view.
    text.setLeft(right ? std::max(text.left(), 0) : text.left());
    text.setRight(std::min(text.right(), viewport()->width() - 4));
    if (text.width() < minTitle) return;
    painter->save();
    painter->setFont(uiFont(metrics::body));
    painter->setPen(sorted ? theme.text : theme.text2);
    // Of "size, bound, capacity" the last words go first; the tip has them all.
    for (qsizetype comma = title.lastIndexOf(u','); comma > 0 && painter->fontMetrics().horizontalAdvance(title) > text.width();
         comma = title.lastIndexOf(u','))
        title.truncate(comma);
    if (sorted) {
        // The arrow goes before a right-aligned title and after a left-aligned one, so that titles stay over their numbers.
        const int width = std::min(painter->fontMetrics().horizontalAdvance(title), text.width() - 14);
        const int x = right ? text.right() - width - 13 : text.left() + width + 2;
        paintIcon(*painter, QRectF(x, rect.top(), 12, rect.height()),
                  sortIndicatorOrder() == Qt::AscendingOrder ? QStringLiteral("chevron-up") : QStringLiteral("chevron-down"),
                  theme.accent, 12);
        if (!right) text.setRight(std::min(text.right(), text.left() + width + 1));
    }
    painter->drawText(text, int(right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(title, Qt::ElideRight, text.width()));
    painter->restore();
}

Table::Table(const Look& look, QWidget* parent) : QTableView(parent)
{
    setHorizontalHeader(new TableHeader(look, this));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(metrics::tableRow);
    verticalHeader()->setDefaultSectionSize(metrics::tableRow);
    setShowGrid(false);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setMouseTracking(true);
    setTabKeyNavigation(false);
}

/// Of all rows up to 2,000, else of the first ones and those sampled evenly, in pixels with the margins of a cell.
int Table::widestText(int column, const QFont& font) const
{
    constexpr int looked = 2'000;
    constexpr int margins = 18;
    const QFontMetrics letters(font);
    const int rows = model()->rowCount(), step = std::max(1, rows / looked);
    int widest = 0;
    for (int row = 0; row < rows; row += step)
        widest = std::max(widest, letters.horizontalAdvance(model()->index(row, column).data().toString()));
    return widest + margins;
}

bool Table::hasNumbers(int column) const
{
    return (model()->headerData(column, Qt::Horizontal, Qt::TextAlignmentRole).toInt() & Qt::AlignRight) != 0;
}

void Table::fitNumbers()
{
    if (!model()) return;
    for (int column = 0; column < model()->columnCount(); ++column) {
        if (isColumnHidden(column) || !hasNumbers(column)) continue; // a hidden one is fitted when it comes back
        if (const int widest = widestText(column, monoFont(metrics::body)); widest > columnWidth(column))
            setColumnWidth(column, widest);
    }
}

void Table::fitTexts(const std::vector<int>& widths)
{
    constexpr int least = 120;
    if (!model()) return;
    for (int column = 0; column < model()->columnCount() && std::size_t(column) < widths.size(); ++column)
        if (!hasNumbers(column))
            setColumnWidth(column,
                           std::min(widths[std::size_t(column)], std::max(least, widestText(column, uiFont(metrics::body)))));
}

QString Table::selectedTsv() const
{
    if (!model()) return {};
    std::vector<int> rows;
    for (const QItemSelectionRange& range : selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) rows.push_back(row);
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::vector<int> shown;
    for (int column = 0; column < model()->columnCount(); ++column) {
        const int logical = horizontalHeader()->logicalIndex(column);
        if (!isColumnHidden(logical) && !model()->headerData(logical, Qt::Horizontal, Qt::DisplayRole).toString().isEmpty())
            shown.push_back(logical);
    }
    QString text;
    const auto line = [&](auto cell) {
        for (std::size_t i = 0; i < shown.size(); ++i) text += (i ? QStringLiteral("\t") : QString()) + cell(shown[i]).toString();
        text += u'\n';
    };
    line([&](int column) { return model()->headerData(column, Qt::Horizontal, Qt::DisplayRole); });
    for (const int row : rows) line([&](int column) { return model()->index(row, column).data(); });
    return text;
}

void Table::copySelection() const
{
    QGuiApplication::clipboard()->setText(selectedTsv());
}

void Table::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copySelection();
    else
        QTableView::keyPressEvent(event);
}

// --- sorting by keyboard -------------------------------------------------------------------------------------------------

QMenu* Table::openSortMenu(const QPoint& at)
{
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("sortMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const QHeaderView& head = *horizontalHeader();
    const int sorted = head.isSortIndicatorShown() ? head.sortIndicatorSection() : -1;
    const Qt::SortOrder order = head.sortIndicatorOrder();
    const auto group = [menu] { return new QActionGroup(menu); };
    const auto add = [&](QActionGroup* in, const QString& text, int column, Qt::SortOrder by, bool checked) {
        QAction* action = menu->addAction(text, this, [this, column, by] { sortByColumn(column, by); });
        action->setCheckable(true);
        action->setChecked(checked);
        in->addAction(action);
        return action;
    };
    QActionGroup* columns = group();
    for (int shown = 0; model() && shown < model()->columnCount(); ++shown) {
        const int column = head.logicalIndex(shown);
        const QString title = model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        if (isColumnHidden(column) || title.isEmpty()) continue;
        add(columns, tr("Sort by %1").arg(title), column, sorted < 0 ? Qt::AscendingOrder : order, column == sorted);
    }
    menu->addSeparator();
    QActionGroup* orders = group();
    add(orders, tr("Ascending"), sorted, Qt::AscendingOrder, sorted >= 0 && order == Qt::AscendingOrder)->setEnabled(sorted >= 0);
    add(orders, tr("Descending"), sorted, Qt::DescendingOrder, sorted >= 0 && order == Qt::DescendingOrder)
        ->setEnabled(sorted >= 0);
    add(orders, tr("As listed"), -1, Qt::AscendingOrder, sorted < 0);
    menu->popup(at);
    return menu;
}

void Table::contextMenuEvent(QContextMenuEvent* event)
{
    if (isSortingEnabled())
        openSortMenu(event->globalPos());
    else
        QTableView::contextMenuEvent(event);
}

} // namespace stowage
