#include "app/canvas/pictures/usage/usage_chart.h"

#include "app/canvas/axis/map_data.h"
#include "app/canvas/axis/ticks.h"
#include "app/canvas/kit/axis_parts.h"
#include "app/canvas/pictures/map/stack_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double minUse = 96;
constexpr double minFree = 64;
constexpr double freeShare = 0.38; ///< of a pool's height
constexpr double headroom = 14;
constexpr double baseline = 8;
constexpr double titleAt = 14, captionAt = 29; ///< from a band's upper edge

/// A step curve without an area.
void paintLine(DrawList& list, const Curve& curve, double ratio, double left, const std::function<double(Bytes)>& y,
               const QColor& colour, Dash dash)
{
    QPolygonF line;
    for (const CurvePoint& point : curve.most) line.append({left + point.x / ratio, list.snap(y(point.value)) - 0.75});
    if (line.size() > 1) list.add(draw::Line{line, colour, 1.5, dash});
}

struct Band {
    const QRectF& box;
    Bytes top = 1; ///< of the scale
    double floor = 0;
    double height = 1;

    Band(const QRectF& rect, Bytes scale)
        : box(rect),
          top(std::max<Bytes>(1, scale)),
          floor(rect.bottom() - baseline),
          height(std::max(1.0, floor - rect.top() - headroom))
    {
    }
    [[nodiscard]] double y(Bytes bytes) const { return floor - double(bytes) / double(top) * height; }
};

/// A level that curves are measured by, and its chip.
struct UsageLevel {
    Bytes bytes = 0;
    LevelChip chip;
    double width = 1;
    Dash dash = Dash::solid;
};

/// Bound and capacity of a pool; one above the scale has its chip at the upper edge.
std::vector<UsageLevel> levelsOf(const UsageState& state, const Band& band, const UsagePool& pool)
{
    std::vector<UsageLevel> levels;
    const auto level = [&](Bytes bytes, const QString& what, const QColor& colour, double width, Dash dash, bool first) {
        const QString text = what + u' ' + bytesText(bytes, state.numbers);
        if (bytes > band.top)
            levels.push_back(
                {bytes, {band.box.top(), text + QStringLiteral(", far above"), colour, true, first, true}, width, dash});
        else
            levels.push_back({bytes, {band.y(bytes), text, colour, true, first}, width, dash});
    };
    if (pool.bound > 0) level(pool.bound, QStringLiteral("bound"), state.theme->ok, 1.25, Dash::bound, false);
    if (pool.capacity) level(*pool.capacity, QStringLiteral("capacity"), state.theme->bad, 1.5, Dash::solid, true);
    return levels;
}

/// True for a place in which a curve of the pool runs.
Taken curvesOf(const UsageState& state, const UsageLayout& layout, const Band& band, const UsagePool& pool)
{
    return [&](const QRectF& box) {
        return std::ranges::any_of(std::array{&pool.live, &pool.kept, &pool.top}, [&](const StepFunction* curve) {
            return curve->size() > 0 &&
                   curveMeets(
                       *curve, state.axis, state.ratio, layout.plotLeft, [&](Bytes bytes) { return band.y(bytes); }, box);
        });
    };
}

LevelChips levelChipsOf(const DrawList& list, const UsageState& state, const UsageLayout& layout, const Band& band,
                        const UsagePool& pool)
{
    std::vector<LevelChip> chips;
    for (UsageLevel& level : levelsOf(state, band, pool)) chips.push_back(std::move(level.chip));
    const QRectF plot(layout.plotLeft + 1, band.box.top(), layout.plotRight - layout.plotLeft - 1, band.box.height());
    return placeLevelChips(list, plot, layout.plotRight, ChipSpan::of(state.axis, layout.plotLeft, state.ratio), std::move(chips),
                           curvesOf(state, layout, band, pool));
}

/// Lines of text in a gutter. They give way to the numbers beside them: they go further down, and are shortened where that is no
/// help.
struct GutterLines {
    double plotLeft = 0;
    QRectF band;
    std::vector<std::pair<double, double>> numbers = {}; ///< height in the band, and room beside it
    double next = titleAt;                               ///< height in the band of the next line

