// What is under a point of a stack, and what drags and arrows do there.
#include "app/canvas/pictures/map/stack_picture.h"

#include "app/canvas/axis/hit_test.h"
#include "app/canvas/kit/palette.h"
#include "app/canvas/pictures/map/stack_parts.h"
#include "core/ir/checked.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double hitTolerance = 3; ///< logical pixels from a buffer that is hit all the same
constexpr double snapReach = 8;    ///< logical pixels
constexpr double noteReach = 6;
constexpr double edgeReach = 4; ///< logical pixels left of the gutter's edge

/// The rectangle with the nearest centre, in steps first, then in bytes, of a buffer that passes. O(n).
std::optional<std::size_t> nearestThatPasses(const MapData& map, std::size_t from, const BufferTest& passes)
{
    const auto away = [&](std::size_t rect) {
        const StepBytes &a = map.rects[rect], &b = map.rects[from];
        return std::pair(std::abs(double(a.begin) + double(a.end) - double(b.begin) - double(b.end)),
                         std::abs(double(a.low) + double(a.high) - double(b.low) - double(b.high)));
    };
    std::optional<std::size_t> best;
    for (std::size_t rect = 0; rect < map.rects.size(); ++rect)
        if (passes(map.buffer[rect]) && (!best || away(rect) < away(*best))) best = rect;
    return best;
}

} // namespace

StackPicture::Spot StackPicture::spotAt(QPointF at) const
{
    if (!view_) return {};
    const bool inGutter = at.x() < layout_.plotLeft;
    if (layout_.rows.contains(at)) return {inGutter ? Place::rowNames : Place::rows, 0};
    for (std::size_t i = 0; i < layout_.strips.size(); ++i)
        if (layout_.strips[i].contains(at)) return {Place::strip, i};
    if (layout_.ruler.contains(at)) return {inGutter ? Place::nowhere : Place::ruler, 0};
    if (inGutter) return {};
    if (layout_.curve.contains(at)) return {Place::curve, 0};
    if (layout_.ops.contains(at)) return {Place::ops, 0};
    return {};
}

bool StackPicture::onGutterEdge(QPointF at) const
{
    const double from = at.x() - layout_.plotLeft;
    return view_ && editable_ && from >= -edgeReach && from <= 1 && layout_.all.contains(at);
}

std::optional<Step> StackPicture::stepAt(QPointF at) const
{
    if (!view_ || at.x() < layout_.plotLeft || at.x() >= layout_.plotRight) return std::nullopt;
    return view_->state().viewport.steps.unitAt((at.x() - layout_.plotLeft) * view_->state().ratio);
}

BufferId StackPicture::bufferAt(QPointF at) const
{
    const Spot spot = spotAt(at);
    if (spot.place == Place::nowhere) return none;
    const StackState& state = view_->state();
    if (spot.place == Place::strip && at.x() >= layout_.plotLeft) {
        const MapData& map = view_->scene().pools[std::size_t(state.strips[spot.strip])].map;
        const auto found =
            hitTest(map, state.viewport.steps, state.viewport.addresses[spot.strip], (at.x() - layout_.plotLeft) * state.ratio,
                    (layout_.strips[spot.strip].bottom() - at.y()) * state.ratio, hitTolerance * state.ratio);
        if (!found || (state.styles[std::size_t(map.buffer[*found])] & styleHidden)) return none;
        return map.buffer[*found];
    }
    if (spot.place == Place::rows || spot.place == Place::rowNames) {
        const auto row = view_->timeline().rowAt(at.y() - layout_.rows.top() + state.scroll);
        if (!row || row->buffer == none || (state.styles[std::size_t(row->buffer)] & styleHidden)) return none;
        if (spot.place == Place::rowNames) return row->buffer;
        // In the plot the bar itself is meant, or the empty row.
        const auto step = stepAt(at);
        const auto& live = view_->scene().run->problem().buffers[std::size_t(row->buffer)].live;
        return step && std::ranges::any_of(live, [&](const Interval& range) { return range.contains(*step); }) ? row->buffer
                                                                                                               : BufferId(none);
    }
    return none;
}

