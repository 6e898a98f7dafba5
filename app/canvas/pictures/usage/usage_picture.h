// Use of the pools over time as a picture of the table (see app/canvas/kit/picture.h).
#pragma once

#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/usage/usage_chart.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// Shows all pools below each other, or one. A click moves the time cursor, which shows the values of the curves; a drag selects
/// the buffers that are live in its steps.
class UsagePicture final : public Picture {
public:
    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return {state_.axis, {}}; }
    void show(const ViewRange& range, bool moving) override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    void paintLegend(DrawList& list, double left, double right, double y) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to) override;
    std::optional<std::vector<BufferId>> areaOfView() override;
    std::optional<std::vector<BufferId>> endArea() override;
    void clearArea() override { area_.reset(); }
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    /// Moves the time cursor.
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;
    [[nodiscard]] QString spoken() const override;

    /// The state that is painted.
    [[nodiscard]] const UsageState& state() const { return state_; }
    [[nodiscard]] const UsageLayout& bands() const { return layout_; }

private:
    struct Scene final : PictureScene {
        std::vector<UsagePool> pools;
    };
    struct Area {
        Interval steps;
        PoolId pool = none; ///< in whose bands the drag began; `none`: all shown pools
    };

    void choosePools();
    /// The index in `shown_` of the pool under a point; -1: none.
    [[nodiscard]] std::int32_t poolAt(QPointF at) const;

    std::shared_ptr<const Scene> scene_;
    QString wanted_;               ///< pool by name; empty: all
    std::vector<UsagePool> shown_; ///< the shown pools of the scene
    UsageState state_;
    UsageLayout layout_;
    PictureMarks marks_;
    std::optional<Area> area_;
};

} // namespace stowage
