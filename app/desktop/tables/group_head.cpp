#include "app/desktop/tables/group_head.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/theme.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QItemSelectionModel>
#include <QPainter>
#include <QStyleOptionViewItem>
#include <QTableView>

namespace stowage {

QString spokenHead(const QString& title, const QString& count, HeadState state)
{
    QString words = QStringLiteral("%1, %2").arg(title, count);
    if (state == HeadState::fixed) return words;
    return words + QStringLiteral(", ") +
           (state == HeadState::folded ? QCoreApplication::translate("GroupHead", "folded")
                                       : QCoreApplication::translate("GroupHead", "open"));
}

void paintGroupHead(QPainter& painter, const QStyleOptionViewItem& cell, const Theme& theme, const QString& title,
                    const QString& count, HeadState state)
{
    const QRect& box = cell.rect;
    const bool hovered = state != HeadState::fixed && (cell.state & QStyle::State_MouseOver);
    painter.fillRect(box, hovered ? theme.hover : theme.raised);
    painter.fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.line);
    if (state != HeadState::fixed)
        paintIcon(painter, QRectF(box.left() + 8, box.top(), 14, box.height() - 1),
                  state == HeadState::folded ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down"), theme.text2, 12);
    const QRect words = upToEdge(cell, box.adjusted(28, 0, -8, -1));
    const int counted = QFontMetrics(uiFont(metrics::body)).horizontalAdvance(count) + 12;
    painter.setFont(uiFont(metrics::body, QFont::DemiBold));
    painter.setPen(theme.text);
    const QString shown = sentenceStart(title, painter.fontMetrics(), words.width() - counted, ", ");
    painter.drawText(words, int(Qt::AlignLeft) | Qt::AlignVCenter, shown);
    const int after = painter.fontMetrics().horizontalAdvance(shown) + 10;
    painter.setFont(uiFont(metrics::body));
    painter.setPen(theme.text3);
    painter.drawText(words.adjusted(after, 0, 0, 0), int(Qt::AlignLeft) | Qt::AlignVCenter, count);
    paintRowFocus(painter, cell, theme);
}

void foldByMouseAndKeys(QTableView& view, const std::function<bool(int row)>& toggle)
{
    const auto act = [&view, toggle](const QModelIndex& index) {
        const int row = index.row();
        if (!index.isValid() || !toggle(row)) return;
        // The rows were listed anew. The selection stays that of the shown run.
        view.selectionModel()->setCurrentIndex(view.model()->index(row, 0), QItemSelectionModel::NoUpdate);
    };
    QObject::connect(&view, &QAbstractItemView::clicked, &view, act);
    QObject::connect(&view, &QAbstractItemView::activated, &view, act);
}

} // namespace stowage
