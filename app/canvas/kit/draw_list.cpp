#include "app/canvas/kit/draw_list.h"

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/number_text.h"
#include "core/ir/shown_text.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPen>
#include <QTextStream>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

namespace stowage {

namespace {

using draw::Text;

QPen penFor(const QColor& colour, double width, Dash dash)
{
    QPen pen(colour, width);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::MiterJoin);
    // Lengths in units of the pen's width.
    switch (dash) {
    case Dash::solid: break;
    case Dash::bound: pen.setDashPattern({5 / width, 3 / width}); break;
    case Dash::chain: pen.setDashPattern({4 / width, 3 / width}); break;
    case Dash::stall: pen.setDashPattern({3 / width, 3 / width}); break;
    }
    return pen;
}

struct Replayer {
    QPainter& painter;
    TextShaper& shaper;
    bool asText;

    void operator()(const draw::Fill& c)
    {
        if (c.radius <= 0) {
            painter.fillRect(c.rect, c.colour);
            return;
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.colour);
        painter.drawRoundedRect(c.rect, c.radius, c.radius);
    }
    void operator()(const draw::Outline& c)
    {
        painter.setPen(penFor(c.colour, c.width, c.dash));
        painter.setBrush(Qt::NoBrush);
        if (c.radius > 0)
            painter.drawRoundedRect(c.rect, c.radius, c.radius);
        else
            painter.drawRect(c.rect);
    }
    void operator()(const draw::Line& c)
    {
        QPen pen = penFor(c.colour, c.width, c.dash);
        if (c.points.size() > 2) pen.setJoinStyle(c.points.size() > 2000 ? Qt::BevelJoin : Qt::MiterJoin);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(c.points);
    }
    void operator()(const draw::Area& c)
    {
        painter.setPen(Qt::NoPen);
        painter.setBrush(c.colour);
        painter.drawPolygon(c.points);
    }
    void operator()(const draw::Columns& c)
    {
        for (std::size_t i = 0; i < c.spans.size();) {
            // Equal neighbours in one.
            std::size_t next = i + 1;
            while (next < c.spans.size() && c.spans[next] == c.spans[i]) ++next;
            const auto [top, bottom] = c.spans[i];
            if (bottom > top)
                painter.fillRect(QRectF(c.left + double(i) * c.width, top, double(next - i) * c.width, bottom - top), c.colour);
            i = next;
        }
    }
    void operator()(const draw::Disc& c)
    {
        painter.setPen(c.border.isValid() ? QPen(c.border, c.width) : QPen(Qt::NoPen));
        painter.setBrush(c.fill.isValid() ? QBrush(c.fill) : QBrush(Qt::NoBrush));
        painter.drawEllipse(c.centre, c.radius, c.radius);
    }
    void operator()(const draw::Hatch& c)
    {
        painter.save();
        painter.setClipRect(c.rect, Qt::IntersectClip);
        painter.setPen(penFor(c.colour, 1 / std::numbers::sqrt2, Dash::solid)); // one pixel along a row
        // Lines x + y = s (falling) or x - y = s (rising), from the shared origin.
        const double period = c.spacing;
        const double origin = c.falling ? c.origin.x() - c.origin.y() : c.origin.x() + c.origin.y();
        const double first = c.falling ? c.rect.left() - c.rect.bottom() : c.rect.left() + c.rect.top();
        const double last = c.falling ? c.rect.right() - c.rect.top() : c.rect.right() + c.rect.bottom();
        for (double s = origin + std::ceil((first - origin) / period) * period; s <= last; s += period) {
            if (c.falling)
                painter.drawLine(QPointF(s + c.rect.top(), c.rect.top()), QPointF(s + c.rect.bottom(), c.rect.bottom()));
            else
                painter.drawLine(QPointF(s - c.rect.top(), c.rect.top()), QPointF(s - c.rect.bottom(), c.rect.bottom()));
        }
        painter.restore();
    }
    void operator()(const Text& c)
    {
        const double shift =
            c.align == Text::Align::left ? 0 : shaper.width(c.face, c.text) * (c.align == Text::Align::centre ? 0.5 : 1);
        if (!c.rotated) {
            shaper.draw(painter, c.face, c.at - QPointF(shift, 0), c.text, c.colour, asText);
            return;
        }
        painter.save();
        painter.translate(c.at);
        painter.rotate(-90);
        shaper.draw(painter, c.face, {-shift, 0}, c.text, c.colour, asText);
        painter.restore();
    }
    void operator()(const draw::Picture& c) { painter.drawImage(c.rect, c.image); }
    void operator()(const draw::Clip& c)
    {
        painter.save();
        painter.setClipRect(c.rect, Qt::IntersectClip);
    }
    void operator()(const draw::Unclip&) { painter.restore(); }
    void operator()(const draw::Shift& c)
    {
        painter.save();
        painter.translate(c.by);
    }
    void operator()(const draw::Unshift&) { painter.restore(); }
};

struct Writer {
    QTextStream& out;

