#include "app/canvas/pictures/regression/regression_picture.h"

#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stowage {

namespace {

constexpr double headerHeight = 24;
constexpr double listRowHeight = 22;
constexpr double footHeight = 26;
constexpr double storyHeight = 46;
constexpr double detailsWidth = 272;
constexpr double detailsFrom = 1080; ///< width from which figures stand beside the maps
constexpr double rowsShare = 0.4;    ///< of the height, at most
constexpr double minMaps = 120;
constexpr double minNames = 160; ///< of model and planner together

const QStringList& filterNames()
{
    static const QStringList names{QStringLiteral("all"), QStringLiteral("different"), QStringLiteral("regressions")};
    return names;
}

const QStringList& colourNames()
{
    static const QStringList names{QStringLiteral("side by side"), QStringLiteral("difference")};
    return names;
}

/// Buffers of both maps.
std::size_t workOf(const RegressionRow& row)
{
    std::size_t buffers = 0;
    for (const auto& run : {row.baseline, row.current})
        if (run) buffers += run->problem().buffers.size();
    return buffers;
}

/// The row, which keeps its regression alive.
std::shared_ptr<const RegressionRow> shared(const std::shared_ptr<const Regression>& regression, const RegressionRow& row)
{
    return {regression, &row};
}

} // namespace

// --- what is shown -------------------------------------------------------------------------------------------------------

std::optional<Error> RegressionPicture::whyNot(const PictureSource& source)
{
    if (std::dynamic_pointer_cast<const RegressionSubject>(source.subject)) return std::nullopt;
    return failure(Code::nothingToDraw, "A regression is of a suite of models.", {}, "open a suite (stowage.suite/1)");
}

PictureJob RegressionPicture::prepare(const PictureSource& source) const
{
    auto made = std::make_shared<Scene>();
    made->run = source.run;
    made->scenes = source.scenes ? source.scenes : std::make_shared<SceneCache>();
    made->subject = std::dynamic_pointer_cast<const RegressionSubject>(source.subject);
    if (!made->subject || !made->subject->regression) {
        made->error = *whyNot({});
        return {0, [made](const std::stop_token&) { return made; }};
    }
    const Regression& all = *made->subject->regression;
    const std::string key = chosenOf(all, listedRows(all, filter_), chosen_);
    const auto chosen = std::ranges::find(all.rows, key, [](const RegressionRow& row) { return row.result.key; });
    const std::size_t work = chosen == all.rows.end() ? 0 : workOf(*chosen);
    if (work <= sceneAtOnce) return {0, [made](const std::stop_token&) { return made; }};
    return {work, [made, row = shared(made->subject->regression, *chosen), theme = &theme(),
                   colours = colours_](const std::stop_token&) {
                made->maps = std::make_unique<RegressionMaps>(row, *theme, colours, *made->scenes);
                return made;
            }};
}

bool RegressionPicture::take(std::shared_ptr<const PictureScene> scene)
{
    // Maps of the chosen row stay: the scene may have been asked for before another row was chosen.
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    hoveredRow_ = none;
    hovered_.clear();
    if (scene_ && scene_->error) scene_.reset();
    listRows();
    renewMaps();
    return false;
}

PictureChange RegressionPicture::setMarks(const PictureMarks&, bool)
{
    return PictureChange::nothing; // its buffers are those of other runs than the one that all views show
}

std::vector<PictureOption> RegressionPicture::options() const
{
    return {{QStringLiteral("show"), QStringLiteral("Rows"), filterNames(), filterNames()[int(filter_)],
             QStringLiteral("Which rows of the suite are listed")},
            {QStringLiteral("maps"), QStringLiteral("Maps"), colourNames(), colourNames()[int(colours_)],
             QStringLiteral("Whether today's map has the colours of the baseline's, or shows what moved")}};
}

