#include "app/desktop/widgets/address_label.h"

#include "app/canvas/kit/fonts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRegularExpression>

#include <algorithm>

namespace stowage {

void AddressLabel::paintEvent(QPaintEvent*)
{
    const QFont digits = monoFont(fontInfo().pixelSize());
    static const QRegularExpression address(QStringLiteral("\\b0x[0-9A-F]+\\b"));
    /// Calls visit(text, font, width) for each piece; returns the width of all.
    const auto eachPiece = [&](const QString& text, const auto& visit) {
        double width = 0;
        const auto piece = [&](const QString& part, const QFont& face) {
            if (part.isEmpty()) return;
            const double wide = QFontMetricsF(face).horizontalAdvance(part);
            visit(part, face, width);
            width += wide;
        };
        qsizetype from = 0;
        for (auto found = address.globalMatch(text); found.hasNext();) {
            const QRegularExpressionMatch match = found.next();
            piece(text.mid(from, match.capturedStart() - from), font());
            piece(match.captured(), digits);
            from = match.capturedEnd();
        }
        piece(text.mid(from), font());
        return width;
    };
    const auto nothing = [](const QString&, const QFont&, double) {};
    const QRectF room = contentsRect();
    QString shown = fullText();
    const double whole = eachPiece(shown, nothing), wider = whole - QFontMetricsF(font()).horizontalAdvance(shown);
    if (whole > room.width()) shown = fontMetrics().elidedText(shown, Qt::ElideMiddle, int(room.width() - std::max(0.0, wider)));
    setToolTip(shown == fullText() ? QString() : fullText());
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const double baseline = room.center().y() + (fontMetrics().ascent() - fontMetrics().descent()) / 2.0;
    eachPiece(shown, [&](const QString& part, const QFont& face, double from) {
        painter.setFont(face);
        painter.drawText(QPointF(room.left() + from, baseline), part);
    });
}

} // namespace stowage
