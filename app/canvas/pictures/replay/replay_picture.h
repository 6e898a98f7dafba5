// A search while it goes on: the map as it was after a recorded step, what that step did, and the search's course.
#pragma once

#include "app/canvas/pictures/map/stack_picture.h"
#include "app/canvas/pictures/replay/replay.h"
#include "app/canvas/pictures/replay/search_curve.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// The course of a recorded search over its steps, for `paintSearchCurve`; the samples come apart, as the curve points to them.
struct RecordedCurve {
    std::vector<SearchSample> samples;
    SearchCurve curve; ///< without `samples`
};
/// With `marker` where the replay is. O(heights kept + steps with marks).
[[nodiscard]] RecordedCurve recordedCurve(const Replay& replay);

class ReplayPicture final : public StackPicture {
public:
    ReplayPicture() : StackPicture(bandMap) {}

    /// The planner's steps were not recorded.
    static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    /// "step": a number, or a part of all steps.
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    bool paint(DrawList& list, BodyMode mode) override;

private:
    struct Scene;
    /// The step that is shown of `all`.
    [[nodiscard]] std::size_t stepOf(std::size_t all) const;
    void paintWords(DrawList& list) const; ///< of the step

    std::shared_ptr<const Scene> shown_;
    QString step_ = QStringLiteral("50 %");
    QRectF foot_; ///< of the curve and the step's words; null: there is no room
};

} // namespace stowage
