// What the inspector tells beside the Pipeline view: of the selected stage, frame or connection, and of the pipeline.
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/fact_rows.h"
#include "app/desktop/panels/inspector.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

namespace stowage {

namespace {

QString timeText(pipeline::Ticks ticks)
{
    return microText(ticks) + QStringLiteral(" µs");
}

/// In µs to the nanosecond: a multiple of a rounded time would not be the time that is shown for all frames.
QString fineText(pipeline::Ticks ticks)
{
    constexpr pipeline::Ticks perNanosecond = pipeline::ticksPerMicrosecond / 1000;
    const pipeline::Ticks nanoseconds = ticks / perNanosecond + (ticks % perNanosecond >= perNanosecond / 2 ? 1 : 0);
    return countText(nanoseconds / 1000) + QStringLiteral(".%1").arg(nanoseconds % 1000, 3, 10, QLatin1Char('0'));
}

QString differenceText(double share)
{
    return QStringLiteral("%1%2 %").arg(share < 0 ? QString() : QStringLiteral("+")).arg(100 * share, 0, 'f', 1);
}

void addTitle(QVBoxLayout& column, const QString& title, const QString& under)
{
    auto* name = makeLabel(title, Tone::main, metrics::title, QFont::DemiBold);
    name->setObjectName(QStringLiteral("pipelineTitle"));
    name->setWordWrap(true);
    name->setContentsMargins(12, 0, 12, 0);
    column.addWidget(name);
    if (under.isEmpty()) return;
    auto* label = makeLabel(under, Tone::secondary);
    label->setWordWrap(true);
    label->setContentsMargins(12, 0, 12, 4);
    column.addWidget(label);
}

/// Arena and constants of a stage over the memory of its device.
class MemoryBar : public QWidget {
public:
    MemoryBar(const Look& look, const StageFigures& stage) : look_(look), memory_(stage.memory), limit_(stage.limit)
    {
        setFixedHeight(10);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = look_.theme();
        const double scale = double(std::max<Bytes>({1, memory_.total(), limit_.value_or(0)}));
        const double arena = width() * double(memory_.arena) / scale;
        painter.fillRect(rect(), theme.hover);
        painter.fillRect(QRectF(0, 0, arena, height()), theme.buffers[0]);
        painter.fillRect(QRectF(arena, 0, width() * double(memory_.total()) / scale - arena, height()), theme.buffers[9]);
    }

private:
    const Look& look_;
    pipeline::StageMemory memory_;
    std::optional<Bytes> limit_;
};

QString stageName(const PipelineData& split, std::size_t s)
{
    const std::string& device = split.stages[s].device;
    return device.empty() ? Inspector::tr("Stage %1").arg(s) : Inspector::tr("Stage %1 on %2").arg(s).arg(nameText(device));
}

/// The glossary's memory is the hardware.
FactKey memoryKey()
{
    return {Inspector::tr("memory"), Inspector::tr("Bytes of arena, constants and variables, without waiting frames")};
}

void addMeasured(QVBoxLayout& column, pipeline::Ticks measured, pipeline::Ticks predicted)
{
    addFact(column, Inspector::tr("measured"), timeText(measured),
            predicted > 0 ? differenceText(double(measured) / double(predicted) - 1) : QString());
}

void addFrame(QVBoxLayout& column, const PipelineData& split, std::size_t s, std::size_t f)
{
    const pipeline::FrameTimes& frame = split.predicted.stages[s].frames[f];
    addTitle(column, Inspector::tr("Frame %1").arg(f), stageName(split, s));
    addFact(column, Inspector::tr("begins"), timeText(frame.start));
    addFact(column, Inspector::tr("ends"), timeText(frame.finish));
    addFact(column, Inspector::tr("takes"), timeText(frame.finish - frame.start));
    const std::pair<QString, pipeline::Ticks> waits[] = {{Inspector::tr("for input"), frame.stalls.input},
                                                         {Inspector::tr("for the link"), frame.stalls.link},
                                                         {Inspector::tr("for the device"), frame.stalls.device},
                                                         {Inspector::tr("for room in the next queue"), frame.stalls.output}};
    for (const auto& [cause, time] : waits)
        if (time > 0) addFact(column, Inspector::tr("waits"), timeText(time), cause);
    if (frame.stalls.total() == 0) addFact(column, Inspector::tr("waits"), timeText(0));
    for (const pipeline::TransferTimes& transfer : split.predicted.transfers)
        if (transfer.frame == std::int64_t(f) && split.model.connections[std::size_t(transfer.connection)].to == std::int32_t(s))
            addFact(column, Inspector::tr("moved in"), timeText(transfer.finish - transfer.start),
                    Inspector::tr("from stage %1").arg(split.model.connections[std::size_t(transfer.connection)].from));
    if (!split.measured || s >= split.measured->stages.size() || f >= split.measured->stages[s].frames.size()) return;
    const pipeline::FrameTimes& measured = split.measured->stages[s].frames[f];
    addFactLine(column);
    addFactHeading(column, Inspector::tr("Measured"), Inspector::tr("against the prediction"));
    addFact(column, Inspector::tr("begins"), timeText(measured.start));
    addFact(column, Inspector::tr("ends"), timeText(measured.finish));
    addMeasured(column, measured.finish - measured.start, frame.finish - frame.start);
}

void addConnection(QVBoxLayout& column, const PipelineData& split, std::size_t c, const NumberFormat& numbers)
{
    const pipeline::ConnectionModel& connection = split.model.connections[c];
    const pipeline::ConnectionRun& run = split.predicted.connections[c];
    addTitle(column, Inspector::tr("Connection of stages %1 and %2").arg(connection.from).arg(connection.to),
             Inspector::tr("%1 to %2")
                 .arg(nameText(split.stages[std::size_t(connection.from)].device),
                      nameText(split.stages[std::size_t(connection.to)].device)));
    addFact(column, Inspector::tr("moves"), bytesText(connection.transferBytes, numbers), Inspector::tr("in a frame"));
    addFact(column, Inspector::tr("takes"), timeText(connection.transfer),
            split.predicted.period > 0
                ? Inspector::tr("%1 of a period").arg(shareText(double(connection.transfer) / double(split.predicted.period)))
                : QString());
    addFact(column, Inspector::tr("queue"),
            connection.capacity == 0 ? Inspector::tr("unbounded") : countText(connection.capacity),
            Inspector::tr("frames have room"));
    addFact(column, Inspector::tr("used"), countText(run.maxQueued), Inspector::tr("frames at most"));
    addFact(column, Inspector::tr("waiting"), bytesText(run.maxQueued * connection.transferBytes, numbers),
            Inspector::tr("at most"));
    addFactLine(column);
    addFactHeading(column, Inspector::tr("Tensors"), countText(std::int64_t(connection.tensors.size())));
    for (std::size_t t = 0; t < std::min(connection.tensors.size(), maxFactLines); ++t)
        addFact(column, Inspector::tr("output %1").arg(connection.tensors[t].output), nameText(connection.tensors[t].input), {},
                false, connection.tensors[t].bytes ? bytesText(*connection.tensors[t].bytes, numbers) : QString());
}

} // namespace

void Inspector::showPipeline(QVBoxLayout& column)
{
    const PipelineFocus::Content& content = workspace_.pipeline().content();
    const PipelineFocus::Selected& selected = workspace_.pipeline().selected();
    const PipelineData& split = *content.data;
    const NumberFormat& numbers = workspace_.numbers();
    if (selected.connection != none) {
        addConnection(column, split, std::size_t(selected.connection), numbers);
        addFactLine(column);
    } else if (selected.frame != none) {
        addFrame(column, split, std::size_t(selected.stage), std::size_t(selected.frame));
        addFactLine(column);
    } else if (selected.stage != none) {
        showStage(column, split, std::size_t(selected.stage));
        addFactLine(column);
    }
    addFactHeading(column, tr("Pipeline"), countedText(std::int64_t(split.stages.size()), tr("stage")));
    auto* proof = makeLabel(content.proved  ? tr("✓ split proved optimal")
                            : content.bound ? tr("not proved")
                                            : tr("as in the file"),
                            content.proved ? Tone::ok : Tone::warn);
    proof->setContentsMargins(12, 0, 12, 2);
    column.addWidget(proof);
    const auto bound = [&](bool here, pipeline::Ticks value) {
        return here && content.bound == value ? tr("bound reached") : QString();
    };
    const auto addBound = [&](bool here, pipeline::Ticks value) {
        if (here && content.bound && *content.bound != value)
            addFact(column,
                    {tr("bound"), content.byLatency ? tr("No split of the model onto these devices has a smaller latency")
                                                    : tr("No split of the model onto these devices has a shorter period")},
                    timeText(*content.bound), tr("gap +%1").arg(shareText(double(value) / double(*content.bound) - 1)));
    };
    pipeline::Ticks period = 0;
    for (const pipeline::StageModel& stage : split.model.stages) period = std::max(period, stage.cost);
    for (const pipeline::ConnectionModel& connection : split.model.connections) period = std::max(period, connection.transfer);
    addFact(column, tr("period"), timeText(period), bound(!content.byLatency, period));
    addBound(!content.byLatency, period);
    if (split.predicted.period > 0)
        addFact(column, tr("throughput"), countText(std::int64_t(1e6 / pipeline::toMicroseconds(split.predicted.period) + 0.5)),
                tr("frames/s"));
    addFact(column, tr("latency"), timeText(content.latency), bound(content.byLatency, content.latency));
    addBound(content.byLatency, content.latency);
    addFact(column, countedText(split.predicted.frames, tr("frame")), timeText(split.predicted.total));
    if (split.measured) addMeasured(column, split.measured->period, split.predicted.period);
    Bytes sum = 0;
    for (const StageFigures& stage : split.stages) sum += stage.memory.total();
    addFact(column, memoryKey(), bytesText(sum, numbers), tr("of all stages"));
    if (split.model.isChain()) {
        auto* why = makeLabel(tr("Time of a chain: latency + %1 × period = %2 + %1 × %3 = %4 µs")
                                  .arg(countText(split.predicted.frames - 1), fineText(content.latency), fineText(period),
                                       microText(split.model.chainTime(split.predicted.frames))),
                              Tone::caption);
        why->setWordWrap(true);
        why->setContentsMargins(12, 2, 12, 0);
        column.addWidget(why);
    }
}

void Inspector::showStage(QVBoxLayout& column, const PipelineData& split, std::size_t s)
{
    const NumberFormat& numbers = workspace_.numbers();
    const StageFigures& stage = split.stages[s];
    std::int64_t first = 0;
    for (std::size_t before = 0; before < s; ++before) first += std::int64_t(split.stages[before].ops.size());
    const auto count = std::int64_t(stage.ops.size());
    QString under;
    if (count == 1)
        under = tr("op %1, %2").arg(first).arg(nameText(stage.ops.front().name));
    else if (count > 1)
        under = tr("ops %1 to %2, %3, %4 to %5")
                    .arg(first)
                    .arg(first + count - 1)
                    .arg(countedText(count, tr("op")), nameText(stage.ops.front().name), nameText(stage.ops.back().name));
    addTitle(column, stageName(split, s), under);
    const pipeline::Ticks cost = split.model.stages[s].cost;
    const pipeline::StageRun& run = split.predicted.stages[s];
    addFact(column, tr("cost"), timeText(cost), split.slowest() == std::int32_t(s) ? tr("sets the period") : QString());
    if (split.predicted.period > 0)
        addFact(column, tr("busy"), shareText(double(cost) / double(split.predicted.period)), tr("of the steady period"));
    addFact(column, tr("waits"), timeText(run.stalls.total()), tr("in %1").arg(countedText(split.predicted.frames, tr("frame"))));
    if (split.measured && s < split.measured->stages.size() && split.measured->stages[s].done > 0)
        addMeasured(column, split.measured->stages[s].busy / split.measured->stages[s].done, cost);
    if (!stage.planned) return;
    addFact(column, memoryKey(), bytesText(stage.memory.total(), numbers),
            stage.limit ? tr("of %1").arg(bytesText(*stage.limit, numbers)) : QString());
    auto* box = new QHBoxLayout;
    box->setContentsMargins(12, 2, 12, 2);
    box->addWidget(new MemoryBar(look_, stage));
    column.addLayout(box);
    addFact(column, tr("arena"), bytesText(stage.memory.arena, numbers),
            stage.memory.arena == stage.memory.arenaBound ? tr("bound reached")
            : stage.memory.arenaBound > 0                 ? tr("bound %1").arg(bytesText(stage.memory.arenaBound, numbers))
                                                          : QString());
    addFact(column, tr("constants"), bytesText(stage.memory.constants, numbers));
    if (stage.memory.variables > 0) addFact(column, tr("variables"), bytesText(stage.memory.variables, numbers));
}

} // namespace stowage
