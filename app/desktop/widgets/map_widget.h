// One run as a stack of bands on one time axis, with all that pointer, wheel and keys do in it: the memory map, the liveness
// timeline, and the maps that are compared side by side are each one of these.
#pragma once

#include "app/canvas/axis/area_sums.h"
#include "app/canvas/axis/hit_test.h"
#include "app/canvas/axis/move_check.h"
#include "app/canvas/kit/map_tiles.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/desktop/selection_model.h"
#include "app/desktop/view.h"
#include "app/desktop/widgets/hover_card.h"

#include <QElapsedTimer>
#include <QFlags>
#include <QImage>
#include <QPointer>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QLineEdit;
class QVariantAnimation;

namespace stowage {

class SceneCache;

enum class MapBand : std::uint8_t { curve = 1, ops = 2, map = 4, rows = 8 };
Q_DECLARE_FLAGS(MapBands, MapBand)
Q_DECLARE_OPERATORS_FOR_FLAGS(MapBands)

/// Selection, hovered buffer, time cursor and filter are those of the selection model; what is in view is the widget's own.
/// Scenes of large runs are made in the background, and the old picture stays meanwhile. For the wheel and the keys see
/// `wheelEvent` and `keyPressEvent`.
class MapWidget : public QWidget {
    Q_OBJECT

public:
    MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, MapBands bands, QWidget* parent = nullptr);
    ~MapWidget() override;

    /// Shows another run, or none. What is in view stays when the problem is the same.
    void setRun(std::shared_ptr<const Run> run);
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    /// True when the picture shows the run that was set last; false while its scene is being made.
    [[nodiscard]] bool ready() const;
    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    /// Nothing: the run's default, op kind or size.
    void setColourBy(std::optional<ColourBy> by);
    [[nodiscard]] ColourBy colourBy() const;
    void setHiddenClasses(unsigned classes); ///< a bit for each class of the colouring
    /// Rows by op kind, kind or pool.
    void setGrouping(ColourBy by);
    [[nodiscard]] ColourBy grouping() const { return grouping_; }
    void setAllOpen(bool open); ///< the groups of rows
    void setClique(bool on);
    void setChain(bool on);
    void setConflicts(bool on);
    /// Arrows where buffers take over bytes, of a run with pipes (see `whyNoPipes`); nothing on others.
    void setReuse(bool on);
    /// One strip only, or (none) one for each pool in use.
    void setPool(PoolId pool);

    /// Whether the selected buffer can be dragged to another place, and notes can be left; at first neither.
    void setEditable(bool on) { editable_ = on; }
    void setNotes(std::vector<MapNote> notes);
    /// What a drag under way would come to; null without one.
    [[nodiscard]] const MoveVerdict* moveVerdict() const { return move_ ? &move_->verdict : nullptr; }

    /// For maps side by side: addresses reach at least `top`, and the gutter is `gutter` wide (see `StackState`). What is in view
    /// stays.
    void setScale(Bytes top, double gutter);
    /// Colours of its own instead of those of `setColourBy`, for runs with as many buffers; null: none.
    void setOwnColouring(std::shared_ptr<const Colouring> colouring);
    /// What the hover card says last about a buffer; null: who made it.
    void setRemark(std::function<QString(BufferId)> remark) { remark_ = std::move(remark); }

    /// Null while there is nothing to show.
    [[nodiscard]] const ViewState* state() const { return view_.get(); }
    [[nodiscard]] const StackLayout& bands() const { return layout_; }

    // --- what is in view -------------------------------------------------------------------------------------------
    [[nodiscard]] ViewRange range() const;
    /// Goes there at once and keeps no history: for views that follow another one. Emits nothing.
    void follow(const ViewRange& range);
    /// Goes there as a step of history.
    void go(const ViewRange& range);
    [[nodiscard]] const ViewHistory& history() const { return history_; }
    void zoomToFit();
    /// Centres the selection; when it is in the middle already, fits it.
    void zoomToSelection();
    void zoomToPeak();
    bool perform(ViewCommand command);

    // --- what is where, in the widget's coordinates -----------------------------------------------------------------
    [[nodiscard]] BufferId bufferAt(const QPointF& point) const;          ///< in maps and rows; none where there is none
    [[nodiscard]] std::optional<Step> stepAt(const QPointF& point) const; ///< nothing left and right of the plot
    /// The first rectangle of a buffer in a map or its bar in the rows; null when it is out of view.
    [[nodiscard]] QRectF boxOf(BufferId buffer) const;
    /// The sums of the area that was dragged out, while it is shown.
    [[nodiscard]] const AreaSums* areaSums() const { return area_ ? &area_->sums : nullptr; }
    [[nodiscard]] HoverCard& card() { return *card_; }
    /// Frames whose base was painted anew, and areas of maps painted: to count work in tests.
    [[nodiscard]] std::size_t framesPainted() const { return framesPainted_; }
    [[nodiscard]] std::size_t areasPainted() const;
    /// True when nothing is being painted in the background.
    [[nodiscard]] bool settled() const;

Q_SIGNALS:
    void rangeChanged(); ///< by the user, or because another problem is shown
    void sceneChanged(); ///< another run is painted now: legends and lists of pools may differ
    void openChanged();  ///< groups of rows
    void moveRequested(stowage::BufferId buffer, stowage::PoolId pool,
                       stowage::Bytes offset);     ///< a buffer was dropped there, legally
    void noteEdited(const stowage::MapNote& note); ///< a new one (id 0), another text, or (without text) to be removed

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

private:
    enum class Gesture : std::uint8_t { idle, press, area, box, pan, cursor, scrollBar, move };
    /// Changes of one kind that follow each other are one step of history.
    enum class Change : std::uint8_t { jump, zoom, pan };
    /// Which band a point is in, and where in it.
    enum class Place : std::uint8_t { nowhere, curve, ops, strip, ruler, rows, rowNames, scrollBar };
    struct Spot {
        Place place = Place::nowhere;
        std::size_t strip = 0;
    };
    /// An area that was dragged out. It lies at steps and bytes, so it stays where it is while the view is zoomed.
    struct Area {
        Place place = Place::strip; ///< curve: all bytes
        std::size_t strip = 0;
        StepBytes box; ///< in rows: `low` and `high` are logical pixels from the top of all rows
        AreaSums sums;
    };

