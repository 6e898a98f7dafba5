// The comparison of a suite with its baseline as a picture of the table (see app/canvas/kit/picture.h): rows with their verdicts,
// the explanation of the chosen row, its maps in the baseline and now, and its figures.
#pragma once

#include "app/canvas/axis/names_apart.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/pictures/regression/regression_maps.h"
#include "app/session/regress/regression.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

/// The regression to show.
struct RegressionSubject final : PictureSubject {
    std::shared_ptr<const Regression> regression;
};

/// A click on a row chooses it; a click on a buffer marks it in both maps. The maps do not zoom; the window's "Open both maps"
/// shows them in the map view.
class RegressionPicture final : public Picture {
public:
    /// No value if the source has a regression.
    static std::optional<Error> whyNot(const PictureSource& source);

    [[nodiscard]] PictureJob prepare(const PictureSource& source) const override;
    bool take(std::shared_ptr<const PictureScene> scene) override;
    PictureChange setMarks(const PictureMarks& marks, bool fromHere) override;
    [[nodiscard]] std::vector<PictureOption> options() const override;
    PictureChange set(const QString& id, const QString& value) override;
    void layOut(QSizeF size, double ratio) override;
    [[nodiscard]] bool hasAreas() const override { return false; }
    [[nodiscard]] PictureParts parts() const override;
    [[nodiscard]] Viewport viewport() const override { return {}; }
    void show(const ViewRange&, bool) override {}
    void scrollTo(std::size_t part, double y) override;
    bool paint(DrawList& list, BodyMode mode) override;
    void paintOverlay(DrawList& list) const override;
    [[nodiscard]] PictureHit hit(QPointF at) const override;
    [[nodiscard]] std::optional<CardText> card(const PictureHit& hit) const override;
    bool hover(const PictureHit& hit) override;
    PictureChange press(const PictureHit& hit, Qt::KeyboardModifiers modifiers) override;
    [[nodiscard]] QString spoken() const override;

    // --- for the view ----------------------------------------------------------------------------------------------------
    /// Null without a scene.
    [[nodiscard]] const Regression* regression() const { return scene_ ? scene_->subject->regression.get() : nullptr; }
    /// The chosen row; null without one.
    [[nodiscard]] const RegressionRow* row() const;
    /// Chooses the row with this key; `unknown` if it is not listed. Needs another scene if the row's maps are large.
    PictureChange choose(const std::string& key);
    /// Indices into `Regression::rows` of the rows that are listed, from the top.
    [[nodiscard]] const std::vector<std::size_t>& listed() const { return listed_; }
    /// The buffer that is marked; empty: none.
    [[nodiscard]] const std::string& marked() const { return marked_; }
    /// The box of the row at this place in the list; may be out of view.
    [[nodiscard]] QRectF rowBox(std::size_t place) const;
    [[nodiscard]] const RegressionMaps* maps() const { return maps_.get(); }
    [[nodiscard]] QRectF mapsBox() const { return mapsBox_; }

private:
    struct Scene final : PictureScene {
        std::shared_ptr<const RegressionSubject> subject;
        std::shared_ptr<SceneCache> scenes;
        mutable std::unique_ptr<RegressionMaps> maps; ///< of the chosen row, if they are large; the picture takes ownership
    };
    enum Kind : std::int32_t { nothing, onRow, onBuffer };
    enum class Filter : std::uint8_t { all, different, regressions };
    /// A column of the list; one without width is not shown.
    struct Column {
        double left = 0;
        double width = 0;
    };
    enum Columns : std::size_t {
        verdictColumn,
        modelColumn,
        plannerColumn,
        targetColumn,
        baselineColumn,
        currentColumn,
        changeColumn,
        runsColumn,
        causeColumn,
        columnCount
    };

    [[nodiscard]] static std::vector<std::size_t> listedRows(const Regression& all, Filter filter);
    /// `wanted` if it is listed, else the key of the most interesting row; empty without rows.
    [[nodiscard]] static std::string chosenOf(const Regression& all, const std::vector<std::size_t>& listed,
                                              const std::string& wanted);
    void listRows();
    /// Shows the maps of the chosen row: made here if they are small, else those of the scene. Returns `scene` if the scene has
    /// the maps of another row.
    PictureChange renewMaps();
    [[nodiscard]] bool isOfChosen(const RegressionMaps& maps) const;
    void placeColumns();
    void keepRowInView();

    // paint_regression.cpp
    void paintRows(DrawList& list) const;
    void paintRow(DrawList& list, const RegressionRow& row, const QRectF& box) const;
    void paintFoot(DrawList& list) const;
    void paintStory(DrawList& list) const;
    void paintDetails(DrawList& list) const;
    /// Paints a sparkline of a row's sizes.
    void paintHistory(DrawList& list, const RegressionRow& row, const QRectF& box) const;
    [[nodiscard]] double paintPeak(DrawList& list, const RegressionRow& row, double top) const;
    /// Paints the verdict as a coloured tag; returns its right edge.
    double paintTag(DrawList& list, RowVerdict verdict, double left, double middle) const;
    [[nodiscard]] QColor inkOf(RowVerdict verdict) const;
    [[nodiscard]] QColor softOf(RowVerdict verdict) const;

    std::shared_ptr<const Scene> scene_;
    std::string chosen_; ///< key
    std::string marked_;
    std::string hovered_;
    std::int64_t hoveredRow_ = none;
    Filter filter_ = Filter::all;
    RegressionColours colours_ = RegressionColours::same;
    std::vector<std::size_t> listed_;
    NamesApart planners_;                  ///< of all rows
    std::unique_ptr<RegressionMaps> maps_; ///< of the chosen row; null without one, and while large ones are made
    TextShaper shaper_;

    QSizeF size_;
    double ratio_ = 1;
    double scroll_ = 0;
    QRectF rowsBox_; ///< below the header
    QRectF footBox_;
    QRectF storyBox_;
    QRectF mapsBox_;
    QRectF detailsBox_; ///< empty if there is no room
    std::array<Column, columnCount> columns_;
};

} // namespace stowage
