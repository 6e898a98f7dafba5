// The maps of a row of a regression: the baseline's plan and the current one side by side at one scale. Buffers correspond by
// name.
#pragma once

#include "app/canvas/kit/card.h"
#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/kit/picture.h"
#include "app/canvas/kit/theme.h"
#include "app/canvas/pictures/map/view_state.h"
#include "app/session/regress/regression.h"

#include <QRectF>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

namespace stowage {

class SceneCache;

/// The colouring of the current map.
enum class RegressionColours : std::uint8_t { same, difference };

/// Two maps of one pool. Constructed for a row on any thread, laid out for a box, painted as often as needed.
class RegressionMaps {
public:
    enum Side : std::size_t { before, now };

    /// Makes scenes, colours and names of both plans. O(buffers log buffers): large rows need another thread than the window's.
    RegressionMaps(std::shared_ptr<const RegressionRow> row, const Theme& theme, RegressionColours colours, SceneCache& scenes);

    [[nodiscard]] const RegressionRow& row() const { return *row_; }
    [[nodiscard]] RegressionColours colours() const { return colours_; }
    void setTheme(const Theme& theme);
    /// `box` in logical pixels: a head of 28 above each map.
    void layOut(TextShaper& shaper, const QRectF& box, double ratio, const NumberFormat& numbers);
    /// Returns true if a vector body had to become a raster.
    bool paint(DrawList& list, BodyMode mode) const;
    /// Outlines the buffer of this name in both maps; empty: none.
    void paintMark(DrawList& list, const std::string& buffer) const;

    /// The name of the buffer under a point, and its box in that map.
    struct Hit {
        std::string buffer;
        QRectF box;
        Side side = before;
    };
    [[nodiscard]] std::optional<Hit> hit(QPointF at) const;
    /// Size, live range and placement in both plans; no value for a name that neither has.
    [[nodiscard]] std::optional<CardText> card(const std::string& buffer) const;
    /// The pool that is shown.
    [[nodiscard]] const std::string& pool() const { return pool_; }

private:
    struct Half {
        std::shared_ptr<const Run> run; ///< null: no map on this side
        std::unique_ptr<ViewState> view;
        StackLayout layout;
        QRectF box; ///< of the map, without head
        std::unordered_map<std::string, BufferId> byName;

        [[nodiscard]] const MapData* map() const;
    };

    void paintHead(DrawList& list, Side side) const;
    void paintGrown(DrawList& list) const;
    [[nodiscard]] QRectF rectOf(const Half& half, BufferId buffer) const;
    [[nodiscard]] BufferId idIn(const Half& half, const std::string& name) const;
    [[nodiscard]] Bytes sizeOf(const Half& half) const; ///< size of the shown pool

    std::shared_ptr<const RegressionRow> row_;
    const Theme* theme_;
    RegressionColours colours_;
    NumberFormat numbers_;
    QRectF box_;
    std::string pool_;
    std::array<Half, 2> halves_;
};

} // namespace stowage
