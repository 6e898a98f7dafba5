#include "app/canvas/pictures/map/stack_picture.h"

#include "app/canvas/kit/background_pool.h"
#include "app/canvas/kit/legend.h"
#include "app/canvas/kit/outlined.h"
#include "app/canvas/pictures/map/paint_stack.h"
#include "app/canvas/pictures/map/stack_parts.h"
#include "app/canvas/pictures/scene_cache.h"

#include <QThreadPool>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr std::size_t supportAtOnce = 20000; ///< buffers up to which what rests on what is found within a frame
constexpr std::size_t maxRevealed = 50000;   ///< rows of a closed group that a selection from elsewhere may open

bool showsAll(const PixelAxis& axis)
{
    return axis.range().span >= axis.maximumSpan() * (1 - 1e-9);
}

std::vector<std::string> classNames(const Colouring& colouring)
{
    std::vector<std::string> names;
    for (const ColourClass& c : colouring.classes) names.push_back(c.name);
    return names;
}

QString nameOf(ColourBy by)
{
    const std::string_view name = toText(by);
    return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

QString onOrOff(bool on)
{
    return on ? QStringLiteral("on") : QStringLiteral("off");
}

/// Whether two pictures show the same pools in the same order.
bool sameStrips(const ViewState& a, const ViewState& b)
{
    const auto mapOf = [](const ViewState& view, std::int32_t strip) -> const MapData& {
        return view.scene().pools[std::size_t(strip)].map;
    };
    return std::ranges::equal(a.state().strips, b.state().strips, [&](std::int32_t left, std::int32_t right) {
        const MapData &one = mapOf(a, left), &other = mapOf(b, right);
        return one.pool == other.pool && one.poolName == other.poolName;
    });
}

} // namespace

/// The view is made with the scene, and handed over when the picture takes it.
struct StackPicture::Scene final : PictureScene {
    mutable std::unique_ptr<ViewState> view;
};

StackPicture::StackPicture(unsigned bands) : bands_(bands) {}

StackPicture::~StackPicture()
{
    const std::scoped_lock lock(notify_->mutex);
    notify_->call = nullptr;
    tiles_.clear(); // waits for those who paint
}

// --- what is shown -------------------------------------------------------------------------------------------------------

PictureJob StackPicture::prepare(const PictureSource& source) const
{
    return {source.run->problem().buffers.size(),
            [shown = source.run, make = sceneMaker(source)](const std::stop_token&) { return make(shown); }};
}

StackPicture::SceneMaker StackPicture::sceneMaker(const PictureSource& source) const
{
    const Run& run = *source.run;
    const ColourBy by = colourBy_ && hasColouring(run, *colourBy_) ? *colourBy_ : defaultColouring(run);
    const bool regroup = groupingChosen_ && hasColouring(run, grouping_);
    return [scenes = source.scenes, theme = &theme(), by, regroup,
            grouping = grouping_](const std::shared_ptr<const Run>& shown) -> std::shared_ptr<const PictureScene> {
        auto made = std::make_shared<Scene>();
        made->run = shown;
        made->view = std::make_unique<ViewState>(scenes->scene(shown), *theme, by);
        if (regroup) made->view->setGrouping(grouping);
        return made;
    };
}

bool StackPicture::stillOf(const PictureScene& scene, const PictureSource& source) const
{
    return source.run && sameBuffers(*scene.run, *source.run);
}

