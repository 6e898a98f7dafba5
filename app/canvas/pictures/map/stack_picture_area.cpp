// Areas that are dragged out in a stack: what lies in them, their sums, and how they are painted.
#include "app/canvas/axis/area_sums.h"
#include "app/canvas/pictures/map/stack_picture.h"
#include "core/ir/checked.h"

#include <algorithm>
#include <utility>

namespace stowage {

// --- what lies in an area ------------------------------------------------------------------------------------------------

StackPicture::Area StackPicture::areaBetween(QPointF from, QPointF to) const
{
    const StackState& state = view_->state();
    const double ratio = state.ratio;
    const Spot pressed = spotAt(from);
    Area area;
    area.place = pressed.place == Place::strip ? Place::strip : pressed.place == Place::rows ? Place::rows : Place::curve;
    area.strip = pressed.strip;
    const auto x = std::minmax({from.x(), to.x()});
    const PixelAxis& steps = state.viewport.steps;
    // Whole steps: all that are touched.
    area.box.begin = steps.unitAt(std::max(0.0, (x.first - layout_.plotLeft) * ratio));
    area.box.end = steps.unitAt(std::min(double(steps.pixels()) - 0.5, (x.second - layout_.plotLeft) * ratio)) + 1;
    const auto y = std::minmax({from.y(), to.y()});
    if (area.place == Place::strip) {
        const QRectF& band = layout_.strips[area.strip];
        const PixelAxis& axis = state.viewport.addresses[area.strip];
        area.box.low = axis.unitAt(std::max(0.0, (band.bottom() - y.second) * ratio));
        area.box.high = axis.unitAt(std::min(double(axis.pixels()) - 0.5, (band.bottom() - y.first) * ratio)) + 1;
    } else if (area.place == Place::rows) {
        area.box.low = Bytes(std::max(0.0, y.first - layout_.rows.top() + state.scroll));
        area.box.high = Bytes(std::max(0.0, y.second - layout_.rows.top() + state.scroll)) + 1;
    } else {
        area.box.high = maxBytes;
    }
    return area;
}

StepBytes StackPicture::boxIn(const Area& area, const MapData& map, std::size_t strip)
{
    if (strip < area.boxes.size()) return area.boxes[strip];
    return area.place == Place::strip ? area.box : StepBytes{area.box.begin, area.box.end, 0, map.top};
}

std::vector<bool> StackPicture::shownBuffers() const
{
    std::vector<bool> shown(view_->scene().run->problem().buffers.size());
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i] = isShown(BufferId(i));
    return shown;
}

void StackPicture::sumUp(Area& area) const
{
    const RunScene& scene = view_->scene();
    const Problem& problem = scene.run->problem();
    const StackState& state = view_->state();
    area.sums = {};
    if (area.place == Place::rows) {
        for (const TimelineRow& row : view_->timeline().rowsIn(double(area.box.low), double(area.box.high))) {
            if (row.buffer == none || !isShown(row.buffer)) continue;
            const Buffer& what = problem.buffers[std::size_t(row.buffer)];
            Step together = 0;
            for (const Interval& live : what.live)
                together += std::max<Step>(0, std::min(live.end, area.box.end) - std::max(live.begin, area.box.begin));
            if (together == 0) continue;
            AreaSums one;
            one.buffers = {row.buffer};
            one.count = 1;
            one.bytes = what.size;
            one.occupied = double(what.size) * double(together);
            area.sums.add(one);
        }
        return;
    }
    const std::vector<bool> shown = shownBuffers();
    for (std::size_t i = 0; i < state.strips.size(); ++i) {
        if (area.place == Place::strip && i != area.strip) continue;
        const MapData& map = scene.pools[std::size_t(state.strips[i])].map;
        area.sums.add(sumsIn(map, problem, boxIn(area, map, i), &shown));
    }
}

void StackPicture::countUp(Area& area)
{
    const RunScene& scene = view_->scene();
    const StackState& state = view_->state();
    if (tallies_.empty() || !area_ || area_->place != area.place || area_->strip != area.strip) {
        tallies_.clear();
        tallied_ = shownBuffers();
        for (std::size_t i = 0; i < state.strips.size(); ++i)
            if (area.place != Place::strip || i == area.strip)
                tallies_.emplace_back(scene.pools[std::size_t(state.strips[i])].map, scene.run->problem(), &tallied_);
    }
    area.sums = {};
    for (AreaTally& tally : tallies_) {
        tally.moveTo(boxIn(area, tally.map(), area.strip)); // a drag is over one strip, or over all bytes
        area.sums.add(tally.sums());
    }
}

