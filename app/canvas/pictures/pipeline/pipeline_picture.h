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

/// The effect of moving a border.
struct BorderEffect {
    pipeline::Ticks period = 0;
    pipeline::Ticks latency = 0;
    std::vector<pipeline::Ticks> costs; ///< by stage
};

/// The pipeline to show. Its functions are called while a border is dragged.
struct PipelineSubject final : PictureSubject {
    std::shared_ptr<const PipelineData> data;
    std::vector<std::size_t>
        cuts; ///< first op of each stage but the first, among the ops of all stages; empty: stages cannot be changed
    /// The effect of moving border `border` (0: between stages 0 and 1) to op `cut`; no value if no cut is allowed there. Null:
    /// stages cannot be changed.
    std::function<std::optional<BorderEffect>(std::size_t border, std::size_t cut)> effect;
    std::vector<std::vector<BufferId>> buffers; ///< by op: buffers that it writes in the shown run, ascending; empty: unknown
    pipeline::Ticks latency = 0;                ///< of one frame through all stages and transfers
    std::optional<pipeline::Ticks> bound;       ///< lower bound of the objective
    bool proved = false;
    bool byLatency = false; ///< the objective is the latency
};

/// Only the time axis zooms. A click on a stage, in a lane or a box, selects it; a click on a frame selects stage and frame;
/// borders in the strip of ops can be dragged.
class PipelinePicture final : public Picture {
public:
    /// No value if the source has a pipeline.
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
    std::optional<std::vector<BufferId>> areaOfView() override;
    void clearArea() override { area_.reset(); }
    bool takeHold(QPointF at) override;
    void moveTo(QPointF at) override;
    bool drop() override;
    void letGo() override;
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;
    [[nodiscard]] QString spoken() const override;

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
    /// Sets the function called when a click has selected a stage, a frame, or nothing.
    void onSelect(std::function<void()> selected) { selected_ = std::move(selected); }
    /// A border that is being dragged, or was dropped last.
    struct Drag {
        std::size_t border = 0;
        std::size_t cut = 0;
        BorderEffect effect;
        std::vector<pipeline::StageMemory> memories; ///< by stage; empty until they are planned

        [[nodiscard]] bool sameAs(std::size_t b, std::size_t c) const { return border == b && cut == c; }
    };
    [[nodiscard]] const std::optional<Drag>& drag() const { return drag_; }
    /// The border that was dropped last, for the view.
    [[nodiscard]] const std::optional<Drag>& dropped() const { return dropped_; }
    /// Sets the function called with each new place of a dragged border, whose stages the caller plans.
    void onDrag(std::function<void(std::size_t border, std::size_t cut)> moved) { moved_ = std::move(moved); }
    /// Sets the planned bytes of the stages for a border; false if the border has moved since.
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
    /// The border at a point of the strip; `none` if there is none.
    [[nodiscard]] std::int32_t borderAt(QPointF at) const;
    [[nodiscard]] std::int32_t opAt(QPointF at) const;
    [[nodiscard]] std::vector<BufferId> buffersOf(std::int32_t op) const;
    [[nodiscard]] std::vector<BufferId> buffersOfStage(std::int32_t stage) const;
    [[nodiscard]] std::int32_t stageOf(std::int32_t op) const;
    [[nodiscard]] std::int32_t opOf(BufferId buffer) const;
    /// A figure of the line on top; without a value only a name.
    struct Word {
        QString name, value, unit;
    };
    [[nodiscard]] std::vector<Word> summaryWords() const;
    [[nodiscard]] QString proofText() const; ///< empty: no bound is known
    void paintSummary(DrawList& list) const;

    std::shared_ptr<const Scene> scene_;
    PictureMarks marks_;
    QSizeF size_;
    QRectF summary_;
    QRectF lanesHead_;
    QRectF opsHead_;
    GanttState gantt_;
    GanttLayout layout_;
    StageGraphLayout graph_; ///< without boxes if there is no room
    OpStripLayout ops_;      ///< without area if there is no room
    double scroll_ = 0;
    std::int32_t hoveredOp_ = none;
    std::optional<Drag> drag_;
    std::optional<Drag> dropped_;
    std::optional<QRectF> area_;
    std::function<void(std::size_t, std::size_t)> moved_;
    std::function<void()> selected_;
};

} // namespace stowage