bool StackPicture::take(std::shared_ptr<const PictureScene> scene)
{
    const std::unique_ptr<ViewState> before = std::move(view_);
    move_.reset();
    tallies_.clear(); // they count in the scene of before
    supportAsked_ = false;
    if (!scene) {
        tiles_.clear();
        return false;
    }
    view_ = std::move(static_cast<const Scene&>(*scene).view);
    const Run& run = *view_->scene().run;
    if (!groupingChosen_ || !hasColouring(run, grouping_)) grouping_ = defaultGrouping(run);
    StackState& state = view_->state();
    state.theme = &theme();
    state.numbers = numbers();
    state.curve = bands_ & bandCurve;
    state.opTrack = bands_ & bandOps;
    state.map = bands_ & bandMap;
    state.rows = bands_ & bandRows;
    state.chain = chain_;
    state.minTop = minTop_;
    state.gutter = gutter_;
    state.notes = notes_;
    if (ownColouring_ && ownColouring_->of.size() == run.problem().buffers.size()) view_->setColouring(*ownColouring_);
    if (marks_.shown) showMask();
    if (!clique_) view_->setClique(false);
    view_->setConflicts(conflicts_);
    view_->setReuse(reuse_);
    if (!wantedPool_.isEmpty())
        for (const PoolScene& pool : view_->scene().pools)
            if (QString::fromStdString(pool.map.poolName) == wantedPool_) onlyPool_ = pool.map.pool;
    wantedPool_.clear();
    const bool same = before && sameBuffers(*before->scene().run, run);
    if (same) {
        if (classNames(before->colouring()) == classNames(view_->colouring())) view_->setHiddenClasses(before->hiddenClasses());
        std::vector<bool> open;
        const auto &old = before->timeline().groups(), &now = view_->timeline().groups();
        for (std::size_t g = 0; g < now.size(); ++g)
            open.push_back(g < old.size() && old[g].name == now[g].name ? old[g].open : now[g].open);
        view_->timeline().setOpen(open);
        state.scroll = before->state().scroll;
    }
    applyStrips();
    // An area in strips is one of their addresses.
    if (area_ && (area_->place == Place::strip || !area_->boxes.empty()) && (!before || !sameStrips(*before, *view_)))
        area_.reset();
    if (size_.isEmpty()) return same;
    StackPicture::layOut(size_, before ? before->state().ratio : state.ratio);
    if (same) {
        // What was zoomed in on stays in view; what showed everything still does, however large that is now.
        const Viewport& old = before->state().viewport;
        Viewport& now = state.viewport;
        if (old.steps.high() == now.steps.high()) now.steps.show(old.steps.range());
        for (std::size_t i = 0; i < now.addresses.size(); ++i)
            for (std::size_t k = 0; k < old.addresses.size(); ++k)
                if (before->scene().pools[std::size_t(before->state().strips[k])].map.pool ==
                        view_->scene().pools[std::size_t(state.strips[i])].map.pool &&
                    !showsAll(old.addresses[k]))
                    now.addresses[i].show(old.addresses[k].range());
        if (area_) sumUp(*area_);
    }
    return same;
}

void StackPicture::applyStrips()
{
    StackState& state = view_->state();
    state.strips.clear();
    const auto& pools = view_->scene().pools;
    for (std::size_t i = 0; i < pools.size(); ++i)
        if (onlyPool_ == none || pools[i].map.pool == onlyPool_) state.strips.push_back(std::int32_t(i));
    if (state.strips.empty())
        for (std::size_t i = 0; i < pools.size(); ++i) state.strips.push_back(std::int32_t(i));
    state.viewport.addresses.clear();
    tiles_.clear();
    if (!state.map) return;
    for (std::size_t i = 0; i < state.strips.size(); ++i)
        tiles_.push_back(std::make_unique<MapTiles>([this] {
            if (ready()) ready()();
        }));
}

QString StackPicture::poolName(PoolId pool) const
{
    for (const PoolScene& each : view_->scene().pools)
        if (each.map.pool == pool) return QString::fromStdString(each.map.poolName);
    return {};
}

// --- options -------------------------------------------------------------------------------------------------------------

