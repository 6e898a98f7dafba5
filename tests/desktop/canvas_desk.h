// Canvases for tests to drive: each with one picture of the table, shown, laid out and at rest.
#pragma once

#include "app/desktop/widgets/canvas.h"
#include "tests/support/picture_sources.h"

#include <QMouseEvent>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QTest>
#include <QWheelEvent>

#include <cmath>
#include <map>
#include <memory>
#include <optional>

namespace stowage::test {

/// A canvas with one picture of the table, shown, laid out and at rest.
struct CanvasDesk {
    SelectionModel selection;
    std::unique_ptr<Canvas> canvas;

    explicit CanvasDesk(const PictureEntry& entry)
    {
        canvas = std::make_unique<Canvas>(selection, entry.make(), QString::fromLatin1(entry.title));
        canvas->resize(1100, 760);
        canvas->show();
        canvas->setSource(sourceFor(entry));
        const bool there = QTest::qWaitFor([&] { return canvas->ready() && canvas->scene(); }, 30'000);
        if (!there) qWarning("%s shows nothing", entry.id);
        canvas->setFocus();
        canvas->grab();
    }
    [[nodiscard]] PictureParts parts() const { return canvas->picture().parts(); }
    [[nodiscard]] double span() const { return canvas->range().steps.span; }
    [[nodiscard]] AxisPoint begin() const { return canvas->range().steps.begin; }
    /// A point in the middle of the plot, in a strip where there is one, and in no list that the wheel scrolls.
    [[nodiscard]] QPointF middle() const
    {
        const PictureParts all = parts();
        const double x = std::round((all.plotLeft + all.plotRight) / 2);
        if (!all.strips.empty()) return {x, std::round(all.strips.front().center().y())};
        double y = 150;
        while (y < canvas->height() && all.scrollAt({x, y}) < all.scrolls.size() && all.scrolls[all.scrollAt({x, y})].wheel)
            y += 20;
        return {x, y};
    }
    void key(int which, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(canvas.get(), Qt::Key(which), modifiers); }
    void wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers = {})
    {
        QWheelEvent event(at, canvas->mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(canvas.get(), &event);
    }
    void pinch(QPointF at, double value)
    {
        QNativeGestureEvent event(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                                  canvas->mapToGlobal(at), value, QPointF());
        QCoreApplication::sendEvent(canvas.get(), &event);
    }
    void move(QPointF to, Qt::MouseButtons held = {}, Qt::KeyboardModifiers modifiers = {})
    {
        QMouseEvent event(QEvent::MouseMove, to, canvas->mapToGlobal(to), Qt::NoButton, held, modifiers);
        QCoreApplication::sendEvent(canvas.get(), &event);
    }
    void button(QEvent::Type type, QPointF at, Qt::MouseButton which, Qt::KeyboardModifiers modifiers = {})
    {
        QMouseEvent event(type, at, canvas->mapToGlobal(at), which,
                          type == QEvent::MouseButtonPress ? Qt::MouseButtons(which) : Qt::MouseButtons(), modifiers);
        QCoreApplication::sendEvent(canvas.get(), &event);
    }
    void drag(QPointF from, QPointF to, Qt::MouseButton which = Qt::LeftButton, Qt::KeyboardModifiers modifiers = {})
    {
        button(QEvent::MouseButtonPress, from, which, modifiers);
        for (int i = 1; i <= 4; ++i) move(from + (to - from) * (i / 4.0), which, modifiers);
        button(QEvent::MouseButtonRelease, to, which, modifiers);
    }
    /// A point whose hit satisfies `wanted`; the first one on a grid.
    template <typename Wanted>
    [[nodiscard]] std::optional<QPointF> find(Wanted wanted) const
    {
        for (double y = 3; y < canvas->height(); y += 5)
            for (double x = 3; x < canvas->width(); x += 7)
                if (wanted(canvas->picture().hit({x, y}))) return QPointF(x, y);
        return std::nullopt;
    }
};

inline void addPictures()
{
    QTest::addColumn<QString>("id");
    for (const PictureEntry& entry : pictureTable()) QTest::newRow(entry.id) << QString::fromLatin1(entry.id);
}

#define DESK()                                                                                                                   \
    QFETCH(QString, id);                                                                                                         \
    CanvasDesk desk(*pictureEntry(id));                                                                                          \
    QVERIFY2(desk.canvas->scene(), "no sample suits this picture: add one to tests/support/picture_sources.h")

/// What a picture may lack.
enum class Feature {
    zoom,      ///< an axis that zooms and pans
    addresses, ///< a second axis, upwards
    ownScales, ///< a scale of its own for each axis
    ruler,     ///< of steps, for the time cursor
    card,      ///< about what is below the pointer
    single,    ///< places that stand for a single buffer
    walk,      ///< arrows that go from buffer to buffer
};

/// Every exception from "each picture takes each key and gesture". What is listed has to lack the feature, and what is not listed
/// has to have it.
inline bool lacks(Feature feature, const QString& id)
{
    static const std::map<Feature, QStringList> without{
        {Feature::zoom, {"regression", "compare", "search", "fit", "robustness"}}, // lists, sheets and charts that show all
        {Feature::addresses, {"liveness", "usage", "pipes", "pipeline"}},          // rows, bytes and lanes have fixed places
        {Feature::ownScales, {"graph", "interference", "allocation", "fold"}},     // drawings, which keep their shape
        {Feature::ruler, {"pipes", "graph", "interference", "allocation", "pipeline", "fold"}}, // no axis of steps
        {Feature::card, {"compare"}},                                                           // for files only
        {Feature::single, {"usage", "regression", "compare", "search", "fit", "robustness"}},   // levels, models, plans
        {Feature::walk, {"usage"}},                                                             // they move the time cursor
    };
    return without.at(feature).contains(id);
}

/// A desk whose picture zooms; with one that does not zoom, the block changes nothing, and the test ends.
#define DESK_THAT_ZOOMS(...)                                                                                                     \
    DESK();                                                                                                                      \
    QCOMPARE(desk.parts().zooms(), !lacks(Feature::zoom, id));                                                                   \
    if (!desk.parts().zooms()) return changesNothing(desk, [&] __VA_ARGS__)

} // namespace stowage::test
