#include "app/canvas/pictures/heatmap/heat_picture.h"

#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr double rampWidth = 90;
constexpr double shortestRamp = 24;

const QStringList& measureNames()
{
    static const QStringList names{QStringLiteral("how full"), QStringLiteral("buffers"), QStringLiteral("holes")};
    return names;
}

const QStringList& binNames()
{
    static const QStringList names{QStringLiteral("fine"), QStringLiteral("medium"), QStringLiteral("coarse")};
    return names;
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

PictureJob HeatPicture::prepare(const PictureSource& source) const
{
    return {source.run->problem().buffers.size(),
            [run = source.run, scenes = source.scenes, shown = filter_](const std::stop_token&) {
                auto made = std::make_shared<Scene>();
                made->run = run;
                const bool known = shown && shown->size() == run->problem().buffers.size();
                if (known) made->shown = shown;
                made->heat = makeHeatScene(scenes->scene(run), made->shown.get());
                made->colouring = colouring(*run, defaultColouring(*run));
                if (made->heat->pools.empty()) made->error = failure(Code::nothingPlaced, "Nothing is placed in this plan.");
                return made;
            }};
}

bool HeatPicture::take(std::shared_ptr<const PictureScene> scene)
{
    const std::shared_ptr<const Scene> before = std::move(scene_);
    const PoolId old = before ? state_.shown().occupancy.pool() : PoolId(none);
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    state_.hovered.reset();
    state_.grid = {};
    tally_.reset();
    touchedBin_.reset();
    state_.scene = this->scene();
    state_.colouring = scene_ ? &scene_->colouring : nullptr;
    if (!scene_) return false;
    state_.pool = defaultPool(*scene_->heat);
    for (std::size_t i = 0; i < scene_->heat->pools.size(); ++i)
        if (poolName(i) == wantedPool_) state_.pool = std::int32_t(i);
    const bool same = before && sameBuffers(*before->run, *scene_->run) && old == pool() && state_.addresses.high() > 1;
    if (!same) {
        state_.steps = {};
        state_.addresses = {};
    } else if (state_.area) {
        areaSums_ = sumsOf(touchesIn(state_, *state_.area));
    }
    return same;
}

PictureChange HeatPicture::setMarks(const PictureMarks& marks, bool)
{
    const std::size_t count = scene_ ? scene_->run->problem().buffers.size() : 0;
    const auto known = [&](BufferId id) { return id >= 0 && std::size_t(id) < count; };
    state_.selected = known(marks.selected) ? marks.selected : BufferId(none);
    state_.others = marks.selection.size() > 1 ? marks.selection : SharedBuffers();
    state_.cursor = marks.cursor;
    if (filter_ == marks.shown) return PictureChange::nothing;
    filter_ = marks.shown;
    return PictureChange::scene; // bins count what the filter leaves
}

QString HeatPicture::poolName(std::size_t pool) const
{
    return QString::fromStdString(scene_->heat->scene->pools[std::size_t(scene_->heat->pools[pool].of)].map.poolName);
}

std::vector<PictureOption> HeatPicture::options() const
{
    std::vector<PictureOption> all;
    if (scene_ && scene_->heat->pools.size() > 1) {
        QStringList names;
        for (std::size_t i = 0; i < scene_->heat->pools.size(); ++i) names << poolName(i);
        all.push_back({QStringLiteral("memory"), {}, names, poolName(std::size_t(state_.pool)), QStringLiteral("Pool shown")});
    }
    all.push_back({QStringLiteral("show"), QStringLiteral("Show"), measureNames(), measureNames()[int(state_.measure)],
                   QStringLiteral("What the colour of a bin stands for")});
    all.push_back({QStringLiteral("bins"), QStringLiteral("Bins"), binNames(), binNames()[int(state_.bins)],
                   QStringLiteral("Size of the bins on the screen")});
    return all;
}

PictureChange HeatPicture::set(const QString& id, const QString& value)
{
    if (id == u"memory") {
        wantedPool_ = value;
        if (!scene_) return PictureChange::nothing;
        for (std::size_t i = 0; i < scene_->heat->pools.size(); ++i)
            if (poolName(i) == value) return choosePool(std::int32_t(i));
        return PictureChange::unknown;
    }
    const QStringList& names = id == u"show" ? measureNames() : binNames();
    const qsizetype at = names.indexOf(value);
    if ((id != u"show" && id != u"bins") || at < 0) return PictureChange::unknown;
    if (id == u"show")
        state_.measure = HeatMeasure(at);
    else
        state_.bins = HeatBins(at);
    state_.hovered.reset();
    return PictureChange::paint;
}

PictureChange HeatPicture::choosePool(std::int32_t pool)
{
    wantedPool_ = poolName(std::size_t(pool));
    if (pool == state_.pool) return PictureChange::nothing;
    state_.pool = pool;
    state_.addresses = {};
    state_.grid = {};
    state_.hovered.reset();
    touchedBin_.reset();
    clearArea();
    return PictureChange::paint;
}

// --- layout --------------------------------------------------------------------------------------------------------------

void HeatPicture::layOut(QSizeF size, double ratio)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    state_.ratio = ratio;
    layout_ = stowage::layOut(state_, size);
    fitAxes(state_, layout_);
    recount();
}