QRectF StackPicture::boxOf(BufferId id) const
{
    if (!view_) return {};
    const StackGeometry g = geometry();
    const StackState& state = view_->state();
    for (std::size_t i = 0; i < layout_.strips.size(); ++i)
        for (const std::uint32_t rect : view_->scene().pools[std::size_t(state.strips[i])].map.rectsOf(id)) {
            const QRectF plot(layout_.plotLeft, layout_.strips[i].top(), layout_.plotWidth(), layout_.strips[i].height());
            if (const QRectF box = g.rectOf(i, rect, 1) & plot; !box.isEmpty()) return box;
        }
    if (const auto row = layout_.rows.isEmpty() ? std::nullopt : view_->timeline().rowOf(id)) {
        const Interval hull = view_->scene().run->problem().buffers[std::size_t(id)].hull();
        const QRectF plot(layout_.plotLeft, layout_.rows.top(), layout_.plotWidth(), layout_.rows.height());
        const double top = layout_.rows.top() + row->top - state.scroll;
        return QRectF(QPointF(g.x(hull.begin), top), QPointF(std::max(g.x(hull.begin) + 1, g.x(hull.end)), top + row->height)) &
               plot;
    }
    return {};
}

// --- hit and card --------------------------------------------------------------------------------------------------------

PictureHit StackPicture::hit(QPointF at) const
{
    PictureHit hit;
    const Spot spot = spotAt(at);
    if (const MapNote* found = noteAt(at)) {
        hit.kind = note;
        hit.item = found - notes_.data();
        hit.box = noteBox(view_->state(), layout_, *found);
        hit.keepsSelection = true;
        hit.acts = true;
        return hit;
    }
    if (onGutterEdge(at)) {
        hit.keepsSelection = true;
        hit.holds = true;
        return hit;
    }
    if (spot.place == Place::nowhere || (spot.place == Place::strip && at.x() < layout_.plotLeft)) {
        hit.keepsSelection = true;
        if (spot.place != Place::strip) return hit;
        if (const std::int64_t uses = stack::usesAt(shaper_, view_->state(), layout_, spot.strip, at); uses > 0) {
            hit.kind = reuseBar;
            hit.item = uses;
        }
        return hit;
    }
    hit.step = stepAt(at);
    if (spot.place == Place::rows || spot.place == Place::rowNames) {
        const auto row = view_->timeline().rowAt(at.y() - layout_.rows.top() + view_->state().scroll);
        if (row && row->buffer == none) {
            hit.kind = groupHead;
            hit.item = std::int64_t(row->group);
            hit.keepsSelection = true;
            hit.acts = true;
            hit.step.reset();
            return hit;
        }
    }
    if (spot.place == Place::curve || spot.place == Place::ruler) {
        hit.keepsSelection = spot.place == Place::curve;
        return hit;
    }
    if (spot.place == Place::ops) {
        // What the op at this step makes.
        if (!hit.step) return hit;
        const Lowering& lowering = *view_->scene().run->lowering;
        const StepInfo info =
            std::size_t(*hit.step) < lowering.steps.size() ? lowering.steps[std::size_t(*hit.step)] : StepInfo{};
        hit.item = *hit.step;
        if (info.op == none) return hit;
        hit.kind = op;
        hit.chosen = SharedBuffers(view_->scene().madeBy(info.function, info.op));
        hit.box = geometry().column(*hit.step, layout_.ops);
        return hit;
    }
    hit.buffer = bufferAt(at);
    if (hit.buffer == none) {
        hit.kind = spot.place == Place::strip ? groundAt(at, spot.strip) : emptyPlace;
        return hit;
    }
    hit.kind = buffer;
    hit.item = hit.buffer;
    hit.chosen = {hit.buffer};
    hit.box = boxOf(hit.buffer);
    hit.holds = heldAt(at) != none && !whyFixedIn(hit.buffer, spot.strip);
    return hit;
}

