// A recorded search: the map after one of its steps, that step in words, and the course of the search.
#pragma once

#include "app/canvas/pictures/map/stack_picture.h"
#include "app/canvas/pictures/replay/replay.h"
#include "app/canvas/pictures/replay/search_curve.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// The course of a recorded search over its steps, for `paintSearchCurve`. The samples are separate, because the curve refers to
/// them.
struct RecordedCurve {
    std::vector<SearchSample> samples;
    SearchCurve curve; ///< without `samples`
};
/// The course, with `marker` at the position of the replay. O(heights + steps with marks).
[[nodiscard]] RecordedCurve recordedCurve(const Replay& replay);

class ReplayPicture final : public StackPicture {
public:
    ReplayPicture() : StackPicture(bandMap) {}

    /// The error that the planner's steps were not recorded; no value if they were.
    static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    /// "step": a number, or a percentage of all steps.
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    bool paint(DrawList& list, BodyMode mode) override;

private:
    struct Scene;
    /// The step to show, of `all` steps.
    [[nodiscard]] std::size_t stepOf(std::size_t all) const;
    void paintWords(DrawList& list) const; ///< paints the step in words

    std::shared_ptr<const Scene> shown_;
    QString step_ = QStringLiteral("50 %");
    QRectF foot_; ///< area of the curve and the step's words; null: no room
};

} // namespace stowage
