// A map in the real window, and the events that QTest cannot make.
#pragma once

#include "app/desktop/views/liveness_view.h"
#include "app/desktop/views/memory_map_view.h"
#include "tests/desktop/desk.h"

#include <QWheelEvent>

#include <memory>

namespace stowage::test {

struct MapDesk : Desk {
    /// The map of a view, once its picture is there.
    MapWidget* openMap(const char* name, const char* view = "memory-map")
    {
        if (!open(name)) return nullptr;
        return mapOf(view);
    }
    MapWidget* mapOf(const char* view)
    {
        auto* shown = show<StackView>(view);
        if (!shown) return nullptr;
        MapWidget* map = &shown->map();
        if (!QTest::qWaitFor([&] { return map->ready() && map->isVisible(); }, 20'000)) return nullptr;
        QTest::qWait(30); // the docks take their places
        map->setFocus();
        return map;
    }
};

/// Turns the wheel by `notches` (up: positive) with the pointer at `at`.
inline void turnWheel(QWidget& widget, const QPointF& at, double notches, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, int(notches * 120)), Qt::NoButton, modifiers, Qt::NoScrollPhase,
                      false);
    QApplication::sendEvent(&widget, &event);
}

/// Moves the pointer without a button.
inline void movePointer(QWidget& widget, const QPointF& to)
{
    QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

/// Press, a few moves, release.
inline void drag(QWidget& widget, const QPointF& from, const QPointF& to, Qt::MouseButton button = Qt::LeftButton,
                 Qt::KeyboardModifiers modifiers = Qt::NoModifier)
{
    const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButton which, Qt::MouseButtons held) {
        QMouseEvent event(type, at, widget.mapToGlobal(at), which, held, modifiers);
        QApplication::sendEvent(&widget, &event);
    };
    send(QEvent::MouseButtonPress, from, button, button);
    for (int i = 1; i <= 4; ++i) send(QEvent::MouseMove, from + (to - from) * (i / 4.0), Qt::NoButton, button);
    send(QEvent::MouseButtonRelease, to, button, Qt::NoButton);
}

/// The middle of a buffer's box.
inline QPointF middleOf(const MapWidget& map, BufferId buffer)
{
    return map.boxOf(buffer).center();
}

} // namespace stowage::test