StackPicture::Kind StackPicture::groundAt(QPointF at, std::size_t strip) const
{
    const MapData& map = view_->scene().pools[std::size_t(view_->state().strips[strip])].map;
    const double up = (layout_.strips[strip].bottom() - at.y()) * view_->state().ratio;
    const Bytes address = view_->state().viewport.addresses[strip].unitAt(up);
    const auto step = stepAt(at);
    if (!step || address < 0) return emptyPlace;
    if (map.capacity && address >= *map.capacity) return aboveCapacity;
    if (address >= map.top) return emptyPlace;
    bool padded = false;
    map.rects.forEach(StepBytes{*step, *step + 1, address - map.grain, address + 1}, [&](std::size_t i) {
        padded |= map.rects[i].high <= address && address < map.paddedHigh(i);
        return !padded;
    });
    return padded ? padding : freeBytes;
}

/// What the slanted lines and the bars stand for, in the words of the guide's glossary.
std::optional<CardText> StackPicture::groundCard(const PictureHit& hit) const
{
    CardText card;
    card.titleIsNumber = false;
    switch (hit.kind) {
    case freeBytes:
        card.title = QStringLiteral("free bytes");
        card.caption = QStringLiteral("hatch: below the top of the pool, and in no buffer at this step");
        return card;
    case padding:
        card.title = QStringLiteral("padding");
        card.caption = QStringLiteral("hatch: bytes that an alignment leaves free");
        return card;
    case aboveCapacity:
        card.title = QStringLiteral("above the capacity");
        card.caption = QStringLiteral("red hatch: bytes that the pool does not have");
        return card;
    case reuseBar:
        card.title = QStringLiteral("reuse bar");
        card.caption = QStringLiteral("the longer, the more buffers use the address");
        card.lines.push_back({{}, QStringLiteral("buffers here"), countText(hit.item), false});
        return card;
    default: return std::nullopt;
    }
}

std::optional<CardText> StackPicture::card(const PictureHit& hit) const
{
    if (auto ground = groundCard(hit)) return ground;
    if (hit.kind == note && hit.item >= 0 && std::size_t(hit.item) < notes_.size()) {
        const MapNote& found = notes_[std::size_t(hit.item)];
        CardText card;
        card.titleIsNumber = false;
        card.title = found.text;
        card.titleSwatch = theme().warn;
        card.lines.push_back({{}, QStringLiteral("step"), countText(found.step), false});
        return card;
    }
    if (hit.kind == buffer) return describe(hit.buffer);
    const RunScene& scene = view_->scene();
    if (hit.kind != op || std::size_t(hit.item) >= scene.ops.kindOf.size() || scene.ops.kindOf[std::size_t(hit.item)] == none)
        return std::nullopt;
    const auto kind = std::size_t(scene.ops.kindOf[std::size_t(hit.item)]);
    const StepInfo& info = scene.run->lowering->steps[std::size_t(hit.item)];
    const Op& what = scene.run->program->functions[std::size_t(info.function)].ops[std::size_t(info.op)];
    CardText card;
    card.titleIsNumber = false;
    card.title = QString::fromStdString(scene.ops.kinds[kind]);
    card.titleSwatch = opColours(theme(), scene.ops, kind).fill;
    card.lines.push_back({{}, QStringLiteral("step"), countText(hit.item), false});
    if (!what.name.empty()) card.lines.push_back({{}, QStringLiteral("name"), QString::fromStdString(what.name), false});
    return card;
}

