#include "app/canvas/axis/map_raster.h"

#include <cstddef>
#include <limits>

namespace stowage {

namespace {

constexpr float dimShare = 0.22F;
constexpr float overShare = 0.80F;
constexpr float peakShare = 0.12F;
constexpr float narrowPeakShare = 0.5F; ///< a column of a pixel or two would not be seen otherwise
constexpr float badHatchShare = 0.35F;
constexpr float hatchOnFillShare = 0.55F;

/// One area being painted. Rows are counted from its bottom here, as addresses are.
class AreaPainter {
public:
    AreaPainter(const MapPicture& picture, const PixelArea& area, Argb* pixels, std::ptrdiff_t stride)
        : p_(picture),
          area_(area),
          pixels_(pixels),
          stride_(stride),
          dx_(int(area.x - picture.steps.origin())),
          dy_(int(area.y - picture.addresses.origin())),
          corner_(cornerShares(picture.ratio))
    {
        const auto count = std::size_t(area.width + area.height);
        const double r = p_.ratio;
        // The falling index is x + y, the rising one x - y; the latter starts at the area's top left.
        freeHatch_ = hatchShares(area.x - area.y - area.height, count, 6 * r, r);
        badHatch_ = hatchShares(area.x + area.y, count, 6 * r, r);
        sharedHatch_ = hatchShares(area.x - area.y - area.height, count, 5 * r, r);
        paddingHatch_ = hatchShares(area.x - area.y - area.height, count, 4 * r, r);
        if (p_.peak) {
            peakFirst_ = p_.steps.edge(p_.peak->begin) - dx_;
            peakLast_ = std::max(peakFirst_ + 1, p_.steps.edge(p_.peak->end) - dx_);
        }
    }

    void background()
    {
        const int top = p_.addresses.edge(p_.map->top) - dy_;
        const int ground = p_.addresses.edge(0) - dy_;
        const int capacity = p_.map->capacity ? p_.addresses.edge(*p_.map->capacity) - dy_ : std::numeric_limits<int>::max();
        for (int y = 0; y < area_.height; ++y) {
            Argb* row = rowAt(y);
            const bool isFree = y >= ground && y < top;
            std::fill_n(row, area_.width, isFree ? p_.colours.free : p_.colours.well);
            if (isFree)
                for (int x = 0; x < area_.width; ++x) row[x] = mixArgb(row[x], p_.colours.hatch, freeHatch_[rising(x, y)]);
        }
        verticals();
        for (int y = std::max(0, capacity); y < area_.height; ++y) {
            Argb* row = rowAt(y);
            for (int x = 0; x < area_.width; ++x)
                row[x] = mixArgb(row[x], p_.colours.bad, badHatchShare * badHatch_[falling(x, y)]);
        }
    }

    void rect(const StepBytes& rect, std::size_t index)
    {
        const BufferStyle style = styleOf(index);
        if (style & styleHidden) return;
        const Bytes high = p_.map->paddedHigh(index);
        const PixelRun columns = columnsOf(rect);
        const PixelRun rows = rowsOf(rect.low, high);
        if (columns.thin || rows.thin)
            thin_.push_back(index);
        else
            solid(inset(columns, p_.ratio), inset(rows, p_.ratio), style, p_.map->flags[index], fillOf(index, style), rect, high);
    }

    /// Judged with its padding, as a thick one is; but only its own bytes are summed up.
    [[nodiscard]] bool isThin(std::size_t index) const
    {
        const StepBytes& rect = p_.map->rects[index];
        return columnsOf(rect).thin || rowsOf(rect.low, p_.map->paddedHigh(index)).thin;
    }

    void addThin(std::size_t index, std::span<Coverage> sums) const
    {
        const BufferStyle style = styleOf(index);
        if (style & styleHidden) return;
        const StepBytes& rect = p_.map->rects[index];
        const PixelRun columns = inset(columnsOf(rect), p_.ratio);
        const PixelRun rows = inset(rowsOf(rect.low, rect.high), p_.ratio);
        const Argb fill = fillOf(index, style);
        const float red = float(fill >> 16 & 0xFF);
        const float green = float(fill >> 8 & 0xFF);
        const float blue = float(fill & 0xFF);
        for (int y = std::max(0, rows.first); y < std::min(area_.height, rows.last); ++y) {
            Coverage* row = sums.data() + std::size_t(area_.height - 1 - y) * std::size_t(area_.width);
            const float weight = rows.weight(y);
            for (int x = std::max(0, columns.first); x < std::min(area_.width, columns.last); ++x) {
                const float share = weight * columns.weight(x);
                row[x].red += red * share;
                row[x].green += green * share;
                row[x].blue += blue * share;
                row[x].share += share;
            }
        }
    }

