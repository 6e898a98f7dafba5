// The draw commands of a picture, as values: painted to the screen, into files, and compared in tests.
#pragma once

#include "app/canvas/kit/text.h"

#include <QColor>
#include <QImage>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <utility>
#include <variant>
#include <vector>

class QPainter;

namespace stowage {

class NamesApart;

enum class Dash : std::uint8_t { solid, bound, chain, stall }; ///< bound 5-3, chain 4-3, stall 3-3

namespace draw {

/// A filled rectangle. With radius 0 its edges should be at device pixels, otherwise they are blended.
struct Fill {
    QRectF rect;
    QColor colour;
    double radius = 0;
};
/// The border of a rectangle, centred on its edge.
struct Outline {
    QRectF rect;
    QColor colour;
    double width = 1;
    double radius = 0;
    Dash dash = Dash::solid;
};
struct Line {
    QPolygonF points;
    QColor colour;
    double width = 1;
    Dash dash = Dash::solid;
};
struct Area {
    QPolygonF points;
    QColor colour;
};
/// Filled columns side by side, each from a top to a bottom: the area under a curve of thousands of points, at a tenth of the
/// time of a polygon. Columns without height are not painted.
struct Columns {
    double left = 0;
    double width = 1; ///< of each column
    std::vector<std::pair<double, double>> spans;
    QColor colour;
};
struct Disc {
    QPointF centre;
    double radius = 0;
    QColor fill;
    QColor border; ///< invalid: none
    double width = 0;
};
/// Lines at 45 degrees, one pixel wide and `spacing` apart along a row; rising ("/") or falling. All hatches of a picture share
/// one origin.
struct Hatch {
    QRectF rect;
    QColor colour;
    double spacing = 6;
    bool falling = false;
    QPointF origin;
};
/// `at` is the left, middle or right end of the baseline; rotated text reads upwards.
struct Text {
    enum class Align : std::uint8_t { left, centre, right } align = Align::left;
    QPointF at;
    Face face = Face::label;
    QColor colour;
    bool rotated = false;
    QString text;
};
/// An image in device pixels, drawn one to one.
struct Picture {
    QRectF rect;
    QImage image;
};
struct Clip {
    QRectF rect;
};
struct Unclip {};
/// Moves the following commands, until the matching `Unshift`.
struct Shift {
    QPointF by;
};
struct Unshift {};

} // namespace draw

using DrawCommand = std::variant<draw::Fill, draw::Outline, draw::Line, draw::Area, draw::Columns, draw::Disc, draw::Hatch,
                                 draw::Text, draw::Picture, draw::Clip, draw::Unclip, draw::Shift, draw::Unshift>;

/// Commands in logical pixels, in painting order. Paint functions append to it; of the device they know only the pixel ratio.
class DrawList {
public:
    DrawList(TextShaper& shaper, double ratio) : shaper_(shaper), ratio_(ratio) {}

    [[nodiscard]] const std::vector<DrawCommand>& commands() const { return commands_; }
    [[nodiscard]] double ratio() const { return ratio_; }
    [[nodiscard]] TextShaper& shaper() const { return shaper_; }
    [[nodiscard]] double snap(double value) const; ///< to the nearest device pixel edge
    [[nodiscard]] QRectF snapped(const QRectF& rect) const;

    template <typename Command>
    void add(Command command)
    {
        commands_.emplace_back(std::in_place_type<Command>, std::move(command));
    }
    void fill(const QRectF& rect, const QColor& colour, double radius = 0);
    void outline(const QRectF& rect, const QColor& colour, double width = 1, double radius = 0, Dash dash = Dash::solid);
    /// Straight lines whose upper or left edge lies at a device pixel.
    void horizontal(double left, double right, double y, const QColor& colour, double width = 1, Dash dash = Dash::solid);
    void vertical(double x, double top, double bottom, const QColor& colour, double width = 1, Dash dash = Dash::solid);
    /// Text whose capitals are centred at the height `y`, on a whole device pixel.
    void text(Face face, double x, double y, const QString& text, const QColor& colour,
              draw::Text::Align align = draw::Text::Align::left);
    /// A chip: a border and text in one colour over the well; returns its rectangle. `right` is its right edge, `top` its upper
    /// one.
    QRectF chip(double right, double top, const QString& text, const QColor& colour, const QColor& fill, bool border = true);
    [[nodiscard]] double chipWidth(const QString& text) const;
    [[nodiscard]] double width(Face face, const QString& text) const { return shaper_.width(face, text); }
    /// The text, or its beginning with an ellipsis, within `room`. A number is never cut inside.
    [[nodiscard]] QString elided(Face face, const QString& text, double room) const;
    /// The same, with the ellipsis in the middle.
    [[nodiscard]] QString elidedInside(Face face, const QString& text, double room) const;
    /// The name, or a short form that distinguishes it from the other `names`.
    [[nodiscard]] QString toldApart(Face face, const QString& name, double room, const NamesApart& names) const;
    /// The sentence with its `quoted` names shortened in this way, within `room`.
    [[nodiscard]] QString toldApart(Face face, const QString& sentence, const QStringList& quoted, double room,
                                    const NamesApart& names) const;
    void clip(const QRectF& rect) { add(draw::Clip{rect}); }
    void unclip() { add(draw::Unclip{}); }

    static constexpr double chipHeight = 16;

private:
    TextShaper& shaper_;
    double ratio_;
    std::vector<DrawCommand> commands_;
};

/// Paints the list. `asText`: text stays text (SVG, PDF), as it always does on a device with a paint engine of its own.
void replay(const DrawList& list, QPainter& painter, bool asText = false);

/// One line for each command, coordinates with two decimals; images by their size only. For tests.
[[nodiscard]] QString toText(const DrawList& list);

} // namespace stowage
