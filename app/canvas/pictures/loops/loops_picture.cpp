#include "app/canvas/pictures/loops/loops_picture.h"

#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace stowage {

namespace {

QString loopText(const std::string& words)
{
    return QString::fromStdString(words);
}

QString loopName(const Run& run, LoopId loop)
{
    return loopText(stowage::loopName(run.problem(), loop));
}

QString allAddresses()
{
    return QStringLiteral("all");
}
QString ofTheViews()
{
    return QStringLiteral("of the views");
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

std::optional<Error> LoopsPicture::whyNot(const PictureSource& source)
{
    if (auto why = whyNoRun(source)) return why;
    if (!source.run->program)
        return failure(Code::noLoop, "The input is a list of buffers: the loops that they belong to are not in it.", {},
                       "draw another view");
    if (loopsOf(*source.run->lowering).empty())
        return failure(Code::noLoop, "The program has no loops.", {}, "draw another view");
    return std::nullopt;
}

PictureJob LoopsPicture::prepare(const PictureSource& source) const
{
    return {source.run->problem().buffers.size(),
            [run = source.run, scenes = source.scenes, wanted = wanted_, asked = asked_](const std::stop_token&) {
                auto made = std::make_shared<Scene>();
                made->run = run;
                made->runScene = scenes->scene(run);
                made->loops = loopsOf(*run->lowering);
                LoopId chosen = made->loops.front();
                std::string names;
                bool known = wanted.isEmpty();
                for (const LoopId loop : made->loops) {
                    const QString name = loopName(*run, loop);
                    names += (names.empty() ? "one of " : ", ") + name.toStdString();
                    if (name != wanted) continue;
                    chosen = loop;
                    known = true;
                }
                auto picture = loopPicture(*run, chosen);
                if (!known)
                    made->error = failure(Code::noLoop, "there is no loop named \"" + wanted.toStdString() + "\"", {}, names);
                else if (!picture)
                    made->error =
                        failure(Code::noLoop, "The loop has no tensors, so there are no views of them to show.", {}, names);
                else if (asked && picture->story.tripCount && *asked >= *picture->story.tripCount)
                    made->error = failure(Code::noIteration, "the loop has no iteration " + std::to_string(*asked), {},
                                          "0 to " + std::to_string(*picture->story.tripCount - 1));
                else
                    made->picture = *std::move(picture);
                return made;
            }};
}

bool LoopsPicture::take(std::shared_ptr<const PictureScene> scene)
{
    const std::shared_ptr<const Scene> before = std::move(scene_);
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    state_.picture = scene_ ? &scene_->picture : nullptr;
    state_.scene = scene_ ? scene_->runScene.get() : nullptr;
    state_.hovered = none;
    if (!scene_) return false;
    if (!asked_) state_.iteration = std::min(state_.iteration, iterations() - 1);
    asked_.reset();
    hold();
    const bool same =
        before && sameBuffers(*before->run, *scene_->run) && before->picture.story.views.loop == scene_->picture.story.views.loop;
    if (!same) {
        state_.scroll = 0;
        state_.viewport = {};
    }
    return same;
}

void LoopsPicture::hold()
{
    state_.holds.clear();
    if (scene_) state_.holds = loopHolds(scene_->run->problem(), scene_->run->plan, loop(), state_.iteration);
}

LoopId LoopsPicture::loop() const
{
    return scene_ ? scene_->picture.story.views.loop : LoopId(none);
}

std::int64_t LoopsPicture::iterations() const
{
    if (!scene_) return 1;
    const LoopStory& story = scene_->picture.story;
    const std::int64_t shown = story.views.first + 3 * story.views.repeat + 2;
    return std::max<std::int64_t>(1, story.tripCount ? *story.tripCount : shown);
}

PictureChange LoopsPicture::setMarks(const PictureMarks& marks, bool)
{
    marks_ = marks;
    state_.selected = marks.selected;
    state_.hovered = marks.hovered;
    state_.cursor = marks.cursor;
    state_.shown = marks_.shown.get();
    return PictureChange::nothing;
}

std::vector<PictureOption> LoopsPicture::options() const
{
    std::vector<PictureOption> options;
    QStringList names;
    if (scene_)
        for (const LoopId each : scene_->loops) names << loopName(*scene_->run, each);
    options.push_back({QStringLiteral("loop"), QStringLiteral("Loop"), names, scene_ ? loopName(*scene_->run, loop()) : wanted_,
                       QStringLiteral("Loop shown")});
    options.push_back({QStringLiteral("addresses"),
                       QStringLiteral("Addresses"),
                       {allAddresses(), ofTheViews()},
                       state_.close ? ofTheViews() : allAddresses(),
                       QStringLiteral("All that the body uses, or only where the tensors above lie")});
    return options;
}

PictureChange LoopsPicture::set(const QString& id, const QString& value)
{
    if (id == u"loop") return std::exchange(wanted_, value) == value ? PictureChange::nothing : PictureChange::scene;
    if (id == u"addresses" && (value == allAddresses() || value == ofTheViews())) {
        state_.close = value == ofTheViews();
        return PictureChange::paint;
    }
    if (id == u"iteration") {
        bool number = false;
        const std::int64_t wanted = value.toLongLong(&number);
        if (!number || wanted < 0) return PictureChange::unknown;
        const bool counted = scene_ && scene_->picture.story.tripCount && wanted >= *scene_->picture.story.tripCount;
        if (counted) return PictureChange::unknown;
        if (!scene_) asked_ = wanted;
        state_.iteration = wanted;
        hold();
        return PictureChange::paint;
    }
    return PictureChange::unknown;
}

// --- layout --------------------------------------------------------------------------------------------------------------

void LoopsPicture::layOut(QSizeF size, double ratio)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    state_.ratio = ratio;
    layout_ = stowage::layOut(state_, size);
    fitViewport(state_, layout_);
    scrollTo(0, state_.scroll);
}

PictureParts LoopsPicture::parts() const
{
    PictureParts parts;
    parts.plotLeft = layout_.plotLeft;
    parts.plotRight = layout_.plotRight;
    parts.strips = layout_.strips;
    parts.ruler = layout_.ruler;
    PictureScroll rows;
    rows.box = layout_.rows;
    rows.content = layout_.contentHeight;
    rows.at = state_.scroll;
    parts.scrolls = {rows};
    return parts;
}

void LoopsPicture::show(const ViewRange& range, bool)
{
    state_.viewport.show(range);
}

void LoopsPicture::scrollTo(std::size_t, double y)
{
    state_.scroll = std::clamp(y, 0.0, std::max(0.0, layout_.contentHeight - layout_.rows.height()));
}

bool LoopsPicture::paint(DrawList& list, BodyMode)
{
    state_.theme = &theme();
    state_.numbers = numbers();
    paintLoop(list, state_, layout_);
    return false;
}

// --- pointer -------------------------------------------------------------------------------------------------------------

LoopHit LoopsPicture::loopHitOf(const PictureHit& hit) const
{
    LoopHit found;
    found.kind = LoopHit::Kind(hit.kind & 0xF);
    found.row = std::size_t(hit.kind >> 4);
    found.hold = found.row;
    found.iteration = hit.item;
    found.buffer = hit.buffer;
    found.box = hit.box;
    return found;
}

PictureHit LoopsPicture::hit(QPointF at) const
{
    const LoopHit found = loopHit(state_, layout_, at);
    PictureHit hit;
    hit.kind = std::int32_t(found.kind) | std::int32_t(found.kind == LoopHit::Kind::hold ? found.hold : found.row) << 4;
    hit.item = found.iteration;
    hit.buffer = found.buffer;
    if (hit.buffer != none) hit.chosen = {hit.buffer};
    hit.box = found.box;
    hit.acts = found.kind == LoopHit::Kind::bar || found.kind == LoopHit::Kind::column;
    const bool inStrip = std::ranges::any_of(layout_.strips, [&](const QRectF& strip) { return strip.contains(at); });
    if ((inStrip || layout_.ruler.contains(at)) && at.x() >= layout_.plotLeft && at.x() < layout_.plotRight)
        hit.step = state_.viewport.steps.unitAt((at.x() - layout_.plotLeft) * state_.ratio);
    return hit;
}

std::optional<CardText> LoopsPicture::card(const PictureHit& hit) const
{
    const LoopHit found = loopHitOf(hit);
    if (found.kind != LoopHit::Kind::bar && found.kind != LoopHit::Kind::hold) return std::nullopt;
    const LoopPicture& picture = scene_->picture;
    const Problem& problem = scene_->run->problem();
    CardText card;
    card.titleIsNumber = false;
    const auto line = [&](const QString& caption, const QString& value) { card.lines.push_back({{}, caption, value, false}); };
    const auto place = [&](PoolId pool, Bytes offset) {
        return QStringLiteral("%1 in %2").arg(addressText(offset, numbers()), loopText(problem.pools[std::size_t(pool)].name));
    };
    // The title is the name of the tensor; the buffer may have that of another one.
    const auto called = [&](const std::string& name, BufferId buffer) {
        card.title = loopText(name);
        if (buffer == none) return;
        const std::string& own = problem.buffers[std::size_t(buffer)].name;
        if (own != name) line(QStringLiteral("buffer"), loopText(own));
    };
    std::int32_t colour = -1;
    if (found.kind == LoopHit::Kind::bar) {
        const LoopRow& row = picture.rows[found.row];
        colour = row.places[std::size_t(picture.story.like(found.iteration))];
        const auto& [pool, offset] = picture.places[std::size_t(colour)];
        called(row.name, found.buffer);
        line(QStringLiteral("iteration"), countText(found.iteration));
        line(QStringLiteral("lies"), place(pool, offset));
        line(QStringLiteral("view"), row.type == ViewType::fixed ? QStringLiteral("fixed")
                                     : row.type == ViewType::chosen
                                         ? QStringLiteral("chosen when it runs")
                                         : QStringLiteral("type %1, one of %2")
                                               .arg(row.type == ViewType::typeI ? QStringLiteral("I") : QStringLiteral("II"))
                                               .arg(picture.viewsOf(found.row)));
        if (row.carriedTo >= 0)
            line(QStringLiteral("then"),
                 (row.moved ? QStringLiteral("copied to %1") : QStringLiteral("%1 of the next iteration, in place"))
                     .arg(loopText(picture.rows[std::size_t(row.carriedTo)].name)));
        else if (row.carriedIn)
            line(QStringLiteral("size"), bytesText(row.bytes, numbers()));
    } else {
        if (found.hold >= state_.holds.size()) return std::nullopt;
        const LoopHold& held = state_.holds[found.hold];
        const Buffer& buffer = problem.buffers[std::size_t(held.buffer)];
        colour = picture.placeAt(held.pool, held.offset);
        called(loopHoldName(state_, held), held.buffer);
        line(QStringLiteral("size"), bytesText(buffer.size, numbers()));
        line(QStringLiteral("lies"), place(held.pool, held.offset));
        line(QStringLiteral("live"), QStringLiteral("[%1, %2)").arg(held.live.begin).arg(held.live.end));
        if (held.made < state_.iteration)
            line(QStringLiteral("made"), QStringLiteral("in iteration %1").arg(countText(held.made)));
        else if (const auto rules = rotationRules(problem, scene_->run->plan.placements[std::size_t(held.buffer)]);
                 !rules.empty())
            line(QStringLiteral("rotates"), loopText(rules.back()));
    }
    if (!card.lines.empty())
        card.titleSwatch =
            colour >= 0 ? theme().buffers[std::min(std::size_t(colour), theme().buffers.size() - 1)] : theme().press;
    return card;
}

bool LoopsPicture::hover(const PictureHit& hit)
{
    return std::exchange(state_.hovered, hit.buffer) != hit.buffer;
}

PictureChange LoopsPicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    const LoopHit found = loopHitOf(hit);
    if (found.kind != LoopHit::Kind::bar && found.kind != LoopHit::Kind::column) return PictureChange::nothing;
    state_.iteration = std::clamp<std::int64_t>(found.iteration, 0, iterations() - 1);
    hold();
    return PictureChange::paint;
}