std::vector<PictureOption> StackPicture::options() const
{
    std::vector<PictureOption> all;
    QStringList colourings, groupings; // rows are grouped by categories only
    for (const ColourBy by : allColourings) {
        if (view_ && !hasColouring(*view_->scene().run, by)) continue;
        colourings << nameOf(by);
        if (!ordered(by)) groupings << nameOf(by);
    }
    all.push_back({QStringLiteral("colour"), QStringLiteral("Colour by"), colourings, nameOf(colourBy()),
                   QStringLiteral("What colours of buffers mean")});
    if (bands_ & bandRows)
        all.push_back({QStringLiteral("group"), QStringLiteral("Group by"), groupings, nameOf(grouping_),
                       QStringLiteral("What rows are grouped by")});
    if (!(bands_ & bandMap)) return all;
    if (view_ && view_->scene().pools.size() > 1) {
        QStringList names{QStringLiteral("all pools")};
        for (const PoolScene& pool : view_->scene().pools) names << QString::fromStdString(pool.map.poolName);
        all.push_back({QStringLiteral("memory"),
                       {},
                       names,
                       onlyPool_ == none ? names.front() : poolName(onlyPool_),
                       QStringLiteral("Pools shown")});
    }
    const auto toggle = [&](const char* id, const char* label, bool on, const char* tip) {
        all.push_back(
            {QLatin1String(id), QLatin1String(label), {onOrOff(false), onOrOff(true)}, onOrOff(on), QLatin1String(tip)});
    };
    toggle("reuse", "Reuse", reuse_, "Arrows to buffers that take over bytes, on runs with pipes");
    toggle("clique", "Clique", clique_, "Marks the peak step and the buffers that prove the lower bound");
    toggle("chain", "Chain", chain_, "Buffers below the selected one that it rests on, down to address 0");
    toggle("conflicts", "Conflicts", conflicts_, "Outlines buffers that may not share a byte with the selected one");
    return all;
}

PictureChange StackPicture::set(const QString& id, const QString& value)
{
    if (id == u"colour") {
        const auto by = colourByFrom(value.toStdString());
        return by ? setColourBy(by) : PictureChange::unknown;
    }
    if (id == u"group") {
        const auto by = colourByFrom(value.toStdString());
        return by && !ordered(*by) ? setGrouping(*by) : PictureChange::unknown;
    }
    if (id == u"memory") {
        if (!view_) {
            wantedPool_ = value;
            return PictureChange::nothing;
        }
        if (value == u"all pools" || value == u"all memories") return setPool(none); // the latter is a former name
        for (const PoolScene& pool : view_->scene().pools)
            if (QString::fromStdString(pool.map.poolName) == value) return setPool(pool.map.pool);
        return PictureChange::unknown;
    }
    if (value != u"on" && value != u"off") return PictureChange::unknown;
    const bool on = value == u"on";
    if (id == u"clique") {
        clique_ = on;
        if (view_) view_->setClique(on);
    } else if (id == u"chain") {
        chain_ = on;
        if (view_) view_->state().chain = on;
        showSelection();
    } else if (id == u"conflicts") {
        conflicts_ = on;
        if (view_) view_->setConflicts(on);
    } else if (id == u"reuse") {
        reuse_ = on;
        if (view_) view_->setReuse(on);
    } else {
        return PictureChange::unknown;
    }
    return PictureChange::paint;
}

PictureChange StackPicture::setColourBy(std::optional<ColourBy> by)
{
    return std::exchange(colourBy_, by) == by ? PictureChange::nothing : PictureChange::scene;
}

ColourBy StackPicture::colourBy() const
{
    return view_ ? view_->colouring().by : colourBy_.value_or(ColourBy::opKind);
}

PictureChange StackPicture::setHiddenClasses(unsigned classes)
{
    if (!view_ || classes == view_->hiddenClasses()) return PictureChange::nothing;
    tallies_.clear();
    view_->setHiddenClasses(classes);
    if (area_) sumUp(*area_);
    return PictureChange::paint;
}

PictureChange StackPicture::setGrouping(ColourBy by)
{
    groupingChosen_ = true;
    return std::exchange(grouping_, by) == by ? PictureChange::nothing : PictureChange::scene;
}

