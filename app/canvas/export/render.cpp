#include "app/canvas/export/render.h"

#include "app/canvas/export/file_format.h"
#include "app/canvas/export/picture_file.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/canvas/pictures/table.h"
#include "app/session/native_path.h"
#include "core/io/output_file.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

namespace {

QStringList usedPoolNames(const Run& run)
{
    QStringList names;
    for (const PoolId pool : usedPools(run)) names << QString::fromStdString(run.problem().pools[std::size_t(pool)].name);
    return names;
}

Error noSuchOption(const PictureEntry& entry, const std::vector<PictureOption>& options, const QString& id, const QString& value)
{
    QStringList known;
    for (const PictureOption& option : options) known << option.id + u'=' + option.values.join(u'|');
    return failure(Code::unknownOption, std::string(entry.id) + " has no option " + (id + u'=' + value).toStdString(), {},
                   known.isEmpty() ? "it has no options" : "it has " + known.join(QStringLiteral(", ")).toStdString());
}

/// The error for a value that the run does not have. A picture without a scene takes any pool, colouring and grouping; other
/// options, which may have values that no list names, are judged by `Picture::set`.
std::optional<Error> whyNotOfTheRun(const PictureEntry& entry, const Picture& picture, const Run& run, const RenderOptions& asked)
{
    const QString memory = QStringLiteral("memory"), allPools = QStringLiteral("all pools");
    std::vector<PictureOption> options = picture.options();
    for (const auto& [id, value] : asked.set) {
        if (id != memory && id != u"colour" && id != u"group") continue;
        const auto found = std::ranges::find(options, id, &PictureOption::id);
        const bool onePool = id == memory && found == options.end(); // nothing to choose from
        const QStringList values = onePool                  ? QStringList{allPools} + usedPoolNames(run)
                                   : found != options.end() ? found->values
                                                            : QStringList();
        const bool formerName = id == memory && value == u"all memories" && values.contains(allPools);
        if (values.contains(value) || formerName) continue;
        if (onePool) options.push_back({memory, {}, values, {}, {}});
        return noSuchOption(entry, options, id, value);
    }
    return std::nullopt;
}

/// Makes the picture's scene here and now, and writes it.
Expected<PictureBytes> renderEntry(const PictureEntry& entry, const PictureSource& source, const RenderOptions& options,
                                   const QString& file)
{
    if (auto why = whyNoPicture(entry, source)) return *why;
    const std::unique_ptr<Picture> picture = entry.make();
    picture->setTheme(options.dark ? Theme::darkTheme() : Theme::lightTheme());
    if (options.around != none && options.hops > 0) (void)picture->set(QStringLiteral("hops"), QString::number(options.hops));
    if (!options.pool.isEmpty()) picture->set(QStringLiteral("memory"), options.pool);
    if (hasColouring(*source.run, *colourByFrom(options.colourBy.toStdString())))
        (void)picture->set(QStringLiteral("colour"), options.colourBy);
    // After the fields above, which have defaults: a value given by name counts.
    for (const auto& [id, value] : options.set)
        if (picture->set(id, value) == PictureChange::unknown) return noSuchOption(entry, picture->options(), id, value);
    PictureMarks marks;
    marks.selected = options.around != none ? options.around : options.selected;
    if (marks.selected != none) marks.selection = {marks.selected};
    (void)picture->setMarks(marks, false);
    const std::shared_ptr<const PictureScene> scene = picture->prepare(source).make({});
    if (scene->error) return *scene->error;
    picture->take(scene);
    if (auto wrong = whyNotOfTheRun(entry, *picture, *source.run, options)) return *std::move(wrong);
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
        const QStringList names = usedPoolNames(*runs.front());
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