    [[nodiscard]] double roomAt(double line) const
    {
        double room = plotLeft - 16;
        for (const auto& [at, beside] : numbers)
            if (std::abs(at - line) < 13) room = std::min(room, beside);
        return room;
    }
    /// The height for a line of this width, and the next line below it.
    double take(double wide)
    {
        constexpr double furthest = 32;
        double found = next;
        for (double line = next; line <= std::min(next + furthest, band.height() - 8); ++line)
            if (roomAt(line) >= wide) {
                found = line;
                break;
            }
        next = found + captionAt - titleAt;
        return found;
    }
    /// A caption is whole or not there: without its words a number would say something else.
    bool say(DrawList& list, const QString& caption, const QColor& colour)
    {
        const double before = next, line = take(list.width(Face::label, caption));
        if (list.width(Face::label, caption) <= roomAt(line) && line <= band.height() - 8) {
            list.text(Face::label, 10, band.top() + line, caption, colour);
            return true;
        }
        next = before;
        return false;
    }
};

/// Gutter with title, caption and values, and the grid; for a curve that is 0 throughout (`any` false) without values.
GutterLines paintFrame(DrawList& list, const UsageState& state, const UsageLayout& layout, const Band& band, const QString& title,
                       const QString& caption, bool any = true)
{
    const Theme& theme = *state.theme;
    const double apart = std::clamp(band.height / 2.2, 18.0, 44.0); // a low band has a number beside its zero too
    const Bytes spacing = addressTicks(band.height / double(band.top), apart, apart).major;
    list.fill({0, band.box.top(), layout.plotLeft, band.box.height()}, theme.panel);
    list.fill({layout.plotLeft, band.box.top(), 1, band.box.height()}, theme.line2);
    GutterLines lines{layout.plotLeft, band.box};
    for (Bytes value = 0; any && value <= band.top; value += spacing) {
        const double at = std::clamp(band.y(value), band.box.top() + 8, band.box.bottom() - 8);
        const QString number = bytesTick(value, spacing, state.numbers);
        list.text(Face::tick, layout.plotLeft - 8, at, number, theme.text2, Align::right);
        lines.numbers.emplace_back(at - band.box.top(), layout.plotLeft - 8 - list.width(Face::tick, number) - 6 - 10);
    }
    const double titleLine = lines.take(list.width(Face::labelStrong, title));
    list.text(Face::labelStrong, 10, band.box.top() + titleLine, list.elided(Face::labelStrong, title, lines.roomAt(titleLine)),
              theme.text);
    lines.say(list, caption, theme.text3);
    list.clip({layout.plotLeft + 1, band.box.top(), layout.all.width(), band.box.height()});
    for (Bytes value = 0; any && value <= band.top; value += spacing)
        list.horizontal(layout.plotLeft, layout.all.right(), band.y(value), theme.grid);
    for (const Step step : ticksIn(state.axis, stepTicks(state.axis.scale() / state.ratio).major))
        if (step > 0 && step < state.steps)
            list.vertical(layout.plotLeft + state.axis.edge(step) / state.ratio, band.box.top(), band.box.bottom(), theme.grid);
    list.unclip();
    return lines;
}

} // namespace

Step stepsOf(const Run& run)
{
    return std::max<Step>({1, run.problem().horizon(), Step(run.lowering->steps.size())});
}