std::optional<std::vector<BufferId>> LoopsPicture::areaTo(QPointF from, QPointF to)
{
    // Bars in the rows, or pieces in a strip: what the area touches.
    const QRectF area = QRectF(from, to).normalized();
    std::vector<BufferId> inside;
    for (std::size_t strip = 0; strip < layout_.strips.size(); ++strip) {
        if (!layout_.strips[strip].contains(from)) continue;
        for (const LoopHold& held : state_.holds)
            if (held.pool == scene_->picture.pools[strip] && loopHoldBox(state_, layout_, strip, held).intersects(area))
                inside.push_back(held.buffer);
    }
    if (layout_.rows.contains(from))
        for (std::size_t row = 0; row < scene_->picture.rows.size(); ++row)
            for (std::size_t column = 0; column < layout_.columns.size(); ++column)
                if (loopBar(state_, layout_, row, column).intersects(area)) {
                    const auto& view = scene_->picture.story.views.views[std::size_t(scene_->picture.rows[row].view)];
                    const std::int64_t iteration = layout_.firstColumn + std::int64_t(column);
                    inside.push_back(view.places[std::size_t(scene_->picture.story.like(iteration))].buffer);
                }
    std::ranges::sort(inside);
    inside.erase(std::unique(inside.begin(), inside.end()), inside.end());
    return inside;
}