std::optional<std::vector<BufferId>> StackPicture::areaTo(QPointF from, QPointF to)
{
    const Place place = spotAt(from).place;
    if (place == Place::nowhere || place == Place::ruler || from.x() < layout_.plotLeft) return std::nullopt;
    Area next = areaBetween(from, to);
    if (next.place == Place::rows)
        sumUp(next); // as many as fit on the screen
    else
        countUp(next);
    area_ = std::move(next);
    return std::vector<BufferId>();
}

std::optional<std::vector<BufferId>> StackPicture::areaOfView()
{
    if (!view_) return std::nullopt;
    // Half a pixel below the edge, which another band may share.
    const auto first = [this](const QRectF& band) { return QPointF(layout_.plotLeft, band.top() + 0.5); };
    const auto last = [this](const QRectF& band) { return QPointF(layout_.plotRight, band.bottom()); };
    if (layout_.strips.size() < 2) {
        const QRectF& band = layout_.strips.empty() ? layout_.rows : layout_.strips.front();
        return areaTo(first(band), last(band));
    }
    Area next;
    for (const QRectF& strip : layout_.strips) next.boxes.push_back(areaBetween(first(strip), last(strip)).box);
    next.place = Place::curve;
    next.box = {next.boxes.front().begin, next.boxes.front().end, 0, maxBytes};
    area_ = std::move(next); // `endArea` sums it up
    return std::vector<BufferId>();
}

std::optional<std::vector<BufferId>> StackPicture::endArea()
{
    tallies_.clear();
    if (!area_) return std::nullopt;
    sumUp(*area_);
    return area_->sums.buffers;
}

// --- painting ------------------------------------------------------------------------------------------------------------

std::vector<QRectF> StackPicture::areaBoxes() const
{
    std::vector<QRectF> boxes;
    if (!area_) return boxes;
    if (area_->boxes.empty()) boxes.push_back(boxOfArea(*area_));
    for (std::size_t i = 0; i < area_->boxes.size(); ++i) {
        Area one;
        one.strip = i;
        one.box = area_->boxes[i];
        boxes.push_back(boxOfArea(one));
    }
    return boxes;
}

QRectF StackPicture::boxOfArea(const Area& area) const
{
    const StackGeometry g = geometry();
    const double left = std::max(g.x(area.box.begin), layout_.plotLeft);
    const double right = std::min(g.x(area.box.end), layout_.plotRight);
    double top = 0;
    double bottom = layout_.ruler.top();
    if (area.place == Place::strip && area.strip < layout_.strips.size()) {
        top = std::max(g.y(area.strip, area.box.high), layout_.strips[area.strip].top());
        bottom = std::min(g.y(area.strip, area.box.low), layout_.strips[area.strip].bottom());
    } else if (area.place == Place::rows) {
        top = std::max(layout_.rows.top() + double(area.box.low) - view_->state().scroll, layout_.rows.top());
        bottom = std::min(layout_.rows.top() + double(area.box.high) - view_->state().scroll, layout_.rows.bottom());
    }
    return right > left && bottom > top ? QRectF(QPointF(left, top), QPointF(right, bottom)) : QRectF();
}

void StackPicture::paintAreaSums(DrawList& list, const QRectF& box, const Area& area) const
{
    const AreaSums& sums = area.sums;
    CardText card;
    card.titleIsNumber = false;
    card.title =
        countedText(std::int64_t(sums.count), QStringLiteral("buffer")) + QStringLiteral(", ") + bytesText(sums.bytes, numbers());
    constexpr double exact = 9007199254740992.0; // 2^53
    const QString inside =
        sums.occupied < exact ? countText(std::int64_t(sums.occupied)) : QString::number(sums.occupied, 'g', 4);
    const auto line = [&](const QString& what, const QString& value) { card.lines.push_back({{}, what, value, false}); };
    line(QStringLiteral("steps"), QStringLiteral("[%1, %2)").arg(countText(area.box.begin), countText(area.box.end)));
    if (area.place == Place::strip)
        line(QStringLiteral("addresses"),
             QStringLiteral("%1 to %2").arg(addressText(area.box.low, numbers()), addressText(area.box.high, numbers())));
    line(QStringLiteral("bytes × steps inside"), inside);
    if (sums.area > 0) line(QStringLiteral("full"), shareText(std::min(1.0, sums.occupied / sums.area)));
    const QRectF room = layout_.all.adjusted(layout_.plotLeft + 6, 6, -6, -6);
    paintCard(list, theme(), card, box.topRight() - QPointF(10, 18), room, box);
}

} // namespace stowage