std::vector<UsagePool> usagePools(const Run& run, const std::vector<bool>* shown)
{
    Plan kept;
    if (shown) {
        kept = run.plan;
        for (std::size_t i = 0; i < std::min(shown->size(), kept.placements.size()); ++i)
            if (!(*shown)[i]) kept.placements[i] = {};
    }
    std::vector<UsagePool> pools;
    for (const PoolId pool : usedPools(run)) {
        UsagePool made;
        made.pool = pool;
        made.name = run.problem().pools[std::size_t(pool)].name;
        made.capacity = run.problem().pools[std::size_t(pool)].capacity;
        std::vector<std::int64_t> at, live, top, free, largest;
        const Step steps = stepsOf(run);
        for (const UsageSample& sample : usage(run.problem(), run.plan, pool)) {
            if (sample.step >= steps) break; // after the end nothing is live, and all is free
            at.push_back(sample.step);
            live.push_back(sample.live);
            top.push_back(sample.top);
            free.push_back(sample.free);
            largest.push_back(sample.largestFree);
        }
        made.live = StepFunction(at, std::move(live));
        if (shown) {
            std::vector<std::int64_t> steps_, bytes;
            for (const UsageSample& sample : usage(run.problem(), kept, pool)) {
                if (sample.step >= steps) break;
                steps_.push_back(sample.step);
                bytes.push_back(sample.live);
            }
            if (steps_.empty()) steps_ = bytes = {0}; // the filter leaves nothing of this pool
            made.kept = StepFunction(std::move(steps_), std::move(bytes));
        }
        made.top = StepFunction(at, std::move(top));
        made.free = StepFunction(at, std::move(free));
        made.largestFree = StepFunction(std::move(at), std::move(largest));
        if (std::size_t(pool) < run.report.pools.size()) {
            const PoolReport& report = run.report.pools[std::size_t(pool)];
            made.size = report.size;
            made.bound = report.lowerBound;
            made.peak = report.liveAtPeak;
            made.peakStep = report.peakStep;
        }
        if (!shown || made.peakStep < 0) {
            made.markedBytes = made.peak;
            made.markedStep = made.peakStep;
        } else if (made.kept.most() > 0) {
            const std::vector<std::int64_t>& values = made.kept.values();
            made.markedBytes = made.kept.most();
            made.markedStep = made.kept.at()[std::size_t(std::ranges::find(values, made.markedBytes) - values.begin())];
        }
        pools.push_back(std::move(made));
    }
    return pools;
}

UsageLayout layOut(const UsageState& state, QSizeF size)
{
    UsageLayout layout;
    layout.all = QRectF(QPointF(0, 0), size);
    layout.plotLeft = gutterWidth;
    layout.plotRight = std::max(layout.plotLeft + 1, std::floor(size.width() - rightMargin));
    const double room = std::max(1.0, std::floor(size.height()) - rulerHeight);
    const std::size_t count = state.pools->size();
    const std::size_t shown = std::clamp<std::size_t>(std::size_t(room / minUse), 1, std::max<std::size_t>(1, count));
    const double each = std::floor(room / double(shown));
    const double free = each * freeShare >= minFree && each * (1 - freeShare) >= minUse ? std::floor(each * freeShare) : 0;
    double top = 0;
    for (std::size_t i = 0; i < std::min(shown, count); ++i) {
        const double height = i + 1 < shown ? each : room - top;
        layout.use.emplace_back(0, top, size.width(), height - free - 1);
        layout.free.push_back(free > 0 ? QRectF(0, top + height - free, size.width(), free - 1) : QRectF());
        top += height;
    }
    layout.ruler = {0, room, size.width(), rulerHeight};
    return layout;
}

void fitAxis(UsageState& state, const UsageLayout& layout)
{
    const int pixels = std::max(1, int(std::lround((layout.plotRight - layout.plotLeft) * state.ratio)));
    const Step steps = std::max<Step>(1, state.steps);
    if (state.axis.low() != 0 || state.axis.high() != steps || state.axis.pixels() <= 1)
        state.axis = PixelAxis(0, steps, 2, pixels);
    else if (state.axis.pixels() != pixels)
        state.axis.resize(pixels);
}

Bytes usageScale(const UsagePool& pool)
{
    const Bytes highest = std::max(pool.live.most(), pool.top.most());
    Bytes scale = highest;
    for (const Bytes level : {pool.bound, pool.capacity.value_or(0)})
        if (level / 2 <= highest) scale = std::max(scale, level);
    return std::max<Bytes>(1, scale);
}

