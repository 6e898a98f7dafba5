// Pipes over time as a picture of the table (see app/canvas/kit/picture.h).
#pragma once

#include "app/canvas/axis/run_scene.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/pipes/pipe_chart.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// The horizontal axis is simulated time, not steps. A click on an op selects the buffers that it writes and moves the time
/// cursor to its step.
class PipePicture final : public Picture {
public:
    /// For the table.
    [[nodiscard]] static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return {state_.axis, {}}; }
    void show(const ViewRange& range, bool moving) override;
    void scrollTo(std::size_t part, double y) override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to) override;
    std::optional<std::vector<BufferId>> areaOfView() override;
    std::optional<std::vector<BufferId>> endArea() override;
    void clearArea() override { area_.reset(); }
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override; ///< at the longest stall
    /// The op before or after the current one in its lane, or the nearest one in the next lane.
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;
    [[nodiscard]] QString spoken() const override;

    /// Null without a scene.
    [[nodiscard]] const PipeScene* scene() const { return scene_ ? scene_->pipes.get() : nullptr; }
    [[nodiscard]] const PipeState& state() const { return state_; }
    [[nodiscard]] const PipeLayout& bands() const { return layout_; }
    [[nodiscard]] PipeGeometry geometry() const { return {state_, layout_}; }
    [[nodiscard]] std::int64_t iterations() const { return simulated_.iterations; }

private:
    struct Scene final : PictureScene {
        /// Keeps `pipes` alive in the cache of scenes; null: simulated with other options.
        std::shared_ptr<const RunScene> shared;
        std::shared_ptr<const PipeScene> pipes;
    };

    [[nodiscard]] QRectF lanesArea() const;
    [[nodiscard]] std::int64_t timeAt(double x) const { return state_.axis.unitAt((x - layout_.plotLeft) * state_.ratio); }
    [[nodiscard]] PipeHit pipeHit(const PictureHit& hit) const;
    [[nodiscard]] BufferId bufferOf(std::int32_t span) const; ///< first buffer that the op writes, else reads; `none` without any
    [[nodiscard]] PictureAim aimAt(std::int32_t span) const;

    std::shared_ptr<const Scene> scene_;
    PipeOptions simulated_;
    PipeState state_;
    PipeLayout layout_;
    PictureMarks marks_;                  ///< `state_.shown` points into them
    mutable std::int32_t current_ = none; ///< the execution chosen last
    std::optional<QRectF> area_;          ///< horizontally in time, vertically in logical pixels
};

} // namespace stowage
