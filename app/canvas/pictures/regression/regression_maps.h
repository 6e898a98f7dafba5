// The maps of a regression's row: the baseline's plan and today's side by side on one scale. Buffers are the same by their names.
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

/// How today's map is coloured.
enum class RegressionColours : std::uint8_t { same, difference };

/// Two maps of one pool. Made for a row on any thread, laid out for a place, painted as often as needed.
class RegressionMaps {
public:
    enum Side : std::size_t { before, now };

    /// Scenes, colours and names of both plans: O(buffers log buffers), so not on the window's thread when there are many.
    RegressionMaps(std::shared_ptr<const RegressionRow> row, const Theme& theme, RegressionColours colours, SceneCache& scenes);

    [[nodiscard]] const RegressionRow& row() const { return *row_; }
    [[nodiscard]] RegressionColours colours() const { return colours_; }
    void setTheme(const Theme& theme);
    /// `box` in logical pixels: a head of 28 above each map.
    void layOut(TextShaper& shaper, const QRectF& box, double ratio, const NumberFormat& numbers);
    /// Returns true when a vector body had to be a raster.
    bool paint(DrawList& list, BodyMode mode) const;
    /// Outlines the buffer of that name in both maps; empty: none.
    void paintMark(DrawList& list, const std::string& buffer) const;

    /// The buffer under a point, as its name, and where it lies in that map; nothing where there is none.
    struct Hit {
        std::string buffer;
        QRectF box;
        Side side = before;
    };
    [[nodiscard]] std::optional<Hit> hit(QPointF at) const;
    /// Size, live range and place in both plans; nothing for a name that neither has.
    [[nodiscard]] std::optional<CardText> card(const std::string& buffer) const;
    /// The pool that is shown.
    [[nodiscard]] const std::string& pool() const { return pool_; }

private:
    struct Half {
        std::shared_ptr<const Run> run; ///< null: there is no map on this side
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
    [[nodiscard]] Bytes sizeOf(const Half& half) const; ///< of the pool that is shown

    std::shared_ptr<const RegressionRow> row_;
    const Theme* theme_;
    RegressionColours colours_;
    NumberFormat numbers_;
    QRectF box_;
    std::string pool_;
    std::array<Half, 2> halves_;
};

} // namespace stowage
