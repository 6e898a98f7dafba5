// The one widget that shows pictures and owns all input: wheel, keys by position, pinch, drags, boxes, history, arrows, hover and
// animation mean the same in every picture. A picture (app/canvas/kit/picture.h) says where its parts lie and what is under a
// point.
#pragma once

#include "app/canvas/export/picture_file.h"
#include "app/canvas/kit/picture.h"
#include "app/desktop/background_job.h"
#include "app/desktop/selection_model.h"
#include "app/desktop/view_command.h"

#include <QElapsedTimer>
#include <QImage>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QTimer;
class QVariantAnimation;

namespace stowage {

/// Changes of what is in view that follow each other within this number of milliseconds are one step of history.
inline constexpr int historyMergeMs = 600;

/// Selection, hovered buffer, time cursor and filter are those of the selection model; what is in view is the canvas's own.
///
/// Wheel zooms time at the pointer, with Ctrl (or over the numbers of an address axis) addresses; Shift pans time, Ctrl+Shift
/// addresses; over a list it scrolls. W, S zoom, A, D pan (by the place of the key, whatever the layout); arrows walk neighbours.
/// A drag selects an area, with Shift it pans, with Alt or the middle button it zooms to a box; on what can be moved it moves it.
/// Backspace and the mouse's back button go back.
///
/// Scenes of large runs are made on a thread, and the old picture stays meanwhile.
class Canvas : public QWidget {
    Q_OBJECT

public:
    Canvas(SelectionModel& selection, std::unique_ptr<Picture> picture, const QString& name, QWidget* parent = nullptr);
    ~Canvas() override;

    // --- what is shown ---------------------------------------------------------------------------------------------------
    /// Shows another source; without run and subject nothing.
    void setSource(PictureSource source);
    [[nodiscard]] const PictureSource& source() const { return source_; }
    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    [[nodiscard]] Picture& picture() { return *picture_; }
    [[nodiscard]] const Picture& picture() const { return *picture_; }
    /// Sets an option of the picture, and does what that asks for. False when there is no such option or value.
    bool setOption(const QString& id, const QString& value);
    /// After the owner of the picture changed something of it.
    void apply(PictureChange change);
    /// The scene that is painted; null without one, or when it has an error.
    [[nodiscard]] const PictureScene* scene() const { return scene_ && !scene_->error ? scene_.get() : nullptr; }
    /// Why there is nothing to show, as the scene has it; null: no objection.
    [[nodiscard]] const Error* error() const { return scene_ && scene_->error ? &*scene_->error : nullptr; }
    /// True while a scene is being made.
    [[nodiscard]] bool waiting() const { return job_.running(); }
    /// True when the picture shows the source that was set last.
    [[nodiscard]] bool ready() const { return !job_.running() && !again_; }
    /// True when nothing is made, painted or moved in the background.
    [[nodiscard]] bool settled() const;
    /// What is said in a chip while an old picture stands for one that is being made.
    void setWaitingText(const QString& text) { waitingText_ = text; }

    // --- what is in view -------------------------------------------------------------------------------------------------
    /// Where an animation goes to; without one what is shown.
    [[nodiscard]] ViewRange range() const;
    /// Shows what another canvas shows, at once and with its history, so that each of several that go together leads back. Emits
    /// nothing.
    void follow(const Canvas& other);
    /// Goes there as a step of history.
    void go(const ViewRange& range);
    [[nodiscard]] const ViewHistory& history() const { return history_; }
    void zoomToFit();
    /// Centres the selection; when it is in the middle already, fits it.
    void zoomToSelection();
    void zoomToPeak();
    bool perform(ViewCommand command);
    /// Zooms and fits move for 120 ms, else they jump. At first on, but for offscreen windows.
    void setAnimated(bool on) { animated_ = on; }
    [[nodiscard]] bool moving() const;

    /// What is shown as the bytes of a PNG, SVG or PDF by the suffix of `file`, or an error. Requires a scene.
    Expected<PictureBytes> encode(const QString& file, double scale = 1);
    /// Writes what is shown as PNG, SVG or PDF by the suffix of `file`. Returns notes, or an error. Requires a scene.
    Expected<Diagnostics> exportTo(const QString& file, double scale = 1);

