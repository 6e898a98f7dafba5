#include "tests/desktop/painted_texts.h"

#include "app/canvas/kit/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QFontMetricsF>
#include <QHeaderView>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTabBar>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

namespace stowage::test {

namespace {

/// Least contrast of `ink` with a colour that at least a quarter of `box` has.
double contrastOn(const QImage& ground, const QRectF& box, const QColor& ink)
{
    const QRect area = box.toAlignedRect().intersected(ground.rect());
    if (area.isEmpty()) return 21;
    // A ground has few colours; what comes after the first sixteen is part of a picture, and of no share that matters.
    std::array<std::pair<QRgb, int>, 16> seen{};
    std::size_t known = 0;
    for (int y = area.top(); y <= area.bottom(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(ground.constScanLine(y));
        for (int x = area.left(); x <= area.right(); ++x) {
            const QRgb colour = line[x] | 0xff000000u;
            std::size_t at = 0;
            while (at < known && seen[at].first != colour) ++at;
            if (at == seen.size()) continue;
            if (at == known) seen[known++] = {colour, 0};
            ++seen[at].second;
        }
    }
    const int all = area.width() * area.height();
    double least = 21;
    for (std::size_t i = 0; i < known; ++i) {
        if (seen[i].second * 4 < all) continue;
        const QColor below = QColor::fromRgb(seen[i].first);
        const QColor seenInk = mix(below, QColor(ink.red(), ink.green(), ink.blue()), ink.alphaF());
        least = std::min(least, contrastRatio(seenInk, below));
    }
    return least;
}

/// Paints all but texts into an image, and keeps the texts.
class Recorder : public QPaintEngine {
public:
    Recorder(QImage& ground, std::vector<PaintedText>& texts, QWidget*& current)
        : QPaintEngine(QPaintEngine::AllFeatures), ground_(ground), texts_(texts), current_(current)
    {
    }
    bool begin(QPaintDevice*) override { return painter_.begin(&ground_); }
    bool end() override { return painter_.end(); }
    [[nodiscard]] Type type() const override { return User; }
    void updateState(const QPaintEngineState& now) override
    {
        ready(); // a clip is cut to that of the widget when it is set
        const DirtyFlags dirty = now.state();
        if (dirty & DirtyTransform) painter_.setTransform(now.transform());
        if (dirty & DirtyPen) painter_.setPen(now.pen());
        if (dirty & DirtyBrush) painter_.setBrush(now.brush());
        if (dirty & DirtyBrushOrigin) painter_.setBrushOrigin(now.brushOrigin());
        if (dirty & DirtyBackground) painter_.setBackground(now.backgroundBrush());
        if (dirty & DirtyBackgroundMode) painter_.setBackgroundMode(now.backgroundMode());
        if (dirty & DirtyOpacity) painter_.setOpacity(now.opacity());
        if (dirty & DirtyCompositionMode) painter_.setCompositionMode(now.compositionMode());
        if (dirty & DirtyHints) painter_.setRenderHints(now.renderHints());
        if (dirty & DirtyClipRegion) painter_.setClipRegion(now.clipRegion(), now.clipOperation());
        if (dirty & DirtyClipPath) painter_.setClipPath(now.clipPath(), now.clipOperation());
        if (dirty & DirtyClipEnabled) painter_.setClipping(now.isClipEnabled());
    }
    void drawRects(const QRectF* rects, int count) override
    {
        ready().drawRects(rects, count);
        for (int i = 0; i < count; ++i) cover(rects[i]);
    }
    void drawRects(const QRect* rects, int count) override
    {
        ready().drawRects(rects, count);
        for (int i = 0; i < count; ++i) cover(rects[i]);
    }
    void drawLines(const QLineF* lines, int count) override { ready().drawLines(lines, count); }
    void drawLines(const QLine* lines, int count) override { ready().drawLines(lines, count); }
    void drawEllipse(const QRectF& box) override { ready().drawEllipse(box); }
    void drawEllipse(const QRect& box) override { ready().drawEllipse(box); }
    void drawPath(const QPainterPath& path) override
    {
        ready().drawPath(path);
        cover(path.boundingRect());
    }
    void drawPoints(const QPointF* points, int count) override { ready().drawPoints(points, count); }
    void drawPoints(const QPoint* points, int count) override { ready().drawPoints(points, count); }
    void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override { polygon(points, count, mode); }
    void drawPolygon(const QPoint* points, int count, PolygonDrawMode mode) override { polygon(points, count, mode); }
    void drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF& part) override
    {
        ready().drawPixmap(box, pixmap, part);
    }
    void drawTiledPixmap(const QRectF& box, const QPixmap& pixmap, const QPointF& from) override
    {
        ready().drawTiledPixmap(box, pixmap, from);
    }
    void drawImage(const QRectF& box, const QImage& image, const QRectF& part, Qt::ImageConversionFlags flags) override
    {
        ready().drawImage(box, image, part, flags);
    }
    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        ready();
        if (item.text().trimmed().isEmpty()) return;
        PaintedText text;
        text.text = item.text();
        text.widget = current_;
        const QRectF tight = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
        const QTransform& to = painter_.transform();
        text.ink = to.mapRect(tight);
        text.rotated = to.isRotating();
        text.height = item.font().pixelSize() * std::sqrt(std::abs(to.determinant()));
        text.begin = to.map(at).x();
        text.end = to.map(at + QPointF(item.width(), 0)).x();
        QRectF clip(ground_.rect());
        if (const QRegion system = systemClip(); !system.isEmpty()) clip &= QRectF(system.boundingRect());
        if (painter_.hasClipping()) clip &= to.mapRect(painter_.clipBoundingRect());
        text.shown = text.ink & clip;
        QColor colour = painter_.pen().color();
        colour.setAlphaF(colour.alphaF() * float(painter_.opacity()));
        text.colour = colour;
        text.contrast = contrastOn(ground_, text.shown, colour);
        texts_.push_back(text);
    }

private:
    /// An opaque area as large as a card hides what lies in it. A chip that hides a number is a fault, and no card.
    void cover(const QRectF& area)
    {
        const QBrush& brush = painter_.brush();
        if (brush.style() != Qt::SolidPattern || brush.color().alpha() < 255 || painter_.opacity() < 1) return;
        const QRectF on = painter_.transform().mapRect(area);
        for (PaintedText& text : texts_)
            if (text.widget == current_ && on.contains(text.ink) && on.height() > 4 * text.height && on.width() > 8 * text.height)
                text.covered = true;
    }
    template <typename Point>
    void polygon(const Point* points, int count, PolygonDrawMode mode)
    {
        if (mode == PolylineMode)
            ready().drawPolyline(points, count);
        else
            ready().drawPolygon(points, count, mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    }
    /// The clip that the window system or a parent widget sets is not part of the state.
    QPainter& ready()
    {
        if (systemClip() != lastClip_) {
            lastClip_ = systemClip();
            painter_.paintEngine()->setSystemClip(lastClip_);
        }
        return painter_;
    }

    QImage& ground_;
    std::vector<PaintedText>& texts_;
    QWidget*& current_;
    QPainter painter_;
    QRegion lastClip_;
};

class RecordingDevice : public QPaintDevice {
public:
    RecordingDevice(QSize size, QImage& ground, std::vector<PaintedText>& texts, QWidget*& current)
        : size_(size), engine_(ground, texts, current)
    {
    }
    [[nodiscard]] QPaintEngine* paintEngine() const override { return &engine_; }

protected:
    [[nodiscard]] int metric(PaintDeviceMetric which) const override
    {
        switch (which) {
        case PdmWidth: return size_.width();
        case PdmHeight: return size_.height();
        case PdmDepth: return 32;
        case PdmNumColors: return 1 << 24;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY: return 96;
        case PdmDevicePixelRatio: return 1;
        case PdmDevicePixelRatioScaled: return int(devicePixelRatioFScale());
        default: return 0;
        }
    }

private:
    QSize size_;
    mutable Recorder engine_;
};

/// Notes which widget paints.
class PaintWatch : public QObject {
public:
    explicit PaintWatch(QWidget*& current) : current_(current) { qApp->installEventFilter(this); }

protected:
    bool eventFilter(QObject* object, QEvent* event) override
    {
        if (event->type() == QEvent::Paint && object->isWidgetType()) current_ = static_cast<QWidget*>(object);
        return false;
    }

private:
    QWidget*& current_;
};

const QAbstractScrollArea* areaAround(const QWidget* widget)
{
    for (const QWidget* at = widget; at; at = at->parentWidget())
        if (const auto* area = qobject_cast<const QAbstractScrollArea*>(at)) {
            if (!qobject_cast<const QHeaderView*>(area)) return area;
        }
    return nullptr;
}

/// There is a bar, and something to scroll.
bool scrolls(const QAbstractScrollArea& area, Qt::Orientation way)
{
    const QScrollBar& bar = way == Qt::Horizontal ? *area.horizontalScrollBar() : *area.verticalScrollBar();
    const auto policy = way == Qt::Horizontal ? area.horizontalScrollBarPolicy() : area.verticalScrollBarPolicy();
    return policy != Qt::ScrollBarAlwaysOff && bar.maximum() > bar.minimum();
}

/// "497,261", "0x1f40", "12 KiB", "3.5 %".
bool isNumber(const QString& text)
{
    static const QRegularExpression number(QStringLiteral("^[+-]?(0x[0-9a-fA-F]+|[0-9][0-9,.]*)( ?[A-Za-zµ%]{1,3})?$"));
    return number.match(text.trimmed()).hasMatch();
}

/// What is cut because it is scrolled is whole elsewhere. Of a number, the digits that are left would be read as another one.
bool scrolled(const PaintedText& text)
{
    if (!text.widget) return false;
    // Tabs that have no room are scrolled with the arrows beside them.
    if (const auto* tabs = qobject_cast<const QTabBar*>(text.widget))
        return tabs->usesScrollButtons() && tabs->sizeHint().width() > tabs->width();
    const QAbstractScrollArea* area = areaAround(text.widget);
    if (!area) return false;
    const bool upright = text.shown.height() >= text.ink.height() - 1, across = text.shown.width() >= text.ink.width() - 1;
    return (across || (!isNumber(text.text) && scrolls(*area, Qt::Horizontal))) && (upright || scrolls(*area, Qt::Vertical));
}

bool floats(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (widget->property("floating").toBool()) return true;
    return false;
}

QString named(const QWidget* widget)
{
    if (!widget) return QStringLiteral("picture");
    QStringList names;
    for (const QWidget* at = widget; at && names.size() < 3; at = at->parentWidget())
        names.prepend(at->objectName().isEmpty() ? QString::fromLatin1(at->metaObject()->className()) : at->objectName());
    return names.join(u'/');
}

QString place(const QRectF& box)
{
    return QStringLiteral("%1,%2 %3x%4").arg(int(box.x())).arg(int(box.y())).arg(int(box.width())).arg(int(box.height()));
}

} // namespace

std::vector<PaintedText> paintedTexts(QWidget& window)
{
    QImage ground(window.size(), QImage::Format_RGB32);
    ground.fill(window.palette().color(QPalette::Window));
    std::vector<PaintedText> texts;
    QWidget* current = nullptr;
    RecordingDevice device(window.size(), ground, texts, current);
    const PaintWatch watch(current);
    window.render(&device);
    return texts;
}

std::vector<PaintedText> paintedTexts(const DrawList& list, QSize size, const QColor& colour,
                                      const std::vector<PictureScroll>& scrolled)
{
    // The ground is everything but the texts: a picture paints a text's patch before the text, and nothing over texts but marks.
    DrawList rest(list.shaper(), 1);
    for (const DrawCommand& command : list.commands())
        if (!std::holds_alternative<draw::Text>(command)) std::visit([&](const auto& known) { rest.add(known); }, command);
    QImage ground(size, QImage::Format_RGB32);
    ground.fill(colour);
    {
        QPainter painter(&ground);
        replay(rest, painter);
    }
    std::vector<PaintedText> texts;
    std::vector<QRectF> clips{QRectF(QPointF(), QSizeF(size))};
    std::vector<QPointF> shifts{QPointF()};
    for (const DrawCommand& command : list.commands()) {
        if (const auto* clip = std::get_if<draw::Clip>(&command))
            clips.push_back(clips.back() & clip->rect.translated(shifts.back()));
        else if (std::get_if<draw::Unclip>(&command))
            clips.pop_back();
        else if (const auto* shift = std::get_if<draw::Shift>(&command))
            shifts.push_back(shifts.back() + shift->by);
        else if (std::get_if<draw::Unshift>(&command))
            shifts.pop_back();
        const auto* painted = std::get_if<draw::Text>(&command);
        if (!painted || painted->text.trimmed().isEmpty()) continue;
        PaintedText text;
        text.text = painted->text;
        text.rotated = painted->rotated;
        const double width = list.shaper().width(painted->face, painted->text);
        const double height = list.shaper().capHeight(painted->face);
        const double before = painted->align == draw::Text::Align::left     ? 0
                              : painted->align == draw::Text::Align::centre ? width / 2
                                                                            : width;
        text.ink = painted->rotated ? QRectF(painted->at.x() - height, painted->at.y() - width + before, height, width)
                                    : QRectF(painted->at.x() - before, painted->at.y() - height, width, height);
        text.ink.translate(shifts.back());
        text.begin = text.ink.left();
        text.end = text.ink.right();
        text.shown = text.ink & clips.back();
        // A row at the edge of a list that scrolls is whole elsewhere.
        for (const PictureScroll& part : scrolled)
            if (part.overhang() > 0 && part.box.intersects(text.ink) && text.shown.width() >= text.ink.width() - 1)
                text.ink = text.shown;
        text.colour = painted->colour;
        text.contrast = contrastOn(ground, text.shown, painted->colour);
        texts.push_back(text);
    }
    return texts;
}

bool cutsNumber(const QString& text)
{
    // A word of digits that ends in an ellipsis, or begins with one. A name may have digits in its parts.
    static const QRegularExpression cut(QStringLiteral("(^|[\\s(+-])(0x[0-9a-fA-F]+|[0-9][0-9,.]*)…|…[0-9][0-9,.]*($|[\\s)])"));
    return cut.match(text).hasMatch();
}

namespace {

/// Two texts of one line that would be read as one word. Runs of letters in different typefaces of one text are painted one by
/// one, each where the one before ends: these are no two texts.
bool touch(const PaintedText& a, const PaintedText& b)
{
    constexpr double space = 2.5; // logical pixels; a space of the smallest letters has three
    if (a.rotated || b.rotated || a.shown.isEmpty() || b.shown.isEmpty() || floats(a.widget) != floats(b.widget)) return false;
    const PaintedText& left = a.shown.left() <= b.shown.left() ? a : b;
    const PaintedText& right = &left == &a ? b : a;
    const double gap = right.shown.left() - left.shown.right();
    const double common = std::min(a.shown.bottom(), b.shown.bottom()) - std::max(a.shown.top(), b.shown.top());
    if (gap < -1.5 || gap >= space || common < std::min(a.shown.height(), b.shown.height()) / 2) return false;
    constexpr double same = 0.3; // logical pixels
    // A text may bring its space along.
    if (left.text.back().isSpace() || right.text.front().isSpace()) return false;
    return !left.widget || left.widget != right.widget || std::abs(right.begin - left.end) > same;
}

} // namespace

QStringList faultsOf(const std::vector<PaintedText>& texts, bool coloursOnly)
{
    constexpr double slack = 1.5; // logical pixels: side bearings, and the anti-aliased edge
    constexpr double minContrast = 4.5;
    constexpr double minHeight = 9.4; // op codes have 9.5
    QStringList faults;
    const auto tell = [&](const QString& what, const PaintedText& text) {
        faults << QStringLiteral("%1: \"%2\" at %3 in %4").arg(what, text.text, place(text.ink), named(text.widget));
    };
    for (const PaintedText& text : texts) {
        if (cutsNumber(text.text)) tell(QStringLiteral("cut number"), text);
        if (text.shown.isEmpty()) {
            // Scrolled out, or painted where nobody sees it.
            const QAbstractScrollArea* area = areaAround(text.widget);
            const bool elsewhere = area && (scrolls(*area, Qt::Horizontal) || scrolls(*area, Qt::Vertical));
            if (text.widget && !elsewhere && !text.widget->visibleRegion().isEmpty()) tell(QStringLiteral("hidden"), text);
            continue;
        }
        const bool cut = text.shown.width() < text.ink.width() - slack || text.shown.height() < text.ink.height() - slack;
        if (cut && !scrolled(text)) tell(QStringLiteral("cut"), text);
        if (text.height > 0 && text.height < minHeight) tell(QStringLiteral("small, %1 px").arg(text.height), text);
        const bool disabled = text.widget && !text.widget->isEnabled();
        if (!disabled && text.contrast < minContrast - 0.05)
            tell(QStringLiteral("contrast %1").arg(text.contrast, 0, 'f', 1), text);
    }
    for (std::size_t i = 0; i < texts.size() && !coloursOnly; ++i) {
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
            if (texts[i].covered) break; // by a card
            if (touch(texts[i], texts[j])) tell(QStringLiteral("touches \"%1\"").arg(texts[i].text), texts[j]);
            const QRectF common = texts[i].shown & texts[j].shown;
            if (common.width() <= slack || common.height() <= slack) continue;
            if (floats(texts[i].widget) != floats(texts[j].widget)) continue;             // a card covers what is below it
            if (texts[i].text == texts[j].text && texts[i].ink == texts[j].ink) continue; // a halo
            tell(QStringLiteral("over \"%1\"").arg(texts[i].text), texts[j]);
        }
    }
    faults.removeDuplicates();
    return faults;
}

