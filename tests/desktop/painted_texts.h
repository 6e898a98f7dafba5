// What is written in a window or in a picture, as geometry: every text with its ink, what clips it, and what it stands on. A
// window is painted into a paint device that keeps texts apart from all else; a picture's draw list is read.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/picture.h"

#include <QColor>
#include <QImage>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <vector>

namespace stowage::test {

struct PaintedText {
    QString text;
    QRectF ink;                ///< of the letters, logical pixels of the window or the picture
    QRectF shown;              ///< the part of `ink` that clips leave; empty: none
    QColor colour;             ///< opaque as painted
    double contrast = 21;      ///< least contrast with a colour that at least a quarter of the ground below the ink has
    QWidget* widget = nullptr; ///< that painted it; null in a picture
    bool rotated = false;
    bool covered = false;      ///< by a card that the same widget painted later
    double height = 0;         ///< of the typeface, logical pixels
    double begin = 0, end = 0; ///< where its first letter begins and the one after its last would, logical pixels; not rotated
};

/// All texts of a window that is shown, in painting order.
[[nodiscard]] std::vector<PaintedText> paintedTexts(QWidget& window);
/// All texts of a draw list of this size; `ground`: what is there before, `scrolled`: the lists in it, whose rows may be cut
/// above and below.
[[nodiscard]] std::vector<PaintedText> paintedTexts(const DrawList& list, QSize size, const QColor& ground,
                                                    const std::vector<PictureScroll>& scrolled = {});

/// One line for each fault in the texts: cut letters, a cut number, texts over each other or side by side without
/// a space between them, a contrast below 4.5, letters smaller
/// than any of the design language.
/// `coloursOnly`: of the contrast alone, for a second theme of the same layout.
[[nodiscard]] QStringList faultsOf(const std::vector<PaintedText>& texts, bool coloursOnly = false);
/// One line for each widget that reaches out of its parent or over a sibling. Cards that lie over the window by design have the
/// property "floating".
[[nodiscard]] QStringList layoutFaults(const QWidget& window);
/// True when an ellipsis stands where digits were: "497,261,19…".
[[nodiscard]] bool cutsNumber(const QString& text);

} // namespace stowage::test
