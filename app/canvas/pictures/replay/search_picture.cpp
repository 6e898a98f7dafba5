#include "app/canvas/pictures/replay/search_picture.h"

#include <algorithm>
#include <cmath>

namespace stowage {

std::optional<Error> SearchPicture::whyNot(const PictureSource& source)
{
    if (dynamic_cast<const SearchSubject*>(source.subject.get())) return std::nullopt;
    return failure(Code::nothingToDraw, "the course of this search was not kept", {}, "plan again in the window");
}

PictureJob SearchPicture::prepare(const PictureSource& source) const
{
    const auto subject = std::dynamic_pointer_cast<const SearchSubject>(source.subject);
    return {0, [subject](const std::stop_token&) {
                auto scene = std::make_shared<Scene>();
                scene->subject = subject;
                return scene;
            }};
}

bool SearchPicture::take(std::shared_ptr<const PictureScene> scene)
{
    scene_ = std::dynamic_pointer_cast<const Scene>(scene);
    curve_ = scene_ ? scene_->subject->curve : SearchCurve();
    curve_.samples = samples();
    return false;
}

const std::vector<SearchSample>& SearchPicture::samples() const
{
    static const std::vector<SearchSample> noSamples;
    return scene_ ? scene_->subject->samples : noSamples;
}

PictureChange SearchPicture::setMarker(std::optional<double> marker)
{
    if (marker == curve_.marker) return PictureChange::nothing;
    curve_.marker = marker;
    return PictureChange::paint;
}

bool SearchPicture::paint(DrawList& list, BodyMode)
{
    paintSearchCurve(list, theme(), curve_, QRectF(QPointF(), size_), numbers());
    return false;
}

PictureHit SearchPicture::hit(QPointF at) const
{
    PictureHit hit;
    hit.keepsSelection = true;
    const SearchScale now = scale();
    if (samples().empty() || at.x() < now.plot.left() || at.x() > now.plot.right()) return hit;
    hit.acts = bool(sought_) && curve_.marker.has_value();
    hit.item = std::int64_t(std::llround(std::clamp(now.valueAt(at.x()), 0.0, now.most)));
    return hit;
}

std::optional<CardText> SearchPicture::card(const PictureHit& hit) const
{
    if (hit.item < 0 || samples().empty()) return std::nullopt;
    const auto after = std::ranges::find_if(
        samples(), [&](const SearchSample& sample) { return abscissa(sample, curve_.byWork) > double(hit.item); });
    if (after == samples().begin()) return std::nullopt; // nothing is known yet
    const SearchSample& known = *std::prev(after);
    CardText card;
    card.title = countText(hit.item);
    card.caption = curve_.xTitle;
    card.lines.push_back({{}, QStringLiteral("best size"), bytesText(known.best, numbers()), true});
    if (known.bound > 0) card.lines.push_back({{}, QStringLiteral("lower bound"), bytesText(known.bound, numbers())});
    return card;
}

void SearchPicture::seek(double px) const
{
    if (samples().empty() || !sought_) return;
    const SearchScale now = scale();
    sought_(std::clamp(now.valueAt(px), 0.0, now.most));
}

PictureChange SearchPicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    if (hit.acts) sought_(double(hit.item));
    return PictureChange::nothing;
}

bool SearchPicture::takeHold(QPointF)
{
    return bool(sought_) && !samples().empty();
}

void SearchPicture::moveTo(QPointF at)
{
    seek(at.x());
}

bool SearchPicture::drop()
{
    return false;
}

QString SearchPicture::spoken() const
{
    if (samples().empty()) return curve_.empty;
    const SearchSample& first = samples().front();
    const SearchSample& last = samples().back();
    QString text =
        QStringLiteral("best size from %1 to %2").arg(bytesText(first.best, numbers()), bytesText(last.best, numbers()));
    if (last.bound > 0) text += QStringLiteral(", lower bound %1").arg(bytesText(last.bound, numbers()));
    return text;
}

} // namespace stowage
