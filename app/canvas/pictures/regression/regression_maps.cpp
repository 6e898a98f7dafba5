#include "app/canvas/pictures/regression/regression_maps.h"

#include "app/canvas/axis/difference_colours.h"
#include "app/canvas/axis/hit_test.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double labelHeight = 36; ///< of a name and a size in a buffer

using Align = draw::Text::Align;

constexpr double mapHead = 28;
constexpr Bytes minMapTop = 16;

/// The colours of `from` for the buffers of `run` with the same names; the others are "Other".
Colouring colouringByName(const Run& run, const Run& from, const Colouring& colours)
{
    std::unordered_map<std::string_view, std::uint8_t> classes;
    for (std::size_t i = 0; i < from.problem().buffers.size(); ++i)
        classes.emplace(from.problem().buffers[i].name, colours.of[i]);
    Colouring same = colours;
    const auto other = std::uint8_t(colours.classes.empty() ? 0 : colours.classes.size() - 1);
    same.of.clear();
    for (const Buffer& buffer : run.problem().buffers) {
        const auto found = classes.find(buffer.name);
        same.of.push_back(found == classes.end() ? other : found->second);
    }
    return same;
}

QString linkedText(std::span<const Interval> live)
{
    QStringList parts;
    for (const Interval& range : live) {
        if (parts.size() == 3) {
            parts << QStringLiteral("…");
            break;
        }
        parts << QStringLiteral("[%1, %2)").arg(countText(range.begin), countText(range.end));
    }
    return parts.isEmpty() ? QStringLiteral("no step") : parts.join(u' ');
}

} // namespace

const MapData* RegressionMaps::Half::map() const
{
    if (!view || view->state().strips.empty()) return nullptr;
    return &view->scene().pools[std::size_t(view->state().strips.front())].map;
}

RegressionMaps::RegressionMaps(std::shared_ptr<const RegressionRow> row, const Theme& theme, RegressionColours colours,
                               SceneCache& scenes)
    : row_(std::move(row)), theme_(&theme), colours_(colours)
{
    halves_[before].run = row_->baseline;
    halves_[now].run = row_->current;
    std::vector<std::shared_ptr<const Run>> runs;
    for (const Half& half : halves_)
        if (half.run) runs.insert(runs.begin(), half.run); // today's pools first
    if (runs.empty()) return;
    if (const PoolId pool = comparedPool(std::span(runs).first(1)); pool != none)
        pool_ = runs.front()->problem().pools[std::size_t(pool)].name;
    const Run& leading = *runs.front();
    const Colouring own = colouring(leading, defaultColouring(leading));
    for (Half& half : halves_) {
        if (!half.run) continue;
        const auto& buffers = half.run->problem().buffers;
        for (std::size_t i = 0; i < buffers.size(); ++i) half.byName.emplace(buffers[i].name, BufferId(i));
        half.view = std::make_unique<ViewState>(scenes.scene(half.run), theme, defaultColouring(*half.run));
        if (half.run.get() != &leading) half.view->setColouring(colouringByName(*half.run, leading, own));
        StackState& state = half.view->state();
        state.curve = state.opTrack = state.rows = state.chain = state.clique = false;
        state.strips.clear();
        const auto& pools = half.view->scene().pools;
        for (std::size_t i = 0; i < pools.size(); ++i)
            if (pools[i].map.poolName == pool_) state.strips.push_back(std::int32_t(i));
    }
    if (colours == RegressionColours::difference && row_->baseline && row_->current)
        halves_[now].view->setColouring(differenceColouring(
            difference(row_->current->problem(), row_->current->plan, row_->baseline->problem(), row_->baseline->plan)));
    // Where the baseline ended, in today's map.
    if (const Bytes size = sizeOf(halves_[before]); halves_[now].map() && size > 0 && size != sizeOf(halves_[now]))
        halves_[now].view->state().baseline = size;
}

void RegressionMaps::setTheme(const Theme& theme)
{
    theme_ = &theme;
    for (Half& half : halves_)
        if (half.view) half.view->setTheme(theme);
}

void RegressionMaps::layOut(TextShaper& shaper, const QRectF& box, double ratio, const NumberFormat& numbers)
{
    numbers_ = numbers;
    box_ = box;
    Bytes top = minMapTop;
    for (const Half& half : halves_)
        if (const MapData* map = half.map()) top = std::max(top, addressLimit(*map));
    const double gutter = narrowGutter(shaper, top, numbers);
    const double middle = std::floor(box.center().x());
    halves_[before].box = QRectF(QPointF(box.left(), box.top() + mapHead), QPointF(middle, box.bottom()));
    halves_[now].box = QRectF(QPointF(middle + 1, box.top() + mapHead), box.bottomRight());
    for (Half& half : halves_) {
        if (!half.view) continue;
        StackState& state = half.view->state();
        state.ratio = ratio;
        state.numbers = numbers;
        state.minTop = top; // one scale for both
        state.gutter = gutter;
        half.layout = stowage::layOut(state, half.box.size());
        fitViewport(state, half.layout);
    }
}

