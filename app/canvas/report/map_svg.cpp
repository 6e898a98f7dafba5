#include "app/canvas/report/map_svg.h"

#include "app/canvas/axis/label_fit.h"
#include "app/canvas/axis/ticks.h"
#include "app/canvas/report/markup.h"
#include "app/session/number_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace stowage::report {

namespace {

constexpr double sheetWidth = 1010;
constexpr double gutter = 84; ///< of addresses
constexpr double mapHeight = 340;
constexpr double axisHeight = 26;
constexpr double roof = 22; ///< above the map, for chips
constexpr double labelSize = 11;
constexpr double tickSize = 10.5;

/// Values to pixels along one axis of a picture.
struct Scale {
    double from = 0, to = 0; ///< pixels of 0 and of `all`
    double all = 1;

    [[nodiscard]] double operator()(double value) const { return from + (to - from) * value / all; }
    [[nodiscard]] double each() const { return std::abs(to - from) / all; }
};

std::string openSvg(double width, double height, std::string_view label)
{
    return fmt::format("<svg class=\"picture\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", pixels(width),
                       pixels(height), escaped(label));
}

std::string rectangle(double x, double y, double width, double height, std::string_view attributes)
{
    return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>", pixels(x), pixels(y), pixels(width),
                       pixels(height), attributes);
}

std::string words(double x, double y, std::string_view attributes, std::string_view text)
{
    return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>", pixels(x), pixels(y), attributes, escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, std::string_view attributes)
{
    return fmt::format("<path d=\"M{} {}L{} {}\" {}/>", pixels(x1), pixels(y1), pixels(x2), pixels(y2), attributes);
}

/// Lines across the map that end at the right in a chip each: above its line, or below it; beside another one where both are
/// taken.
class References {
public:
    References(double left, double right) : left_(left), right_(right) {}

    void add(double y, std::string_view kind, const std::string& text)
    {
        lines_ += line(left_, y, right_, y, fmt::format("class=\"ref {}\"", kind)) + '\n';
        const double width = textWidth(text, tickSize, true) + 10;
        for (double end = right_; end > left_ + width; end -= 8)
            for (const double top : {y - height - 3, y + 3}) {
                const bool free = top >= 0 && std::ranges::none_of(taken_, [&](const Chip& chip) {
                                      return chip.left < end + gap && end - width - gap < chip.right &&
                                             chip.top < top + height + gap && top - gap < chip.top + height;
                                  });
                if (!free) continue;
                taken_.push_back({end - width, end, top});
                chips_ += rectangle(end - width, top, width, height, fmt::format("class=\"chipbox {}\" rx=\"3\"", kind)) +
                          words(end - 5, top + 11, fmt::format("class=\"num end {}\"", kind), text) + '\n';
                return;
            }
    }
    [[nodiscard]] std::string svg() const { return lines_ + chips_; }

private:
    static constexpr double height = 15;
    static constexpr double gap = 1;
    struct Chip {
        double left, right, top;
    };
    double left_, right_;
    std::vector<Chip> taken_;
    std::string lines_, chips_;
};

std::string stepAxis(const Scale& x, double y, Step steps, Step peak)
{
    std::string made = words(x.from - 8, y + 16, "class=\"tick end\"", "step");
    const std::string peakText = grouped(std::max<Step>(peak, 0));
    const double tagWidth = textWidth(peakText, tickSize, true) + 10;
    const double tag = std::clamp(x(double(peak) + 0.5) - tagWidth / 2, x.from, std::max(x.from, x.to - tagWidth));
    const TickSpacing ticks = stepTicks(x.each());
    for (Step step = 0; step < steps; step += ticks.major) {
        const double at = x(double(step));
        const double end = at + 2 + textWidth(grouped(step), tickSize, true);
        if (peak >= 0 && at < tag + tagWidth + 3 && end + 3 > tag) continue;
        made += line(at, y, at, y + 4, "class=\"axis\"");
        if (end <= x.to) made += words(at + 2, y + 16, "class=\"num\"", grouped(step));
    }
    if (peak >= 0) {
        made += rectangle(tag, y + 4, tagWidth, 16, "class=\"peaktag\" rx=\"3\"") +
                words(tag + tagWidth / 2, y + 15.5, "class=\"num mid onpeak\"", peakText);
    }
    return made + '\n';
}

/// Cells of the sheet, a pixel each, that buffers too small for a shape of their own cover: runs of a row as one path for each
/// class.
class Dust {
public:
    void add(std::uint8_t colour, double x, double y, double width, double height)
    {
        const auto left = static_cast<std::int32_t>(std::floor(x)), right = static_cast<std::int32_t>(std::ceil(x + width));
        const auto top = static_cast<std::int32_t>(std::floor(y)), low = static_cast<std::int32_t>(std::ceil(y + height));
        for (std::int32_t row = top; row < std::max(low, top + 1); ++row)
            for (std::int32_t column = left; column < std::max(right, left + 1); ++column)
                cells_.emplace(std::pair(row, column), colour);
    }
    [[nodiscard]] std::string svg() const
    {
        std::map<std::uint8_t, std::string> paths;
        for (auto cell = cells_.begin(); cell != cells_.end();) {
            const auto [row, column] = cell->first;
            const std::uint8_t colour = cell->second;
            std::int32_t length = 0;
            while (cell != cells_.end() && cell->first == std::pair(row, column + length) && cell->second == colour)
                ++cell, ++length;
            paths[colour] += fmt::format("M{} {}h{}v1h-{}z", column, row, length, length);
        }
        std::string made;
        for (const auto& [colour, path] : paths) made += fmt::format("<path class=\"c{}\" d=\"{}\"/>\n", colour, path);
        return made;
    }

private:
    std::map<std::pair<std::int32_t, std::int32_t>, std::uint8_t> cells_;
};

std::string hoverTitle(const Problem& problem, const MapData& map, std::size_t rect)
{
    const Buffer& buffer = problem.buffers[at(map.buffer[rect])];
    const StepBytes& where = map.rects[rect];
    return fmt::format("<title>{}\n{} B at {} ({})\nlive [{}, {})</title>", escaped(buffer.name), grouped(where.high - where.low),
                       hex(where.low), grouped(where.low), grouped(where.begin), grouped(where.end));
}

} // namespace

