#include "app/canvas/pictures/replay/replay_picture.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr std::size_t maxMarks = 20'000; ///< steps up to which levels are marked below the curve
constexpr double replayFootHeight = 150;
constexpr double lineHeight = 26; ///< of the step's words
constexpr double minMap = 160;    ///< height that the map keeps
constexpr double roomAbove = 1.06;

QStringList partsOfSearch()
{
    return {QStringLiteral("begin"), QStringLiteral("25 %"), QStringLiteral("50 %"), QStringLiteral("75 %"),
            QStringLiteral("end")};
}

} // namespace

RecordedCurve recordedCurve(const Replay& replay)
{
    RecordedCurve made;
    made.curve.xTitle = QStringLiteral("recorded step");
    made.curve.empty = QStringLiteral("No recorded step places a buffer.");
    made.curve.marker = double(replay.at());
    const bool improves = std::ranges::any_of(replay.heights(), [](const ReplayHeight& h) { return h.best > 0; });
    const Bytes bound = replay.source()->report.totalBound();
    for (const ReplayHeight& height : replay.heights())
        if (const Bytes best = improves ? height.best : height.height; best > 0)
            made.samples.push_back({double(height.step), height.step, best, bound});
    if (!replay.hasLevels() || replay.steps() > maxMarks) return made;
    for (std::size_t i = 0; i < replay.steps(); ++i) {
        const auto level = replay.levelOf(i);
        const bool numbered = level && *level <= hivm::Level::samePipe;
        if (level || replay.isRollback(i))
            made.curve.marks.push_back({double(i + 1), numbered ? std::int8_t(*level) : std::int8_t(-1), !level});
    }
    return made;
}

struct ReplayPicture::Scene final : PictureScene {
    std::shared_ptr<const PictureScene> map; ///< of the buffers as they lay
    RecordedCurve course;
    QString words; ///< "step 12 of 40: places conv1 at 1,024: the lowest gap"
    Bytes top = 0; ///< one address scale for all steps, so that maps of two steps can be compared; 0: as the map has it
};

std::optional<Error> ReplayPicture::whyNot(const PictureSource& source)
{
    if (auto why = whyNoRun(source)) return why;
    if (source.run->steps && !source.run->steps->steps().empty()) return std::nullopt;
    return failure(Code::nothingToDraw, "the steps of this search were not recorded", {},
                   "plan again and have them recorded, with a planner that records its steps");
}

std::size_t ReplayPicture::stepOf(std::size_t all) const
{
    const QStringList parts = partsOfSearch();
    if (const qsizetype part = parts.indexOf(step_); part >= 0) return all * std::size_t(part) / std::size_t(parts.size() - 1);
    return std::min(all, std::size_t(step_.toULongLong()));
}

PictureJob ReplayPicture::prepare(const PictureSource& source) const
{
    const std::size_t all = source.run->steps->steps().size();
    return {source.run->problem().buffers.size() + all,
            [run = source.run, make = sceneMaker(source),
             at = stepOf(all)](const std::stop_token& stop) -> std::shared_ptr<const PictureScene> {
                auto made = std::make_shared<Scene>();
                made->run = run;
                Replay replay(run);
                replay.seek(at);
                if (stop.stop_requested()) return nullptr;
                std::size_t pools = 0;
                for (const PoolReport& pool : run->report.pools)
                    if (const Bytes most = replay.maxOf(pool.pool); most > 0) {
                        made->top = Bytes(double(std::max(most, pool.size)) * roomAbove);
                        ++pools;
                    }
                if (pools != 1) made->top = 0;
                made->map = make(replay.at() == replay.steps() ? run : replay.frame());
                made->course = recordedCurve(replay);
                const std::string told = replay.describe();
                made->words = QStringLiteral("step %1 of %2: %3")
                                  .arg(countText(std::int64_t(replay.at())), countText(std::int64_t(replay.steps())),
                                       told.empty() ? QStringLiteral("nothing is placed yet") : QString::fromStdString(told));
                return made;
            }};
}

bool ReplayPicture::take(std::shared_ptr<const PictureScene> scene)
{
    shown_ = std::static_pointer_cast<const Scene>(std::move(scene));
    if (shown_) (void)setScale(shown_->top, gutterWidth);
    return StackPicture::take(shown_ ? shown_->map : nullptr);
}

std::vector<PictureOption> ReplayPicture::options() const
{
    std::vector<PictureOption> all = StackPicture::options();
    QStringList steps = partsOfSearch();
    if (!steps.contains(step_)) steps << step_;
    all.insert(all.begin(), {QStringLiteral("step"), QStringLiteral("Step"), steps, step_,
                             QStringLiteral("The recorded step after which the map is shown")});
    return all;
}

PictureChange ReplayPicture::set(const QString& id, const QString& value)
{
    if (id != u"step") return StackPicture::set(id, value);
    bool number = false;
    (void)value.toULongLong(&number);
    if (!number && !partsOfSearch().contains(value)) return PictureChange::unknown;
    return std::exchange(step_, value) == value ? PictureChange::nothing : PictureChange::scene;
}

void ReplayPicture::layOut(QSizeF size, double ratio)
{
    const double height = size.height() - replayFootHeight >= minMap ? replayFootHeight : 0;
    foot_ = height > 0 ? QRectF(0, size.height() - height, size.width(), height) : QRectF();
    StackPicture::layOut({size.width(), size.height() - height}, ratio);
}

/// Addresses stand in the typeface of numbers: in that of text the x of "0x0" is a multiplication sign.
void ReplayPicture::paintWords(DrawList& list) const
{
    static const QRegularExpression address(QStringLiteral("\\b0x[0-9A-F]+\\b"));
    double wider = 0;
    for (auto found = address.globalMatch(shown_->words); found.hasNext();) {
        const QString number = found.next().captured();
        wider += std::max(0.0, list.width(Face::number, number) - list.width(Face::body, number));
    }
    const QString words = list.elided(Face::body, shown_->words, foot_.width() - 20 - wider);
    double x = foot_.left() + 10;
    const auto piece = [&](Face face, const QString& text) {
        if (text.isEmpty()) return;
        list.text(face, x, foot_.top() + lineHeight / 2, text, theme().text);
        x += list.width(face, text);
    };
    qsizetype from = 0;
    for (auto found = address.globalMatch(words); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        piece(Face::body, words.mid(from, match.capturedStart() - from));
        piece(Face::number, match.captured());
        from = match.capturedEnd();
    }
    piece(Face::body, words.mid(from));
}

bool ReplayPicture::paint(DrawList& list, BodyMode mode)
{
    const bool fellBack = StackPicture::paint(list, mode);
    if (foot_.isEmpty()) return fellBack;
    list.fill(foot_, theme().panel);
    list.horizontal(foot_.left(), foot_.right(), foot_.top(), theme().line);
    paintWords(list);
    SearchCurve curve = shown_->course.curve;
    curve.samples = shown_->course.samples;
    paintSearchCurve(list, theme(), curve, foot_.adjusted(0, lineHeight, 0, 0), numbers());
    return fellBack;
}

} // namespace stowage