    /// A buffer under way to another place.
    struct Move {
        BufferId buffer = none;
        std::size_t strip = 0;
        double grab = 0; ///< bytes from the buffer's begin to where it is held
        MoveCheck check;
        MoveVerdict verdict;
    };

    // map_widget.cpp
    void buildScene();
    void adopt(std::unique_ptr<ViewState> view);
    void applyStrips();
    void relayout();
    void renewBase();
    void showSelection();
    void showMask();
    void revealRow();
    void scrollTo(double y);
    void paintOwnOverlay(DrawList& list) const;
    void paintAreaSums(DrawList& list, const QRectF& box, const AreaSums& sums) const;
    [[nodiscard]] QRectF boxOfArea(const Area& area) const;

    // map_widget_input.cpp
    [[nodiscard]] Spot spotAt(const QPointF& point) const;
    [[nodiscard]] StackGeometry geometry() const { return {view_->state(), layout_}; }
    [[nodiscard]] Viewport aim() const;
    void changeTo(const ViewRange& range, Change change, bool animated = true);
    void zoomSteps(double factor, double x);
    void zoomAddresses(double factor, std::size_t strip, double y);
    void pan(double dx, double dy, std::size_t strip, bool animated);
    void hoverAt(const QPointF& point);
    void click(const QPointF& point, Qt::KeyboardModifiers modifiers);
    void dragTo(const QPointF& point);
    [[nodiscard]] Area areaBetween(const QPointF& from, const QPointF& to) const;
    void sumUp(Area& area) const;
    void selectArea(Qt::KeyboardModifiers modifiers);
    void zoomToBox(const QRectF& box);
    void selectNeighbour(Direction direction);
    void ensureVisible(BufferId buffer);
    [[nodiscard]] QPointF pointer() const;
    // map_widget_edit.cpp
    [[nodiscard]] bool takeHold();
    void moveTo(const QPointF& point);
    void paintMove(DrawList& list) const;
    [[nodiscard]] const MapNote* noteAt(const QPointF& point) const;
    void editNote(MapNote note);
    void closeNote(bool keep);
    void noteAtPointer();

    [[nodiscard]] std::vector<HoverLine> describe(BufferId buffer) const;

    SelectionModel& selection_;
    std::shared_ptr<SceneCache> scenes_;
    MapBands bands_;
    const Theme* theme_;
    NumberFormat numbers_;
    std::optional<ColourBy> colourBy_;
    ColourBy grouping_ = ColourBy::opKind;
    bool groupingChosen_ = false;
    bool clique_ = true;
    bool chain_ = true;
    bool conflicts_ = false;
    bool reuse_ = false;
    PoolId onlyPool_ = none;
    Bytes leastTop_ = 0;
    double gutter_ = gutterWidth;
    std::shared_ptr<const Colouring> ownColouring_;
    std::function<QString(BufferId)> remark_;

    std::shared_ptr<const Run> run_; ///< as set; `view_` may still show another one
    std::unique_ptr<ViewState> view_;
    bool building_ = false;
    bool rebuild_ = false; ///< what is being built is out of date
    StackLayout layout_;
    ViewHistory history_;
    ViewRange target_; ///< where an animation goes
    QVariantAnimation* animation_ = nullptr;
    std::optional<Change> lastChange_;
    QElapsedTimer sinceChange_;

    std::vector<std::unique_ptr<MapTiles>> tiles_; ///< by strip
    std::vector<QImage> bodies_;
    TextShaper shaper_;
    QImage base_; ///< all but the overlay
    bool baseStale_ = true;
    std::size_t framesPainted_ = 0;

    Gesture gesture_ = Gesture::idle;
    Qt::MouseButton button_ = Qt::NoButton;
    QPointF pressed_;
    QPointF last_;
    Spot pressedSpot_;
    std::optional<Area> area_;
    bool ownSelection_ = false; ///< the change of the selection comes from here
    bool focusByKey_ = false;
    HoverCard* card_ = nullptr;
    bool editable_ = false;
    std::optional<Move> move_;
    std::vector<MapNote> notes_;
    QLineEdit* noteEdit_ = nullptr; ///< while a note is written
    MapNote edited_;
};

} // namespace stowage