    void thinOnes()
    {
        if (thin_.empty()) return;
        std::vector<Coverage> sums(std::size_t(area_.width) * std::size_t(area_.height));
        for (const std::size_t index : thin_) addThin(index, sums);
        for (int y = 0; y < area_.height; ++y) {
            Argb* row = pixels_ + std::ptrdiff_t(y) * stride_;
            const Coverage* sum = sums.data() + std::size_t(y) * std::size_t(area_.width);
            for (int x = 0; x < area_.width; ++x) {
                if (sum[x].share <= 0) continue;
                const float k = 1.0F / sum[x].share;
                const auto channel = [k](float value) { return Argb(std::min(255.0F, value * k + 0.5F)); };
                const Argb colour = 0xFF000000U | channel(sum[x].red) << 16 | channel(sum[x].green) << 8 | channel(sum[x].blue);
                row[x] = mixArgb(row[x], colour, visibleShare(sum[x].share));
            }
        }
    }

    [[nodiscard]] BufferStyle styleOf(std::size_t index) const
    {
        const auto id = std::size_t(p_.map->buffer[index]);
        return id < p_.styles.size() ? p_.styles[id] : BufferStyle(0);
    }

    [[nodiscard]] Argb fillOf(std::size_t index, BufferStyle style) const
    {
        Argb fill = p_.colours.fill[style & styleClass];
        if (p_.map->flags[index] & rectOver) fill = mixArgb(fill, p_.colours.bad, overShare);
        if (style & styleDim) fill = mixArgb(p_.colours.free, fill, dimShare);
        return fill;
    }

private:
    [[nodiscard]] PixelRun columnsOf(const StepBytes& r) const
    {
        return pixelRun(p_.steps.toPixel(r.begin) - dx_, p_.steps.toPixel(r.end) - dx_, p_.ratio);
    }
    [[nodiscard]] PixelRun rowsOf(Bytes low, Bytes high) const
    {
        return pixelRun(p_.addresses.toPixel(low) - dy_, p_.addresses.toPixel(high) - dy_, p_.ratio);
    }
    [[nodiscard]] Argb* rowAt(int y) const { return pixels_ + std::ptrdiff_t(area_.height - 1 - y) * stride_; }
    [[nodiscard]] std::size_t rising(int x, int y) const { return std::size_t(x - y + area_.height); }
    [[nodiscard]] std::size_t falling(int x, int y) const { return std::size_t(x + y); }

    void verticals()
    {
        const auto column = [&](int first, int last, Argb colour, float share) {
            for (int y = 0; y < area_.height; ++y)
                for (int x = std::max(0, first); x < std::min(area_.width, last); ++x)
                    rowAt(y)[x] = mixArgb(rowAt(y)[x], colour, share);
        };
        const int hairline = std::max(1, int(std::lround(p_.ratio)));
        if (p_.gridSpacing > 0) {
            const Step first = p_.steps.at(double(dx_) - 2).whole / p_.gridSpacing * p_.gridSpacing;
            for (Step step = std::max<Step>(0, first);; step += p_.gridSpacing) {
                const int x = p_.steps.edge(step) - dx_;
                if (x >= area_.width || step > p_.steps.high()) break;
                column(x, x + hairline, p_.colours.grid, 1);
            }
        }
        if (p_.peak)
            column(peakFirst_, peakLast_, p_.colours.warn, peakLast_ - peakFirst_ < 3 * p_.ratio ? narrowPeakShare : peakShare);
    }