PictureChange RegressionPicture::set(const QString& id, const QString& value)
{
    if (id == u"show") {
        if (!filterNames().contains(value)) return PictureChange::unknown;
        filter_ = Filter(filterNames().indexOf(value));
        listRows();
        return renewMaps();
    }
    if (id == u"maps") {
        if (!colourNames().contains(value)) return PictureChange::unknown;
        colours_ = RegressionColours(colourNames().indexOf(value));
        return renewMaps();
    }
    if (id == u"row") { // of the command line, which has no pointer
        return choose(value.toStdString());
    }
    return PictureChange::unknown;
}

std::vector<std::size_t> RegressionPicture::listedRows(const Regression& all, Filter filter)
{
    std::vector<std::size_t> listed;
    for (std::size_t i = 0; i < all.rows.size(); ++i) {
        const RowVerdict verdict = all.rows[i].result.verdict;
        if (filter == Filter::regressions && !isRegression(verdict)) continue;
        if (filter == Filter::different && verdict == RowVerdict::same) continue;
        listed.push_back(i);
    }
    return listed;
}

std::string RegressionPicture::chosenOf(const Regression& all, const std::vector<std::size_t>& listed, const std::string& wanted)
{
    if (listed.empty()) return {};
    if (std::ranges::any_of(listed, [&](std::size_t i) { return all.rows[i].result.key == wanted; })) return wanted;
    // The first one that has both maps says more than one that failed.
    const auto both = std::ranges::find_if(listed, [&](std::size_t i) { return all.rows[i].current && all.rows[i].baseline; });
    return all.rows[both == listed.end() ? listed.front() : *both].result.key;
}

void RegressionPicture::listRows()
{
    listed_.clear();
    const Regression* all = regression();
    if (!all) return;
    listed_ = listedRows(*all, filter_);
    std::vector<std::string_view> planners;
    for (const RegressionRow& row : all->rows) planners.push_back(row.result.planner);
    planners_ = NamesApart(planners);
    const std::string before = std::exchange(chosen_, chosenOf(*all, listed_, chosen_));
    if (chosen_ != before) marked_.clear();
    placeColumns();
    scroll_ = std::clamp(scroll_, 0.0, std::max(0.0, double(listed_.size()) * listRowHeight - rowsBox_.height()));
}

const RegressionRow* RegressionPicture::row() const
{
    if (const Regression* all = regression())
        for (const std::size_t i : listed_)
            if (all->rows[i].result.key == chosen_) return &all->rows[i];
    return nullptr;
}

PictureChange RegressionPicture::choose(const std::string& key)
{
    const Regression* all = regression();
    if (!all) { // before there is a scene: the next one is made for it
        chosen_ = key;
        return PictureChange::scene;
    }
    if (std::ranges::none_of(listed_, [&](std::size_t i) { return all->rows[i].result.key == key; }))
        return PictureChange::unknown;
    chosen_ = key;
    marked_.clear();
    keepRowInView();
    return renewMaps();
}

bool RegressionPicture::isOfChosen(const RegressionMaps& maps) const
{
    return &maps.row() == row() && maps.colours() == colours_;
}

PictureChange RegressionPicture::renewMaps()
{
    if (!scene_) { // the one that is being made may be for other options
        maps_.reset();
        return PictureChange::scene;
    }
    const RegressionRow* chosen = row();
    if (!chosen || !maps_ || !isOfChosen(*maps_)) maps_.reset();
    if (!chosen) return PictureChange::paint;
    if (!maps_ && scene_->maps && isOfChosen(*scene_->maps)) maps_ = std::move(scene_->maps);
    if (!maps_ && workOf(*chosen) > sceneAtOnce) return PictureChange::scene;
    if (!maps_)
        maps_ =
            std::make_unique<RegressionMaps>(shared(scene_->subject->regression, *chosen), theme(), colours_, *scene_->scenes);
    // What explains a bound that moved is marked first.
    const auto& peak = chosen->result.cause.peak;
    if (marked_.empty() && !peak.empty()) {
        const auto resized =
            std::ranges::find_if(peak, [](const PeakChange& change) { return change.before > 0 && change.after > 0; });
        marked_ = (resized == peak.end() ? peak.front() : *resized).buffer;
    }
    maps_->setTheme(theme());
    if (!mapsBox_.isEmpty()) maps_->layOut(shaper_, mapsBox_, ratio_, numbers());
    return PictureChange::paint;
}

