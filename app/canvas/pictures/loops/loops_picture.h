// One loop of a program as a picture of the table (see app/canvas/kit/picture.h).
#pragma once

#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/loops/loop_sheet.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// The unrolled body above, the placements in one iteration below; only the latter zooms. A click on a column goes to its
/// iteration.
class LoopsPicture final : public Picture {
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
    [[nodiscard]] Viewport viewport() const override { return state_.viewport; }
    void show(const ViewRange& range, bool moving) override;
    void scrollTo(std::size_t part, double y) override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList&) const override {}
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    std::optional<std::vector<BufferId>> areaTo(QPointF from, QPointF to) override;
    std::optional<std::vector<BufferId>> areaOfView() override;
    [[nodiscard]] std::optional<PictureAim> selectionAim() const override;
    [[nodiscard]] std::optional<PictureAim> peakAim() const override;
    [[nodiscard]] std::optional<PictureAim> neighbourAim(Direction direction, const BufferTest& selectable) const override;
    [[nodiscard]] QString spoken() const override;

    /// The loop that is shown; `none` without loops.
    [[nodiscard]] LoopId loop() const;
    /// All loops of the program.
    [[nodiscard]] std::vector<LoopId> loops() const { return scene_ ? scene_->loops : std::vector<LoopId>(); }
    [[nodiscard]] const LoopPicture* story() const { return scene_ ? &scene_->picture : nullptr; }
    [[nodiscard]] std::int64_t iteration() const { return state_.iteration; }
    /// Count of iterations to step through: the trip count, else enough to see the story repeat.
    [[nodiscard]] std::int64_t iterations() const;
    [[nodiscard]] const LoopState& state() const { return state_; }
    [[nodiscard]] const LoopLayout& bands() const { return layout_; }

private:
    struct Scene final : PictureScene {
        std::shared_ptr<const RunScene> runScene;
        std::vector<LoopId> loops;
        LoopPicture picture;
    };

    void hold();
    [[nodiscard]] LoopHit loopHitOf(const PictureHit& hit) const;
    [[nodiscard]] std::optional<PictureAim> aimAt(BufferId buffer) const;

    std::shared_ptr<const Scene> scene_;
    QString wanted_;                    ///< loop by name; empty: the first
    std::optional<std::int64_t> asked_; ///< iteration that was requested before the first scene
    LoopState state_;
    LoopLayout layout_;
    PictureMarks marks_; ///< `state_.shown` points into them
};

} // namespace stowage
