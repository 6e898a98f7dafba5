// The occupancy heatmap as a picture of the table (see app/canvas/kit/picture.h).
#pragma once

#include "app/canvas/axis/area_sums.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/heatmap/heatmap.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// Shows one pool: bins of its addresses over steps, reuse bars, and the pools in comparison. A click on a bin selects the
/// buffers in it; a click on a pool's row shows that pool.
class HeatPicture final : public Picture {
public:
    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return {state_.steps, {state_.addresses}}; }
    void show(const ViewRange& range, bool moving) override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    void paintLegend(DrawList& list, double left, double right, double y) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to) override;
    std::optional<std::vector<BufferId>> endArea() override;
    void clearArea() override
    {
        state_.area.reset();
        tally_.reset();
    }
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;
    [[nodiscard]] QString spoken() const override;

    /// Valid while there is a scene with a pool.
    [[nodiscard]] const HeatScene* scene() const { return scene_ ? scene_->heat.get() : nullptr; }
    [[nodiscard]] const HeatState& state() const { return state_; }
    [[nodiscard]] const HeatLayout& bands() const { return layout_; }
    [[nodiscard]] HeatGeometry geometry() const { return {state_, layout_}; }
    [[nodiscard]] PoolId pool() const { return scene_ ? state_.shown().occupancy.pool() : PoolId(none); }
    /// Count of times that bins were counted; for tests.
    [[nodiscard]] std::size_t counts() const { return counts_; }

private:
    struct Scene final : PictureScene {
        std::shared_ptr<const HeatScene> heat;
        std::shared_ptr<const std::vector<bool>> shown; ///< the buffers that `heat` counts; null: all
        Colouring colouring;
    };
    enum Kind : std::int32_t { nothing, bin, poolRow };

    void recount();
    PictureChange choosePool(std::int32_t pool);
    [[nodiscard]] OccupancyWindow windowOf(const QRectF& box) const;
    /// `touchesIn` for a bin, kept until the next one: the pointer asks for each of its moves.
    [[nodiscard]] const std::vector<PoolOccupancy::Touch>& touchesOf(const OccupancyWindow& box) const;
    [[nodiscard]] QString poolName(std::size_t pool) const;
    [[nodiscard]] PictureAim aimAt(BufferId buffer) const;

    std::shared_ptr<const Scene> scene_;
    HeatState state_;
    HeatLayout layout_;
    QString wantedPool_; ///< by name, to be kept for another planner's run; empty: the default
    std::shared_ptr<const std::vector<bool>> filter_;
    std::size_t counts_ = 0;
    HeatSums areaSums_;              ///< of `HeatState::area`
    std::optional<AreaTally> tally_; ///< only while an area is dragged out
    mutable std::optional<OccupancyWindow> touchedBin_;
    mutable std::vector<PoolOccupancy::Touch> touches_; ///< of `touchedBin_`
    mutable SharedBuffers touched_;                     ///< the buffers of `touches_`
};

} // namespace stowage
