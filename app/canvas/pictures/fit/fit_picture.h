// The sheet of a fit as a picture of the table (see app/canvas/kit/picture.h). A click on a planner shows its plan in the map.
#pragma once

#include "app/canvas/axis/run_scene.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/fit/fit_sheet.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// The fit to show.
struct FitSubject final : PictureSubject {
    std::shared_ptr<const Fit> fit;
};

/// Has no zoom. The map is painted directly, on the screen too, because it is small.
class FitPicture final : public Picture {
public:
    static constexpr std::int32_t row = 1; ///< value of `PictureHit::kind`; `item` is the index of the row

    /// No value if the source has a fit.
    static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks&, bool) override { return PictureChange::nothing; }
    void layOut(QSizeF size, double) override { size_ = size; }
    [[nodiscard]] PictureParts parts() const override { return {}; }
    [[nodiscard]] Viewport viewport() const override { return {}; }
    void show(const ViewRange&, bool) override {}
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList&) const override {}
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] bool hasAreas() const override { return false; }
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] QString spoken() const override;

    // --- for the view ----------------------------------------------------------------------------------------------------
    /// Null without a scene.
    [[nodiscard]] const Fit* fit() const { return scene_ ? scene_->subject->fit.get() : nullptr; }
    /// Sets the width kept free at the right end of the card for buttons, in logical pixels.
    PictureChange setCardRoom(double room);
    /// Shows the plan of a row in the map; no effect for a row without a plan.
    PictureChange showRow(std::size_t row);
    [[nodiscard]] std::size_t shownRow() const { return shown_ ? *shown_ : fit() ? fit()->answer : 0; }

private:
    struct Scene final : PictureScene {
        std::shared_ptr<const FitSubject> subject;
        std::shared_ptr<SceneCache> scenes;
        std::vector<std::shared_ptr<const RunScene>> maps; ///< keeps the scenes alive in the cache
    };

    std::shared_ptr<const Scene> scene_;
    QSizeF size_;
    double cardRoom_ = 0;
    std::optional<std::size_t> shown_;
};

} // namespace stowage