MapSvg mapSvg(const RunScene& scene, const PoolScene& pool, const Colouring& colours)
{
    const Problem& problem = scene.run->problem();
    const MapData& map = pool.map;
    const Step steps = std::max<Step>(scene.steps, 1);
    const Bytes roomy = map.top + map.top / 4;
    const bool shownCapacity = map.capacity && *map.capacity <= roomy;
    const Bytes all =
        std::max<Bytes>(1, shownCapacity ? std::max(map.top, *map.capacity) + map.top / 16 : map.top + map.top / 32);
    const Scale x{gutter, sheetWidth, double(steps)};
    const Scale y{roof + mapHeight, roof, double(all)};
    const double floorY = y(0), left = x.from, right = x.to;
    std::string made = openSvg(sheetWidth, roof + mapHeight + axisHeight,
                               fmt::format("Map of {}: {} buffers in {} bytes over {} steps", map.poolName, map.bufferCount,
                                           grouped(map.top), grouped(steps)));
    made += rectangle(left, y(double(map.top)), right - left, floorY - y(double(map.top)), "class=\"free\"") +
            rectangle(left, y(double(map.top)), right - left, floorY - y(double(map.top)), "fill=\"url(#freehatch)\"") + '\n';
    if (shownCapacity && y(double(*map.capacity)) > roof)
        made += rectangle(left, roof, right - left, y(double(*map.capacity)) - roof, "fill=\"url(#badhatch)\"") + '\n';

    const TickSpacing addresses = addressTicks(y.each(), 26, 26);
    for (Bytes tick = 0; tick <= all; tick += addresses.major) {
        made += line(left - 4, y(double(tick)), left, y(double(tick)), "class=\"axis\"") +
                words(left - 8, y(double(tick)) + 3.5, "class=\"num end\"", hex(tick));
        if (addresses.major > all) break;
    }
    made += '\n';
    if (pool.peakStep >= 0)
        made += rectangle(x(double(pool.peakStep)), roof, std::max(1.0, x.each()), mapHeight, "class=\"band\"") + '\n';

    const MeasureText measure = [](std::string_view text, bool number) { return textWidth(text, labelSize, number); };
    std::vector<std::uint32_t> order(map.rects.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto area = [&](std::uint32_t i) {
        return double(map.rects[i].end - map.rects[i].begin) * double(map.rects[i].high - map.rects[i].low);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return area(a) > area(b); });
    Dust dust;
    std::string titled, labels;
    std::size_t count = 0, named = 0;
    for (const std::uint32_t i : order) {
        const StepBytes& where = map.rects[i];
        const BufferId id = map.buffer[i];
        const std::uint8_t colour = colours.of[at(id)];
        const double x0 = x(double(where.begin)), x1 = x(double(where.end)), y0 = y(double(where.high)),
                     y1 = y(double(where.low));
        const bool small = x1 - x0 < 1.5 || y1 - y0 < 1.5;
        if (++count > maxTitled || (small && map.rects.size() > maxTitled)) {
            dust.add(colour, x0, y0, x1 - x0, y1 - y0);
            continue;
        }
        const double inset = small ? 0 : 0.5;
        const double width = std::max(x1 - x0 - 2 * inset, 0.8), height = std::max(y1 - y0 - 2 * inset, 0.8);
        titled +=
            fmt::format("<g class=\"b\">{}", rectangle(x0 + inset, y0 + inset, width, height,
                                                       fmt::format("class=\"c{}{}\" rx=\"{}\"", colour,
                                                                   (map.flags[i] & rectOver) ? " over" : "", small ? 0 : 1.5)));
        if (map.flags[i] & (rectShared | rectCarried))
            titled += rectangle(x0 + inset, y0 + inset, width, height, "fill=\"url(#aliashatch)\"");
        titled += hoverTitle(problem, map, i) + "</g>\n";
        ++named;
        const std::string_view name = withoutPrefix(problem.buffers[at(id)].name, scene.namePrefix);
        const std::string number = grouped(where.high - where.low);
        const LabelFit fit = fitLabel(name, number + " B", number, width, height, measure, scene.nameEndsTell, scene.nameSuffix);
        if (fit.place == LabelFit::Place::nowhere) continue;
        const std::string ink = fmt::format("class=\"i{}\"", colour);
        if (fit.place == LabelFit::Place::rotated) {
            const double cx = x0 + (x1 - x0) / 2 + 4, cy = y1 - labelInset;
            labels += fmt::format("<text x=\"{0}\" y=\"{1}\" transform=\"rotate(-90 {0} {1})\" {2}>{3}</text>\n", pixels(cx),
                                  pixels(cy), ink, escaped(fit.name.empty() ? fit.size : fit.name));
            continue;
        }
        const double base = height < 20 ? y0 + (y1 - y0) / 2 + 4 : y0 + 14;
        if (!fit.name.empty()) labels += words(x0 + labelInset, base, ink, fit.name);
        if (!fit.size.empty()) {
            if (fit.name.empty())
                labels += words(x0 + labelInset, base, fmt::format("class=\"i{} mono\"", colour), fit.size);
            else if (fit.sizeOnLine2)
                labels += words(x0 + labelInset, base + 14, fmt::format("class=\"i{} mono\"", colour), fit.size);
            else
                labels += words(x1 - labelInset, base, fmt::format("class=\"i{} mono end\"", colour), fit.size);
        }
        labels += '\n';
    }
    made += dust.svg() + titled;
    if (pool.peakStep >= 0)
        for (const BufferId id : pool.clique)
            for (const std::uint32_t i : map.rectsOf(id)) {
                const StepBytes& where = map.rects[i];
                if (pool.peakStep < where.begin || pool.peakStep >= where.end) continue;
                made += rectangle(x(double(pool.peakStep) + 0.5) - 1.5, y(double(where.high)) + 1, 3,
                                  std::max(0.5, y(double(where.low)) - y(double(where.high)) - 2), "class=\"cliquebar\"");
            }
    made += "<g class=\"labels\">" + labels + "</g>\n";
    References references(left, right);
    if (shownCapacity) references.add(y(double(*map.capacity)), "bad", fmt::format("capacity {} B", grouped(*map.capacity)));
    const bool reached = map.top == map.bound;
    references.add(y(double(map.top)), reached ? "ok" : "top",
                   fmt::format("size {} B{}", grouped(map.top), reached ? " = bound" : ""));
    if (map.bound > 0 && map.bound < map.top)
        references.add(y(double(map.bound)), "ok", fmt::format("bound {} B", grouped(map.bound)));
    made += references.svg();
    made += line(left, roof, left, floorY, "class=\"axis\"") + line(left, floorY, right, floorY, "class=\"axis\"") +
            stepAxis(x, floorY, steps, pool.peakStep);
    return {made + "</svg>\n", named};
}

