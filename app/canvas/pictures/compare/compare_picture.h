// The comparison sheet as a picture of the table (see app/canvas/kit/picture.h), for files. The window shows the same maps as
// canvases side by side.
#pragma once

#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/compare/compare_sheet.h"

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

/// Has no zoom, and nothing reacts to the pointer.
class ComparePicture final : public Picture {
public:
    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    [[nodiscard]] bool usesAllRuns() const override { return true; }
    PictureChange setMarks(const PictureMarks&, bool) override { return PictureChange::nothing; }
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double) override { options_.size = size; }
    [[nodiscard]] PictureParts parts() const override { return {}; }
    [[nodiscard]] Viewport viewport() const override { return {}; }
    void show(const ViewRange&, bool) override {}
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList&) const override {}
    void paintLegend(DrawList& list, double left, double right, double y) const override;
    [[nodiscard]] bool hasAreas() const override { return false; }
    [[nodiscard]] PictureHit hit(QPointF) const override { return {.keepsSelection = true}; }
    [[nodiscard]] std::optional<CardText> card(const PictureHit&) const override { return std::nullopt; }

private:
    struct Scene final : PictureScene {
        std::vector<std::shared_ptr<const Run>> runs;
        std::shared_ptr<SceneCache> scenes;
        std::vector<std::shared_ptr<const RunScene>> maps; ///< keeps the scenes of the maps alive in `scenes`
    };

    std::shared_ptr<const Scene> scene_;
    CompareOptions options_;
    std::optional<ColourBy> colourBy_; ///< no value: the first run's default
    QString wanted_;                   ///< pool by name; empty: the one with the most buffers
};

} // namespace stowage