Bytes RegressionMaps::sizeOf(const Half& half) const
{
    if (half.run)
        for (const PoolReport& pool : half.run->report.pools)
            if (half.run->problem().pools[std::size_t(pool.pool)].name == pool_) return pool.size;
    return 0;
}

BufferId RegressionMaps::idIn(const Half& half, const std::string& name) const
{
    const auto found = half.byName.find(name);
    return found == half.byName.end() ? BufferId(none) : found->second;
}

QRectF RegressionMaps::rectOf(const Half& half, BufferId buffer) const
{
    const MapData* map = half.map();
    if (!map || buffer == none) return {};
    const auto rects = map->rectsOf(buffer);
    if (rects.empty()) return {};
    const StackGeometry geometry{half.view->state(), half.layout};
    return geometry.rectOf(0, rects.front(), 3).translated(half.box.topLeft());
}

void RegressionMaps::paintHead(DrawList& list, Side side) const
{
    const Half& half = halves_[side];
    const QRectF head(half.box.left(), half.box.top() - mapHead, half.box.width(), mapHead);
    list.fill(head, theme_->panel);
    list.horizontal(head.left(), head.right(), head.bottom() - 1, theme_->line);
    const double y = head.center().y() - 0.5;
    double right = head.right() - 12;
    if (half.run) {
        const Bytes size = sizeOf(half);
        const Bytes moved = size - sizeOf(halves_[before]);
        if (side == now && halves_[before].run && moved != 0) {
            const QString by = (moved > 0 ? QStringLiteral("+") : QStringLiteral("-")) + bytesText(std::abs(moved), numbers_);
            list.text(Face::numberStrong, right, y, by, moved > 0 ? theme_->bad : theme_->ok, Align::right);
            right -= list.width(Face::numberStrong, by) + 8;
        }
        const QString bytes = bytesText(size, numbers_);
        list.text(Face::numberStrong, right, y, bytes, theme_->text, Align::right);
        right -= list.width(Face::numberStrong, bytes) + 8;
        const QString pool = list.elided(Face::label, QString::fromStdString(pool_), 120);
        list.text(Face::label, right, y, pool, theme_->text2, Align::right);
        right -= list.width(Face::label, pool) + 12;
    }
    const QString title = side == before ? QStringLiteral("Baseline") : QStringLiteral("Current");
    list.text(Face::bodyStrong, head.left() + 12, y, title, theme_->text);
    const double left = head.left() + 12 + list.width(Face::bodyStrong, title) + 10;
    if (half.run)
        list.text(Face::label, left, y, list.elided(Face::label, QString::fromStdString(half.run->plan.planner), right - left),
                  theme_->text2);
}

/// What a buffer has more than in the baseline, hatched at its upper end.
void RegressionMaps::paintGrown(DrawList& list) const
{
    const Half& half = halves_[now];
    const MapData* map = half.map();
    if (!map || !halves_[before].run) return;
    const StackGeometry geometry{half.view->state(), half.layout};
    constexpr std::size_t most = 200; ///< hatches; a model that grew everywhere needs none to say so
    std::size_t painted = 0;
    for (const PeakChange& change : row_->result.cause.peak) {
        const BufferId id = idIn(half, change.buffer);
        const BufferId old = idIn(halves_[before], change.buffer);
        if (id == none || ++painted > most) continue;
        const Bytes size = half.run->problem().buffers[std::size_t(id)].size;
        const Bytes was = old == none ? 0 : halves_[before].run->problem().buffers[std::size_t(old)].size;
        if (was >= size) continue;
        for (const std::uint32_t rect : map->rectsOf(id)) {
            QRectF grown = geometry.rectOf(0, rect).translated(half.box.topLeft());
            grown.setHeight(std::max(2.0, grown.height() * double(size - was) / double(std::max<Bytes>(1, size))));
            if (grown.height() > 2 * labelHeight) grown.setTop(grown.top() + labelHeight); // no hatch on its name and size
            list.add(draw::Hatch{grown, theme_->warn, 4, false, half.box.topLeft()});
        }
    }
}

