// The memory map and the liveness timeline as pictures of the table (see app/canvas/kit/picture.h): one run as a stack of bands
// on one time axis.
#pragma once

#include "app/canvas/axis/area_sums.h"
#include "app/canvas/axis/move_check.h"
#include "app/canvas/kit/map_tiles.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/map/view_state.h"

#include <QImage>

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

enum MapBand : unsigned { bandCurve = 1, bandOps = 2, bandMap = 4, bandRows = 8 };

/// The bands are fixed at construction: `bandMap | bandRows | …`. A drag of the selected buffer moves it if `setEditable` allows
/// it.
class StackPicture : public Picture {
public:
    /// Values of `PictureHit::kind`.
    enum Kind : std::int32_t { nothing, buffer, op, groupHead, note, emptyPlace, freeBytes, padding, aboveCapacity, reuseBar };
    /// A buffer that is being dragged.
    struct Move {
        BufferId buffer = none;
        std::size_t strip = 0;
        double grab = 0; ///< bytes from the buffer's offset to the grabbed address
        MoveCheck check;
        MoveVerdict verdict;
    };
    /// The place at which a buffer was dropped.
    struct Dropped {
        BufferId buffer = none;
        PoolId pool = none;
        Bytes offset = 0;
    };

    explicit StackPicture(unsigned bands);
    ~StackPicture() override;

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    [[nodiscard]] bool stillOf(const PictureScene& scene, const PictureSource& source) const override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return view_->state().viewport; }
    void show(const ViewRange& range, bool moving) override;
    void scrollTo(std::size_t part, double y) override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    void paintLegend(DrawList& list, double left, double right, double y) const override;
    [[nodiscard]] bool settled() const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to) override;
    std::optional<std::vector<BufferId>> areaOfView() override;
    std::optional<std::vector<BufferId>> endArea() override;
    void clearArea() override
    {
        area_.reset();
        tallies_.clear();
    }
    bool takeHold(QPointF at) override;
    [[nodiscard]] bool refusesHold(QPointF at) const override;
    void moveTo(QPointF at) override;
    bool drop() override;
    void letGo() override;
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;

    // --- what bars and views set -----------------------------------------------------------------------------------------
    /// No value: the run's default, see `defaultColouring`. Needs another scene.
    PictureChange setColourBy(std::optional<ColourBy> by);
    [[nodiscard]] ColourBy colourBy() const;
    PictureChange setHiddenClasses(unsigned classes); ///< one bit for each class of the colouring
    PictureChange setGrouping(ColourBy by);           ///< rows by op kind, kind, pool or operator; needs another scene
    [[nodiscard]] ColourBy grouping() const { return grouping_; }
    PictureChange setAllOpen(bool open); ///< opens or closes all groups of rows
    PictureChange setPool(PoolId pool);  ///< shows one strip only, or (`none`) one for each used pool
    /// Sets a colouring that replaces `setColourBy`, for runs with the same count of buffers; null: none.
    PictureChange setOwnColouring(std::shared_ptr<const Colouring> colouring);
    /// Width of the gutter. Its edge can be dragged if buffers can.
    [[nodiscard]] double gutter() const { return gutter_; }
    static constexpr double minGutter = 100, maxGutter = 480; ///< limits for a drag of its edge
    /// Sets the width of the gutter, at most half of the picture's width, as a drag of its edge to `width` does.
    void dragGutter(double width);
    /// For maps side by side: sets the minimum end of the address axes and the width of the gutter (see `StackState`).
    PictureChange setScale(Bytes top, double gutter);
    /// Sets the last line of a buffer's card; null: the op that makes it.
    void setRemark(std::function<QString(BufferId)> remark) { remark_ = std::move(remark); }
    /// Allows dragging of the selected buffer, and clicks on notes. Off at first.
    void setEditable(bool on) { editable_ = on; }
    void setNotes(std::vector<MapNote> notes);
    [[nodiscard]] const std::vector<MapNote>& notes() const { return notes_; }

    // --- what is where ---------------------------------------------------------------------------------------------------
    /// Null without a scene.
    [[nodiscard]] const ViewState* view() const { return view_.get(); }
    [[nodiscard]] const StackLayout& bands() const { return layout_; }
    [[nodiscard]] BufferId bufferAt(QPointF at) const;          ///< in maps and rows; `none` if there is none
    [[nodiscard]] std::optional<Step> stepAt(QPointF at) const; ///< no value left and right of the plot
    /// The first rectangle of a buffer in a map, or its bar in the rows; null if it is not visible.
    [[nodiscard]] QRectF boxOf(BufferId buffer) const;
    /// The sums of the area that was dragged out; null if none is shown. Its buffers are listed when the drag has ended.
    [[nodiscard]] const AreaSums* areaSums() const { return area_ ? &area_->sums : nullptr; }
    /// The rectangles of that area in the picture: one, or one for each strip; null where it is out of view.
    [[nodiscard]] std::vector<QRectF> areaBoxes() const;
    /// The verdict on the current drag; null without one.
    [[nodiscard]] const MoveVerdict* moveVerdict() const { return move_ ? &move_->verdict : nullptr; }
    [[nodiscard]] const std::optional<Dropped>& dropped() const { return dropped_; }
    /// A new note at the step, and over a map the address, of a point.
    [[nodiscard]] MapNote newNote(QPointF at) const;
    [[nodiscard]] const MapNote* noteAt(QPointF at) const;
    /// Count of painted areas of maps; for tests.
    [[nodiscard]] std::size_t areasPainted() const;

