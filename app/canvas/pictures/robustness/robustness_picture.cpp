#include "app/canvas/pictures/robustness/robustness_picture.h"

#include "app/session/verdicts.h"

#include <algorithm>

namespace stowage {

std::optional<Error> RobustnessPicture::whyNot(const PictureSource& source)
{
    if (dynamic_cast<const RobustnessSubject*>(source.subject.get())) return std::nullopt;
    return failure(Code::nothingToDraw, "the planner was not tried with other seeds and sizes", {},
                   "press Try it in the view Robustness");
}

PictureJob RobustnessPicture::prepare(const PictureSource& source) const
{
    const auto subject = std::dynamic_pointer_cast<const RobustnessSubject>(source.subject);
    return {0, [subject](const std::stop_token&) {
                auto scene = std::make_shared<Scene>();
                scene->subject = subject;
                return scene;
            }};
}

bool RobustnessPicture::take(std::shared_ptr<const PictureScene> scene)
{
    scene_ = std::dynamic_pointer_cast<const Scene>(scene);
    hovered_.reset();
    return false;
}

std::span<const SpreadRow> RobustnessPicture::rows() const
{
    return scene_ ? std::span<const SpreadRow>(scene_->subject->rows) : std::span<const SpreadRow>();
}

bool RobustnessPicture::paint(DrawList& list, BodyMode)
{
    paintSpread(list, theme(), rows(), QRectF(QPointF(), size_));
    return false;
}

void RobustnessPicture::paintOverlay(DrawList& list) const
{
    if (!hovered_) return;
    const auto dots = bands().dots(hovered_->first, rows()[hovered_->first].samples);
    paintSpreadDot(list, theme(), rows()[hovered_->first].samples[hovered_->second], dots[hovered_->second], true);
}

PictureHit RobustnessPicture::hit(QPointF at) const
{
    PictureHit hit;
    hit.keepsSelection = true;
    const SpreadLayout layout = bands();
    const auto found = sampleAt(rows(), layout, at);
    if (!found) return hit;
    std::size_t place = found->second;
    for (std::size_t row = 0; row < found->first; ++row) place += rows()[row].samples.size();
    hit.kind = dot;
    hit.item = std::int64_t(place);
    hit.acts = !rows()[found->first].samples[found->second].perturbed; // a seed can be planned with
    const QPointF middle = layout.dots(found->first, rows()[found->first].samples)[found->second];
    hit.box = QRectF(middle.x() - 6, middle.y() - 6, 12, 12);
    return hit;
}

std::optional<RobustnessPicture::Place> RobustnessPicture::placeOf(const PictureHit& hit) const
{
    if (hit.kind != dot || hit.item < 0) return std::nullopt;
    auto place = std::size_t(hit.item);
    for (std::size_t row = 0; row < rows().size(); ++row) {
        if (place < rows()[row].samples.size()) return Place{row, place};
        place -= rows()[row].samples.size();
    }
    return std::nullopt;
}

const RobustnessSample* RobustnessPicture::sample(const PictureHit& hit) const
{
    const auto place = placeOf(hit);
    return place ? &rows()[place->first].samples[place->second] : nullptr;
}

std::optional<CardText> RobustnessPicture::card(const PictureHit& hit) const
{
    const RobustnessSample* found = sample(hit);
    if (!found) return std::nullopt;
    CardText card;
    card.title = QStringLiteral("seed %1").arg(found->seed);
    if (found->perturbed) card.caption = QStringLiteral("with other sizes");
    card.lines.push_back({{}, QStringLiteral("size"), bytesText(found->size, numbers()), true});
    card.lines.push_back({{}, QStringLiteral("bound"), bytesText(found->bound, numbers())});
    if (found->perturbed) card.lines.push_back({{}, QStringLiteral("sizes changed"), countText(std::int64_t(found->changed))});
    if (!found->fits) card.lines.push_back({theme().bad, QString::fromUtf8(verdictWord(VerdictKind::doesNotFit)).toLower(), {}});
    if (!found->perturbed) card.lines.push_back({{}, QStringLiteral("Click: plans with this seed"), {}});
    return card;
}

bool RobustnessPicture::hover(const PictureHit& hit)
{
    const auto before = std::exchange(hovered_, placeOf(hit));
    return before != hovered_;
}

QString RobustnessPicture::spoken() const
{
    QStringList texts;
    for (const SpreadRow& row : rows()) {
        const auto figures = spreadFigures(row.samples);
        if (!figures) continue;
        texts << QStringLiteral("%1: %2 valid of %3, above the bound %4 at least, %5 in the middle, %6 at most")
                     .arg(row.name, countText(std::int64_t(figures->valid)), countText(std::int64_t(row.samples.size())),
                          percentText(figures->least - 1), percentText(figures->median - 1), percentText(figures->most - 1));
    }
    return texts.join(QStringLiteral("; "));
}

} // namespace stowage