std::string legend(const PoolScene& pool, const Colouring& colours)
{
    std::vector<std::size_t> counts(colours.classes.size(), 0);
    std::vector<bool> seen(colours.of.size());
    for (const BufferId id : pool.map.buffer)
        if (!seen[at(id)]) seen[at(id)] = true, ++counts[colours.of[at(id)]];
    std::string made = "<span class=\"legend\">";
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0)
            made += fmt::format(
                "<span title=\"{}\"><svg class=\"swatch\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect class=\"c{}\" "
                "width=\"10\" height=\"10\" rx=\"2\"/></svg>{}</span> ",
                counted(static_cast<std::int64_t>(counts[i]), "buffer"), i, escaped(colours.classes[i].name));
    return made + "</span>";
}

std::string liveSvg(const PoolScene& pool, Step steps)
{
    constexpr double width = 500, height = 210, top = 20, curveGutter = 92;
    steps = std::max<Step>(steps, 1);
    const Bytes all =
        std::max<Bytes>({1, pool.live.most() + pool.live.most() / 10,
                         pool.map.capacity && *pool.map.capacity < pool.live.most() * 3 / 2 ? *pool.map.capacity : 0});
    const Scale x{curveGutter, width, double(steps)};
    const Scale y{top + height, top, double(all)};
    std::string made =
        openSvg(width, top + height + axisHeight, fmt::format("Bytes live at each step, at most {}", grouped(pool.peak)));
    const Bytes spacing = niceTop(std::max<Bytes>(1, all / 5));
    for (Bytes tick = 0; tick <= all; tick += spacing)
        made += line(x.from, y(double(tick)), width, y(double(tick)), "class=\"grid\"") +
                words(x.from - 8, y(double(tick)) + 3.5, "class=\"num end\"", grouped(tick));
    if (pool.peakStep >= 0) made += rectangle(x(double(pool.peakStep)), top, std::max(1.0, x.each()), height, "class=\"band\"");
    // Corner by corner while they are few, else the most of each pixel: no peak is lost.
    std::string path;
    const auto corner = [&](double at, Bytes value) {
        path += fmt::format("{}{} {}", path.empty() ? "M" : "L", pixels(at), pixels(y(double(value))));
    };
    const auto columns = static_cast<std::int64_t>(width - curveGutter);
    if (pool.live.size() <= static_cast<std::size_t>(2 * columns)) {
        Bytes value = pool.live.valueAt(0);
        corner(x.from, value);
        for (std::size_t i = 0; i < pool.live.size(); ++i) {
            const double at = x(double(std::min<std::int64_t>(pool.live.at()[i], steps)));
            corner(at, value);
            value = pool.live.values()[i];
            corner(at, value);
        }
        corner(width, value);
    } else {
        for (std::int64_t column = 0; column < columns; ++column) {
            const Step first = steps * column / columns, last = std::max<Step>(first + 1, steps * (column + 1) / columns);
            corner(x.from + double(column), pool.live.over(first, last).most);
            corner(x.from + double(column + 1), pool.live.over(first, last).most);
        }
    }
    if (!path.empty())
        made += fmt::format("<path class=\"area\" d=\"{}L{} {}L{} {}z\"/><path class=\"curve\" d=\"{}\"/>\n", path, pixels(width),
                            pixels(y(0)), pixels(x.from), pixels(y(0)), path);
    if (pool.map.capacity && *pool.map.capacity <= all)
        made += line(x.from, y(double(*pool.map.capacity)), width, y(double(*pool.map.capacity)), "class=\"ref bad\"");
    if (pool.map.bound > 0 && pool.map.bound <= all)
        made += line(x.from, y(double(pool.map.bound)), width, y(double(pool.map.bound)), "class=\"ref ok\"");
    made += line(x.from, y(0), width, y(0), "class=\"axis\"") + stepAxis(x, y(0), steps, pool.peakStep);
    return made + "</svg>\n";
}