protected:
    using SceneMaker = std::function<std::shared_ptr<const PictureScene>(const std::shared_ptr<const Run>& run)>;
    /// A function that makes, on any thread, scenes for `take` from the source's run or others with its buffers.
    [[nodiscard]] SceneMaker sceneMaker(const PictureSource& source) const;

private:
    struct Scene;
    /// The band at a point.
    enum class Place : std::uint8_t { nowhere, curve, ops, strip, ruler, rows, rowNames };
    struct Spot {
        Place place = Place::nowhere;
        std::size_t strip = 0;
    };
    /// An area that was dragged out. It is kept in steps and bytes, so that it stays in place under a zoom.
    struct Area {
        Place place = Place::strip; ///< curve: all bytes
        std::size_t strip = 0;
        StepBytes box;                ///< in rows: `low` and `high` are logical pixels from the top of all rows
        std::vector<StepBytes> boxes; ///< by strip, of an area over several; else empty. Other strips end the area.
        AreaSums sums;
    };
    /// The function that threads call when they are done; the picture clears it when it is destroyed.
    struct Notify {
        std::mutex mutex;
        std::function<void()> call;
    };

    // stack_picture.cpp
    void applyStrips();
    void showSelection();
    void showMask();
    [[nodiscard]] bool isShown(BufferId id) const; ///< whether neither filter nor legend hides it
    /// Opens the group of the selected buffer, and scrolls to its row.
    void revealRow();
    /// The row of the selected buffer; no value without one, in a closed group, and without room for rows.
    [[nodiscard]] std::optional<TimelineRow> selectedRow() const;
    [[nodiscard]] bool isInView(const TimelineRow& row) const; ///< wholly or in part
    /// Scrolls until the row of the selected buffer is wholly in view, with a margin of one row. A row that is in view in part
    /// moves as little as possible; one that is out of view comes to the middle.
    void scrollToRow();
    [[nodiscard]] StackGeometry geometry() const { return {view_->state(), layout_}; }
    void paintMove(DrawList& list) const;
    [[nodiscard]] QString poolName(PoolId pool) const;

    // stack_picture_input.cpp
    [[nodiscard]] Spot spotAt(QPointF at) const;
    [[nodiscard]] bool onGutterEdge(QPointF at) const;
    /// The selected buffer at a point of a strip, which a drag moves or refuses; `none` if there is none.
    [[nodiscard]] BufferId heldAt(QPointF at) const;
    [[nodiscard]] std::optional<Fixed> whyFixedIn(BufferId held, std::size_t strip) const;
    [[nodiscard]] CardText describe(BufferId buffer) const;
    /// The kind of ground of a strip at a point without a buffer.
    [[nodiscard]] Kind groundAt(QPointF at, std::size_t strip) const;
    [[nodiscard]] std::optional<CardText> groundCard(const PictureHit& hit) const;
    [[nodiscard]] PictureAim aimAt(const std::vector<BufferId>& buffers) const;
    /// A test for the buffers that arrow keys select: selectable, and hidden by neither filter nor legend.
    [[nodiscard]] BufferTest reachable(const BufferTest& selectable) const;
    [[nodiscard]] std::optional<PictureAim> neighbourInRows(Direction direction, const BufferTest& passes) const;

    // stack_picture_area.cpp
    [[nodiscard]] Area areaBetween(QPointF from, QPointF to) const;
    /// The part of the map of a strip that an area covers, which is not one of rows.
    [[nodiscard]] static StepBytes boxIn(const Area& area, const MapData& map, std::size_t strip);
    /// By buffer: whether neither filter nor legend hides it. O(buffers).
    [[nodiscard]] std::vector<bool> shownBuffers() const;
    void sumUp(Area& area) const; ///< lists the shown buffers in the area, and sums them up
    void countUp(Area& area);     ///< only sums them up, from the sums of `area_`; not for an area of rows
    [[nodiscard]] QRectF boxOfArea(const Area& area) const; ///< of an area with one box
    void paintAreaSums(DrawList& list, const QRectF& box, const Area& area) const;

    const unsigned bands_;
    std::optional<ColourBy> colourBy_;
    ColourBy grouping_ = ColourBy::opKind;
    bool groupingChosen_ = false;
    bool clique_ = true;
    bool chain_ = true;
    bool conflicts_ = false;
    bool reuse_ = false;
    PoolId onlyPool_ = none;
    QString wantedPool_; ///< by name, before there is a scene
    Bytes minTop_ = 0;
    double gutter_ = gutterWidth;
    std::shared_ptr<const Colouring> ownColouring_;
    std::function<QString(BufferId)> remark_;
    bool editable_ = false;
    std::vector<MapNote> notes_;

    std::unique_ptr<ViewState> view_;
    StackLayout layout_;
    mutable TextShaper shaper_; ///< measures the words of a gutter, below which reuse bars begin
    QSizeF size_;
    PictureMarks marks_;
    std::vector<std::unique_ptr<MapTiles>> tiles_; ///< by strip
    bool moving_ = false;
    bool supportAsked_ = false;
    std::shared_ptr<Notify> notify_ = std::make_shared<Notify>();
    std::optional<Area> area_;
    std::vector<AreaTally> tallies_; ///< sums of `area_` in each strip that it covers; only while it is dragged out
    std::vector<bool> tallied_;      ///< the buffers that `tallies_` count
    std::optional<Move> move_;
    std::optional<double> gutterBefore_; ///< width before the drag of its edge
    std::optional<Dropped> dropped_;
};

} // namespace stowage