    void solid(const PixelRun& columns, const PixelRun& rows, BufferStyle style, std::uint8_t flags, Argb fill,
               const StepBytes& rect, Bytes high)
    {
        const int x0 = std::max(0, columns.first);
        const int x1 = std::min(area_.width, columns.last);
        const int y0 = std::max(0, rows.first);
        const int y1 = std::min(area_.height, rows.last);
        if (x0 >= x1 || y0 >= y1) return;
        const bool round = columns.length() >= 6 * p_.ratio && rows.length() >= 6 * p_.ratio;
        if (round) saveCorners(columns, rows);
        for (int y = y0; y < y1; ++y) std::fill_n(rowAt(y) + x0, x1 - x0, fill);

        const bool ownHatch = (style & styleHatch) && !(style & styleDim);
        if ((ownHatch || (flags & (rectShared | rectCarried))) && rows.length() >= 2 * p_.ratio) {
            const Argb lines = ownHatch ? p_.colours.ink[style & styleClass] : p_.colours.well;
            const float share = ownHatch ? 1.0F : hatchOnFillShare;
            for (int y = y0; y < y1; ++y)
                for (int x = x0; x < x1; ++x) rowAt(y)[x] = mixArgb(fill, lines, share * sharedHatch_[rising(x, y)]);
        }
        if (high > rect.high && rows.length() >= 4 * p_.ratio) {
            // What is lost to alignment is mostly thinner than a pixel: the strip is as high as it is, and at least three pixels.
            const double exact = double(high - rect.high) * p_.addresses.scale();
            const int strip = std::min(rows.length() / 2, std::max(int(std::lround(3 * p_.ratio)), int(std::lround(exact))));
            for (int y = std::max(y0, rows.last - strip); y < y1; ++y)
                for (int x = x0; x < x1; ++x) rowAt(y)[x] = mixArgb(fill, p_.colours.well, paddingHatch_[rising(x, y)]);
        }
        if ((style & styleClique) && p_.peak && rect.begin <= p_.peak->begin && p_.peak->begin < rect.end) {
            const int bar = int(std::lround(3 * p_.ratio));
            for (int y = y0; y < y1; ++y)
                for (int x = std::max(x0, peakFirst_); x < std::min(x1, peakFirst_ + bar); ++x) rowAt(y)[x] = p_.colours.warn;
        }
        if (flags & rectFallback) fallback(columns, rows, x0, x1, y0, y1);
        if (round) restoreCorners(columns, rows);
    }

    void fallback(const PixelRun& columns, const PixelRun& rows, int x0, int x1, int y0, int y1)
    {
        const int least = int(std::lround(fallbackLeast * p_.ratio));
        if (columns.length() >= least && rows.length() >= least) {
            const int legs = int(std::lround(fallbackCorner * p_.ratio));
            const int line = std::max(1, int(std::lround(p_.ratio)));
            for (int y = std::max(y0, rows.last - legs - line); y < y1; ++y)
                for (int x = std::max(x0, columns.last - legs - line); x < x1; ++x)
                    if (const int from = (columns.last - 1 - x) + (rows.last - 1 - y); from < legs + line)
                        rowAt(y)[x] = from < legs ? p_.colours.warn : p_.colours.well;
        } else if (columns.length() >= 5 * p_.ratio) {
            const int bar = int(std::lround(fallbackBar * p_.ratio));
            for (int y = y0; y < y1; ++y)
                for (int x = std::max(x0, columns.last - bar); x < x1; ++x) rowAt(y)[x] = p_.colours.warn;
        }
    }

    /// Share of the pixels in the corner square that lies inside a radius of 1.5 logical pixels, by 8 x 8 samples.
    static std::vector<float> cornerShares(double ratio)
    {
        const double radius = 1.5 * ratio;
        const int n = int(std::ceil(radius));
        std::vector<float> shares(std::size_t(n) * std::size_t(n));
        for (int i = 0; i < n * n; ++i) {
            int inside = 0;
            for (int s = 0; s < 64; ++s) {
                const double x = radius - (i % n + (s % 8 + 0.5) / 8);
                const double y = radius - (i / n + (s / 8 + 0.5) / 8);
                inside += x <= 0 || y <= 0 || x * x + y * y <= radius * radius;
            }
            shares[std::size_t(i)] = float(inside) / 64;
        }
        return shares;
    }

    template <typename Visit>
    void eachCornerPixel(const PixelRun& columns, const PixelRun& rows, Visit visit)
    {
        const int n = int(std::lround(std::sqrt(double(corner_.size()))));
        std::size_t slot = 0;
        for (int side = 0; side < 4; ++side)
            for (int i = 0; i < n * n; ++i, ++slot) {
                const int x = side & 1 ? columns.last - 1 - i % n : columns.first + i % n;
                const int y = side & 2 ? rows.last - 1 - i / n : rows.first + i / n;
                if (x < 0 || y < 0 || x >= area_.width || y >= area_.height) continue;
                visit(rowAt(y)[x], slot, corner_[std::size_t(i)]);
            }
    }