// --- layout --------------------------------------------------------------------------------------------------------------

void RegressionPicture::layOut(QSizeF size, double ratio)
{
    size_ = size;
    ratio_ = ratio;
    const double details = size.width() >= detailsFrom ? detailsWidth : 0;
    const double width = std::floor(size.width() - details);
    detailsBox_ = details > 0 ? QRectF(width, 0, details, size.height()) : QRectF();
    const double wanted = double(std::max<std::size_t>(1, listed_.size())) * listRowHeight;
    const double room = std::max(2 * listRowHeight, std::floor(size.height() * rowsShare) - headerHeight - footHeight);
    const double least = size.height() - headerHeight - footHeight - storyHeight - minMaps;
    const double rows = std::min({wanted, room, std::max(listRowHeight, least)});
    rowsBox_ = {0, headerHeight, width, rows};
    footBox_ = {0, rowsBox_.bottom(), width, footHeight};
    storyBox_ = {0, footBox_.bottom(), width, storyHeight};
    mapsBox_ = {0, storyBox_.bottom(), width, std::max(60.0, size.height() - storyBox_.bottom())};
    placeColumns();
    scroll_ = std::clamp(scroll_, 0.0, std::max(0.0, double(listed_.size()) * listRowHeight - rowsBox_.height()));
    if (maps_) {
        maps_->setTheme(theme());
        maps_->layOut(shaper_, mapsBox_, ratio, numbers());
    }
}

void RegressionPicture::placeColumns()
{
    // Numbers first, whole; model, planner and cause share what is left.
    const double width = rowsBox_.width() - 24;
    std::array<double, columnCount> widths{86, 0, 0, 0, 82, 82, 76, 0, 0};
    for (const std::size_t listed : listed_) {
        const RowResult& result = regression()->rows[listed].result;
        const SuiteFigures* baseline = result.baseline ? &*result.baseline : nullptr;
        const SuiteFigures* current = result.current ? &*result.current : nullptr;
        const auto fit = [&](Columns column, const QString& text) {
            widths[column] = std::max(widths[column], std::ceil(shaper_.width(Face::bodyNumber, text)));
        };
        if (baseline) fit(baselineColumn, bytesNumber(baseline->size, numbers()));
        if (current) fit(currentColumn, bytesNumber(current->size, numbers()));
        if (baseline && current) fit(changeColumn, signedBytes(current->size - baseline->size, numbers()));
    }
    const double wider = widths[baselineColumn] + widths[currentColumn] + widths[changeColumn] - 240;
    if (width > 620 + wider) widths[targetColumn] = 104;
    if (width > 820 + wider) widths[runsColumn] = 78;
    double rest = width;
    for (const double fixed : widths) rest -= fixed > 0 ? fixed + 10 : 0;
    for (const Columns column : {changeColumn, baselineColumn}) { // a number is not cut: the one that others tell goes
        if (rest >= minNames) break;
        rest += widths[column] + 10;
        widths[column] = 0;
    }
    const bool tells = rest > 460;
    widths[modelColumn] = std::floor(rest * (tells ? 0.28 : 0.55)) - 10;
    widths[plannerColumn] = std::floor(rest * (tells ? 0.22 : 0.45)) - 10;
    if (tells) widths[causeColumn] = rest - widths[modelColumn] - widths[plannerColumn] - 20;
    double x = 12;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        columns_[i] = {x, std::max(0.0, widths[i])};
        if (widths[i] > 0) x += widths[i] + 10;
    }
}

PictureParts RegressionPicture::parts() const
{
    PictureParts parts;
    PictureScroll rows;
    rows.box = rows.names = rowsBox_;
    rows.content = double(listed_.size()) * listRowHeight;
    rows.at = scroll_;
    rows.bar = true;
    parts.scrolls = {rows};
    return parts;
}

