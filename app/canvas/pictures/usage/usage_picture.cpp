#include "app/canvas/pictures/usage/usage_picture.h"

#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

QString allPools()
{
    return QStringLiteral("all pools");
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

PictureJob UsagePicture::prepare(const PictureSource& source) const
{
    return {source.run->problem().buffers.size(), [run = source.run, shown = marks_.shown](const std::stop_token&) {
                auto made = std::make_shared<Scene>();
                made->run = run;
                const bool known = shown && shown->size() == run->problem().buffers.size();
                made->pools = usagePools(*run, known ? shown.get() : nullptr);
                if (made->pools.empty()) made->error = failure(Code::nothingPlaced, "Nothing is placed in this plan.");
                return made;
            }};
}

bool UsagePicture::take(std::shared_ptr<const PictureScene> scene)
{
    const std::shared_ptr<const Scene> before = std::move(scene_);
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    choosePools();
    if (!scene_) return false;
    const Run& run = *scene_->run;
    state_.steps = stepsOf(run);
    state_.ordered = run.problem().axis != Axis::dag;
    const bool same = before && sameBuffers(*before->run, run);
    if (!same) state_.axis = {};
    return same;
}

void UsagePicture::choosePools()
{
    shown_.clear();
    if (scene_)
        for (const UsagePool& pool : scene_->pools)
            if (wanted_.isEmpty() || QString::fromStdString(pool.name) == wanted_) shown_.push_back(pool);
    if (scene_ && shown_.empty()) shown_ = scene_->pools; // another target has other memories
    state_.pools = &shown_;
}

PictureChange UsagePicture::setMarks(const PictureMarks& marks, bool)
{
    const bool filtered = marks_.shown != marks.shown;
    marks_ = marks;
    state_.cursor = marks.cursor;
    state_.selected.clear();
    if (scene_ && marks.selected >= 0 && std::size_t(marks.selected) < scene_->run->problem().buffers.size())
        state_.selected = scene_->run->problem().buffers[std::size_t(marks.selected)].live;
    return filtered ? PictureChange::scene : PictureChange::nothing;
}

std::vector<PictureOption> UsagePicture::options() const
{
    if (!scene_ || scene_->pools.size() < 2) return {};
    QStringList names{allPools()};
    for (const UsagePool& pool : scene_->pools) names << QString::fromStdString(pool.name);
    const QString value = names.contains(wanted_) ? wanted_ : allPools();
    return {{QStringLiteral("memory"), {}, names, value, QStringLiteral("Pools shown")}};
}

PictureChange UsagePicture::set(const QString& id, const QString& value)
{
    if (id != u"memory") return PictureChange::unknown;
    wanted_ = value == allPools() || value == u"all memories" ? QString() : value; // the latter is a former name
    choosePools();
    return PictureChange::paint;
}

// --- layout --------------------------------------------------------------------------------------------------------------

void UsagePicture::layOut(QSizeF size, double ratio)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    state_.ratio = ratio;
    layout_ = stowage::layOut(state_, size);
    fitAxis(state_, layout_);
}

PictureParts UsagePicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = layout_.plotLeft;
    parts.plotRight = layout_.plotRight;
    parts.ruler = layout_.ruler;
    return parts;
}

void UsagePicture::show(const ViewRange& range, bool)
{
    state_.axis.show(range.steps);
}

// --- painting ------------------------------------------------------------------------------------------------------------

bool UsagePicture::paint(DrawList& list, BodyMode)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    paintUsage(list, state_, layout_);
    return false;
}

void UsagePicture::paintOverlay(DrawList& list) const
{
    if (area_) {
        const double left = layout_.plotLeft + state_.axis.edge(area_->steps.begin) / state_.ratio;
        const double right = layout_.plotLeft + state_.axis.edge(area_->steps.end) / state_.ratio;
        const QRectF plot(layout_.plotLeft, 0, layout_.plotRight - layout_.plotLeft, layout_.ruler.top());
        const QRectF box = list.snapped(QRectF(QPointF(left, 0), QPointF(right, layout_.ruler.top())) & plot);
        if (!box.isEmpty()) {
            QColor wash = theme().accent;
            wash.setAlphaF(0.14F);
            list.fill(box, wash);
            list.outline(box.adjusted(0.5, 0.5, -0.5, -0.5), theme().accent, 1);
        }
    }
    paintUsageOverlay(list, state_, layout_);
}

void UsagePicture::paintLegend(DrawList& list, double left, double right, double y) const
{
    paintUsageLegend(list, theme(), left, right, y, !shown_.empty() && shown_.front().kept.size() > 0);
}

// --- pointer -------------------------------------------------------------------------------------------------------------

std::int32_t UsagePicture::poolAt(QPointF at) const
{
    for (std::size_t i = 0; i < layout_.use.size(); ++i)
        if (layout_.use[i].contains(at) || layout_.free[i].contains(at)) return std::int32_t(i);
    return -1;
}

PictureHit UsagePicture::hit(QPointF at) const
{
    PictureHit hit;
    hit.keepsSelection = true;
    if (at.x() < layout_.plotLeft || at.x() >= layout_.plotRight) return hit;
    hit.step = state_.axis.unitAt((at.x() - layout_.plotLeft) * state_.ratio);
    hit.item = poolAt(at);
    if (hit.item < 0) return hit;
    const double left = layout_.plotLeft + state_.axis.edge(*hit.step) / state_.ratio;
    const double right = layout_.plotLeft + state_.axis.edge(*hit.step + 1) / state_.ratio;
    hit.box = {left, layout_.use[std::size_t(hit.item)].top(), std::max(1.0, right - left), 1};
    return hit;
}