    static QString number(double value)
    {
        QString text = QString::number(value, 'f', 2);
        while (text.endsWith(u'0')) text.chop(1);
        if (text.endsWith(u'.')) text.chop(1);
        return text == u"-0" ? QStringLiteral("0") : text;
    }
    static QString at(const QPointF& p) { return number(p.x()) + u',' + number(p.y()); }
    static QString box(const QRectF& r) { return at(r.topLeft()) + u' ' + number(r.width()) + u'x' + number(r.height()); }
    static QString points(const QPolygonF& polygon)
    {
        QString text;
        for (const QPointF& p : polygon) text += u' ' + at(p);
        return text;
    }
    static QString name(const QColor& c)
    {
        return c.isValid() ? c.name(c.alpha() < 255 ? QColor::HexArgb : QColor::HexRgb) : QStringLiteral("-");
    }

    void operator()(const draw::Fill& c) { out << "fill " << box(c.rect) << ' ' << name(c.colour) << " r" << number(c.radius); }
    void operator()(const draw::Outline& c)
    {
        out << "outline " << box(c.rect) << ' ' << name(c.colour) << " w" << number(c.width) << " r" << number(c.radius) << " d"
            << int(c.dash);
    }
    void operator()(const draw::Line& c)
    {
        out << "line" << points(c.points) << ' ' << name(c.colour) << " w" << number(c.width) << " d" << int(c.dash);
    }
    void operator()(const draw::Area& c) { out << "area" << points(c.points) << ' ' << name(c.colour); }
    void operator()(const draw::Columns& c)
    {
        out << "columns " << number(c.left) << ' ' << number(c.width) << ' ' << name(c.colour);
        for (const auto& [top, bottom] : c.spans) out << ' ' << number(top) << ',' << number(bottom);
    }
    void operator()(const draw::Disc& c)
    {
        out << "disc " << at(c.centre) << " r" << number(c.radius) << ' ' << name(c.fill) << ' ' << name(c.border) << " w"
            << number(c.width);
    }
    void operator()(const draw::Hatch& c)
    {
        out << "hatch " << box(c.rect) << ' ' << name(c.colour) << ' ' << number(c.spacing)
            << (c.falling ? " falling" : " rising");
    }
    void operator()(const Text& c)
    {
        static constexpr const char* aligns[] = {"left", "centre", "right"};
        out << "text " << at(c.at) << ' ' << aligns[int(c.align)] << " f" << int(c.face) << ' ' << name(c.colour)
            << (c.rotated ? " rotated" : "") << " \"" << c.text << '"';
    }
    void operator()(const draw::Picture& c)
    {
        out << "image " << box(c.rect) << ' ' << c.image.width() << 'x' << c.image.height();
    }
    void operator()(const draw::Clip& c) { out << "clip " << box(c.rect); }
    void operator()(const draw::Unclip&) { out << "unclip"; }
    void operator()(const draw::Shift& c) { out << "shift " << at(c.by); }
    void operator()(const draw::Unshift&) { out << "unshift"; }
};

/// Control characters escaped (`shownText`): names come from files, and a line feed in one would leave its line.
QString inOneLine(const QString& text)
{
    const auto control = [](QChar c) {
        return c.category() == QChar::Other_Control || c.category() == QChar::Other_Format ||
               c.category() == QChar::Separator_Line || c.category() == QChar::Separator_Paragraph || c >= QChar(0xFFFE);
    };
    if (std::ranges::none_of(text, control)) return text;
    return QString::fromStdString(shownName(text.toStdString(), std::size_t(text.size())));
}

MeasureText measureIn(const DrawList& list, Face face)
{
    return [&list, face](std::string_view text, bool) {
        return list.width(face, QString::fromUtf8(text.data(), qsizetype(text.size())));
    };
}

} // namespace

double DrawList::snap(double value) const
{
    return std::floor(value * ratio_ + 0.5) / ratio_;
}

QRectF DrawList::snapped(const QRectF& rect) const
{
    return {QPointF(snap(rect.left()), snap(rect.top())), QPointF(snap(rect.right()), snap(rect.bottom()))};
}

