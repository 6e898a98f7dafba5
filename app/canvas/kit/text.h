// Text on canvases: the few faces there are, measured and drawn from shaped runs that are kept.
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

/// Size in logical pixels after each; `number` and `tick`, `code` are the typeface of numbers.
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

/// Shapes each text once. Drawing a thousand labels is then a matter of copying cached glyphs. For the thread that paints; not
/// shared.
class TextShaper {
public:
    TextShaper();
    /// Of a text of more than 4,096 letters in proportion to the width of these.
    [[nodiscard]] double width(Face face, const QString& text);
    [[nodiscard]] double capHeight(Face face) const { return faces_[std::size_t(face)].capHeight; }
    /// The line's height above the baseline, for rotated and stacked text.
    [[nodiscard]] double ascent(Face face) const { return faces_[std::size_t(face)].ascent; }
    /// Draws with the baseline's left end at `at`, at most the first 4,096 letters. `asText` keeps letters as letters where the
    /// device can (SVG, PDF).
    void draw(QPainter& painter, Face face, QPointF at, const QString& text, const QColor& colour, bool asText);

private:
    struct Metrics {
        QFont doubled; ///< at twice the size, as fonts take whole pixels only
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
    QHash<QRawFont, QRawFont> halved_; ///< fonts as shaped -> at the size of the face (one of each per face)
    std::array<QHash<QString, Shaped>, faceCount> shaped_;
};

} // namespace stowage
