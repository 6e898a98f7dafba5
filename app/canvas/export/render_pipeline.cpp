#include "app/canvas/export/render_pipeline.h"

#include "app/canvas/export/file_format.h"
#include "app/canvas/pictures/pipeline/gantt.h"
#include "app/canvas/pictures/pipeline/op_strip.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"

#include <algorithm>

namespace stowage {

namespace {

constexpr double sheetHead = 36;
constexpr double opsHeight = 110;
constexpr double graphFrom = 560; ///< height of the sheet from which the stages stand above
constexpr double stripFrom = 400; ///< and the ops below
constexpr double sheetLane = 150;

void paintHead(DrawList& list, const Theme& theme, const PipelineData& data, double width)
{
    list.fill({0, 0, width, sheetHead}, theme.base);
    list.horizontal(0, width, sheetHead - 1, theme.line);
    const QString name = QString::fromStdString(data.name);
    list.text(Face::title, 16, sheetHead / 2, name, theme.text);
    const QString text = QStringLiteral("period %1 µs · first frame after %2 µs · %3")
                             .arg(microText(data.predicted.period), microText(data.predicted.firstLatency),
                                  countedText(data.predicted.frames, QStringLiteral("frame")));
    list.text(Face::body, 16 + list.width(Face::title, name) + 16, sheetHead / 2, text, theme.text2);
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
    const QRectF body(0, sheetHead, size.width(), size.height() - sheetHead);
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
        paintStages(list, theme, {}, data, layOutStages(data, {0, top, size.width(), stageGraphHeight}), none);
        top += stageGraphHeight;
        list.horizontal(0, size.width(), top - 1, theme.line);
    }
    const double strip = ops && body.height() > stripFrom ? std::clamp(body.height() * 0.2, opsHeight, 2.2 * opsHeight) : 0;
    const GanttLayout layout = layOut(state, {0, top, size.width(), std::max(0.0, size.height() - top - strip)}, sheetLane);
    fitAxis(state, layout);
    paintGantt(list, state, layout);
    paintWaits(list, state, size.width() / 2, size.width() - 16, sheetHead / 2);
    if (strip > 0)
        paintOps(
            list, theme, data,
            layOutOps(data, {0, layout.all.bottom(), size.width(), std::min(size.height() - layout.all.bottom(), 3 * opsHeight)}),
            none, none, nullptr);
}

Expected<Diagnostics> renderPipelineToFile(const PipelineData& data, const QString& view, const RenderOptions& options,
                                           const QString& file)
{
    const auto format = fileFormatOf(file);
    if (!format) return format.error();
    if (const auto wrong = whyNotThatSize(options.size, options.scale)) return *wrong;
    TextShaper shaper;
    DrawList list(shaper, *format == FileFormat::png ? options.scale : 1);
    paintPipelineSheet(list, data, view, options);
    if (auto wrong = writeDrawing(list, options.size, options.scale, QString::fromStdString(data.name), *format, file))
        return *wrong;
    return Diagnostics{};
}

} // namespace stowage