PictureParts HeatPicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = layout_.plotLeft;
    parts.plotRight = layout_.plotRight;
    parts.strips = {QRectF(layout_.map.left(), layout_.map.top(), layout_.plotRight - layout_.map.left(), layout_.map.height())};
    parts.ruler = layout_.ruler;
    return parts;
}

void HeatPicture::show(const ViewRange& range, bool)
{
    state_.steps.show(range.steps);
    if (!range.addresses.empty()) state_.addresses.show(range.addresses.front());
    state_.hovered.reset();
    recount();
}

void HeatPicture::recount()
{
    // More than is shown, so that a pan mostly finds its bins counted.
    const BinSizes bins = wantedBins(state_);
    const OccupancyWindow shown = shownWindow(state_);
    const OccupancyGrid& grid = state_.grid;
    const bool covered = grid.columns > 0 && grid.pool == pool() && grid.binSteps == bins.steps && grid.binBytes == bins.bytes &&
                         grid.firstStep <= shown.steps.begin && grid.stepsOf(grid.columns - 1).end >= shown.steps.end &&
                         grid.firstByte <= shown.low && grid.bytesOf(grid.rows - 1).second >= shown.high;
    if (covered) return;
    OccupancyWindow wider = shown;
    const Step aside = shown.steps.length() / 2;
    const Bytes above = (shown.high - shown.low) / 2;
    wider.steps = {std::max<Step>(0, shown.steps.begin - aside), std::min(scene_->heat->scene->steps, shown.steps.end + aside)};
    wider.low = std::max<Bytes>(0, shown.low - above);
    wider.high = std::min(state_.addresses.high(), shown.high + above);
    setGrid(state_, state_.shown().occupancy.grid(bins, wider));
    ++counts_;
}

// --- painting ------------------------------------------------------------------------------------------------------------

bool HeatPicture::paint(DrawList& list, BodyMode mode)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    return paintHeatmap(list, state_, layout_, mode == BodyMode::vector);
}

void HeatPicture::paintOverlay(DrawList& list) const
{
    paintHeatmapOverlay(list, state_, layout_);
    if (!state_.area) return;
    const QRectF box = geometry().box(*state_.area);
    paintCard(list, theme(), heatCard(state_, *state_.area, areaSums_), box.topRight(), layout_.all, box);
}

void HeatPicture::paintLegend(DrawList& list, double left, double right, double y) const
{
    // A short ramp still tells which end is which; half of one would mislead.
    const double words = list.width(Face::label, scaleEnd(state_)) + list.width(Face::label, QStringLiteral("0")) + 14;
    const double ramp = std::min(rampWidth, std::floor(right - left - words));
    if (ramp < shortestRamp) return;
    const double scale = paintScale(list, state_, right, y, ramp);
    const QString sizes = binsText(state_);
    if (scale - 14 - list.width(Face::label, sizes) >= left)
        list.text(Face::label, scale - 14, y, sizes, theme().text2, draw::Text::Align::right);
}

// --- pointer -------------------------------------------------------------------------------------------------------------

OccupancyWindow HeatPicture::windowOf(const QRectF& box) const
{
    const HeatGeometry g = geometry();
    return {{g.stepAt(box.left()), g.stepAt(box.right()) + 1}, g.addressAt(box.bottom()), g.addressAt(box.top()) + 1};
}

const std::vector<PoolOccupancy::Touch>& HeatPicture::touchesOf(const OccupancyWindow& box) const
{
    if (touchedBin_ != box) {
        touches_ = touchesIn(state_, box);
        std::vector<BufferId> buffers;
        buffers.reserve(touches_.size());
        for (const PoolOccupancy::Touch& touch : touches_) buffers.push_back(touch.buffer);
        touched_ = SharedBuffers(std::move(buffers));
        touchedBin_ = box;
    }
    return touches_;
}