QStringList layoutFaults(const QWidget& window)
{
    QStringList faults;
    const auto visit = [&](const auto& self, const QWidget& parent) -> void {
        std::vector<const QWidget*> shown;
        for (const QObject* child : parent.children()) {
            const auto* widget = qobject_cast<const QWidget*>(child);
            // A splitter's handle reaches over its neighbours so that the pointer finds it.
            if (widget && (widget->inherits("QSplitterHandle") || widget->objectName() == u"qt_qmainwindow_extended_splitter"))
                continue;
            if (!widget || widget->isWindow() || !widget->isVisible() || widget->size().isEmpty()) continue;
            shown.push_back(widget);
        }
        const auto* area = qobject_cast<const QAbstractScrollArea*>(parent.parentWidget());
        const bool viewport = area && area->viewport() == &parent;
        for (const QWidget* widget : shown) {
            QRect room = parent.rect();
            // The content of a scroll area is as long as it likes, but is no wider without a bar.
            if (viewport && scrolls(*area, Qt::Vertical)) room.adjust(0, -1000000, 0, 1000000);
            if (viewport && scrolls(*area, Qt::Horizontal)) room.adjust(-1000000, 0, 1000000, 0);
            if (!room.contains(widget->geometry()))
                faults << QStringLiteral("outside its panel: %1 at %2 of %3x%4")
                              .arg(named(widget), place(widget->geometry()))
                              .arg(parent.width())
                              .arg(parent.height());
        }
        for (std::size_t i = 0; i < shown.size(); ++i)
            for (std::size_t j = i + 1; j < shown.size(); ++j) {
                if (floats(shown[i]) || floats(shown[j])) continue;
                // The arrows beside tabs share a line of one pixel: the style has them so.
                if (qobject_cast<const QTabBar*>(&parent) && (shown[i]->geometry() & shown[j]->geometry()).width() <= 1) continue;
                if (!(shown[i]->geometry() & shown[j]->geometry()).isEmpty())
                    faults << QStringLiteral("over each other: %1 and %2, %3 and %4")
                                  .arg(named(shown[i]), named(shown[j]), place(shown[i]->geometry()),
                                       place(shown[j]->geometry()));
            }
        for (const QWidget* widget : shown) self(self, *widget);
    };
    visit(visit, window);
    return faults;
}

} // namespace stowage::test
