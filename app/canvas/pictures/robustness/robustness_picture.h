// The spread of the results of one planner as a picture of the table (see app/canvas/kit/picture.h): a dot for each planning.
#pragma once

#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/robustness/spread_chart.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

/// The study to show.
struct RobustnessSubject final : PictureSubject {
    std::vector<SpreadRow> rows;
};

/// Has no zoom: the scale always shows all dots. The card of a dot describes its planning.
class RobustnessPicture final : public Picture {
public:
    static constexpr std::int32_t dot = 1; ///< value of `PictureHit::kind`; `item` is the index among all samples, see `sample`

    /// No value if the source has a study.
    static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks&, bool) override { return PictureChange::nothing; }
    void layOut(QSizeF size, double) override { size_ = size; }
    [[nodiscard]] PictureParts parts() const override { return {}; }
    [[nodiscard]] Viewport viewport() const override { return {}; }
    void show(const ViewRange&, bool) override {}
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] bool hasAreas() const override { return false; }
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
    [[nodiscard]] QString spoken() const override;

    // --- for the view ----------------------------------------------------------------------------------------------------
    /// The planning of the dot that was hit; null if it is not a dot.
    [[nodiscard]] const RobustnessSample* sample(const PictureHit& hit) const;
    [[nodiscard]] SpreadLayout bands() const { return spreadLayout(rows(), QRectF(QPointF(), size_)); }
    [[nodiscard]] std::span<const SpreadRow> rows() const;

private:
    struct Scene final : PictureScene {
        std::shared_ptr<const RobustnessSubject> subject;
    };
    using Place = std::pair<std::size_t, std::size_t>; ///< row and sample in it
    [[nodiscard]] std::optional<Place> placeOf(const PictureHit& hit) const;

    std::shared_ptr<const Scene> scene_;
    QSizeF size_;
    std::optional<Place> hovered_;
};

} // namespace stowage