PictureChange StackPicture::setAllOpen(bool open)
{
    if (!view_) return PictureChange::nothing;
    view_->timeline().setAllOpen(open);
    return PictureChange::paint;
}

PictureChange StackPicture::setPool(PoolId pool)
{
    if (std::exchange(onlyPool_, pool) == pool || !view_) return PictureChange::nothing;
    area_.reset();
    applyStrips();
    return PictureChange::paint;
}

PictureChange StackPicture::setScale(Bytes top, double gutter)
{
    if (top == minTop_ && gutter == gutter_) return PictureChange::nothing;
    minTop_ = top;
    gutter_ = gutter;
    if (!view_) return PictureChange::nothing;
    StackState& state = view_->state();
    const ViewRange before = state.viewport.range();
    std::vector<bool> whole;
    for (const PixelAxis& axis : state.viewport.addresses) whole.push_back(showsAll(axis));
    state.minTop = top;
    state.gutter = gutter;
    if (size_.isEmpty()) return PictureChange::paint;
    StackPicture::layOut(size_, state.ratio);
    state.viewport.steps.show(before.steps);
    for (std::size_t i = 0; i < std::min(before.addresses.size(), state.viewport.addresses.size()); ++i)
        if (!whole[i]) state.viewport.addresses[i].show(before.addresses[i]);
    return PictureChange::paint;
}

PictureChange StackPicture::setOwnColouring(std::shared_ptr<const Colouring> colouring)
{
    ownColouring_ = std::move(colouring);
    if (!view_) return PictureChange::nothing;
    if (!ownColouring_) return PictureChange::scene;
    if (ownColouring_->of.size() == view_->scene().run->problem().buffers.size()) view_->setColouring(*ownColouring_);
    return PictureChange::paint;
}

void StackPicture::setNotes(std::vector<MapNote> notes)
{
    notes_ = std::move(notes);
    if (view_) view_->state().notes = notes_;
}

// --- selection -----------------------------------------------------------------------------------------------------------

PictureChange StackPicture::setMarks(const PictureMarks& marks, bool fromHere)
{
    const bool selects = marks.selected != marks_.selected || marks.selection != marks_.selection;
    const bool filters = marks.shown != marks_.shown;
    marks_ = marks;
    if (!view_) return PictureChange::nothing;
    StackState& state = view_->state();
    state.cursor = marks.cursor;
    state.hovered = marks.hovered;
    if (filters) {
        showMask();
        if (area_) sumUp(*area_);
    }
    if (selects || state.selected != marks.selected) {
        showSelection();
        if (!fromHere) revealRow();
    }
    return PictureChange::nothing;
}

void StackPicture::showSelection()
{
    if (!view_) return;
    const RunScene& scene = view_->scene();
    const bool now = chain_ && (scene.supportReady() || scene.run->problem().buffers.size() <= supportAtOnce);
    view_->select(marks_.selected, marks_.selection.size() > 1 ? marks_.selection : SharedBuffers(), now);
    if (!chain_ || now || marks_.selected == none || supportAsked_) return;
    // Half a second for a million buffers: found on a thread, and drawn once it is there.
    supportAsked_ = true;
    {
        const std::scoped_lock lock(notify_->mutex);
        notify_->call = ready();
    }
    backgroundPool().start([shared = view_->sharedScene(), notify = notify_] {
        (void)shared->support();
        const std::scoped_lock lock(notify->mutex);
        if (notify->call) notify->call();
    });
}

void StackPicture::showMask()
{
    tallies_.clear(); // they count what the filter included before
    const bool fits = marks_.shown && marks_.shown->size() == view_->scene().run->problem().buffers.size();
    view_->setShown(fits ? *marks_.shown : std::vector<bool>{});
}

bool StackPicture::isShown(BufferId id) const
{
    const auto styles = view_->state().styles;
    return std::size_t(id) >= styles.size() || !(styles[std::size_t(id)] & (styleHidden | styleDim));
}