std::optional<std::vector<BufferId>> LoopsPicture::areaOfView()
{
    std::vector<QRectF> parts = layout_.strips;
    parts.push_back(layout_.rows);
    std::vector<BufferId> all;
    for (const QRectF& part : parts) {
        // Half a pixel below the edge, which another part may share.
        const auto inside = areaTo({layout_.plotLeft, part.top() + 0.5}, {layout_.plotRight, part.bottom()});
        if (inside) all.insert(all.end(), inside->begin(), inside->end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

// --- where to go ---------------------------------------------------------------------------------------------------------

std::optional<PictureAim> LoopsPicture::aimAt(BufferId buffer) const
{
    PictureAim aim;
    for (const LoopHold& held : state_.holds) {
        if (held.buffer != buffer) continue;
        aim.across = aim.across ? Interval{std::min(aim.across->begin, held.live.begin), std::max(aim.across->end, held.live.end)}
                                : held.live;
        for (std::size_t strip = 0; strip < layout_.strips.size(); ++strip)
            if (scene_->picture.pools[strip] == held.pool && aim.up.empty())
                aim.up = {{strip, held.offset, held.offset + scene_->run->problem().buffers[std::size_t(buffer)].size}};
    }
    return aim.across ? std::optional(aim) : std::nullopt;
}

std::optional<PictureAim> LoopsPicture::selectionAim() const
{
    return state_.selected == none ? std::nullopt : aimAt(state_.selected);
}

std::optional<PictureAim> LoopsPicture::peakAim() const
{
    // The step of the body at which the iteration holds most.
    const Interval& live = scene_->picture.story.live;
    std::vector<std::pair<Step, Bytes>> changes;
    for (const LoopHold& held : state_.holds) {
        const Bytes size = scene_->run->problem().buffers[std::size_t(held.buffer)].size;
        changes.emplace_back(std::max(held.live.begin, live.begin), size);
        changes.emplace_back(held.live.end, -size);
    }
    std::ranges::sort(changes);
    Bytes now = 0, most = 0;
    std::optional<Step> peak;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        now += changes[i].second;
        const bool last = i + 1 == changes.size() || changes[i + 1].first != changes[i].first;
        if (!last || now <= most) continue;
        most = now;
        peak = changes[i].first;
    }
    if (!peak) return std::nullopt;
    PictureAim aim;
    aim.cursor = *peak;
    aim.across = Interval{*peak, *peak + 1};
    return aim;
}

std::optional<PictureAim> LoopsPicture::neighbourAim(Direction direction, const BufferTest& selectable) const
{
    // Among the rows up and down; left and right among the pieces of the iteration, by their first step.
    std::vector<BufferId> order;
    if (direction == Direction::up || direction == Direction::down) {
        for (const LoopRow& row : scene_->picture.rows) {
            const auto& view = scene_->picture.story.views.views[std::size_t(row.view)];
            order.push_back(view.places[std::size_t(scene_->picture.story.like(state_.iteration))].buffer);
        }
    } else {
        std::vector<std::pair<Step, BufferId>> pieces;
        for (const LoopHold& held : state_.holds) pieces.emplace_back(held.live.begin, held.buffer);
        std::ranges::sort(pieces);
        for (const auto& [begin, buffer] : pieces) order.push_back(buffer);
    }
    std::erase_if(order, [&](BufferId id) { return !marks_.passes(id) || !selectable(id); });
    std::vector<BufferId> once;
    for (const BufferId id : order)
        if (std::ranges::find(once, id) == once.end()) once.push_back(id);
    if (once.empty()) return std::nullopt;
    const auto here = std::ranges::find(once, state_.selected);
    BufferId next = once.front();
    if (here != once.end()) {
        const bool back = direction == Direction::up || direction == Direction::left;
        if (back ? here == once.begin() : std::next(here) == once.end()) return std::nullopt;
        next = back ? *std::prev(here) : *std::next(here);
    }
    PictureAim aim = aimAt(next).value_or(PictureAim{});
    aim.select = next;
    return aim;
}

QString LoopsPicture::spoken() const
{
    QStringList texts;
    for (const std::string& sentence : loopSentences(*scene_->run, scene_->picture)) {
        texts << QString::fromStdString(sentence);
        if (texts.back().endsWith(QLatin1Char('.'))) texts.back().chop(1);
    }
    texts << QStringLiteral("iteration %1 is shown").arg(countText(state_.iteration));
    return texts.join(QStringLiteral("; "));
}

} // namespace stowage
