// Keeps the picture of one map up to date while it is panned and zoomed: painted immediately if few rectangles are visible, else
// in tiles in the background.
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

/// The inputs of a picture. The shared pointers keep alive the objects that `picture` refers to.
struct TileSource {
    std::shared_ptr<const RunScene> scene;
    std::shared_ptr<const std::vector<BufferStyle>> styles;
    MapPicture picture;
};

/// The body of one map. Tiles are on the grid of the two axes (see `PixelAxis::origin`), so that they stay right while the view
/// is panned. Another zoom or other colours invalidate them: until new ones are ready, the last complete picture is stretched to
/// its new position, over one of the whole map. Belongs to one thread; only `ready` is called from others.
class MapTiles {
public:
    /// `ready` is called, on any thread, when tiles are finished that the last picture lacks: once between two calls of `body`.
    explicit MapTiles(std::function<void()> ready);
    ~MapTiles();
    MapTiles(const MapTiles&) = delete;
    MapTiles& operator=(const MapTiles&) = delete;

    /// The visible area, in device pixels. With up to `atOnce` rectangles it is complete. With more, missing tiles are requested,
    /// unless `moving`: then another zoom follows soon. O(pixels) if tiles are only combined; does nothing if nothing changed.
    const QImage& body(const TileSource& source, bool moving = false);
    /// False while tiles of the last picture are being painted.
    [[nodiscard]] bool complete() const { return complete_; }
    /// Count of painted areas, whole pictures or tiles; for tests.
    [[nodiscard]] std::size_t painted() const { return painted_; }
    /// Waits for the tiles that are being painted.
    void wait();

    static constexpr int tileSize = 256;
    static constexpr std::size_t atOnce = 20000;

private:
    using Tile = std::pair<std::int64_t, std::int64_t>; ///< column, row (upwards) in units of `tileSize`
    /// The values that must be equal for an area painted before to be valid.
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
    Shot before_;        ///< the last complete picture under another key
    Shot overview_;      ///< the last complete picture of the whole map
    std::size_t painted_ = 0;
};

/// Draws `from`, painted for the axes fx and fy, at its position on the axes tx and ty; pixels that it does not cover stay.
/// Nearest neighbours, because it is visible only for a moment. Both images have 32 bits a pixel. O(pixels of `to`).
void stretch(QImage& to, const PixelAxis& tx, const PixelAxis& ty, const QImage& from, const PixelAxis& fx, const PixelAxis& fy);

} // namespace stowage
