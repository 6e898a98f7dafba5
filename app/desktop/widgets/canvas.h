// The widget that shows pictures and handles all input: wheel, keys by position, pinch, drags, boxes, history, arrows, hover and
// animation work the same in every picture. A picture (app/canvas/kit/picture.h) gives the positions of its parts and the object
// under a point.
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

/// Changes of the visible range that follow each other within this count of milliseconds are one entry of the history.
inline constexpr int historyMergeMs = 600;

/// Selection, hovered buffer, time cursor and filter are in the selection model; the visible range belongs to the canvas.
///
/// The wheel zooms time at the pointer, with Ctrl (or over the numbers of an address axis) addresses; Shift pans time, Ctrl+Shift
/// addresses; over a list it scrolls. W, S zoom, A, D pan (by the position of the key, in every layout), with Shift addresses;
/// arrows go to neighbours.
/// A drag selects an area, with Shift it pans, with Alt or the middle button it zooms to a box; on an object that can be moved it
/// moves it. Backspace and the mouse's back button go back.
///
/// Scenes of large runs are made on a thread, and the old picture stays meanwhile. A picture of a run with other buffers than the
/// run of the selection (beside it in the comparison, or outdated) selects and marks buffers of the same name. A hidden canvas
/// takes over selection, pointer, cursor and filter when it is shown.
class Canvas : public QWidget {
    Q_OBJECT

public:
    Canvas(SelectionModel& selection, std::unique_ptr<Picture> picture, const QString& name, QWidget* parent = nullptr);
    ~Canvas() override;

    // --- what is shown ---------------------------------------------------------------------------------------------------
    /// Shows another source; shows nothing without run and subject.
    void setSource(PictureSource source);
    [[nodiscard]] const PictureSource& source() const { return source_; }
    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    [[nodiscard]] Picture& picture() { return *picture_; }
    [[nodiscard]] const Picture& picture() const { return *picture_; }
    /// Sets an option of the picture, and applies its effect. False if there is no such option or value.
    bool setOption(const QString& id, const QString& value);
    /// To be called after the owner changed the picture.
    void apply(PictureChange change);
    /// The painted scene; null without one, and if it has an error.
    [[nodiscard]] const PictureScene* scene() const { return scene_ && !scene_->error ? scene_.get() : nullptr; }
    /// The error of the scene; null: none.
    [[nodiscard]] const Error* error() const { return scene_ && scene_->error ? &*scene_->error : nullptr; }
    /// Whether a scene is being made.
    [[nodiscard]] bool waiting() const { return job_.running(); }
    /// Whether the picture shows the last source.
    [[nodiscard]] bool ready() const { return !job_.running() && !again_; }
    /// Whether nothing is being made, painted or animated.
    [[nodiscard]] bool settled() const;
    /// Sets the text of the chip that is shown while an outdated picture waits for its new scene.
    void setWaitingText(const QString& text) { waitingText_ = text; }

    /// Sets the title of files with the picture of a source without a run; empty: the name of the canvas.
    void setFileTitle(const QString& title) { fileTitle_ = title; }

    // --- what is in view -------------------------------------------------------------------------------------------------
    /// The target range of an animation; without one the visible range.
    [[nodiscard]] ViewRange range() const;
    /// Whether the range is the one of a new scene with axes of its own: nothing has changed it yet.
    [[nodiscard]] bool fresh() const { return fresh_; }
    /// Takes over the visible range of another canvas, immediately and with its history, so that going back works in each of
    /// several linked canvases. Emits nothing.
    void follow(const Canvas& other);
    /// Goes to a range as an entry of the history.
    void go(const ViewRange& range);
    [[nodiscard]] const ViewHistory& history() const { return history_; }
    void zoomToFit();
    /// Centres the selection; if it is centred already, zooms to fit it.
    void zoomToSelection();
    void zoomToPeak();
    /// Moves the time cursor to a step of the picture's run, and brings it into view if the horizontal axis is one of steps.
    void goToStep(Step step);
    bool perform(ViewCommand command);
    /// Whether there are axes of addresses, or others that grow upwards.
    [[nodiscard]] bool hasAddresses() const { return scene() && parts_.zooms() && !parts_.strips.empty(); }
    /// Whether areas can be dragged out, and summed up.
    [[nodiscard]] bool hasAreas() const { return scene() && picture_->hasAreas(); }
    /// Whether zooms are animated for 120 ms. On at first, except for offscreen windows.
    void setAnimated(bool on) { animated_ = on; }
    [[nodiscard]] bool moving() const;

    /// The picture as the bytes of a PNG, SVG or PDF by the suffix of `file`, or an error. Requires a scene.
    Expected<PictureBytes> encode(const QString& file, double scale = 1);
    /// Size of such a file at scale 1: the head comes on top.
    [[nodiscard]] QSize fileSize() const;
    /// Writes the picture as PNG, SVG or PDF by the suffix of `file`. Returns notes, or an error. Requires a scene.
    Expected<Diagnostics> exportTo(const QString& file, double scale = 1);

    // --- pointer ---------------------------------------------------------------------------------------------------------
    /// The position of the pointer over the canvas, else the middle of the plot.
    [[nodiscard]] QPointF pointer() const;
    /// The shown card; no value without one.
    [[nodiscard]] const std::optional<CardText>& card() const { return shownCard_; }
    /// The box of the shown card; empty without one.
    [[nodiscard]] QRectF cardBox() const { return shownCard_ ? cardBox_ : QRectF(); }
    void hideCard();
    /// Count of frames whose base was painted again; for tests.
    [[nodiscard]] std::size_t framesPainted() const { return framesPainted_; }

Q_SIGNALS:
    void sceneChanged();   ///< another scene is painted, or none; bars and pages may change
    void rangeChanged();   ///< by the user, or because the axes have another meaning
    void optionsChanged(); ///< the picture changed an option by itself: a click on a pool, another size of bins
    void dropped();        ///< an object was moved to an allowed place, which the picture knows
    void dragRefused();    ///< a drag began on an object that looks movable but is not; the picture knows the reason
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
    void showEvent(QShowEvent* event) override;
    bool event(QEvent* event) override;