namespace {

/// Grey to the bound, warn to the size; bad past the capacity, and beyond the bound where the capacity is exceeded.
std::string barParts(const Bar& bar, const Scale& x, double y, double height)
{
    const double end = x(double(std::min(bar.size, bar.scale)));
    const double bound = std::min(end, x(double(bar.bound)));
    std::string made = rectangle(x.from, y, x.to - x.from, height, "class=\"track\"");
    made += rectangle(x.from, y, bound - x.from, height, "class=\"solid\"");
    if (bar.capacity && *bar.capacity < std::min(bar.bound, bar.scale) && bar.size > *bar.capacity)
        made += rectangle(x(double(*bar.capacity)), y, bound - x(double(*bar.capacity)), height, "class=\"over\"");
    if (end > bound)
        made += rectangle(bound, y, end - bound, height,
                          bar.capacity && bar.size > *bar.capacity ? "class=\"over\"" : "class=\"gap\"");
    if (bar.size > bar.scale)
        made += fmt::format("<path class=\"cutmark\" d=\"M{0} {1}l4 {2}l-4 {2}\"/>", pixels(x.to - 8), pixels(y + 2),
                            pixels((height - 4) / 2));
    if (bar.bound > 0 && bar.bound <= bar.scale)
        made += rectangle(x(double(bar.bound)) - 1, y - 2, 2, height + 4, "class=\"boundmark\"");
    if (bar.capacity && *bar.capacity <= bar.scale)
        made += rectangle(x(double(*bar.capacity)) - 1, y - 2, 2, height + 4, "class=\"capmark\"");
    return made;
}

} // namespace