bool RegressionMaps::paint(DrawList& list, BodyMode mode) const
{
    // Nothing is zoomed here, so that no tiles are worth painting ahead.
    if (mode == BodyMode::given) mode = BodyMode::raster;
    bool fellBack = false;
    for (const Side side : {before, now}) {
        const Half& half = halves_[side];
        paintHead(list, side);
        list.fill(half.box, theme_->well);
        if (!half.map()) {
            std::string why = side == before ? row_->noBaseline : std::string();
            if (half.run) why = "nothing lies in this pool";
            if (why.empty())
                why = row_->result.verdict == RowVerdict::gone     ? "the suite no longer has this row"
                      : row_->result.verdict == RowVerdict::failed ? "nothing was planned"
                                                                   : "too many buffers to keep all maps";
            list.text(Face::body, half.box.center().x(), half.box.center().y(),
                      list.elided(Face::body, QString::fromStdString(why), half.box.width() - 24), theme_->text2, Align::centre);
            continue;
        }
        list.clip(half.box);
        list.add(draw::Shift{half.box.topLeft()});
        fellBack |= paintStack(list, half.view->state(), half.layout, mode);
        paintStackOverlay(list, half.view->state(), half.layout);
        list.add(draw::Unshift{});
        if (side == now) paintGrown(list);
        list.unclip();
    }
    list.fill({halves_[now].box.left() - 1, box_.top(), 1, box_.height()}, theme_->line2);
    return fellBack;
}

void RegressionMaps::paintMark(DrawList& list, const std::string& buffer) const
{
    if (buffer.empty()) return;
    for (const Half& half : halves_) {
        const MapData* map = half.map();
        const BufferId id = idIn(half, buffer);
        if (!map || id == none) continue;
        const StackGeometry geometry{half.view->state(), half.layout};
        list.clip(half.box);
        for (const std::uint32_t rect : map->rectsOf(id))
            list.outline(geometry.rectOf(0, rect, 3).translated(half.box.topLeft()), theme_->sel, 2, 2);
        list.unclip();
    }
}

std::optional<RegressionMaps::Hit> RegressionMaps::hit(QPointF at) const
{
    for (const Side side : {before, now}) {
        const Half& half = halves_[side];
        const MapData* map = half.map();
        if (!map || !half.box.contains(at)) continue;
        const StackState& state = half.view->state();
        const QPointF in = at - half.box.topLeft();
        const QRectF& strip = half.layout.strips.front();
        if (in.x() < half.layout.plotLeft || in.x() > half.layout.plotRight || !strip.contains(in)) continue;
        const auto rect = hitTest(*map, state.viewport.steps, state.viewport.addresses.front(),
                                  (in.x() - half.layout.plotLeft) * state.ratio, (strip.bottom() - in.y()) * state.ratio);
        if (!rect) continue;
        const BufferId id = map->buffer[*rect];
        return Hit{half.run->problem().buffers[std::size_t(id)].name, rectOf(half, id), side};
    }
    return std::nullopt;
}

std::optional<CardText> RegressionMaps::card(const std::string& buffer) const
{
    const BufferId ids[] = {idIn(halves_[before], buffer), idIn(halves_[now], buffer)};
    if (ids[before] == none && ids[now] == none) return std::nullopt;
    CardText card;
    card.title = nameText(buffer);
    card.titleIsNumber = false;
    const auto value = [&](Side side, const auto& text) {
        return ids[side] == none ? QStringLiteral("not there") : text(*halves_[side].run, std::size_t(ids[side]));
    };
    const auto line = [&](const QString& label, const auto& text) {
        const QString was = value(before, text);
        const QString is = value(now, text);
        card.lines.push_back({{}, label, was == is ? was : was + QStringLiteral(" → ") + is, was != is});
    };
    const auto size = [&](const Run& run, std::size_t id) { return bytesText(run.problem().buffers[id].size, numbers_); };
    const auto live = [&](const Run& run, std::size_t id) { return linkedText(run.problem().buffers[id].live); };
    const auto place = [&](const Run& run, std::size_t id) {
        const Placement& at = run.plan.placements[id];
        if (!at.placed()) return QStringLiteral("not placed");
        const std::string& pool = run.problem().pools[std::size_t(at.pool)].name;
        const QString address = addressText(at.offset, numbers_);
        return pool == pool_ ? address : nameText(pool) + u' ' + address;
    };
    if (!halves_[before].run || !halves_[now].run) {
        const Side side = halves_[now].run ? now : before;
        const auto one = [&](const QString& label, const auto& text) {
            card.lines.push_back({{}, label, value(side, text), false});
        };
        one(QStringLiteral("size"), size);
        one(QStringLiteral("live"), live);
        one(QStringLiteral("offset"), place);
        return card;
    }
    line(QStringLiteral("size"), size);
    if (CardText::Line& sizes = card.lines.back(); ids[before] != none && ids[now] != none && !sizes.strong) {
        const auto bytes = [&](Side side) { return halves_[side].run->problem().buffers[std::size_t(ids[side])].size; };
        // Both sizes may round to one text.
        if (const Bytes moved = bytes(now) - bytes(before); moved != 0) {
            sizes.value += (moved > 0 ? QStringLiteral(" + ") : QStringLiteral(" - ")) + bytesText(std::abs(moved), numbers_);
            sizes.strong = true;
        }
    }
    line(QStringLiteral("live"), live);
    line(QStringLiteral("offset"), place);
    return card;
}

} // namespace stowage
