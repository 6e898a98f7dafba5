// Keeps the picture of one map up to date while it is panned and zoomed: at once when little is in view, else in tiles painted in
// the background.
#pragma once

#include "app/canvas/axis/map_raster.h"
#include "app/canvas/axis/run_scene.h"

#include <QImage>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

class QThreadPool;

namespace stowage {

/// What a picture is painted from. The shared parts keep alive what `picture` refers to.
struct TileSource {
    std::shared_ptr<const RunScene> scene;
    std::shared_ptr<const std::vector<BufferStyle>> styles;
    MapPicture picture;
};

/// The body of one map. Tiles lie on the grid of the two axes (see `PixelAxis::origin`), so they stay right while the view is
/// panned. Another zoom or other colours make them worthless: until new ones are there, the last whole picture is stretched to
/// where it belongs, over one of everything. Belongs to one thread; only `ready` is called from others.
class MapTiles {
public:
    /// `ready` is called, from any thread, when tiles were finished that the last picture lacks. Once until `body` is called
    /// again.
    explicit MapTiles(std::function<void()> ready);
    ~MapTiles();
    MapTiles(const MapTiles&) = delete;
    MapTiles& operator=(const MapTiles&) = delete;

    /// The visible area, in device pixels. Up to `atOnce` rectangles it is whole. Beyond that, what is missing is asked for,
    /// unless `moving`: then another zoom follows at once. O(pixels) when only tiles are put together; nothing is done when
    /// nothing changed.
    const QImage& body(const TileSource& source, bool moving = false);
    /// False while tiles of the last picture are being painted.
    [[nodiscard]] bool complete() const { return complete_; }
    /// Areas painted so far, whole pictures or tiles: to count work in tests.
    [[nodiscard]] std::size_t painted() const { return painted_; }
    /// Waits until nothing is being painted.
    void wait();

    static constexpr int tileSize = 256;
    static constexpr std::size_t atOnce = 20000;

private:
    using Tile = std::pair<std::int64_t, std::int64_t>; ///< column, row (upwards) in units of `tileSize`
    /// What must be equal for an area painted before to be right still.
    struct Key {
        std::shared_ptr<const RunScene> scene;
        std::shared_ptr<const std::vector<BufferStyle>> styles;
        const MapData* map = nullptr;
        MapColours colours;
        PixelAxis::Grid steps;
        PixelAxis::Grid addresses;
        double ratio = 1;
        std::optional<Interval> peak;
        std::int64_t gridSpacing = 0;
        friend bool operator==(const Key&, const Key&) = default;
    };
    /// A picture as it was shown, with the axes it was shown on.
    struct Shot {
        QImage image;
        PixelAxis steps;
        PixelAxis addresses;
        const MapData* map = nullptr;
    };
    struct Shared;

    [[nodiscard]] static Key keyOf(const TileSource& source);
    void paintDirectly(const TileSource& source, const PixelArea& area, bool sameGrid);
    void paintPart(const TileSource& source, QImage& image, const PixelArea& whole, const PixelArea& part);
    void compose(const TileSource& source, const PixelArea& area, bool moving);
    void request(const TileSource& source, std::vector<Tile> missing, const PixelArea& area);
    void collect();
    void forget();

    std::shared_ptr<Shared> shared_;
    std::unique_ptr<QThreadPool> pool_;
    Key key_;
    std::map<Tile, QImage> tiles_;
    std::set<Tile> pending_;
    PixelArea area_;
    Shot shown_; ///< the last picture
    bool complete_ = true;
    bool direct_ = true; ///< `shown_` was painted as a whole
    Shot before_;        ///< the last whole one under another key
    Shot overview_;      ///< the last whole one of everything
    std::size_t painted_ = 0;
};

/// Draws `from`, seen through the axes fx and fy, to where it lies on the axes tx and ty; pixels that it does not cover stay.
/// Nearest neighbours: it stands for a moment only. Both images are 32 bits a pixel. O(pixels of `to`).
void stretch(QImage& to, const PixelAxis& tx, const PixelAxis& ty, const QImage& from, const PixelAxis& fx, const PixelAxis& fy);

} // namespace stowage
