#include "app/canvas/kit/text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QRawFont>
#include <QTextLayout>

namespace stowage {

namespace {

constexpr qsizetype keptTexts = 20000; ///< of each face; beyond it, all are forgotten
constexpr qsizetype maxShaped = 4096;  ///< letters: no picture is wider, and shaping megabytes takes seconds

struct FaceSpec {
    bool number;
    double pixels;
    QFont::Weight weight;
};

constexpr std::array<FaceSpec, faceCount> specs{{
    {false, 11, QFont::Normal},
    {false, 11, QFont::DemiBold},
    {false, 12, QFont::Normal},
    {false, 12, QFont::DemiBold},
    {false, 13, QFont::DemiBold},
    {true, 11, QFont::Normal},
    {true, 11, QFont::DemiBold},
    {true, 12, QFont::Medium},
    {true, 10.5, QFont::Normal},
    {true, 10.5, QFont::DemiBold},
    {true, 9.5, QFont::Medium},
}};

} // namespace

TextShaper::TextShaper()
{
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const int doubled = int(specs[i].pixels * 2);
        Metrics& face = faces_[i];
        face.doubled = specs[i].number ? monoFont(doubled, specs[i].weight) : uiFont(doubled, specs[i].weight);
        face.pixels = specs[i].pixels;
        const QFontMetricsF metrics(face.doubled);
        face.capHeight = metrics.capHeight() / 2;
        face.ascent = metrics.ascent() / 2;
    }
}

double TextShaper::width(Face face, const QString& text)
{
    if (text.size() <= maxShaped) return shape(face, text).width;
    return shape(face, text.left(maxShaped)).width / double(maxShaped) * double(text.size());
}

const TextShaper::Shaped& TextShaper::shape(Face face, const QString& text)
{
    QHash<QString, Shaped>& kept = shaped_[std::size_t(face)];
    if (const auto found = kept.constFind(text); found != kept.constEnd()) return *found;
    if (kept.size() >= keptTexts) kept.clear();
    QTextLayout layout(text, faces_[std::size_t(face)].doubled);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    Shaped shaped;
    if (line.isValid()) {
        line.setLineWidth(1e6);
        line.setPosition({0, -line.ascent()}); // baseline at 0
    }
    layout.endLayout();
    if (line.isValid()) {
        shaped.width = line.naturalTextWidth() / 2;
        for (QGlyphRun run : layout.glyphRuns()) {
            auto font = halved_.find(run.rawFont());
            if (font == halved_.end()) {
                QRawFont half = run.rawFont();
                half.setPixelSize(half.pixelSize() / 2);
                font = halved_.insert(run.rawFont(), half);
            }
            QList<QPointF> positions = run.positions();
            for (QPointF& position : positions) position /= 2;
            run.setPositions(positions);
            run.setRawFont(*font);
            shaped.runs.append(run);
        }
    }
    return *kept.insert(text, shaped);
}

void TextShaper::draw(QPainter& painter, Face face, QPointF at, const QString& text, const QColor& colour, bool asText)
{
    if (text.size() > maxShaped) return draw(painter, face, at, text.left(maxShaped), colour, asText);
    painter.setPen(colour);
    if (!asText) {
        for (const QGlyphRun& run : shape(face, text).runs) painter.drawGlyphRun(at, run);
        return;
    }
    painter.save();
    painter.translate(at);
    painter.scale(0.5, 0.5);
    painter.setFont(faces_[std::size_t(face)].doubled);
    painter.drawText(QPointF(0, 0), text);
    painter.restore();
}

} // namespace stowage
