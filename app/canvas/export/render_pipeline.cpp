#include "app/canvas/export/render_pipeline.h"

#include "app/canvas/pictures/pipeline/gantt.h"
#include "app/canvas/pictures/pipeline/op_strip.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "core/io/output_file.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double headHeight = 36;
constexpr double opsHeight = 110;
constexpr double graphHeight = 126;
constexpr double graphFrom = 560; ///< height of the sheet from which the stages stand above
constexpr double stripFrom = 400; ///< and the ops below
constexpr double highestLane = 150;

void paintHead(DrawList& list, const Theme& theme, const PipelineData& data, double width)
{
    list.fill({0, 0, width, headHeight}, theme.base);
    list.horizontal(0, width, headHeight - 1, theme.line);
    const QString name = QString::fromStdString(data.name);
    list.text(Face::title, 16, headHeight / 2, name, theme.text);
    const QString text = QStringLiteral("period %1 µs · first frame after %2 µs · %3")
                             .arg(microText(data.predicted.period), microText(data.predicted.firstLatency),
                                  countedText(data.predicted.frames, QStringLiteral("frame")));
    list.text(Face::body, 16 + list.width(Face::title, name) + 16, headHeight / 2, text, theme.text2);
}

QByteArray encoded(const DrawList& list, const QString& suffix, const RenderOptions& options, const QString& title)
{
    QByteArray bytes;
    QBuffer out(&bytes);
    out.open(QIODevice::WriteOnly);
    const QSize size = options.size;
    if (suffix == u"png") {
        QImage image(QSize(static_cast<int>(std::lround(size.width() * options.scale)),
                           static_cast<int>(std::lround(size.height() * options.scale))),
                     QImage::Format_RGB32);
        image.setDevicePixelRatio(options.scale);
        QPainter painter(&image);
        replay(list, painter);
        painter.end();
        image.save(&out, "PNG");
    } else if (suffix == u"svg") {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        generator.setTitle(title);
        QPainter painter(&generator);
        replay(list, painter, true);
    } else {
        QPdfWriter writer(&out);
        constexpr int dpi = 96;
        writer.setResolution(dpi);
        writer.setTitle(title);
        writer.setPageMargins({});
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / dpi, QPageSize::Point, {}, QPageSize::ExactMatch));
        QPainter painter(&writer);
        replay(list, painter, true);
    }
    return bytes;
}

} // namespace

QStringList pipelineViews()
{
    return {QStringLiteral("stages"), QStringLiteral("pipeline")};
}

void paintPipelineSheet(DrawList& list, const PipelineData& data, const QString& view, const RenderOptions& options)
{
    const Theme& theme = options.dark ? Theme::darkTheme() : Theme::lightTheme();
    const QSizeF size(options.size);
    list.fill(QRectF(QPointF(), size), theme.well);
    paintHead(list, theme, data, size.width());
    const QRectF body(0, headHeight, size.width(), size.height() - headHeight);
    if (view == u"stages") {
        const StageGraphLayout layout = layOutStages(data, body.adjusted(0, 10, 0, -10));
        paintStages(list, theme, {}, data, layout, none);
        return;
    }
    bool ops = false;
    for (const StageFigures& stage : data.stages) ops = ops || !stage.ops.empty();
    GanttState state;
    state.data = &data;
    state.theme = &theme;
    state.ratio = list.ratio();
    // The stages above, the ops below, and lanes as high as the room between them, within reason.
    const bool graph = body.height() >= graphFrom;
    double top = body.top();
    if (graph) {
        paintStages(list, theme, {}, data, layOutStages(data, {0, top, size.width(), graphHeight}), none);
        top += graphHeight;
        list.horizontal(0, size.width(), top - 1, theme.line);
    }
    const double strip = ops && body.height() > stripFrom ? std::clamp(body.height() * 0.2, opsHeight, 2.2 * opsHeight) : 0;
    const GanttLayout layout = layOut(state, {0, top, size.width(), std::max(0.0, size.height() - top - strip)}, highestLane);
    fitAxis(state, layout);
    paintGantt(list, state, layout);
    paintWaits(list, state, size.width() / 2, size.width() - 16, headHeight / 2);
    if (strip > 0)
        paintOps(
            list, theme, data,
            layOutOps(data, {0, layout.all.bottom(), size.width(), std::min(size.height() - layout.all.bottom(), 3 * opsHeight)}),
            none, none, nullptr);
}

Expected<Diagnostics> renderPipelineToFile(const PipelineData& data, const QString& view, const RenderOptions& options,
                                           const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix != u"png" && suffix != u"svg" && suffix != u"pdf")
        return failure(Code::usage, "the name of the picture ends in none of .png, .svg and .pdf", {file.toStdString(), 0, 0, -1},
                       "name the file after its format");
    if (options.size.width() < 200 || options.size.height() < 120 || !(options.scale >= 0.5 && options.scale <= 8))
        return failure(Code::usage, "the picture is smaller than 200x120 pixels, or its scale is not between 0.5 and 8");
    TextShaper shaper;
    DrawList list(shaper, suffix == u"png" ? options.scale : 1);
    paintPipelineSheet(list, data, view, options);
    const QByteArray bytes = encoded(list, suffix, options, QString::fromStdString(data.name));
    if (bytes.isEmpty())
        return failure(Code::cannotWrite, "the picture cannot be encoded", {file.toStdString(), 0, 0, -1},
                       "choose a smaller size");
    if (auto error = io::writeFile(file.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())}))
        return *std::move(error);
    return Diagnostics{};
}

} // namespace stowage
