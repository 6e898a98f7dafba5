#include "app/canvas/export/render.h"

#include "app/canvas/export/file_format.h"
#include "app/canvas/export/picture_file.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/canvas/pictures/table.h"
#include "app/session/native_path.h"
#include "core/io/output_file.h"

#include <memory>
#include <utility>

namespace stowage {

namespace {

/// Makes the picture's scene here and now, and writes it.
Expected<PictureBytes> renderEntry(const PictureEntry& entry, const PictureSource& source, const RenderOptions& options,
                                   const QString& file)
{
    if (auto why = whyNoPicture(entry, source)) return *why;
    const std::unique_ptr<Picture> picture = entry.make();
    picture->setTheme(options.dark ? Theme::darkTheme() : Theme::lightTheme());
    for (const auto& [id, value] : options.set)
        if (picture->set(id, value) == PictureChange::unknown) {
            QStringList known;
            for (const PictureOption& option : picture->options()) known << option.id + u'=' + option.values.join(u'|');
            return failure(Code::unknownOption, std::string(entry.id) + " has no option " + (id + u'=' + value).toStdString(), {},
                           known.isEmpty() ? "it has no options" : "it has " + known.join(QStringLiteral(", ")).toStdString());
        }
    PictureMarks marks;
    marks.selected = options.around != none ? options.around : options.selected;
    if (marks.selected != none) marks.selection = {marks.selected};
    (void)picture->setMarks(marks, false);
    if (options.around != none && options.hops > 0) (void)picture->set(QStringLiteral("hops"), QString::number(options.hops));
    if (!options.pool.isEmpty()) picture->set(QStringLiteral("memory"), options.pool);
    if (hasColouring(*source.run, *colourByFrom(options.colourBy.toStdString())))
        (void)picture->set(QStringLiteral("colour"), options.colourBy);
    const std::shared_ptr<const PictureScene> scene = picture->prepare(source).make({});
    if (scene->error) return *scene->error;
    picture->take(scene);
    (void)picture->setMarks(marks, false); // it knows the buffers now
    return encodePicture(*picture, source, QString::fromLatin1(entry.title), {options.size, options.scale, options.readable},
                         file);
}

} // namespace

QStringList renderableViews()
{
    QStringList names;
    for (const PictureEntry& entry : pictureTable())
        if (entry.exports) names << QString::fromLatin1(entry.id);
    return names;
}

Expected<PictureBytes> renderToBytes(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                     const RenderOptions& options, const QString& file, std::shared_ptr<SceneCache> scenes)
{
    if (!renderableViews().contains(view))
        return failure(Code::unknownView, "there is no picture called \"" + view.toStdString() + "\"", {},
                       "one of " + renderableViews().join(QStringLiteral(", ")).toStdString());
    if (runs.empty() || !runs.front()) return failure(Code::nothingToDraw, "there is no run to draw", {}, "plan the model first");
    const auto colourBy = colourByFrom(options.colourBy.toStdString());
    if (!colourBy)
        return failure(Code::unknownColouring, "there is no colouring by \"" + options.colourBy.toStdString() + "\"", {},
                       "one of op kind, kind, pool, size, lifetime, slack");
    if (const auto wrong = whyNotThatSize(options.size, options.scale)) return *wrong;
    if (const auto format = fileFormatOf(file); !format) return format.error();

    if (!options.pool.isEmpty()) {
        QStringList names;
        for (const PoolId pool : usedPools(*runs.front()))
            names << QString::fromStdString(runs.front()->problem().pools[std::size_t(pool)].name);
        if (!names.contains(options.pool))
            return failure(Code::unknownPool, "nothing lies in a pool called \"" + options.pool.toStdString() + "\"", {},
                           names.isEmpty() ? std::string() : "one of " + names.join(QStringLiteral(", ")).toStdString());
    }

    PictureSource source;
    source.run = runs.front();
    source.runs = runs;
    source.program = runs.front()->program;
    source.scenes = scenes ? std::move(scenes) : std::make_shared<SceneCache>();
    return renderEntry(*pictureEntry(view), source, options, file);
}

Expected<Diagnostics> renderToFile(const std::vector<std::shared_ptr<const Run>>& runs, const QString& view,
                                   const RenderOptions& options, const QString& file)
{
    auto made = renderToBytes(runs, view, options, file);
    if (!made) return std::move(made).error();
    if (auto wrong = io::writeFile(nativePath(file), {made->bytes.constData(), std::size_t(made->bytes.size())}))
        return *std::move(wrong);
    return std::move(made->notes);
}

} // namespace stowage