void paintUsage(DrawList& list, const UsageState& state, const UsageLayout& layout)
{
    const Theme& theme = *state.theme;
    list.fill(layout.all, theme.well);
    if (state.pools->empty())
        list.text(Face::body, layout.all.center().x(), layout.all.center().y(), QStringLiteral("Nothing is placed in this plan."),
                  theme.text2, Align::centre);
    const QString perStep =
        QStringLiteral("%1 per step")
            .arg(state.numbers.unit == NumberFormat::Unit::bytes ? QStringLiteral("bytes") : unitText(state.numbers));
    for (std::size_t i = 0; i < layout.use.size(); ++i) {
        const UsagePool& pool = (*state.pools)[i];
        const Band band(layout.use[i], usageScale(pool));
        const auto y = [&](Bytes bytes) { return band.y(bytes); };
        GutterLines lines = paintFrame(list, state, layout, band, QString::fromStdString(pool.name), perStep);
        const QRectF plot(layout.plotLeft + 1, band.box.top(), layout.plotRight - layout.plotLeft - 1, band.box.height());
        list.clip(plot);
        // Under a filter the area is what it leaves; all live bytes stay as a line.
        const bool filtered = pool.kept.size() > 0;
        if (filtered) paintLine(list, curveOf(pool.live, state.axis), state.ratio, layout.plotLeft, y, theme.text3, Dash::chain);
        stack::paintStepCurve(list, curveOf(filtered ? pool.kept : pool.live, state.axis), state.ratio, layout.plotLeft,
                              band.floor, y, theme.accent);
        paintLine(list, curveOf(pool.top, state.axis), state.ratio, layout.plotLeft, y, theme.text2, Dash::solid);
        list.unclip();
        for (const UsageLevel& level : levelsOf(state, band, pool))
            if (level.bytes <= band.top)
                list.horizontal(layout.plotLeft, layout.all.right(), level.chip.y - (level.dash == Dash::solid ? 1 : 0.5),
                                level.chip.colour, level.width, level.dash);
        const LevelChips chips = levelChipsOf(list, state, layout, band, pool);
        if (const Step at = pool.markedStep; at >= 0) {
            const double x = layout.plotLeft + (state.axis.edge(at) + state.axis.edge(at + 1)) / 2.0 / state.ratio;
            const QString what = filtered ? QStringLiteral("filtered peak") : QStringLiteral("peak");
            const QString peak = what + u' ' + bytesText(pool.markedBytes, state.numbers);
            const QString step = QStringLiteral("step %1").arg(countText(at));
            const PeakTag said = paintPeakTag(list, theme, {x, band.y(pool.markedBytes)}, peak + QStringLiteral(", ") + step,
                                              plot.left(), plot.right(), band.floor, curvesOf(state, layout, band, pool),
                                              chips.boxes, ChipSpan::of(state.axis, layout.plotLeft, state.ratio), peak);
            // What has no place beside the curves is in the gutter; the step of the only pool is in the ruler.
            const bool below = said == PeakTag::nothing && lines.say(list, peak, theme.warn);
            if (said != PeakTag::whole && state.pools->size() > 1)
                lines.say(list, (below ? QStringLiteral("at ") : what + QStringLiteral(" at ")) + step, theme.warn);
        }
        // A capacity without a place is in the ruler, which could not say whose it is where there are several pools.
        if (state.pools->size() > 1 && pool.capacity && std::ranges::any_of(chips.without, &LevelChip::first))
            for (const QString& size : {bytesText(*pool.capacity, state.numbers), roughBytes(*pool.capacity, state.numbers)})
                if (lines.say(list, QStringLiteral("capacity ") + size, theme.bad)) break;
        paintLevelChips(list, theme, chips);
        list.horizontal(0, layout.all.right(), band.box.bottom(), layout.free[i].isEmpty() ? theme.line2 : theme.line);

        if (layout.free[i].isEmpty()) continue;
        const bool any = pool.free.most() > 0;
        const Band below(layout.free[i], pool.free.most());
        const auto yFree = [&](Bytes bytes) { return below.y(bytes); };
        paintFrame(list, state, layout, below, QStringLiteral("Free"),
                   QStringLiteral("below %1").arg(bytesText(pool.size, state.numbers)), any);
        if (!any)
            list.text(Face::label, layout.plotLeft + 10, below.box.center().y(), QStringLiteral("nothing free"), theme.text3);
        list.clip({layout.plotLeft + 1, below.box.top(), layout.plotRight - layout.plotLeft - 1, below.box.height()});
        stack::paintStepCurve(list, curveOf(pool.free, state.axis), state.ratio, layout.plotLeft, below.floor, yFree, theme.warn);
        paintLine(list, curveOf(pool.largestFree, state.axis), state.ratio, layout.plotLeft, yFree, theme.accent, Dash::chain);
        list.unclip();
        list.horizontal(0, layout.all.right(), below.box.bottom(), theme.line2);
    }
    if (layout.use.size() < state.pools->size() && !layout.use.empty())
        list.text(
            Face::label, layout.plotLeft + 10, layout.use.front().top() + 12,
            QStringLiteral("%1 of %2 pools; a taller picture shows the others").arg(layout.use.size()).arg(state.pools->size()),
            theme.text2);
}