    void saveCorners(const PixelRun& columns, const PixelRun& rows)
    {
        saved_.assign(4 * corner_.size(), 0);
        eachCornerPixel(columns, rows, [&](Argb& pixel, std::size_t slot, float) { saved_[slot] = pixel; });
    }

    void restoreCorners(const PixelRun& columns, const PixelRun& rows)
    {
        eachCornerPixel(columns, rows,
                        [&](Argb& pixel, std::size_t slot, float share) { pixel = mixArgb(saved_[slot], pixel, share); });
    }

    const MapPicture& p_;
    const PixelArea& area_;
    Argb* pixels_;
    std::ptrdiff_t stride_;
    int dx_; ///< the area's left edge, from the visible range's
    int dy_;
    int peakFirst_ = 0;
    int peakLast_ = 0;
    std::vector<std::size_t> thin_;
    std::vector<float> corner_;
    std::vector<float> freeHatch_, badHatch_, sharedHatch_, paddingHatch_;
    std::vector<Argb> saved_;
};

/// The values under an area, with a pixel around it for what is rounded.
StepBytes valuesOf(const MapPicture& picture, const PixelArea& area)
{
    const double x = double(area.x - picture.steps.origin());
    const double y = double(area.y - picture.addresses.origin());
    return {picture.steps.at(x - 1).whole, picture.steps.at(x + area.width + 1).whole + 1,
            picture.addresses.at(y - 1).whole - picture.map->grain, picture.addresses.at(y + area.height + 1).whole + 1};
}

} // namespace

PixelArea visibleArea(const MapPicture& picture)
{
    return {picture.steps.origin(), picture.addresses.origin(), picture.steps.pixels(), picture.addresses.pixels()};
}

RectPixels rectPixels(const MapData& map, const PixelAxis& steps, const PixelAxis& addresses, double ratio, std::size_t index)
{
    const StepBytes& rect = map.rects[index];
    return {inset(pixelRun(steps.toPixel(rect.begin), steps.toPixel(rect.end), ratio), ratio),
            inset(pixelRun(addresses.toPixel(rect.low), addresses.toPixel(map.paddedHigh(index)), ratio), ratio)};
}

bool paintArea(const MapPicture& picture, const PixelArea& area, Argb* pixels, std::ptrdiff_t stride,
               const std::function<bool()>& stop)
{
    AreaPainter painter(picture, area, pixels, stride);
    if (stop && stop()) return false;
    painter.background();
    if (!picture.buffers) return true;
    bool stopped = false;
    std::size_t visited = 0;
    picture.map->rects.forEach(valuesOf(picture, area), [&](std::size_t i) {
        painter.rect(picture.map->rects[i], i);
        // Every 4096 rectangles, that is every 50 us or so.
        if ((++visited & 0xFFF) == 0 && stop && stop()) stopped = true;
        return !stopped;
    });
    if (stopped) return false;
    if (stop && stop()) return false;
    painter.thinOnes();
    return true;
}

void addCoverage(const MapPicture& picture, const PixelArea& area, std::span<Coverage> sums)
{
    const AreaPainter painter(picture, area, nullptr, 0);
    picture.map->rects.forEach(valuesOf(picture, area), [&](std::size_t i) {
        if (painter.isThin(i)) painter.addThin(i, sums);
        return true;
    });
}

Argb mixArgb(Argb from, Argb to, float t)
{
    // Fixed point with 8 bits: exact at 0 and 1, which is all that edges need.
    const auto k = Argb(t * 256.0F + 0.5F);
    const Argb odd = ((from >> 8 & 0xFF00FF) * (256 - k) + (to >> 8 & 0xFF00FF) * k) & 0xFF00FF00U;
    const Argb even = (((from & 0xFF00FF) * (256 - k) + (to & 0xFF00FF) * k) >> 8) & 0xFF00FFU;
    return odd | even;
}

std::vector<float> hatchShares(std::int64_t first, std::size_t count, double spacing, double width)
{
    std::vector<float> shares(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double phase = std::fmod(double(first + std::int64_t(i)), spacing);
        const double at = phase < 0 ? phase + spacing : phase;
        // The pixel [at, at + 1) against the line [0, width) and the next one [spacing, spacing + width).
        const double here = std::min(at + 1, width) - at;
        const double next = at + 1 - spacing;
        shares[i] = float(std::clamp(here, 0.0, 1.0) + std::clamp(next, 0.0, width));
    }
    return shares;
}

} // namespace stowage