std::optional<CardText> UsagePicture::card(const PictureHit& hit) const
{
    if (hit.item < 0 || std::size_t(hit.item) >= shown_.size() || !hit.step) return std::nullopt; // of another choice of pools
    const UsagePool& pool = shown_[std::size_t(hit.item)];
    CardText card;
    card.title = QStringLiteral("step %1").arg(countText(*hit.step));
    card.caption = QString::fromStdString(pool.name);
    const auto line = [&](const QColor& colour, const QString& name, const StepFunction& values, bool dashed = false) {
        card.lines.push_back({colour, name, bytesText(values.valueAt(*hit.step), numbers()), false, dashed});
    };
    if (pool.kept.size() > 0) line(theme().accent, QStringLiteral("live, filtered"), pool.kept);
    const bool filtered = pool.kept.size() > 0;
    line(filtered ? theme().text3 : theme().accent, QStringLiteral("live"), pool.live, filtered);
    line(theme().text2, QStringLiteral("highest byte in use"), pool.top);
    line(theme().warn, QStringLiteral("free"), pool.free);
    line(theme().accent, QStringLiteral("largest hole"), pool.largestFree, true);
    return card;
}

std::optional<std::vector<BufferId>> UsagePicture::areaTo(QPointF from, QPointF to)
{
    const std::int32_t at = poolAt(from);
    if (at < 0 || from.x() < layout_.plotLeft) return std::nullopt;
    const auto x = std::minmax({from.x(), to.x()});
    const double most = std::max(0.0, double(state_.axis.pixels()) - 0.5);
    const auto step = [&](double px) {
        return state_.axis.unitAt(std::clamp((px - layout_.plotLeft) * state_.ratio, 0.0, most));
    };
    area_ = Area{{step(x.first), step(x.second) + 1}, shown_[std::size_t(at)].pool};
    return std::vector<BufferId>(); // a pass over a million buffers would be too much for each move: `endArea` lists them
}

std::optional<std::vector<BufferId>> UsagePicture::areaOfView()
{
    if (shown_.empty() || layout_.use.empty()) return std::nullopt;
    auto inside = areaTo({layout_.plotLeft, layout_.use.front().center().y()}, {layout_.plotRight, 0});
    if (inside) area_->pool = none; // of all that are shown
    return inside;
}

std::optional<std::vector<BufferId>> UsagePicture::endArea()
{
    if (!area_ || !scene_) return std::nullopt;
    std::vector<BufferId> inside;
    const Run& run = *scene_->run;
    for (std::size_t i = 0; i < run.problem().buffers.size(); ++i) {
        const auto& live = run.problem().buffers[i].live;
        const PoolId pool = run.plan.placements[i].pool;
        const bool taken =
            area_->pool == none ? std::ranges::find(shown_, pool, &UsagePool::pool) != shown_.end() : pool == area_->pool;
        if (taken && std::ranges::any_of(live, [&](const Interval& range) { return range.overlaps(area_->steps); }))
            inside.push_back(BufferId(i));
    }
    return inside;
}

// --- where to go ---------------------------------------------------------------------------------------------------------

std::optional<PictureAim> UsagePicture::selectionAim() const
{
    if (state_.selected.empty()) return std::nullopt;
    PictureAim aim;
    aim.across = scene_->run->problem().buffers[std::size_t(marks_.selected)].hull();
    return aim;
}

std::optional<PictureAim> UsagePicture::peakAim() const
{
    const auto highest = std::ranges::max_element(shown_, {}, &UsagePool::markedBytes);
    if (highest == shown_.end() || highest->markedStep < 0) return std::nullopt;
    PictureAim aim;
    aim.cursor = highest->markedStep;
    aim.across = Interval{highest->markedStep, highest->markedStep + 1};
    return aim;
}

std::optional<PictureAim> UsagePicture::neighbourAim(Direction direction, const BufferTest&) const
{
    if (direction == Direction::up || direction == Direction::down) return std::nullopt;
    const bool back = direction == Direction::left;
    const Step from = state_.cursor.value_or(back ? state_.steps : -1);
    const Step to = std::clamp<Step>(from + (back ? -1 : 1), 0, state_.steps - 1);
    PictureAim aim;
    aim.cursor = to;
    aim.across = Interval{to, to + 1};
    return aim;
}

QString UsagePicture::spoken() const
{
    QStringList texts;
    for (const UsagePool& pool : shown_) {
        const bool filtered = pool.kept.size() > 0;
        texts << (filtered ? QStringLiteral("%1: %2, at most %3 of the filtered buffers live")
                           : QStringLiteral("%1: %2, at most %3 live"))
                     .arg(nameText(pool.name), bytesText(pool.size, numbers()), bytesText(pool.markedBytes, numbers()));
        if (pool.markedStep >= 0) texts.back() += QStringLiteral(" at step %1").arg(countText(pool.markedStep));
    }
    return texts.join(QStringLiteral("; "));
}

} // namespace stowage