    // --- pointer ---------------------------------------------------------------------------------------------------------
    /// The pointer while it is over the canvas, else the middle of the plot.
    [[nodiscard]] QPointF pointer() const;
    /// The card that is shown; nothing while there is none.
    [[nodiscard]] const std::optional<CardText>& card() const { return shownCard_; }
    /// Where the card was painted last; empty while there is none.
    [[nodiscard]] QRectF cardBox() const { return shownCard_ ? cardBox_ : QRectF(); }
    void hideCard();
    /// Frames whose base was painted anew: to count work in tests.
    [[nodiscard]] std::size_t framesPainted() const { return framesPainted_; }

Q_SIGNALS:
    void sceneChanged();   ///< another scene is painted, or none: bars and pages may differ
    void rangeChanged();   ///< by the user, or because the axes mean something else now
    void optionsChanged(); ///< the picture changed an option by itself: a click on a pool, another size of bins
    void dropped();        ///< something was moved to where it may stay; the picture knows what
    void clicked(const stowage::PictureHit& hit);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

    /// The axes mean something else now.
    void forgetHistory();

private:
    enum class Gesture : std::uint8_t { idle, press, area, box, pan, cursor, scrollBar, move };
    /// Changes of one kind that follow each other are one step of history.
    enum class Change : std::uint8_t { jump, zoom, pan };

    // canvas.cpp
    void makeScene();
    void adopt(std::shared_ptr<const PictureScene> scene);
    void relayout();
    /// For screen readers: what is shown, and what of it is selected.
    void describe();
    void repaintAll();
    void renewBase(double ratio);
    void showMarks(bool fromHere);
    void scheduleCard(const PictureHit& hit);

    // canvas_range.cpp
    [[nodiscard]] Viewport aim() const;
    /// `history`: the one from then on; null: what is left becomes a step of it.
    void changeTo(const ViewRange& range, Change change, bool animated = true, const ViewHistory* history = nullptr);
    void zoomAcross(double factor, QPointF at);
    void zoomUp(double factor, QPointF at);
    void pan(double dx, double dy, std::size_t strip, bool animated);
    void zoomToBox(const QRectF& box);
    void goTo(const PictureAim& aim);
    void bringIntoView(const PictureAim& aim);
    void apply(const PictureAim& aim);
    bool goThroughHistory(bool back);

    // canvas_input.cpp
    void hoverAt(QPointF at);
    void click(QPointF at, Qt::KeyboardModifiers modifiers);
    void dragTo(QPointF at);
    void beginDrag(QPointF at);
    void selectArea(Qt::KeyboardModifiers modifiers);
    void cancelGesture();
    [[nodiscard]] std::optional<Step> stepAt(double x) const;
    void scrollBy(std::size_t part, double pixels);

    SelectionModel& selection_;
    std::unique_ptr<Picture> picture_;
    PictureSource source_;
    std::shared_ptr<const PictureScene> scene_;
    bool again_ = false; ///< what is being made is out of date
    BackgroundJob job_;
    QString waitingText_;

    PictureParts parts_;
    ViewHistory history_;
    ViewRange target_; ///< where an animation goes
    QVariantAnimation* animation_ = nullptr;
    bool animated_ = true;
    std::optional<Change> lastChange_;
    QElapsedTimer sinceChange_;

    TextShaper shaper_;
    QImage base_; ///< all but the overlay
    bool baseStale_ = true;
    double ratio_ = 0; ///< of the layout
    QSize laidOut_;    ///< size that the picture is laid out in
    std::size_t framesPainted_ = 0;

    Gesture gesture_ = Gesture::idle;
    Qt::MouseButton button_ = Qt::NoButton;
    QPointF pressed_;
    QPointF last_;
    std::size_t pressedStrip_ = 0;
    std::size_t pressedScroll_ = 0;
    std::vector<BufferId> area_; ///< buffers in the area that is dragged out
    bool ownSelection_ = false;  ///< the change of the selection comes from here
    bool focusByKey_ = false;
    PictureHit hit_;
    std::optional<CardText> shownCard_;
    QRectF cardBox_;
    QTimer* cardDelay_ = nullptr;
};

} // namespace stowage
