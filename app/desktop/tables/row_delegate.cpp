#include "app/desktop/tables/row_delegate.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/row_table.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"

#include <QPainter>

namespace stowage {

RowDelegate::RowDelegate(const Look& look, const NameFit& names, QObject* parent)
    : QStyledItemDelegate(parent), look_(look), names_(names)
{
}

void RowDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    const QRect box = option.rect;
    paintRowGround(*painter, option, theme);
    const bool number = index.data(RowTable::NumberRole).toBool();
    painter->setFont(number ? monoFont(metrics::body) : uiFont(metrics::body));
    painter->setPen(theme.text);
    const QRect text = box.adjusted(8, 0, -8, -1);
    if (number)
        paintNumber(*painter, option, text, index.data().toString());
    else
        painter->drawText(text, int(Qt::AlignLeft) | Qt::AlignVCenter,
                          fitted(index.data().toString(), painter->fontMetrics(), upToEdge(option, text).width()));
}

QSize RowDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

QString RowDelegate::fitted(const QString& text, const QFontMetrics& letters, int width) const
{
    const QString words = text.trimmed();
    if (words.contains(u' ')) return names_.fitSentence(text, namesIn(text), letters, width);
    const QString indent = text.left(text.indexOf(words)); // of a member of a group
    return indent + names_.fit(words, letters, width - letters.horizontalAdvance(indent));
}

} // namespace stowage