void StackPicture::revealRow()
{
    if (layout_.rows.isEmpty() || view_->state().selected == none) return;
    Timeline& timeline = view_->timeline();
    const BufferId chosen = view_->state().selected;
    if (!timeline.rowOf(chosen)) {
        const auto group = timeline.groupOf(chosen);
        if (!group || timeline.groups()[*group].members.size() > maxRevealed) return;
        timeline.reveal(chosen);
        StackPicture::layOut(size_, view_->state().ratio);
    }
    scrollToRow();
}

std::optional<TimelineRow> StackPicture::selectedRow() const
{
    if (layout_.rows.isEmpty() || view_->state().selected == none) return std::nullopt;
    return view_->timeline().rowOf(view_->state().selected);
}

bool StackPicture::isInView(const TimelineRow& row) const
{
    const double scroll = view_->state().scroll;
    return row.top + row.height > scroll && row.top < scroll + layout_.rows.height();
}

void StackPicture::scrollToRow()
{
    const auto row = selectedRow();
    if (!row) return;
    const double room = layout_.rows.height();
    const double lowest = row->top + 2 * row->height - room, highest = row->top - row->height;
    if (isInView(*row) && lowest <= highest)
        scrollTo(0, std::clamp(view_->state().scroll, lowest, highest));
    else
        scrollTo(0, row->top + (row->height - room) / 2);
}

// --- layout --------------------------------------------------------------------------------------------------------------

void StackPicture::layOut(QSizeF size, double ratio)
{
    const auto before = selectedRow();
    // The selected row stays in view at another size, and comes into view with the first room for rows.
    const bool follows = size != size_ && (layout_.rows.isEmpty() || (before && isInView(*before)));
    size_ = size;
    StackState& state = view_->state();
    state.theme = &theme();
    state.numbers = numbers();
    state.ratio = ratio;
    layout_ = stowage::layOut(state, size);
    view_->timeline().fitRows(state.map ? 0 : layout_.rows.height()); // beside a map, the map takes the room
    fitViewport(state, layout_);
    scrollTo(0, state.scroll);
    if (follows) scrollToRow();
}

PictureParts StackPicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = layout_.plotLeft;
    parts.plotRight = layout_.plotRight;
    parts.strips = layout_.strips;
    parts.ruler = layout_.ruler;
    if (!layout_.rows.isEmpty()) {
        PictureScroll rows;
        rows.box = layout_.rows;
        rows.names = QRectF(layout_.rows.topLeft(), QSizeF(layout_.plotLeft, layout_.rows.height()));
        rows.content = view_->timeline().height();
        rows.at = view_->state().scroll;
        rows.wheel = false; // it zooms time there too
        rows.bar = view_->timeline().height() > layout_.rows.height() + 1;
        parts.scrolls = {rows};
    }
    return parts;
}

void StackPicture::show(const ViewRange& range, bool moving)
{
    view_->state().viewport.show(range);
    moving_ = moving;
}

void StackPicture::scrollTo(std::size_t, double y)
{
    const double most = std::max(0.0, view_->timeline().height() - layout_.rows.height());
    view_->state().scroll = std::round(std::clamp(y, 0.0, most));
}

// --- painting ------------------------------------------------------------------------------------------------------------

std::size_t StackPicture::areasPainted() const
{
    std::size_t count = 0;
    for (const auto& tiles : tiles_) count += tiles->painted();
    return count;
}

bool StackPicture::settled() const
{
    return std::ranges::all_of(tiles_, [](const auto& tiles) { return tiles->complete(); });
}

bool StackPicture::paint(DrawList& list, BodyMode mode)
{
    StackState& state = view_->state();
    state.theme = &theme();
    state.numbers = numbers();
    if (supportAsked_ && view_->scene().supportReady()) {
        supportAsked_ = false;
        showSelection();
    }
    if (mode != BodyMode::given) return paintStack(list, state, layout_, mode);
    std::vector<QImage> bodies(layout_.strips.size());
    for (std::size_t i = 0; i < layout_.strips.size() && i < tiles_.size(); ++i)
        bodies[i] = tiles_[i]->body({view_->sharedScene(), view_->styles(), geometry().picture(i)}, moving_);
    return paintStack(list, state, layout_, mode, bodies);
}