    /// Clears the history, because the axes have another meaning.
    void forgetHistory();

private:
    enum class Gesture : std::uint8_t { idle, press, area, box, pan, cursor, scrollBar, move };
    /// Consecutive changes of one kind are one entry of the history.
    enum class Change : std::uint8_t { jump, zoom, pan };
    /// What the buffers of the picture's run are in the run of the selection, and the reverse.
    struct Match {
        std::shared_ptr<const Lowering> picture;        ///< of the picture's run; null if the picture has none, or none is shown
        std::shared_ptr<const Lowering> selection;      ///< of the selection's run; null in the same cases
        bool needed = false;                            ///< the two have different buffers, so that ids have to be exchanged
        bool known = true;                              ///< false: the two lists are not made yet
        std::vector<BufferId> toSelection;              ///< by buffer of the picture's run; `none`: no buffer of its name
        std::vector<BufferId> toPicture;                ///< by buffer of the selection's run
        SharedBuffers selected;                         ///< the buffers of the picture that `selectedOf` names
        SharedBuffers selectedOf;                       ///< the selection of which `selected` was made
        std::shared_ptr<const std::vector<bool>> shown; ///< by buffer of the picture's run: whether `shownOf` includes it
        std::shared_ptr<const BufferMask> shownOf;
    };

    // canvas.cpp
    void makeScene();
    void adopt(std::shared_ptr<const PictureScene> scene);
    void relayout();
    /// Sets the texts for screen readers: the shown data and the selection.
    void describe();
    void repaintAll();
    void renewBase(double ratio);
    void showMarks(bool fromHere);
    /// Whether changed marks are to be shown now: not by a hidden canvas, which notes that it has missed some.
    bool takesMarks();
    /// Shows the marks that were missed.
    void catchUp();
    void scheduleCard(const PictureHit& hit);
    /// Finds the object under the pointer again, after a change of the layout.
    void renewHit();
    /// `match_`, for the picture and the selection of now.
    Match& match();
    /// Whether the buffers of picture and selection are known of each other. If not, starts to match them.
    bool matched();
    [[nodiscard]] BufferId toSelection(BufferId id); ///< `none`: it has no counterpart, or that is not known yet
    [[nodiscard]] std::vector<BufferId> toSelection(std::vector<BufferId> ids); ///< without those of which this gives `none`
    [[nodiscard]] BufferId toPicture(BufferId id);
    /// Whether the selection can hold a buffer of the picture. Requires `matched`, where that is needed.
    [[nodiscard]] bool hasCounterpart(BufferId id) const;
    [[nodiscard]] PictureMarks currentMarks();

    // canvas_range.cpp
    [[nodiscard]] Viewport aim() const;
    /// `history`: the new history; null: the old range becomes an entry of the current one.
    void changeTo(const ViewRange& range, Change change, bool animated = true, const ViewHistory* history = nullptr);
    void zoomAcross(double factor, QPointF at);
    void zoomUp(double factor, QPointF at);
    void pan(double dx, double dy, std::size_t strip, bool animated);
    void zoomToBox(const QRectF& box);
    void goTo(const PictureAim& aim);
    void bringIntoView(const PictureAim& aim);
    void apply(const PictureAim& aim);
    bool goThroughHistory(bool back);
    /// The point at which keys zoom addresses: the pointer if it is over a strip, else the selection or the end of its
    /// strip that is nearest to it, else a strip's middle.
    /// Requires a strip.
    [[nodiscard]] QPointF addressPoint();
    /// Does what a drag over all that is in view does. False for a picture without areas.
    bool sumVisible();

    // canvas_input.cpp
    void hoverAt(QPointF at);
    void setHit(PictureHit hit); ///< marks the object, here and in the other views
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
    bool again_ = false; ///< the scene that is being made is outdated
    BackgroundJob job_;
    QString waitingText_;
    QString fileTitle_;

    PictureParts parts_;
    ViewHistory history_;
    ViewRange target_; ///< target of an animation
    QVariantAnimation* animation_ = nullptr;
    bool animated_ = true;
    std::optional<Change> lastChange_;
    bool fresh_ = true; ///< see `fresh`
    QElapsedTimer sinceChange_;

    TextShaper shaper_;
    QImage base_; ///< the picture without the overlay
    bool baseStale_ = true;
    double ratio_ = 0; ///< ratio of the layout
    QSize laidOut_;    ///< size of the layout
    std::size_t framesPainted_ = 0;

    Gesture gesture_ = Gesture::idle;
    Qt::MouseButton button_ = Qt::NoButton;
    QPointF pressed_;
    QPointF last_;
    std::size_t pressedStrip_ = 0;
    std::size_t pressedScroll_ = 0;
    std::vector<BufferId> area_; ///< buffers in the area that is dragged out
    bool ownSelection_ = false;  ///< this canvas is changing the selection
    bool marksMissed_ = false;   ///< marks have changed while the canvas was hidden
    Match match_;
    BackgroundJob matchJob_;
    bool focusByKey_ = false;
    PictureHit hit_;
    std::optional<CardText> shownCard_;
    QRectF cardBox_;
    QTimer* cardDelay_ = nullptr;
};

} // namespace stowage
