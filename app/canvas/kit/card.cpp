#include "app/canvas/kit/card.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr double padding = 12;
constexpr double lineHeight = 17;
constexpr double barHeight = 14;
constexpr double away = 18;
constexpr double columnGap = 22; ///< least space from a line's text to its value

} // namespace

QSizeF cardSize(const DrawList& list, const CardText& card, double maxWidth)
{
    double width = list.width(card.titleIsNumber ? Face::numberStrong : Face::bodyStrong, card.title) +
                   (card.titleSwatch.isValid() ? 16 : 0);
    width = std::max(width, list.width(Face::label, card.caption));
    for (const CardText::Line& line : card.lines) {
        double needed = list.width(line.strong ? Face::labelStrong : Face::label, line.text) + (line.swatch.isValid() ? 16 : 0);
        if (!line.value.isEmpty()) needed += columnGap + list.width(Face::number, line.value);
        width = std::max(width, needed);
    }
    if (card.share) width = std::max(width, 180.0);
    const double height =
        lineHeight * double(1 + (card.caption.isEmpty() ? 0 : 1) + card.lines.size()) + (card.share ? barHeight : 0);
    return {std::ceil(std::min(width, maxWidth - 2 * padding) + 2 * padding), height + 2 * padding - 3};
}

QRectF paintCard(DrawList& list, const Theme& theme, const CardText& card, QPointF pointer, const QRectF& bounds,
                 const QRectF& avoid)
{
    const QSizeF size = cardSize(list, card);
    // Right below the pointer, else left, above, and whatever keeps it inside.
    QRectF box(QPointF(pointer.x() + away, pointer.y() + away), size);
    if (box.right() > bounds.right() - 4) box.moveRight(pointer.x() - away);
    if (box.left() < bounds.left() + 4) box.moveLeft(bounds.left() + 4);
    if (box.bottom() > bounds.bottom() - 4) box.moveBottom(pointer.y() - away);
    if (box.top() < bounds.top() + 4) box.moveTop(bounds.top() + 4);
    if (box.intersects(avoid)) {
        for (const QPointF corner :
             {QPointF(avoid.right() + 6, box.top()), QPointF(avoid.left() - 6 - size.width(), box.top()),
              QPointF(box.left(), avoid.bottom() + 6), QPointF(box.left(), avoid.top() - 6 - size.height())}) {
            const QRectF moved(corner, size);
            if (!bounds.contains(moved)) continue;
            box = moved;
            break;
        }
    }
    box = list.snapped(box);
    list.fill(box, theme.raised, 6);
    list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme.line2, 1, 5.5);
    const double left = box.left() + padding;
    const double right = box.right() - padding;
    double y = box.top() + padding + lineHeight / 2 - 2;
    const Face titleFace = card.titleIsNumber ? Face::numberStrong : Face::bodyStrong;
    double titleLeft = left;
    if (card.titleSwatch.isValid()) {
        list.fill(list.snapped({left, y - 5, 10, 10}), card.titleSwatch, 2);
        titleLeft += 16;
    }
    list.text(titleFace, titleLeft, y, list.elidedInside(titleFace, card.title, right - titleLeft), theme.text);
    if (!card.caption.isEmpty()) {
        y += lineHeight;
        list.text(Face::label, left, y, list.elided(Face::label, card.caption, right - left), theme.text2);
    }
    if (card.share) {
        y += barHeight;
        const double top = list.snap(y - 3);
        list.fill({left, top, right - left, 5}, theme.hover);
        list.fill({left, top, (right - left) * std::clamp(*card.share, 0.0, 1.0), 5}, card.shareColour);
    }
    for (const CardText::Line& line : card.lines) {
        y += lineHeight;
        double x = left;
        if (line.swatch.isValid()) {
            const QRectF swatch = list.snapped({left, y - 5, 10, 10});
            if (line.dashed)
                list.outline(swatch.adjusted(1, 1, -1, -1), line.swatch, 2, 1);
            else
                list.fill(swatch, line.swatch, 2);
            x += 16;
        }
        const Face face = line.strong ? Face::labelStrong : Face::label;
        // The value counts more than what it is called by; where both are long they share the line.
        const double room = right - x;
        const double wanted = line.value.isEmpty() ? 0 : list.width(Face::number, line.value) + 8;
        const double valueWidth = std::min(wanted, std::max(room / 2, room - list.width(face, line.text)));
        list.text(face, x, y, list.elided(face, line.text, room - valueWidth), theme.text);
        list.text(Face::number, right, y, list.elidedInside(Face::number, line.value, valueWidth - 8), theme.text2,
                  draw::Text::Align::right);
    }
    return box;
}

} // namespace stowage
