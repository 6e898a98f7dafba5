#include "app/canvas/pictures/fit/fit_picture.h"

#include "app/canvas/pictures/scene_cache.h"

namespace stowage {

std::optional<Error> FitPicture::whyNot(const PictureSource& source)
{
    const auto* subject = dynamic_cast<const FitSubject*>(source.subject.get());
    if (subject && subject->fit) return std::nullopt;
    return failure(Code::nothingToDraw, "nothing was fitted", {}, "open a model of a runtime whose planners are known");
}

PictureJob FitPicture::prepare(const PictureSource& source) const
{
    const auto subject = std::dynamic_pointer_cast<const FitSubject>(source.subject);
    std::size_t buffers = 0;
    for (const FitRow& each : subject->fit->rows)
        if (each.run) buffers += each.run->problem().buffers.size();
    return {buffers, [subject, scenes = source.scenes](const std::stop_token& stop) -> std::shared_ptr<const Scene> {
                auto scene = std::make_shared<Scene>();
                scene->subject = subject;
                scene->scenes = scenes;
                for (const FitRow& each : subject->fit->rows) {
                    if (stop.stop_requested()) return nullptr;
                    if (each.run) scene->maps.push_back(scenes->scene(each.run));
                }
                return scene;
            }};
}

bool FitPicture::take(std::shared_ptr<const PictureScene> scene)
{
    scene_ = std::dynamic_pointer_cast<const Scene>(scene);
    shown_.reset();
    return false;
}

bool FitPicture::paint(DrawList& list, BodyMode mode)
{
    FitSheetOptions options;
    options.size = size_;
    options.theme = &theme();
    options.numbers = numbers();
    options.mode = mode == BodyMode::given ? BodyMode::raster : mode;
    options.cardRoom = mode == BodyMode::given ? cardRoom_ : 0; // files have no buttons
    options.shown = shownRow();
    options.scenes = scene_->scenes.get();
    return paintFitSheet(list, *fit(), options);
}

PictureHit FitPicture::hit(QPointF at) const
{
    PictureHit hit;
    hit.keepsSelection = true;
    const auto found = fitRowAt(*fit(), at.y());
    if (!found) return hit;
    hit.kind = row;
    hit.item = std::int64_t(*found);
    hit.acts = fit()->rows[*found].run != nullptr;
    return hit;
}

std::optional<CardText> FitPicture::card(const PictureHit& hit) const
{
    if (hit.kind != row) return std::nullopt;
    const FitRow& found = fit()->rows[std::size_t(hit.item)];
    CardText card;
    card.title = QString::fromStdString(found.planner);
    card.titleIsNumber = false;
    card.lines.push_back({{},
                          isMinimum(*fit(), found) ? QStringLiteral("arena, at least") : QStringLiteral("arena"),
                          bytesText(found.arena, numbers()),
                          true});
    if (hit.acts) card.lines.push_back({{}, QStringLiteral("Click: shows this plan below"), {}});
    return card;
}

PictureChange FitPicture::press(const PictureHit& hit, Qt::KeyboardModifiers)
{
    return hit.kind == row ? showRow(std::size_t(hit.item)) : PictureChange::nothing;
}

PictureChange FitPicture::setCardRoom(double room)
{
    if (room == cardRoom_) return PictureChange::nothing;
    cardRoom_ = room;
    return PictureChange::paint;
}

PictureChange FitPicture::showRow(std::size_t wanted)
{
    if (!fit() || wanted >= fit()->rows.size() || !fit()->rows[wanted].run) return PictureChange::nothing;
    shown_ = wanted;
    return PictureChange::paint;
}

QString FitPicture::spoken() const
{
    return QString::fromStdString(minimumHead(*fit()) + gainLine(*fit()));
}

} // namespace stowage
