// The card for the object under the pointer: at most five lines, the name or the range first.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/theme.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace stowage {

struct CardText {
    struct Line {
        QColor swatch; ///< invalid: none
        QString text;
        QString value; ///< at the right, in the typeface of numbers
        bool strong = false;
        bool dashed = false; ///< the swatch is of a dashed line: an outline
    };
    QString title; ///< the name, or a range
    bool titleIsNumber = true;
    QColor titleSwatch; ///< in front of the title; invalid: none
    QString caption;
    std::optional<double> share; ///< a bar of that length below the caption
    QColor shareColour;
    std::vector<Line> lines;
};

/// Size of the card in logical pixels, at most `maxWidth` wide.
[[nodiscard]] QSizeF cardSize(const DrawList& list, const CardText& card, double maxWidth = 320);
/// Paints the card 18 px from `pointer` inside `bounds`, on a side that does not cover `avoid` if there is one.
QRectF paintCard(DrawList& list, const Theme& theme, const CardText& card, QPointF pointer, const QRectF& bounds,
                 const QRectF& avoid);

} // namespace stowage
