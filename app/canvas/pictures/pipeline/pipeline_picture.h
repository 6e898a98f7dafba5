// A pipeline as a picture of the table (see app/canvas/kit/picture.h): its stages as a graph, the stages over time, and the ops
// by cost with the borders between stages.
#pragma once

#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/pipeline/gantt.h"
#include "app/canvas/pictures/pipeline/op_strip.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// What a border that is moved would mean.
struct BorderEffect {
    pipeline::Ticks period = 0;
    pipeline::Ticks latency = 0;
    std::vector<pipeline::Ticks> costs; ///< by stage
};

/// What the picture shows. Its functions are called while a border is dragged.
struct PipelineSubject final : PictureSubject {
    std::shared_ptr<const PipelineData> data;
    std::vector<std::size_t>
        cuts; ///< the first op of each stage but the first, among the ops of all stages; empty: of stages as they are
    /// The effect of moving border `border` (0: between stages 0 and 1) to op `cut`; nothing where no cut is allowed. Null:
    /// stages are as they are.
    std::function<std::optional<BorderEffect>(std::size_t border, std::size_t cut)> effect;
    std::vector<std::vector<BufferId>> buffers; ///< by op, ascending: what it writes in the run that is shown; empty: not known
    pipeline::Ticks latency = 0;                ///< of one frame: all stages and transfers
    std::optional<pipeline::Ticks> bound;       ///< of the objective
    bool proved = false;
    bool byLatency = false; ///< the objective is the latency
};

/// Time is zoomed; ops have a strip with columns of its own. A click on a stage, on any lane or box, selects it, a click on a
/// frame both; a border in the strip is dragged.
class PipelinePicture final : public Picture {
public:
    /// Nothing where a pipeline is to be shown.
    static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return {gantt_.axis, {}}; }
    void show(const ViewRange& range, bool moving) override;
    void scrollTo(std::size_t part, double y) override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
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

    // --- for the view ----------------------------------------------------------------------------------------------------
    /// Null without a scene.
    [[nodiscard]] const PipelineSubject* subject() const { return scene_ ? scene_->subject.get() : nullptr; }
    [[nodiscard]] std::int32_t selectedStage() const { return gantt_.selected; }
    [[nodiscard]] std::int64_t selectedFrame() const { return gantt_.selectedFrame; }
    void selectStage(std::int32_t stage, std::int64_t frame = none)
    {
        gantt_.selected = stage;
        gantt_.selectedFrame = frame;
    }
    /// Called when a click has selected a stage or a frame, or nothing.
    void onSelect(std::function<void()> selected) { selected_ = std::move(selected); }
    /// A border on its way, or where it was dropped last.
    struct Drag {
        std::size_t border = 0;
        std::size_t cut = 0;
        BorderEffect effect;
        std::vector<pipeline::StageMemory> memories; ///< by stage, once they are planned; else empty

        [[nodiscard]] bool sameAs(std::size_t b, std::size_t c) const { return border == b && cut == c; }
    };
    [[nodiscard]] const std::optional<Drag>& drag() const { return drag_; }
    /// Where a border was dropped last, for who hears that something was dropped.
    [[nodiscard]] const std::optional<Drag>& dropped() const { return dropped_; }
    /// Called with each new place of a border that is dragged: its memory is planned elsewhere.
    void onDrag(std::function<void(std::size_t border, std::size_t cut)> moved) { moved_ = std::move(moved); }
    /// The memories of a border that is still there; false when it has moved on.
    bool setMemories(std::size_t border, std::size_t cut, std::vector<pipeline::StageMemory> memories);

    [[nodiscard]] const GanttLayout& ganttLayout() const { return layout_; }
    [[nodiscard]] const StageGraphLayout& graphLayout() const { return graph_; }
    [[nodiscard]] const OpStripLayout& opsLayout() const { return ops_; }
    [[nodiscard]] const GanttState& gantt() const { return gantt_; }

private:
    struct Scene final : PictureScene {
        std::shared_ptr<const PipelineSubject> subject;
    };
    enum Kind : std::int32_t { nothing, onStage, onFrame, onOp, onBorder };

    [[nodiscard]] const PipelineData& data() const { return *scene_->subject->data; }
    [[nodiscard]] bool movable() const { return scene_->subject->effect && !scene_->subject->cuts.empty(); }
    /// The border at a point of the strip; none.
    [[nodiscard]] std::int32_t borderAt(QPointF at) const;
    [[nodiscard]] std::int32_t opAt(QPointF at) const;
    [[nodiscard]] std::vector<BufferId> buffersOf(std::int32_t op) const;
    [[nodiscard]] std::vector<BufferId> buffersOfStage(std::int32_t stage) const;
    [[nodiscard]] std::int32_t stageOf(std::int32_t op) const;
    [[nodiscard]] std::int32_t opOf(BufferId buffer) const;
    void paintSummary(DrawList& list) const;

    std::shared_ptr<const Scene> scene_;
    PictureMarks marks_;
    QSizeF size_;
    QRectF summary_;
    QRectF lanesHead_;
    QRectF opsHead_;
    GanttState gantt_;
    GanttLayout layout_;
    StageGraphLayout graph_; ///< without boxes where there is no room
    OpStripLayout ops_;      ///< without area where there is no room
    double scroll_ = 0;
    std::int32_t hoveredOp_ = none;
    std::optional<Drag> drag_;
    std::optional<Drag> dropped_;
    std::optional<QRectF> area_;
    std::function<void(std::size_t, std::size_t)> moved_;
    std::function<void()> selected_;
};

} // namespace stowage
