#include "app/canvas/kit/outlined.h"

#include "app/canvas/kit/number_text.h"

#include <cstdint>

namespace stowage {

void paintOutlinedCount(DrawList& list, const Theme& theme, const QRectF& plot, double& y, std::size_t count, const QString& what,
                        bool all)
{
    QString words = QStringLiteral("%1 %2").arg(countText(std::int64_t(count)), what);
    const QString more = words + QStringLiteral(", not all outlined");
    if (!all && list.chipWidth(more) <= plot.width() - 8) words = more;
    list.chip(plot.left() + 4 + list.chipWidth(words), y, words, theme.sel, theme.well);
    y += DrawList::chipHeight + 3;
}

void paintSelectedCount(DrawList& list, const Theme& theme, const QRectF& plot, double& y, const SharedBuffers& selection,
                        bool all)
{
    if (selection.size() > maxOutlined || !all)
        paintOutlinedCount(list, theme, plot, y, selection.size(), QStringLiteral("selected"), all);
}

} // namespace stowage
