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

/// Which bands there are is fixed: `bandMap | bandRows | …`. A drag of the selected buffer moves it, where that is allowed.
class StackPicture : public Picture {
public:
    /// What `PictureHit::kind` says.
    enum Kind : std::int32_t { nothing, buffer, op, groupHead, note, emptyPlace, freeBytes, padding, aboveCapacity, reuseBar };
    /// A buffer under way to another place.
    struct Move {
        BufferId buffer = none;
        std::size_t strip = 0;
        double grab = 0; ///< bytes from the buffer's begin to where it is held
        MoveCheck check;
        MoveVerdict verdict;
    };
    /// Where something was dropped.
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
    void clearArea() override { area_.reset(); }
    bool takeHold(QPointF at) override;
    void moveTo(QPointF at) override;
    bool drop() override;
    void letGo() override;
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction) const override;

    // --- what bars and views set -----------------------------------------------------------------------------------------
    /// Nothing: the run's default, op kind or size. Asks for another scene.
    PictureChange setColourBy(std::optional<ColourBy> by);
    [[nodiscard]] ColourBy colourBy() const;
    PictureChange setHiddenClasses(unsigned classes); ///< a bit for each class of the colouring
    PictureChange setGrouping(ColourBy by);           ///< rows by op kind, kind, pool or operator; asks for another scene
    [[nodiscard]] ColourBy grouping() const { return grouping_; }
    PictureChange setAllOpen(bool open); ///< the groups of rows
    PictureChange setPool(PoolId pool);  ///< one strip only, or (none) one for each pool in use
    /// Colours of its own instead of those of `setColourBy`, for runs with as many buffers; null: none.
    PictureChange setOwnColouring(std::shared_ptr<const Colouring> colouring);
    /// How wide the gutter is. Its edge can be dragged where buffers can.
    [[nodiscard]] double gutter() const { return gutter_; }
    static constexpr double minGutter = 100, maxGutter = 480; ///< that a drag gives it
    /// For maps side by side: addresses reach at least `top`, and the gutter is `gutter` wide (see `StackState`).
    PictureChange setScale(Bytes top, double gutter);
    /// What the card says last about a buffer; null: who made it.
    void setRemark(std::function<QString(BufferId)> remark) { remark_ = std::move(remark); }
    /// Whether the selected buffer can be dragged to another place, and notes are met; at first neither.
    void setEditable(bool on) { editable_ = on; }
    void setNotes(std::vector<MapNote> notes);
    [[nodiscard]] const std::vector<MapNote>& notes() const { return notes_; }

    // --- what is where ---------------------------------------------------------------------------------------------------
    /// Null without a scene.
    [[nodiscard]] const ViewState* view() const { return view_.get(); }
    [[nodiscard]] const StackLayout& bands() const { return layout_; }
    [[nodiscard]] BufferId bufferAt(QPointF at) const;          ///< in maps and rows; none where there is none
    [[nodiscard]] std::optional<Step> stepAt(QPointF at) const; ///< nothing left and right of the plot
    /// The first rectangle of a buffer in a map or its bar in the rows; null when it is out of view.
    [[nodiscard]] QRectF boxOf(BufferId buffer) const;
    /// The sums of the area that was dragged out, while it is shown.
    [[nodiscard]] const AreaSums* areaSums() const { return area_ ? &area_->sums : nullptr; }
    /// What a drag under way would come to; null without one.
    [[nodiscard]] const MoveVerdict* moveVerdict() const { return move_ ? &move_->verdict : nullptr; }
    [[nodiscard]] const std::optional<Dropped>& dropped() const { return dropped_; }
    /// A note at a point, at a step and, over a map, at an address.
    [[nodiscard]] MapNote newNote(QPointF at) const;
    [[nodiscard]] const MapNote* noteAt(QPointF at) const;
    /// Areas of maps painted: to count work in tests.
    [[nodiscard]] std::size_t areasPainted() const;

protected:
    using SceneMaker = std::function<std::shared_ptr<const PictureScene>(const std::shared_ptr<const Run>& run)>;
    /// Makes, on any thread, scenes for `take` of the source's run or of others with its buffers.
    [[nodiscard]] SceneMaker sceneMaker(const PictureSource& source) const;

private:
    struct Scene;
    /// Which band a point is in, and where in it.
    enum class Place : std::uint8_t { nowhere, curve, ops, strip, ruler, rows, rowNames };
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
    /// What threads call when they are done; it goes silent with the picture.
    struct Notify {
        std::mutex mutex;
        std::function<void()> call;
    };

    // stack_picture.cpp
    void applyStrips();
    void showSelection();
    void showMask();
    void revealRow();
    [[nodiscard]] StackGeometry geometry() const { return {view_->state(), layout_}; }
    [[nodiscard]] QRectF boxOfArea(const Area& area) const;
    void paintAreaSums(DrawList& list, const QRectF& box, const Area& area) const;
    void paintMove(DrawList& list) const;
    [[nodiscard]] QString poolName(PoolId pool) const;

    // stack_picture_input.cpp
    [[nodiscard]] Spot spotAt(QPointF at) const;
    [[nodiscard]] bool onGutterEdge(QPointF at) const;
    [[nodiscard]] Area areaBetween(QPointF from, QPointF to) const;
    void sumUp(Area& area) const;
    [[nodiscard]] CardText describe(BufferId buffer) const;
    /// What the ground of a strip is at a point where no buffer lies.
    [[nodiscard]] Kind groundAt(QPointF at, std::size_t strip) const;
    [[nodiscard]] std::optional<CardText> groundCard(const PictureHit& hit) const;
    [[nodiscard]] PictureAim aimAt(const std::vector<BufferId>& buffers) const;
    [[nodiscard]] std::optional<std::size_t> nearestThatPasses(const MapData& map, std::size_t from) const;
    [[nodiscard]] std::optional<PictureAim> neighbourInRows(Direction direction) const;

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
    QSizeF size_;
    PictureMarks marks_;
    std::vector<std::unique_ptr<MapTiles>> tiles_; ///< by strip
    bool moving_ = false;
    bool supportAsked_ = false;
    std::shared_ptr<Notify> notify_ = std::make_shared<Notify>();
    std::optional<Area> area_;
    std::optional<Move> move_;
    std::optional<double> gutterBefore_; ///< while its edge is dragged
    std::optional<Dropped> dropped_;
};

} // namespace stowage