CardText StackPicture::describe(BufferId id) const
{
    const Run& run = *view_->scene().run;
    const Problem& problem = run.problem();
    const Buffer& what = problem.buffers[std::size_t(id)];
    CardText card;
    card.titleIsNumber = false;
    card.title = QString::fromStdString(what.name);
    card.titleSwatch = paletteOf(theme(), view_->colouring().by).fills[view_->state().styles[std::size_t(id)] & styleClass];
    if (const std::int32_t pool = view_->scene().poolOf(id); pool != none) {
        const MapData& map = view_->scene().pools[std::size_t(pool)].map;
        std::uint8_t flags = 0;
        for (const std::uint32_t rect : map.rectsOf(id)) flags |= map.flags[rect];
        if (flags & (rectShared | rectCarried))
            card.caption = (flags & rectShared) ? QStringLiteral("hatch: scratch, an alias or in place")
                                                : QStringLiteral("hatch: a carried value, live in a later iteration");
    }
    const auto line = [&](const QString& caption, const QString& value) { card.lines.push_back({{}, caption, value, false}); };
    QString size = bytesText(what.size, numbers());
    if (what.alignment > 1) size += QStringLiteral(", aligned to %1").arg(countText(what.alignment));
    line(QStringLiteral("size"), size);
    const Placement& placement = run.plan.placements[std::size_t(id)];
    if (placement.placed()) {
        QString at = QStringLiteral("%1 to %2")
                         .arg(addressText(placement.offset, numbers()), addressText(placement.offset + what.size, numbers()));
        if (placement.rotating()) at += QStringLiteral(", %1 slots").arg(placement.offsets.size());
        if (view_->scene().pools.size() > 1)
            at += QStringLiteral(", ") + QString::fromStdString(problem.pools[std::size_t(placement.pool)].name);
        line(QStringLiteral("offset"), at);
    } else {
        line(QStringLiteral("offset"), QStringLiteral("not placed"));
    }
    if (!what.live.empty()) {
        const Interval hull = what.hull();
        QString live = QStringLiteral("[%1, %2), ").arg(countText(hull.begin), countText(hull.end)) +
                       countedText(hull.length(), QStringLiteral("step"));
        if (what.live.size() > 1) live += QStringLiteral(", %1 ranges").arg(what.live.size());
        line(QStringLiteral("live"), live);
    }
    if (isFallback(problem, what, placement)) {
        // Instead of who made it: five lines are the most.
        QString why = QStringLiteral("the first choice is %1")
                          .arg(QString::fromStdString(problem.pools[std::size_t(problem.candidates(what).front())].name));
        if (const auto out = view_->scene().displacedFrom(id)) {
            why = QStringLiteral("from %1").arg(QString::fromStdString(problem.pools[std::size_t(out->first)].name));
            if (out->second.more)
                why += *out->second.more > 0 ? QStringLiteral(", %1%2 more would bring it back")
                                                   .arg(out->second.exact ? QString() : QStringLiteral("at most "),
                                                        bytesText(*out->second.more, numbers()))
                                             : QStringLiteral(", where it would fit as it is");
        }
        line(QStringLiteral("fallback"), why);
        return card;
    }
    if (remark_) {
        if (const QString remark = remark_(id); !remark.isEmpty()) line(QStringLiteral("change"), remark);
        return card;
    }
    const OpTrack& ops = view_->scene().ops;
    if (const Step made = view_->scene().makingStep(id); made >= 0 && std::size_t(made) < ops.kindOf.size())
        if (const std::int32_t kind = ops.kindOf[std::size_t(made)]; kind != none)
            line(QStringLiteral("made by"),
                 QStringLiteral("%1 at %2").arg(QString::fromStdString(ops.kinds[std::size_t(kind)]), countText(made)));
    return card;
}

PictureChange StackPicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    if (hit.kind != groupHead) return PictureChange::nothing;
    const auto group = std::size_t(hit.item);
    view_->timeline().setOpen(group, !view_->timeline().groups()[group].open);
    return PictureChange::paint;
}

// --- moving a buffer -----------------------------------------------------------------------------------------------------

BufferId StackPicture::heldAt(QPointF at) const
{
    if (!editable_ || spotAt(at).place != Place::strip || marks_.selection.size() != 1) return none;
    const BufferId held = bufferAt(at);
    return held == marks_.selected ? held : BufferId(none);
}

std::optional<Fixed> StackPicture::whyFixedIn(BufferId held, std::size_t strip) const
{
    const RunScene& scene = view_->scene();
    return whyFixed(*scene.run, held, scene.pools[std::size_t(view_->state().strips[strip])].map.pool);
}

bool StackPicture::refusesHold(QPointF at) const
{
    const BufferId held = heldAt(at);
    return held != none && whyFixedIn(held, spotAt(at).strip).has_value();
}

void StackPicture::dragGutter(double width)
{
    const double most = std::max(minGutter, std::min(maxGutter, layout_.all.width() / 2));
    setScale(minTop_, std::clamp(std::round(width), minGutter, most));
}

