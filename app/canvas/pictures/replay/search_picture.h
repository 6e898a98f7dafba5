// The course of a search as a picture of the table (see app/canvas/kit/picture.h): the best size and the lower bound over time,
// work or recorded steps. A click or a drag seeks in it.
#pragma once

#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/replay/search_curve.h"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// The search to show. `samples` replaces `curve.samples`.
struct SearchSubject final : PictureSubject {
    std::vector<SearchSample> samples;
    SearchCurve curve;

    [[nodiscard]] bool sameButForMarker(const SearchSubject& other) const
    {
        return samples == other.samples && curve.byWork == other.curve.byWork && curve.running == other.curve.running &&
               curve.xTitle == other.curve.xTitle && curve.empty == other.curve.empty && curve.marks == other.curve.marks;
    }
};

/// Has no zoom: the scale always shows the whole curve.
class SearchPicture final : public Picture {
public:
    /// No value if the source has a search.
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
    [[nodiscard]] bool hasAreas() const override { return false; }
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    /// The state of the search at the abscissa under the pointer.
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    bool takeHold(QPointF at) override;
    void moveTo(QPointF at) override;
    bool drop() override;
    [[nodiscard]] QString spoken() const override;

    // --- for the view ----------------------------------------------------------------------------------------------------
    /// Sets the function called with the abscissa of a click or drag.
    void onSought(std::function<void(double)> sought) { sought_ = std::move(sought); }
    /// Moves the vertical line of a replay; the scene stays.
    PictureChange setMarker(std::optional<double> marker);
    [[nodiscard]] const std::vector<SearchSample>& samples() const;
    [[nodiscard]] const SearchCurve& curve() const { return curve_; }
    [[nodiscard]] SearchScale scale() const { return searchScale(curve_, QRectF(QPointF(), size_)); }

private:
    struct Scene final : PictureScene {
        std::shared_ptr<const SearchSubject> subject;
    };
    void seek(double px) const;

    std::shared_ptr<const Scene> scene_;
    SearchCurve curve_; ///< the curve of the scene, with the current marker
    QSizeF size_;
    std::function<void(double)> sought_;
};

} // namespace stowage