PictureHit HeatPicture::hit(QPointF at) const
{
    PictureHit hit;
    if (at.x() >= layout_.plotLeft && at.x() < layout_.plotRight) hit.step = geometry().stepAt(at.x());
    for (std::size_t i = 0; i < layout_.pools.size(); ++i)
        if (layout_.pools[i].contains(at)) {
            hit.kind = poolRow;
            hit.item = layout_.poolOrder[i];
            hit.acts = true;
            hit.keepsSelection = true;
            return hit;
        }
    const auto window = geometry().binAt(at);
    if (!window) {
        hit.keepsSelection = true;
        return hit;
    }
    hit.kind = Kind::bin;
    hit.box = geometry().box(*window);
    (void)touchesOf(*window);
    hit.chosen = touched_;
    if (!hit.chosen.empty()) hit.buffer = hit.chosen.front();
    return hit;
}

std::optional<CardText> HeatPicture::card(const PictureHit& hit) const
{
    if (hit.kind != bin) return std::nullopt;
    const auto window = geometry().binAt(hit.box.center());
    return window ? std::optional(heatCard(state_, *window, sumsOf(touchesOf(*window)))) : std::nullopt;
}

bool HeatPicture::hover(const PictureHit& hit)
{
    const auto before = state_.hovered;
    state_.hovered = hit.kind == bin ? geometry().binAt(hit.box.center()) : std::nullopt;
    return state_.hovered != before;
}

PictureChange HeatPicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    return hit.kind == poolRow ? choosePool(std::int32_t(hit.item)) : PictureChange::nothing;
}

std::optional<std::vector<BufferId>> HeatPicture::areaTo(QPointF from, QPointF to)
{
    const QRectF body = layout_.body();
    if (!body.contains(from)) return std::nullopt;
    state_.hovered.reset();
    state_.area = windowOf(QRectF(from, to).normalized() & body);
    if (!tally_) tally_.emplace(state_.shownScene().map, scene_->run->problem(), scene_->shown.get());
    tally_->moveTo({state_.area->steps.begin, state_.area->steps.end, state_.area->low, state_.area->high});
    areaSums_ = {tally_->sums().count, tally_->sums().occupied, {}};
    return std::vector<BufferId>();
}

std::optional<std::vector<BufferId>> HeatPicture::endArea()
{
    tally_.reset();
    if (!state_.area) return std::nullopt;
    const std::vector<PoolOccupancy::Touch> touches = touchesIn(state_, *state_.area);
    areaSums_ = sumsOf(touches);
    std::vector<BufferId> inside;
    for (const PoolOccupancy::Touch& touch : touches) inside.push_back(touch.buffer);
    return inside;
}

// --- where to go ---------------------------------------------------------------------------------------------------------

PictureAim HeatPicture::aimAt(BufferId buffer) const
{
    PictureAim aim;
    const MapData& map = state_.shownScene().map;
    for (const std::uint32_t rect : map.rectsOf(buffer)) {
        const StepBytes& r = map.rects[rect];
        if (!aim.across) {
            aim.across = Interval{r.begin, r.end};
            aim.up = {{0, r.low, r.high}};
        } else {
            aim.across = Interval{std::min(aim.across->begin, r.begin), std::max(aim.across->end, r.end)};
            aim.up.front().low = std::min(aim.up.front().low, r.low);
            aim.up.front().high = std::max(aim.up.front().high, r.high);
        }
    }
    return aim;
}

std::optional<PictureAim> HeatPicture::selectionAim() const
{
    if (state_.selected == none || state_.shownScene().map.rectsOf(state_.selected).empty()) return std::nullopt;
    return aimAt(state_.selected);
}

std::optional<PictureAim> HeatPicture::peakAim() const
{
    const Step peak = state_.shownScene().peakStep;
    if (peak < 0) return std::nullopt;
    PictureAim aim;
    aim.cursor = peak;
    aim.across = Interval{peak, peak + 1};
    return aim;
}

std::optional<PictureAim> HeatPicture::neighbourAim(Direction direction, const BufferTest& selectable) const
{
    const auto passes = [&](BufferId id) {
        return selectable(id) && (!filter_ || std::size_t(id) >= filter_->size() || (*filter_)[std::size_t(id)]);
    };
    const MapData& map = state_.shownScene().map;
    const auto rects = map.rectsOf(state_.selected);
    std::optional<BufferId> next;
    if (rects.empty()) {
        // Nothing to start from: the largest one in view.
        for (const PoolOccupancy::Touch& touch : touchesIn(state_, shownWindow(state_)))
            if (passes(touch.buffer)) {
                next = touch.buffer;
                break;
            }
    } else if (const auto found = neighbour(map, rects.front(), direction, passes)) {
        next = map.buffer[*found];
    }
    if (!next) return std::nullopt;
    PictureAim aim = aimAt(*next);
    aim.select = next;
    return aim;
}

QString HeatPicture::spoken() const
{
    return QStringLiteral("%1: %2").arg(poolName(std::size_t(state_.pool)), binsText(state_));
}

} // namespace stowage
