#include "app/canvas/kit/map_tiles.h"

#include <QThreadPool>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>

namespace stowage {

namespace {

constexpr std::size_t spareTiles = 64; ///< kept beyond three screens of them

/// Absolute pixels of a tile.
PixelArea areaOf(std::pair<std::int64_t, std::int64_t> tile)
{
    return {tile.first * MapTiles::tileSize, tile.second * MapTiles::tileSize, MapTiles::tileSize, MapTiles::tileSize};
}

std::int64_t tileAt(std::int64_t pixel)
{
    return pixel >= 0 ? pixel / MapTiles::tileSize : -((MapTiles::tileSize - 1 - pixel) / MapTiles::tileSize);
}

/// Copies what two areas have in common.
void copyCommon(QImage& to, const PixelArea& toArea, const QImage& from, const PixelArea& fromArea)
{
    const std::int64_t left = std::max(toArea.x, fromArea.x);
    const std::int64_t right = std::min(toArea.x + toArea.width, fromArea.x + fromArea.width);
    const std::int64_t low = std::max(toArea.y, fromArea.y);
    const std::int64_t high = std::min(toArea.y + toArea.height, fromArea.y + fromArea.height);
    if (left >= right) return;
    for (std::int64_t y = low; y < high; ++y) {
        const auto* source =
            reinterpret_cast<const Argb*>(from.constScanLine(int(fromArea.y + fromArea.height - 1 - y))) + (left - fromArea.x);
        auto* target = reinterpret_cast<Argb*>(to.scanLine(int(toArea.y + toArea.height - 1 - y))) + (left - toArea.x);
        std::memcpy(target, source, std::size_t(right - left) * sizeof(Argb));
    }
}

bool showsAll(const PixelAxis& axis)
{
    return axis.range().span >= axis.maximumSpan() * (1 - 1e-9);
}

} // namespace

/// What the window's thread and those that paint have in common; the last of them deletes it.
struct MapTiles::Shared {
    std::atomic<std::uint64_t> generation = 0;
    std::atomic<bool> told = false;
    std::function<void()> ready;
    std::mutex mutex;
    std::vector<std::pair<Tile, QImage>> finished; ///< of `finishedGeneration`
    std::uint64_t finishedGeneration = 0;
};

MapTiles::MapTiles(std::function<void()> ready) : shared_(std::make_shared<Shared>()), pool_(std::make_unique<QThreadPool>())
{
    shared_->ready = std::move(ready);
    pool_->setThreadPriority(QThread::LowPriority); // the window answers first
}

MapTiles::~MapTiles()
{
    forget();
    pool_->waitForDone();
}

void MapTiles::wait()
{
    pool_->waitForDone();
}

MapTiles::Key MapTiles::keyOf(const TileSource& source)
{
    const MapPicture& p = source.picture;
    return {source.scene, source.styles, p.map, p.colours, p.steps.grid(), p.addresses.grid(), p.ratio, p.peak, p.gridSpacing};
}

void MapTiles::forget()
{
    ++shared_->generation;
    pool_->clear();
    tiles_.clear();
    pending_.clear();
}

void MapTiles::collect()
{
    shared_->told = false;
    const std::scoped_lock lock(shared_->mutex);
    if (shared_->finishedGeneration == shared_->generation)
        for (auto& [tile, image] : shared_->finished) {
            pending_.erase(tile);
            tiles_.insert_or_assign(tile, std::move(image));
            ++painted_;
        }
    shared_->finished.clear();
}

const QImage& MapTiles::body(const TileSource& source, bool moving)
{
    collect();
    const Key key = keyOf(source);
    const PixelArea area = visibleArea(source.picture);
    const bool sameGrid = key == key_ && !shown_.image.isNull();
    if (sameGrid && area == area_ && complete_) return shown_.image;
    if (!sameGrid) {
        if (complete_ && !shown_.image.isNull()) before_ = shown_;
        forget();
        key_ = key;
    }
    const PixelAxis& steps = source.picture.steps;
    const PixelAxis& addresses = source.picture.addresses;
    const StepBytes seen{steps.at(0).whole, steps.at(steps.pixels()).whole + 1, addresses.at(0).whole,
                         addresses.at(addresses.pixels()).whole + 1};
    if (source.picture.map->rects.countAtMost(seen) <= atOnce) {
        paintDirectly(source, area, sameGrid && direct_ && complete_);
        direct_ = complete_ = true;
    } else {
        compose(source, area, moving);
        direct_ = false;
    }
    area_ = area;
    shown_.steps = steps;
    shown_.addresses = addresses;
    shown_.map = source.picture.map;
    if (complete_ && showsAll(steps) && showsAll(addresses)) overview_ = shown_;
    return shown_.image;
}

void MapTiles::paintPart(const TileSource& source, QImage& image, const PixelArea& whole, const PixelArea& part)
{
    if (part.width <= 0 || part.height <= 0) return;
    const auto row = int(whole.y + whole.height - (part.y + part.height));
    auto* first = reinterpret_cast<Argb*>(image.scanLine(row)) + (part.x - whole.x);
    paintArea(source.picture, part, first, image.bytesPerLine() / 4);
    ++painted_;
}

void MapTiles::paintDirectly(const TileSource& source, const PixelArea& area, bool sameGrid)
{
    QImage image(area.width, area.height, QImage::Format_RGB32);
    const std::int64_t left = std::max(area.x, area_.x);
    const std::int64_t right = std::min(area.x + area.width, area_.x + area_.width);
    const std::int64_t low = std::max(area.y, area_.y);
    const std::int64_t high = std::min(area.y + area.height, area_.y + area_.height);
    if (!sameGrid || left >= right || low >= high) {
        paintPart(source, image, area, area);
    } else {
        // Panned: what was seen is moved, and only what comes into view is painted, beside and above or below it.
        copyCommon(image, area, shown_.image, area_);
        paintPart(source, image, area, {area.x, area.y, int(left - area.x), area.height});
        paintPart(source, image, area, {right, area.y, int(area.x + area.width - right), area.height});
        paintPart(source, image, area, {left, area.y, int(right - left), int(low - area.y)});
        paintPart(source, image, area, {left, high, int(right - left), int(area.y + area.height - high)});
    }
    shown_.image = std::move(image);
}

void MapTiles::compose(const TileSource& source, const PixelArea& area, bool moving)
{
    std::vector<Tile> missing;
    std::size_t seen = 0;
    for (std::int64_t y = tileAt(area.y); y <= tileAt(area.y + area.height - 1); ++y)
        for (std::int64_t x = tileAt(area.x); x <= tileAt(area.x + area.width - 1); ++x) {
            ++seen;
            if (!tiles_.contains({x, y})) missing.emplace_back(x, y);
        }
    QImage image(area.width, area.height, QImage::Format_RGB32);
    if (!missing.empty()) {
        image.fill(source.picture.colours.well);
        for (const Shot* shot : {&overview_, &before_})
            if (!shot->image.isNull() && shot->steps.high() == source.picture.steps.high())
                stretch(image, source.picture.steps, source.picture.addresses, shot->image, shot->steps, shot->addresses);
        // A part of what is missing may be in the last picture, when it was painted as a whole.
        if (direct_ && complete_ && !shown_.image.isNull() && shown_.map == source.picture.map &&
            shown_.steps.grid() == source.picture.steps.grid() && shown_.addresses.grid() == source.picture.addresses.grid())
            copyCommon(image, area, shown_.image, area_);
    }
    for (std::int64_t y = tileAt(area.y); y <= tileAt(area.y + area.height - 1); ++y)
        for (std::int64_t x = tileAt(area.x); x <= tileAt(area.x + area.width - 1); ++x)
            if (const auto found = tiles_.find({x, y}); found != tiles_.end())
                copyCommon(image, area, found->second, areaOf(found->first));
    shown_.image = std::move(image);
    complete_ = missing.empty();
    if (!complete_ && !moving) request(source, std::move(missing), area);
    if (tiles_.size() > 3 * seen + spareTiles)
        std::erase_if(tiles_, [&](const auto& tile) {
            const PixelArea at = areaOf(tile.first);
            const std::int64_t width = area.width, height = area.height;
            return at.x + 2 * width < area.x || at.x > area.x + 3 * width || at.y + 2 * height < area.y ||
                   at.y > area.y + 3 * height;
        });
}

void MapTiles::request(const TileSource& source, std::vector<Tile> missing, const PixelArea& area)
{
    std::erase_if(missing, [this](const Tile& tile) { return pending_.contains(tile); });
    // From the middle outwards, where one looks.
    const double middleX = double(area.x) + area.width / 2.0;
    const double middleY = double(area.y) + area.height / 2.0;
    const auto far = [&](const Tile& tile) {
        const PixelArea at = areaOf(tile);
        return std::hypot(double(at.x) + tileSize / 2.0 - middleX, double(at.y) + tileSize / 2.0 - middleY);
    };
    std::sort(missing.begin(), missing.end(),
              [&](const Tile& a, const Tile& b) { return std::pair(far(a), a) < std::pair(far(b), b); });
    const std::uint64_t generation = shared_->generation;
    for (const Tile& tile : missing) {
        pending_.insert(tile);
        pool_->start([shared = shared_, source, tile, generation] {
            const auto stopped = [&] { return shared->generation.load(std::memory_order_relaxed) != generation; };
            if (stopped()) return;
            QImage image(tileSize, tileSize, QImage::Format_RGB32);
            if (!paintArea(source.picture, areaOf(tile), reinterpret_cast<Argb*>(image.bits()), image.bytesPerLine() / 4,
                           stopped))
                return;
            {
                const std::scoped_lock lock(shared->mutex);
                if (stopped()) return;
                if (shared->finishedGeneration != generation) shared->finished.clear();
                shared->finishedGeneration = generation;
                shared->finished.emplace_back(tile, std::move(image));
            }
            if (!shared->told.exchange(true)) shared->ready();
        });
    }
}

void stretch(QImage& to, const PixelAxis& tx, const PixelAxis& ty, const QImage& from, const PixelAxis& fx, const PixelAxis& fy)
{
    // Where the middle of pixel i lies in the other picture: a line, as both axes are.
    const auto line = [](const PixelAxis& t, const PixelAxis& f) { return std::pair(f.toPixel(t.at(0)), f.scale() / t.scale()); };
    const auto [x0, dx] = line(tx, fx);
    const auto [y0, dy] = line(ty, fy);
    std::vector<int> column(std::size_t(to.width()));
    for (std::size_t x = 0; x < column.size(); ++x) {
        const double at = std::floor(x0 + (double(x) + 0.5) * dx);
        column[x] = at >= 0 && at < from.width() ? int(at) : -1;
    }
    for (int row = 0; row < to.height(); ++row) {
        const double at = std::floor(y0 + (to.height() - 1 - row + 0.5) * dy);
        if (!(at >= 0 && at < from.height())) continue;
        const auto* source = reinterpret_cast<const Argb*>(from.constScanLine(from.height() - 1 - int(at)));
        auto* target = reinterpret_cast<Argb*>(to.scanLine(row));
        for (std::size_t x = 0; x < column.size(); ++x)
            if (column[x] >= 0) target[x] = source[column[x]];
    }
}

} // namespace stowage