void StackPicture::paintOverlay(DrawList& list) const
{
    paintStackOverlay(list, view_->state(), layout_);
    QRectF highest; // the card is beside it
    for (const QRectF& exact : areaBoxes()) {
        const QRectF box = list.snapped(exact);
        if (box.isEmpty()) continue;
        list.fill(box, stack::withAlpha(theme().accent, 0.14));
        list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme().accent, 1);
        if (highest.isEmpty()) highest = box;
    }
    if (!highest.isEmpty()) paintAreaSums(list, highest, *area_);
    if (move_) paintMove(list);
}

void StackPicture::paintLegend(DrawList& list, double left, double right, double y) const
{
    paintColourLegend(list, theme(), view_->colouring(), left, right, y);
}

void StackPicture::paintMove(DrawList& list) const
{
    const StackGeometry g = geometry();
    const Buffer& moved = view_->scene().run->problem().buffers[std::size_t(move_->buffer)];
    const MoveVerdict& verdict = move_->verdict;
    const QRectF& band = layout_.strips[move_->strip];
    const QRectF plot(layout_.plotLeft + 1, band.top(), layout_.plotWidth(), band.height());
    const bool displaces = verdict.kind == MoveVerdict::Kind::displaces;
    const QColor colour = !verdict.legal() ? theme().bad : displaces ? theme().warn : theme().ok;
    const double top = g.y(move_->strip, verdict.offset + moved.size);
    const double bottom = g.y(move_->strip, verdict.offset);
    list.clip(plot);
    std::vector<Interval> live = moved.live;
    if (live.empty()) live.push_back({0, view_->scene().steps});
    for (const Interval& range : live) {
        const QRectF box = list.snapped(QRectF(
            QPointF(g.x(range.begin), top), QPointF(std::max(g.x(range.begin) + 2, g.x(range.end)), std::max(top + 2, bottom))));
        list.fill(box, stack::withAlpha(colour, 0.28), 1.5);
        if (!verdict.legal()) list.add(draw::Hatch{box & plot, colour, 5, true, plot.bottomLeft()});
        list.outline(box.adjusted(1, 1, -1, -1), colour, 2, 1.5);
    }
    // What is in the way.
    const MapData& map = view_->scene().pools[std::size_t(view_->state().strips[move_->strip])].map;
    forEachOutlined(map, SharedBuffers(verdict.inTheWay), g.inView(move_->strip), [&](std::size_t rect) {
        list.outline(g.rectOf(move_->strip, rect, 4).adjusted(0.5, 0.5, -0.5, -0.5), colour, 1.5, 1.5, Dash::chain);
    });
    QString words = addressText(verdict.offset, numbers());
    switch (verdict.kind) {
    case MoveVerdict::Kind::free: words += QStringLiteral("  free"); break;
    case MoveVerdict::Kind::displaces:
        words +=
            QStringLiteral("  displaces %1").arg(countedText(std::int64_t(verdict.inTheWay.size()), QStringLiteral("buffer")));
        break;
    case MoveVerdict::Kind::collides: words += QStringLiteral("  collides with a pinned buffer"); break;
    case MoveVerdict::Kind::outside: words += QStringLiteral("  above the capacity"); break;
    }
    const double width = list.chipWidth(words);
    const double left = std::clamp(g.x(live.front().begin), plot.left() + 2, std::max(plot.left() + 2, plot.right() - width - 2));
    const double y = top - DrawList::chipHeight - 4 < plot.top() ? std::min(bottom + 4, plot.bottom() - DrawList::chipHeight - 2)
                                                                 : top - DrawList::chipHeight - 4;
    list.chip(left + width, y, words, colour, theme().well);
    list.unclip();
}

} // namespace stowage
