#include "app/canvas/export/picture_file.h"

#include "app/canvas/export/file_format.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/session/native_path.h"
#include "app/session/verdicts.h"
#include "core/io/output_file.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr double headMargin = 14;
constexpr double maxGrownPixels = 60e6; ///< of a picture that grows until it can be read

QString fromUtf8(std::string_view words)
{
    return QString::fromUtf8(words.data(), qsizetype(words.size()));
}

/// Model, planner, verdict and size; returns where the text ends.
double paintHead(DrawList& list, const Picture& picture, const PictureSource& source, const QString& title, double width)
{
    const Theme& theme = picture.theme();
    const double y = pictureHeadHeight / 2;
    list.fill({0, 0, width, pictureHeadHeight}, theme.panel);
    double x = 10;
    const auto word = [&](Face face, const QString& words, const QColor& colour, double gap) {
        if (words.isEmpty()) return;
        list.text(face, x, y, words, colour);
        x += list.width(face, words) + gap;
    };
    const Run* run = source.run.get();
    word(Face::title, run ? QString::fromStdString(run->problem().name) : title, theme.text, 12);
    if (picture.usesAllRuns()) {
        word(Face::body, countedText(std::int64_t(source.runs.size()), QStringLiteral("planner")), theme.text2, 12);
    } else if (run) {
        word(Face::body, QString::fromStdString(run->plan.planner), theme.text2, 12);
        const VerdictKind verdict = verdictKind(*run);
        word(Face::bodyStrong, fromUtf8(verdictWord(verdict)), verdictColour(verdict, theme), 12);
        word(Face::bodyNumber, bytesText(run->report.totalSize(), picture.numbers()), theme.text, 24);
    }
    list.horizontal(0, width, pictureHeadHeight - 1, theme.line);
    return x;
}

} // namespace

Diagnostic rasterNote(const QString& file)
{
    Diagnostic note;
    note.severity = Severity::note;
    note.code = Code::rasterEmbedded;
    note.message = "more than 50,000 rectangles are in view: they are embedded as an image";
    note.where.file = nativePath(file);
    return note;
}

bool paintSheet(DrawList& list, Picture& picture, const PictureSource& source, const QString& title, QSize& size,
                const PictureFileOptions& options, BodyMode mode)
{
    size = options.size;
    QSizeF body(size.width(), size.height() - pictureHeadHeight);
    picture.layOut(body, list.ratio());
    if (options.readable) {
        const QSizeF larger = picture.readableSize(body, maxGrownPixels / (options.scale * options.scale));
        if (larger != body) {
            body = larger;
            size = (larger + QSizeF(0, pictureHeadHeight)).toSize();
            picture.layOut(body, list.ratio());
        }
    }
    const double x = paintHead(list, picture, source, title, size.width());
    picture.paintLegend(list, x, size.width() - headMargin, pictureHeadHeight / 2);
    list.add(draw::Shift{{0, pictureHeadHeight}});
    const bool fellBack = picture.paint(list, mode);
    picture.paintOverlay(list);
    list.add(draw::Unshift{});
    return fellBack;
}

Expected<PictureBytes> encodePicture(Picture& picture, const PictureSource& source, const QString& title,
                                     const PictureFileOptions& options, const QString& file)
{
    const auto format = fileFormatOf(file);
    if (!format) return format.error();
    if (const auto wrong = whyNotThatSize(options.size, options.scale)) return *wrong;
    const bool png = *format == FileFormat::png;
    TextShaper shaper;
    DrawList list(shaper, png ? options.scale : 1.0);
    QSize size;
    const bool fellBack = paintSheet(list, picture, source, title, size, options, png ? BodyMode::raster : BodyMode::vector);
    const QString name = source.run ? QString::fromStdString(source.run->problem().name) : title;
    auto bytes = encodeDrawing(list, size, options.scale, name, *format, file);
    if (!bytes) return std::move(bytes).error();
    PictureBytes encoded{*std::move(bytes), {}};
    if (fellBack) encoded.notes.push_back(rasterNote(file));
    return encoded;
}

Expected<Diagnostics> writePicture(Picture& picture, const PictureSource& source, const QString& title,
                                   const PictureFileOptions& options, const QString& file)
{
    auto made = encodePicture(picture, source, title, options, file);
    if (!made) return std::move(made).error();
    if (auto wrong = io::writeFile(nativePath(file), {made->bytes.constData(), std::size_t(made->bytes.size())}))
        return *std::move(wrong);
    return std::move(made->notes);
}

} // namespace stowage
