#include "app/canvas/pictures/compare/compare_picture.h"

#include "app/canvas/kit/legend.h"
#include "app/canvas/pictures/scene_cache.h"

#include <algorithm>
#include <utility>

namespace stowage {

PictureJob ComparePicture::prepare(const PictureSource& source) const
{
    auto made = std::make_shared<Scene>();
    made->run = source.run;
    made->runs = source.runs;
    if (made->runs.empty()) made->runs.push_back(source.run);
    made->scenes = source.scenes;
    const std::size_t maps = std::min(made->runs.size(), maxComparedMaps);
    std::size_t buffers = 0;
    for (std::size_t i = 0; i < maps; ++i) buffers += made->runs[i]->problem().buffers.size();
    return {buffers, [made, maps](const std::stop_token& stop) -> std::shared_ptr<const PictureScene> {
                for (std::size_t i = 0; i < maps; ++i) {
                    if (stop.stop_requested()) return nullptr;
                    made->maps.push_back(made->scenes->scene(made->runs[i]));
                }
                return made;
            }};
}

bool ComparePicture::take(std::shared_ptr<const PictureScene> scene)
{
    scene_ = std::static_pointer_cast<const Scene>(std::move(scene));
    if (!scene_) return false;
    const Run& first = *scene_->runs.front();
    options_.pool = comparedPool(scene_->runs);
    for (std::size_t i = 0; i < first.problem().pools.size(); ++i)
        if (QString::fromStdString(first.problem().pools[i].name) == wanted_) options_.pool = PoolId(i);
    options_.colourBy = colourBy_ && hasColouring(first, *colourBy_) ? *colourBy_ : defaultColouring(first);
    return false;
}

std::vector<PictureOption> ComparePicture::options() const
{
    QStringList colourings, memories;
    for (const ColourBy by : allColourings) {
        const std::string_view name = toText(by);
        if (!scene_ || hasColouring(*scene_->runs.front(), by))
            colourings << QString::fromUtf8(name.data(), qsizetype(name.size()));
    }
    const std::string_view shown = toText(options_.colourBy);
    std::vector<PictureOption> all{{QStringLiteral("colour"), QStringLiteral("Colour by"), colourings,
                                    QString::fromUtf8(shown.data(), qsizetype(shown.size())),
                                    QStringLiteral("What colours of buffers mean")}};
    if (!scene_ || options_.pool == none) return all;
    const Problem& problem = scene_->runs.front()->problem();
    for (const Pool& pool : problem.pools) memories << QString::fromStdString(pool.name);
    all.push_back({QStringLiteral("memory"), {}, memories, memories[options_.pool], QStringLiteral("Pool shown in the maps")});
    return all;
}

PictureChange ComparePicture::set(const QString& id, const QString& value)
{
    if (id == u"memory") {
        wanted_ = value;
        return scene_ ? PictureChange::scene : PictureChange::nothing;
    }
    const auto by = colourByFrom(value.toStdString());
    if (id != u"colour" || !by) return PictureChange::unknown;
    colourBy_ = by;
    return scene_ ? PictureChange::scene : PictureChange::nothing;
}

bool ComparePicture::paint(DrawList& list, BodyMode mode)
{
    options_.theme = &theme();
    options_.numbers = numbers();
    options_.mode = mode == BodyMode::given ? BodyMode::raster : mode;
    options_.scenes = scene_->scenes.get();
    return paintCompareSheet(list, scene_->runs, options_);
}

void ComparePicture::paintLegend(DrawList& list, double left, double right, double y) const
{
    const Run& first = *scene_->runs.front();
    if (options_.pool != none && usedPools(first).size() > 1) {
        const QString maps =
            QStringLiteral("maps of %1").arg(QString::fromStdString(first.problem().pools[std::size_t(options_.pool)].name));
        list.text(Face::body, left, y, maps, theme().text2);
        left += list.width(Face::body, maps) + 24;
    }
    paintColourLegend(list, theme(), colouring(first, options_.colourBy), left, right, y);
}

} // namespace stowage
