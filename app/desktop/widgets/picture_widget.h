// What widgets that show one picture of a run have in common: heatmap and pipes.
#pragma once

#include "app/canvas/axis/hit_test.h"
#include "app/canvas/axis/viewport.h"
#include "app/canvas/kit/draw_list.h"
#include "app/desktop/selection_model.h"

#include <QElapsedTimer>
#include <QImage>
#include <QWidget>

#include <vector>

class QTimer;

namespace stowage {

struct Theme;

/// Changes of what is in view that follow each other within so many milliseconds are one step of history.
inline constexpr int historyMergeMs = 600;

/// A picture painted ahead into an image, an overlay for what follows the pointer, a card after a moment of rest, a history of
/// ranges, and the keys: W, S, A, D, arrows, Backspace, Alt with arrows.
class PictureWidget : public QWidget {
public:
    virtual void pan(double share) = 0; ///< of the visible steps or time; positive shows later
    virtual bool goBack() = 0;
    virtual bool goForward() = 0;
    virtual void goToNeighbour(Direction direction) = 0;

protected:
    enum class Gesture : std::uint8_t { idle, press, area, box };

    PictureWidget(SelectionModel& selection, const QString& name, QWidget* parent);

    /// Along the axis that W and S mean.
    virtual void zoomByKey(double factor) = 0;
    [[nodiscard]] virtual ViewRange range() const = 0;
    virtual void paintBase(DrawList& list) = 0;

    /// The picture is painted anew before it is shown.
    void changed();
    void renewBase(double ratio);
    /// Keeps what is in view for going back; changes that follow each other closely are one step when `merge`.
    void leaveRange(bool merge);
    /// After a moment of rest.
    void showCardSoon();
    void hideCard();
    /// A press with the left or the middle button: a box to zoom to (middle, or with Alt, inside `plot`), or what the pointer
    /// makes of it.
    void beginGesture(QMouseEvent* event, const QRectF& plot);
    /// The pointer has gone far enough from where it was pressed for a drag.
    [[nodiscard]] bool dragged() const;
    /// Nothing smaller is meant as a box.
    [[nodiscard]] static bool isBox(double side);
    void paintBox(DrawList& overlay, const Theme& theme, const QRectF& plot) const;
    /// What is selected among the first `buffers`: one, and the others of several.
    void readSelection(std::size_t buffers, BufferId& selected, std::vector<BufferId>& others) const;
    /// Selects one or several; `chosen` is cut where a list would no longer be read.
    void select(std::vector<BufferId> chosen);
    /// Notches of the wheel, upward positive; sideways wheels count when there is nothing else.
    [[nodiscard]] static double notches(const QWheelEvent& event);

    void keyPressEvent(QKeyEvent* event) override;

    SelectionModel& selection_;
    ViewHistory history_;
    TextShaper shaper_;
    QImage base_;
    bool baseStale_ = true;
    Gesture gesture_ = Gesture::idle;
    QPointF pressed_;
    QPointF last_;
    bool cardShown_ = false;

private:
    QTimer* cardDelay_ = nullptr;
    QElapsedTimer sinceChange_;
};

} // namespace stowage