bool StackPicture::takeHold(QPointF at)
{
    if (onGutterEdge(at)) {
        gutterBefore_ = gutter_;
        return true;
    }
    const BufferId held = heldAt(at);
    if (held == none) return false;
    const Spot spot = spotAt(at);
    const StackState& state = view_->state();
    const MapData& map = view_->scene().pools[std::size_t(state.strips[spot.strip])].map;
    const Run& run = *view_->scene().run;
    Move move{held, spot.strip, 0, MoveCheck(run, held, map.pool), {}};
    if (!move.check.movable()) return false;
    const double pixel = (layout_.strips[move.strip].bottom() - at.y()) * state.ratio;
    move.grab = state.viewport.addresses[move.strip].at(pixel).minus({run.plan.placements[std::size_t(held)].offset, 0.0});
    move_ = std::move(move);
    return true;
}

void StackPicture::moveTo(QPointF at)
{
    if (gutterBefore_) return dragGutter(at.x());
    if (!move_) return;
    const StackState& state = view_->state();
    const Run& run = *view_->scene().run;
    // Another memory, when the pointer is over one that the buffer may lie in.
    if (const Spot spot = spotAt(at); spot.place == Place::strip && spot.strip != move_->strip) {
        MoveCheck other(run, move_->buffer, view_->scene().pools[std::size_t(state.strips[spot.strip])].map.pool);
        if (other.movable()) {
            move_->check = std::move(other);
            move_->strip = spot.strip;
        }
    }
    const PixelAxis& axis = state.viewport.addresses[move_->strip];
    const double pixel = (layout_.strips[move_->strip].bottom() - at.y()) * state.ratio;
    const AxisPoint held = axis.at(pixel).plus(-move_->grab);
    const Bytes wanted = std::max<Bytes>(0, held.whole + (held.part >= 0.5 ? 1 : 0));
    move_->verdict = move_->check.at(move_->check.snapped(wanted, Bytes(snapReach * state.ratio / axis.scale())));
}

void StackPicture::letGo()
{
    move_.reset();
    if (const auto before = std::exchange(gutterBefore_, std::nullopt)) setScale(minTop_, *before);
}

bool StackPicture::drop()
{
    if (std::exchange(gutterBefore_, std::nullopt)) return false;
    const std::optional<Move> done = std::exchange(move_, std::nullopt);
    if (!done || !done->verdict.legal()) return false;
    const MapData& map = view_->scene().pools[std::size_t(view_->state().strips[done->strip])].map;
    dropped_ = Dropped{done->buffer, map.pool, done->verdict.offset};
    return true;
}

// --- notes ---------------------------------------------------------------------------------------------------------------

const MapNote* StackPicture::noteAt(QPointF at) const
{
    if (!view_ || !editable_) return nullptr;
    // The last one is drawn on top.
    for (auto found = notes_.rbegin(); found != notes_.rend(); ++found)
        if (noteBox(view_->state(), layout_, *found).contains(at)) return &*found;
    return nullptr;
}

MapNote StackPicture::newNote(QPointF at) const
{
    for (const double dx : {0.0, -noteReach, noteReach})
        if (const MapNote* there = noteAt(at + QPointF(dx, 0))) return *there;
    MapNote made;
    const StackState& state = view_->state();
    made.step = stepAt(at).value_or(marks_.cursor.value_or(state.viewport.steps.unitAt(state.viewport.steps.pixels() / 2.0)));
    if (const Spot spot = spotAt(at); spot.place == Place::strip) {
        made.pool = view_->scene().pools[std::size_t(state.strips[spot.strip])].map.poolName;
        made.address = state.viewport.addresses[spot.strip].unitAt((layout_.strips[spot.strip].bottom() - at.y()) * state.ratio);
    }
    return made;
}

// --- where to go ---------------------------------------------------------------------------------------------------------