void DrawList::fill(const QRectF& rect, const QColor& colour, double radius)
{
    if (rect.width() > 0 && rect.height() > 0) add(draw::Fill{rect, colour, radius});
}

void DrawList::outline(const QRectF& rect, const QColor& colour, double width, double radius, Dash dash)
{
    add(draw::Outline{rect, colour, width, radius, dash});
}

void DrawList::horizontal(double left, double right, double y, const QColor& colour, double width, Dash dash)
{
    if (right <= left) return;
    const double top = snap(y);
    if (dash == Dash::solid)
        fill({left, top, right - left, width}, colour);
    else
        add(draw::Line{QPolygonF{QPointF(left, top + width / 2), QPointF(right, top + width / 2)}, colour, width, dash});
}

void DrawList::vertical(double x, double top, double bottom, const QColor& colour, double width, Dash dash)
{
    if (bottom <= top) return;
    const double left = snap(x);
    if (dash == Dash::solid)
        fill({left, top, width, bottom - top}, colour);
    else
        add(draw::Line{QPolygonF{QPointF(left + width / 2, top), QPointF(left + width / 2, bottom)}, colour, width, dash});
}

void DrawList::text(Face face, double x, double y, const QString& text, const QColor& colour, Text::Align align)
{
    if (!text.isEmpty()) add(Text{align, {x, snap(y + shaper_.capHeight(face) / 2)}, face, colour, false, inOneLine(text)});
}

double DrawList::chipWidth(const QString& text) const
{
    return std::ceil(shaper_.width(Face::number, text)) + 12;
}

QRectF DrawList::chip(double right, double top, const QString& text, const QColor& colour, const QColor& fillColour, bool border)
{
    const double width = chipWidth(text);
    const QRectF rect(snap(right - width), snap(top), width, chipHeight);
    fill(rect, fillColour, 3);
    if (border) outline(rect.adjusted(0.5, 0.5, -0.5, -0.5), colour, 1, 2.5);
    this->text(Face::number, rect.left() + 6, rect.center().y(), text, colour);
    return rect;
}

QString DrawList::elided(Face face, const QString& whole, double room) const
{
    QString text = inOneLine(whole);
    if (width(face, text) <= room) return text;
    // The widest beginning that leaves room for the ellipsis; widths grow with length.
    qsizetype low = 0;
    qsizetype high = text.size();
    while (low < high) {
        const qsizetype middle = (low + high + 1) / 2;
        if (width(face, text.left(middle) + u'\u2026') <= room)
            low = middle;
        else
            high = middle - 1;
    }
    return low > 0 ? withoutCutNumber(text.left(low)) + u'\u2026' : QString();
}

QString DrawList::elidedInside(Face face, const QString& whole, double room) const
{
    QString text = inOneLine(whole);
    if (width(face, text) <= room) return text;
    const auto keeping = [&](qsizetype count) { return text.left(count - count / 2) + u'\u2026' + text.right(count / 2); };
    qsizetype count = text.size() - 1;
    while (count > 1 && width(face, keeping(count)) > room) --count;
    return count > 1 ? keeping(count) : QString();
}

QString DrawList::toldApart(Face face, const QString& name, double room, const NamesApart& names) const
{
    return QString::fromStdString(names.fit(inOneLine(name).toStdString(), room, measureIn(*this, face)));
}

QString DrawList::toldApart(Face face, const QString& sentence, const QStringList& quoted, double room,
                            const NamesApart& names) const
{
    QString text = inOneLine(sentence);
    if (width(face, text) <= room) return text;
    std::vector<std::string> words;
    for (const QString& name : quoted) words.push_back(inOneLine(name).toStdString());
    constexpr double beside = 1; // letters side by side may need a little more
    text = QString::fromStdString(names.fitSentence(text.toStdString(), words, room - beside, measureIn(*this, face)));
    return elided(face, text, room);
}

void replay(const DrawList& list, QPainter& painter, bool asText)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::TextAntialiasing);
    // A paint engine that is none of Qt's own gets no letters with the glyphs.
    const QPaintEngine* engine = painter.paintEngine();
    Replayer replayer{painter, list.shaper(), asText || (engine && engine->type() >= QPaintEngine::User)};
    for (const DrawCommand& command : list.commands()) std::visit(replayer, command);
    painter.restore();
}

QString toText(const DrawList& list)
{
    QString text;
    QTextStream out(&text);
    Writer writer{out};
    for (const DrawCommand& command : list.commands()) {
        std::visit(writer, command);
        out << '\n';
    }
    out.flush();
    return text;
}

} // namespace stowage
