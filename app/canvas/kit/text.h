// Text on canvases: the available faces, measured and drawn from cached shaped runs.
#pragma once

#include "app/canvas/kit/fonts.h"

#include <QColor>
#include <QGlyphRun>
#include <QHash>
#include <QList>
#include <QPointF>
#include <QString>

#include <array>
#include <cstdint>

class QPainter;

namespace stowage {

/// The comments give the size in logical pixels, and the weight. `number`, `tick` and `code` are in the typeface of numbers.
enum class Face : std::uint8_t {
    label,        ///< 11
    labelStrong,  ///< 11, 600
    body,         ///< 12
    bodyStrong,   ///< 12, 600
    title,        ///< 13, 600
    number,       ///< 11
    numberStrong, ///< 11, 600
    bodyNumber,   ///< 12, 500
    tick,         ///< 10.5
    tickStrong,   ///< 10.5, 600
    code,         ///< 9.5, 500
};
inline constexpr int faceCount = 11;

/// Shapes each text once, so that drawing a thousand labels only copies cached glyphs. Not thread-safe.
class TextShaper {
public:
    TextShaper();
    /// Width in logical pixels; of a text of more than 4,096 letters extrapolated from these.
    [[nodiscard]] double width(Face face, const QString& text);
    [[nodiscard]] double capHeight(Face face) const { return faces_[std::size_t(face)].capHeight; }
    /// Height of the line above the baseline, for rotated and stacked text.
    [[nodiscard]] double ascent(Face face) const { return faces_[std::size_t(face)].ascent; }
    /// Draws at most the first 4,096 letters, with the baseline's left end at `at`. `asText` keeps text as text if the device can
    /// (SVG, PDF).
    void draw(QPainter& painter, Face face, QPointF at, const QString& text, const QColor& colour, bool asText);

private:
    struct Metrics {
        QFont doubled; ///< at twice the size, because fonts have integer sizes
        double pixels = 0;
        double capHeight = 0;
        double ascent = 0;
    };
    struct Shaped {
        QList<QGlyphRun> runs;
        double width = 0;
    };
    const Shaped& shape(Face face, const QString& text);

    std::array<Metrics, faceCount> faces_;
    QHash<QRawFont, QRawFont> halved_; ///< doubled font -> font at the size of the face
    std::array<QHash<QString, Shaped>, faceCount> shaped_;
};

} // namespace stowage