PictureAim StackPicture::aimAt(const std::vector<BufferId>& buffers) const
{
    PictureAim aim;
    const Problem& problem = view_->scene().run->problem();
    const StackState& state = view_->state();
    for (const BufferId id : buffers) {
        if (id < 0 || std::size_t(id) >= problem.buffers.size()) continue;
        const Buffer& what = problem.buffers[std::size_t(id)];
        const Interval hull = what.live.empty() ? Interval{0, view_->scene().steps} : what.hull();
        aim.across = aim.across ? Interval{std::min(aim.across->begin, hull.begin), std::max(aim.across->end, hull.end)} : hull;
    }
    for (std::size_t i = 0; i < layout_.strips.size(); ++i) {
        const MapData& map = view_->scene().pools[std::size_t(state.strips[i])].map;
        Bytes low = maxBytes;
        Bytes high = 0;
        for (const BufferId id : buffers)
            for (const std::uint32_t rect : map.rectsOf(id)) {
                low = std::min(low, map.rects[rect].low);
                high = std::max(high, map.rects[rect].high);
            }
        if (low < high) aim.up.push_back({i, low, high});
    }
    return aim;
}

std::optional<PictureAim> StackPicture::selectionAim() const
{
    if (marks_.selection.empty()) return std::nullopt;
    const_cast<StackPicture*>(this)->revealRow();
    const PictureAim aim = aimAt(marks_.selection.list());
    return aim.across ? std::optional(aim) : std::nullopt;
}

std::optional<PictureAim> StackPicture::peakAim() const
{
    const std::int32_t leading = stack::leadingPool(view_->state());
    if (leading == none) return std::nullopt;
    const Step peak = view_->scene().pools[std::size_t(leading)].peakStep;
    if (peak < 0) return std::nullopt;
    PictureAim aim;
    aim.cursor = peak;
    aim.across = Interval{peak, peak + 1};
    return aim;
}

BufferTest StackPicture::reachable(const BufferTest& selectable) const
{
    return [this, selectable](BufferId id) { return isShown(id) && selectable(id); };
}

std::optional<PictureAim> StackPicture::neighbourInRows(Direction direction, const BufferTest& passes) const
{
    // In rows: the one above or below, a step back or forth.
    const StackState& state = view_->state();
    PictureAim aim;
    if (direction == Direction::left || direction == Direction::right) {
        const bool back = direction == Direction::left;
        const Step step = marks_.cursor.value_or(back ? view_->scene().steps : -1) + (back ? -1 : 1);
        aim.cursor = std::clamp<Step>(step, 0, view_->scene().steps - 1);
        aim.across = Interval{*aim.cursor, *aim.cursor + 1};
        return aim;
    }
    const auto row = state.selected == none ? view_->timeline().rowAt(state.scroll) : view_->timeline().rowOf(state.selected);
    if (!row) return std::nullopt;
    double y = row->top;
    for (auto next = row; next;) {
        y += direction == Direction::down ? next->height : -1;
        next = view_->timeline().rowAt(y);
        if (next && direction == Direction::up) y = next->top;
        if (next && next->buffer != none && passes(next->buffer)) {
            aim.select = next->buffer;
            return aim;
        }
    }
    return std::nullopt;
}

std::optional<PictureAim> StackPicture::neighbourAim(Direction direction, const BufferTest& selectable) const
{
    const BufferTest passes = reachable(selectable);
    if (layout_.strips.empty()) return neighbourInRows(direction, passes);
    const StackState& state = view_->state();
    for (std::size_t i = 0; i < layout_.strips.size(); ++i) {
        const MapData& map = view_->scene().pools[std::size_t(state.strips[i])].map;
        const auto rects = map.rectsOf(state.selected);
        std::optional<std::size_t> next;
        if (state.selected == none) {
            // Nothing to start from: what lies in the middle of what is in view.
            next = hitTest(map, state.viewport.steps, state.viewport.addresses[i], state.viewport.steps.pixels() / 2.0,
                           state.viewport.addresses[i].pixels() / 2.0, 4000);
            if (next && !passes(map.buffer[*next])) next = nearestThatPasses(map, *next, passes);
        } else if (!rects.empty()) {
            next = neighbour(map, rects.front(), direction, passes);
        }
        if (!next) continue;
        const BufferId found = map.buffer[*next];
        PictureAim aim;
        aim.select = found;
        const StepBytes& rect = map.rects[map.rectsOf(found).front()];
        aim.across = Interval{rect.begin, rect.end};
        aim.up = {{i, rect.low, rect.high}};
        return aim;
    }
    return std::nullopt;
}

} // namespace stowage