void RegressionPicture::scrollTo(std::size_t, double y)
{
    scroll_ = std::clamp(y, 0.0, std::max(0.0, double(listed_.size()) * listRowHeight - rowsBox_.height()));
}

QRectF RegressionPicture::rowBox(std::size_t place) const
{
    return {rowsBox_.left(), rowsBox_.top() + double(place) * listRowHeight - scroll_, rowsBox_.width(), listRowHeight};
}

void RegressionPicture::keepRowInView()
{
    const Regression* all = regression();
    if (!all || rowsBox_.isEmpty()) return;
    for (std::size_t place = 0; place < listed_.size(); ++place) {
        if (all->rows[listed_[place]].result.key != chosen_) continue;
        const QRectF box = rowBox(place);
        if (box.top() < rowsBox_.top()) scroll_ -= rowsBox_.top() - box.top();
        if (box.bottom() > rowsBox_.bottom()) scroll_ += box.bottom() - rowsBox_.bottom();
    }
}

// --- pointer -------------------------------------------------------------------------------------------------------------

PictureHit RegressionPicture::hit(QPointF at) const
{
    PictureHit hit;
    hit.keepsSelection = true;
    if (rowsBox_.contains(at)) {
        const auto place = std::size_t((at.y() - rowsBox_.top() + scroll_) / listRowHeight);
        if (place >= listed_.size()) return hit;
        hit.kind = onRow;
        hit.item = std::int64_t(place);
        hit.acts = true;
        hit.box = rowBox(place) & rowsBox_;
        return hit;
    }
    if (!maps_) return hit;
    if (const auto found = maps_->hit(at)) {
        hit.kind = onBuffer;
        hit.item = found->side;
        hit.acts = true;
        hit.box = found->box;
    }
    return hit;
}

bool RegressionPicture::hover(const PictureHit& hit)
{
    const std::int64_t place = hit.kind == onRow ? hit.item : std::int64_t(none);
    std::string buffer;
    if (hit.kind == onBuffer && maps_)
        if (const auto found = maps_->hit(hit.box.center())) buffer = found->buffer;
    const bool other = std::exchange(hoveredRow_, place) != place;
    return std::exchange(hovered_, buffer) != buffer || other;
}

PictureChange RegressionPicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    if (hit.kind == onRow && std::size_t(hit.item) < listed_.size())
        return choose(regression()->rows[listed_[std::size_t(hit.item)]].result.key);
    if (hit.kind == onBuffer && maps_)
        if (const auto found = maps_->hit(hit.box.center())) {
            marked_ = found->buffer == marked_ ? std::string() : found->buffer;
            return PictureChange::paint;
        }
    return PictureChange::nothing;
}

std::optional<CardText> RegressionPicture::card(const PictureHit& hit) const
{
    if (hit.kind == onBuffer && maps_)
        if (const auto found = maps_->hit(hit.box.center())) return maps_->card(found->buffer);
    if (hit.kind != onRow || std::size_t(hit.item) >= listed_.size()) return std::nullopt;
    const RegressionRow& row = regression()->rows[listed_[std::size_t(hit.item)]];
    CardText card;
    card.title = nameText(row.result.key);
    card.titleIsNumber = false;
    card.caption = QString::fromStdString(sentence(row.result));
    return card;
}

QString RegressionPicture::spoken() const
{
    QStringList texts;
    const VerdictCounts& counts = regression()->counts;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0)
            texts << QStringLiteral("%1 %2").arg(countText(std::int64_t(counts[i])), QString::fromUtf8(toText(RowVerdict(i))));
    QString text = texts.isEmpty() ? QStringLiteral("no rows") : texts.join(QStringLiteral(", "));
    if (const RegressionRow* chosen = row())
        text += QStringLiteral("; chosen: %1, %2")
                    .arg(nameText(chosen->result.key), QString::fromUtf8(toText(chosen->result.verdict)));
    return text;
}

} // namespace stowage