std::string headBar(const Bar& bar)
{
    const Scale x{0, sheetWidth, double(std::max<Bytes>(1, bar.scale))};
    std::string made = openSvg(sheetWidth, 56, fmt::format("{} bytes, bound {}", grouped(bar.size), grouped(bar.bound)));
    constexpr double y = 20, height = 16;
    if (bar.capacity && *bar.capacity < bar.scale)
        made += rectangle(x(double(*bar.capacity)), y, x.to - x(double(*bar.capacity)), height, "fill=\"url(#badhatch)\"");
    made += barParts(bar, x, y, height);
    const auto word = [&](Bytes value, double base, std::string_view kind, const std::string& text) {
        const double width = textWidth(text, tickSize, true);
        made += words(std::clamp(x(double(value)), width, sheetWidth), base, fmt::format("class=\"num end {}\"", kind), text);
        return std::clamp(x(double(value)), width, sheetWidth) - width;
    };
    if (bar.bound > 0)
        word(bar.bound, 13, "ok", fmt::format("bound {} B{}", grouped(bar.bound), bar.bound == bar.size ? ", reached" : ""));
    double free = sheetWidth;
    if (bar.capacity) free = word(*bar.capacity, 50, "bad", fmt::format("capacity {} B", grouped(*bar.capacity)));
    if (bar.before) {
        const double at = x(double(std::min(*bar.before, bar.scale)));
        made += rectangle(at - 1, y - 2, 2, height + 4, "class=\"beforemark\"");
        const std::string text = fmt::format("last run {} B", grouped(*bar.before));
        const double width = textWidth(text, tickSize, true);
        made += words(std::clamp(at, width, std::max(width, free - 12)), 50, "class=\"num end warn\"", text);
    }
    return made + "</svg>\n";
}

std::string tableBar(const Bar& bar)
{
    const Scale x{0, 200, double(std::max<Bytes>(1, bar.scale))};
    return "<svg class=\"tablebar\" viewBox=\"0 0 200 16\" aria-hidden=\"true\">" + barParts(bar, x, 2, 12) + "</svg>";
}

std::string patterns()
{
    return "<svg width=\"0\" height=\"0\" class=\"patterns\" aria-hidden=\"true\"><defs>"
           "<pattern id=\"freehatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path class=\"hfree\" "
           "d=\"M-1 1l2-2M0 6l6-6M5 7l2-2\"/></pattern>"
           "<pattern id=\"badhatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><path class=\"hbad\" "
           "d=\"M-1 5l2 2M0 0l6 6M5-1l2 2\"/></pattern>"
           "<pattern id=\"aliashatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><path class=\"halias\" "
           "d=\"M-1 1l2-2M0 5l5-5M4 6l2-2\"/></pattern></defs></svg>\n";
}

} // namespace stowage::report