void paintUsageOverlay(DrawList& list, const UsageState& state, const UsageLayout& layout)
{
    const Theme& theme = *state.theme;
    const double left = layout.plotLeft;
    if (state.cursor && *state.cursor >= 0 && *state.cursor < state.steps) {
        const double begin = state.axis.edge(*state.cursor) / state.ratio;
        const double end = state.axis.edge(*state.cursor + 1) / state.ratio;
        const double x = left + (begin + end) / 2;
        if (x >= left && x < layout.plotRight) {
            list.vertical(x, 0, layout.ruler.top(), theme.warn);
            const auto read = [&](const QRectF& band, const std::vector<std::pair<QString, QColor>>& values) {
                double y = band.top() + 12;
                for (const auto& [words, colour] : values) {
                    if (y + 8 > band.bottom()) return;
                    const double width = list.width(Face::number, words) + 10;
                    const bool leftOf = x + width + 10 > layout.plotRight;
                    const QRectF box = list.snapped({leftOf ? x - width - 6 : x + 6, y - 8, width, 16});
                    list.fill(box, stack::withAlpha(theme.raised, 0.92));
                    list.text(Face::number, box.center().x(), y, words, colour, Align::centre);
                    y += 17;
                }
            };
            const auto value = [&](const char* name, const StepFunction& curve) {
                return QStringLiteral("%1 %2").arg(QLatin1String(name), bytesText(curve.valueAt(*state.cursor), state.numbers));
            };
            for (std::size_t i = 0; i < layout.use.size(); ++i) {
                const UsagePool& pool = (*state.pools)[i];
                const bool filtered = pool.kept.size() > 0;
                std::vector<std::pair<QString, QColor>> use{{value("live", pool.live), filtered ? theme.text3 : theme.accent},
                                                            {value("top", pool.top), theme.text2}};
                if (filtered) use.emplace(use.begin(), value("filtered", pool.kept), theme.accent);
                read(layout.use[i], use);
                if (!layout.free[i].isEmpty())
                    read(layout.free[i],
                         {{value("free", pool.free), theme.warn}, {value("hole", pool.largestFree), theme.accent}});
            }
        }
    }

    StepRuler ruler;
    ruler.theme = &theme;
    ruler.axis = &state.axis;
    ruler.ratio = state.ratio;
    ruler.band = layout.ruler;
    ruler.plotLeft = layout.plotLeft;
    ruler.plotRight = layout.plotRight;
    ruler.steps = state.steps;
    ruler.caption = stepCaption(state.ordered);
    // With several pools each has its own peak, which its chip names; the ruler's tag would not say whose it is.
    if (state.pools->size() == 1) {
        const UsagePool& only = state.pools->front();
        ruler.peak = only.markedStep;
        if (!layout.use.empty())
            ruler.levels = levelChipsOf(list, state, layout, Band(layout.use.front(), usageScale(only)), only).without;
    }
    ruler.cursor = state.cursor;
    ruler.selected = state.selected;
    paintStepRuler(list, ruler);
}

void paintUsageLegend(DrawList& list, const Theme& theme, double left, double right, double y, bool filtered)
{
    struct Entry {
        QString name;
        QColor colour;
        Dash dash = Dash::solid;
    };
    std::vector<Entry> entries{{QStringLiteral("largest hole"), theme.accent, Dash::chain},
                               {QStringLiteral("free"), theme.warn, Dash::solid},
                               {QStringLiteral("highest byte in use"), theme.text2, Dash::solid}};
    if (filtered) entries.push_back({QStringLiteral("live"), theme.text3, Dash::chain});
    entries.push_back({filtered ? QStringLiteral("live, filtered") : QStringLiteral("live"), theme.accent, Dash::solid});
    constexpr double swatch = 38; // with the gap to the next entry
    double room = right - left;
    for (const Entry& entry : entries) room -= list.width(Face::label, entry.name) + swatch;
    if (room < 0) return;
    for (const Entry& entry : entries) {
        right -= list.width(Face::label, entry.name);
        list.text(Face::label, right, y, entry.name, theme.text2);
        list.horizontal(right - 24, right - 6, y - 1, entry.colour, 1.5, entry.dash);
        right -= swatch;
    }
}

} // namespace stowage
