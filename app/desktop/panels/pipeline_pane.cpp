#include "app/desktop/panels/pipeline_pane.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "app/charts/curve_chart.h"
#include "app/charts/stacked_chart.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/connection_table.h"
#include "app/desktop/tables/device_table.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/widgets/table.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <vector>

namespace stowage {

namespace {

constexpr int headHeight = 30;
constexpr int lowPane = 250;      ///< height below which the lists take turns
constexpr int roomForWords = 900; ///< width from which the buttons have words beside the names of the lists
constexpr int minLists = 280;     ///< width that the lists keep beside the names of all charts

/// By `PipelinePane::Chart`.
QStringList chartTitles()
{
    return {PipelinePane::tr("memory curve"), PipelinePane::tr("latency curve"), PipelinePane::tr("waits"),
            PipelinePane::tr("throughput"),   PipelinePane::tr("memory"),        PipelinePane::tr("queues")};
}

QWidget* makeHead(const QString& title, QHBoxLayout*& row)
{
    auto* head = new QWidget;
    head->setFixedHeight(headHeight);
    head->setProperty("surface", "panel");
    head->setProperty("edge", "top");
    head->setAttribute(Qt::WA_StyledBackground);
    row = new QHBoxLayout(head);
    row->setContentsMargins(10, 0, 8, 0);
    row->setSpacing(8);
    if (!title.isEmpty()) row->addWidget(makeLabel(title, Tone::main, 12, QFont::DemiBold));
    return head;
}

/// When each frame came out of the last stage that it went through.
std::vector<pipeline::Ticks> framesOut(const pipeline::RunResult& run)
{
    std::vector<pipeline::Ticks> times;
    for (const pipeline::StageRun& stage : run.stages) {
        if (times.empty()) times.resize(stage.frames.size());
        times.resize(std::min(times.size(), stage.frames.size()));
        for (std::size_t f = 0; f < times.size(); ++f) times[f] = std::max(times[f], stage.frames[f].finish);
    }
    return times;
}

/// Frames in a second, from one frame out to the next.
std::vector<QPointF> throughputOf(const pipeline::RunResult& run)
{
    std::vector<QPointF> points;
    const auto times = framesOut(run);
    for (std::size_t f = 1; f < times.size(); ++f) {
        const double between = pipeline::toMicroseconds(times[f] - times[f - 1]);
        if (between > 0) points.emplace_back(pipeline::toMicroseconds(times[f]), 1e6 / between);
    }
    return points;
}

} // namespace

PipelinePane::PipelinePane(const Look& look, QWidget* parent) : QWidget(parent), look_(look)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* left = new QSplitter(Qt::Vertical);
    left->setHandleWidth(1);
    left->setChildrenCollapsible(false);
    devicesSide_ = new QWidget;
    makeTable(look, *devicesSide_);
    left->addWidget(devicesSide_);
    connectionsSide_ = new QWidget;
    makeConnections(look, *connectionsSide_);
    left->addWidget(connectionsSide_);
    left->setStretchFactor(0, 6);
    left->setStretchFactor(1, 5);
    row->addWidget(left, 6);
    row->addWidget(makeLine(Qt::Vertical));
    auto* right = new QWidget;
    makeCharts(*right);
    row->addWidget(right, 4);
    setMinimumHeight(170);
}

void PipelinePane::makeTable(const Look& look, QWidget& side)
{
    auto* column = new QVBoxLayout(&side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QHBoxLayout* head = nullptr;
    column->addWidget(makeHead(tr("Devices"), head));
    devicesTitle_ = head->itemAt(0)->widget();
    list_ = new SegmentedControl({tr("devices"), tr("connections")}, true);
    list_->setObjectName(QStringLiteral("pipelineList"));
    list_->setAccessibleName(tr("List shown"));
    connect(list_, &SegmentedControl::chosen, this, &PipelinePane::showLists);
    head->addWidget(list_);
    auto* note = new ElidedLabel;
    note->setProperty("tone", "caption");
    head->addWidget(note, 1);
    devicesNote_ = note;
    auto* remove = makeButton(tr("Remove"), QStringLiteral("minus"), ButtonKind::normal, true);
    remove->setObjectName(QStringLiteral("removeDevice"));
    remove->setToolTip(tr("Removes the selected device"));
    auto* add = makeButton(tr("Add device"), QStringLiteral("plus"), ButtonKind::normal, true);
    add->setObjectName(QStringLiteral("addDevice"));
    add->setToolTip(tr("Adds a device like the last one"));
    add->setAccessibleName(tr("Add device"));
    remove->setAccessibleName(tr("Remove the selected device"));
    head->addWidget(remove);
    head->addWidget(add);
    remove_ = remove;
    add_ = add;
    table_ = new Table(look);
    table_->setObjectName(QStringLiteral("deviceTable"));
    table_->setAccessibleName(tr("Devices"));
    devices_ = new DeviceTable(table_);
    table_->setModel(devices_);
    // Where not all fit, what was found stays in view, and what is given scrolls.
    table_->horizontalHeader()->moveSection(DeviceTable::Busy, DeviceTable::Stage + 1);
    table_->setItemDelegate(new DeviceDelegate(look, table_));
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    table_->viewport()->installEventFilter(this);
    column->addWidget(table_, 1);
    connect(devices_, &DeviceTable::edited, this, &PipelinePane::devicesEdited);
    connect(devices_, &DeviceTable::refused, this, &PipelinePane::refused);
    connect(add, &QPushButton::clicked, this, [this] {
        pipeline::DeviceSet next = devices_->devices();
        next.devices.push_back(anotherDevice(next));
        Q_EMIT devicesEdited(next, tr("Add a device"));
    });
    connect(remove, &QPushButton::clicked, this, [this] {
        const int row = table_->currentIndex().row();
        pipeline::DeviceSet next = devices_->devices();
        if (row < 0 || std::size_t(row) >= next.devices.size())
            return Q_EMIT refused(tr("select the device that is to be removed"));
        const std::string name = next.devices[std::size_t(row)].name;
        next.devices.erase(next.devices.begin() + row);
        std::erase_if(next.links, [&](const pipeline::Link& link) { return link.from == name || link.to == name; });
        Q_EMIT devicesEdited(next, tr("Remove %1").arg(nameText(name)));
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (const std::int32_t stage = devices_->stageOf(now.row()); stage != none) Q_EMIT stageChosen(stage);
    });
}

void PipelinePane::makeConnections(const Look& look, QWidget& side)
{
    auto* column = new QVBoxLayout(&side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QHBoxLayout* head = nullptr;
    connectionsHead_ = makeHead(tr("Connections"), head);
    column->addWidget(connectionsHead_);
    connectionsNote_ = new ElidedLabel;
    connectionsNote_->setProperty("tone", "caption");
    head->addWidget(connectionsNote_, 1);
    connectionTable_ = new Table(look);
    connectionTable_->setObjectName(QStringLiteral("connectionTable"));
    connectionTable_->setAccessibleName(tr("Connections"));
    connections_ = new ConnectionTable(connectionTable_);
    connectionTable_->setModel(connections_);
    connectionTable_->setItemDelegate(new ConnectionDelegate(look, connectionTable_));
    connectionTable_->setSelectionMode(QAbstractItemView::SingleSelection);
    const int widths[] = {72, 72, 84, 92, 94};
    for (int c = 0; c < int(std::size(widths)); ++c) connectionTable_->setColumnWidth(c, widths[c]);
    connectionTable_->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(connectionTable_, 1);
    connect(connectionTable_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) Q_EMIT connectionChosen(now.row());
    });
}

void PipelinePane::selectStage(std::int32_t stage)
{
    for (int row = 0; stage != none && row < devices_->rowCount(); ++row) {
        if (devices_->stageOf(row) != stage) continue;
        if (table_->currentIndex().row() != row) table_->selectRow(row);
        return;
    }
    if (devices_->stageOf(table_->currentIndex().row()) == none) return; // an idle device, which may be the one to be removed
    const QSignalBlocker quiet(table_->selectionModel());
    table_->clearSelection();
    table_->setCurrentIndex({});
    table_->viewport()->update();
}

void PipelinePane::selectConnection(std::int32_t connection)
{
    if (connection != none) {
        list_->setCurrent(1);
        showLists();
        return connectionTable_->selectRow(connection);
    }
    const QSignalBlocker quiet(connectionTable_->selectionModel());
    connectionTable_->clearSelection();
    connectionTable_->setCurrentIndex({});
    connectionTable_->viewport()->update();
}

void PipelinePane::makeCharts(QWidget& side)
{
    auto* column = new QVBoxLayout(&side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    QHBoxLayout* head = nullptr;
    column->addWidget(makeHead({}, head));
    choice_ = new SegmentedControl(chartTitles(), true);
    choice_->setObjectName(QStringLiteral("pipelineChart"));
    choice_->setAccessibleName(tr("Chart"));
    choice_->setCurrent(chart_);
    connect(choice_, &SegmentedControl::chosen, this, [this](int index) { setChart(Chart(index)); });
    head->addWidget(choice_);
    chartMenu_ = new ChoiceButton({}, true);
    chartMenu_->setObjectName(QStringLiteral("pipelineChartMenu"));
    chartMenu_->setAccessibleName(tr("Chart"));
    chartMenu_->setMenuFiller([this](QMenu& menu) {
        const QStringList charts = chartTitles();
        for (int i = 0; i < int(charts.size()); ++i) {
            QAction* action = menu.addAction(charts[i], this, [this, i] { setChart(Chart(i)); });
            action->setCheckable(true);
            action->setChecked(i == chart_);
        }
    });
    chartMenu_->setChoice(chartTitles()[chart_]);
    head->addWidget(chartMenu_);
    head->addStretch(1);
    curves_ = new CurveChart;
    curves_->setObjectName(QStringLiteral("pipelineCurves"));
    setSpokenRole(*curves_, QAccessible::Canvas);
    bars_ = new StackedChart;
    bars_->setObjectName(QStringLiteral("pipelineBars"));
    setSpokenRole(*bars_, QAccessible::Canvas);
    bars_->hide();
    column->addWidget(curves_, 1);
    column->addWidget(bars_, 1);
    connect(curves_, &CurveChart::pointChosen, this, [this](int point) {
        if (!showsTradeOff() || !points_ || std::size_t(point) >= order_.size()) return;
        Q_EMIT splitChosen(placementOf((*points_)[order_[std::size_t(point)]].stages));
    });
}

void PipelinePane::showSplit(const pipeline::DeviceSet& devices, std::shared_ptr<const PipelineData> split,
                             const StagePlacement& placement, bool editable)
{
    data_ = std::move(split);
    placement_ = placement;
    devices_->show(devices, data_);
    fitDevices();
    connections_->show(data_);
    showLists();
    if (connections_->rowCount() > 0) {
        const std::int64_t queue = data_->model.connections.front().capacity;
        connectionsNote_->setFullText(queue == 0 ? tr("queues of any length, transfers overlap computing")
                                                 : tr("queue of %1 between neighbours, transfers overlap computing").arg(queue));
    }
    add_->setEnabled(editable);
    remove_->setEnabled(editable && !devices.devices.empty());
    table_->setEditTriggers(editable ? QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                                           QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked
                                     : QAbstractItemView::NoEditTriggers);
    fillChart();
}

void PipelinePane::showLists()
{
    const bool connected = connections_->rowCount() > 0;
    const bool turns = connected && height() < lowPane;
    const bool second = turns && list_->current() == 1;
    devicesTitle_->setVisible(!turns);
    list_->setVisible(turns);
    connectionsHead_->setVisible(!turns);
    table_->setVisible(!second);
    connectionsSide_->setVisible(turns ? second : connected);
    devicesSide_->setMaximumHeight(second ? headHeight : QWIDGETSIZE_MAX);
    const bool words = !turns || width() >= roomForWords; // beside the names of the lists
    add_->setText(words ? tr("Add device") : QString());
    remove_->setText(words ? tr("Remove") : QString());
    add_->setVisible(!second);
    remove_->setVisible(!second);
    devicesNote_->setFullText(turns ? QString() : tr("an edited cell splits the model again"));
}

void PipelinePane::fitDevices()
{
    constexpr int margins = 18;
    const QFontMetrics words(uiFont(metrics::body)), figures(monoFont(metrics::body));
    const auto widths = [&](bool units) {
        std::vector<int> fitted;
        for (int column = 0; column < devices_->columnCount(); ++column) {
            const QString title = devices_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
            int width = words.horizontalAdvance(units ? title : title.section(u',', 0, 0));
            for (int row = 0; row < devices_->rowCount(); ++row) {
                const QModelIndex cell = devices_->index(row, column);
                const bool number = cell.data(DeviceTable::NumberRole).toBool();
                width = std::max(width, (number ? figures : words).horizontalAdvance(cell.data().toString()));
            }
            fitted.push_back(width + margins);
        }
        return fitted;
    };
    const int all = table_->viewport()->width();
    const auto sum = [](const std::vector<int>& fitted) { return std::accumulate(fitted.begin(), fitted.end(), 0); };
    std::vector<int> fitted = widths(true);
    if (sum(fitted) > all) fitted = widths(false);   // titles do without their units then
    fitted.back() += std::max(0, all - sum(fitted)); // for the bars
    for (std::size_t column = 0; column < fitted.size(); ++column) table_->setColumnWidth(int(column), fitted[column]);
}

bool PipelinePane::eventFilter(QObject* object, QEvent* event)
{
    if (object == table_->viewport() && event->type() == QEvent::Resize) {
        const auto* resized = static_cast<QResizeEvent*>(event);
        if (resized->size().width() != resized->oldSize().width()) fitDevices();
    }
    return QWidget::eventFilter(object, event);
}

void PipelinePane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showLists();
    const bool wide = width() >= choice_->sizeHint().width() + minLists;
    choice_->setVisible(wide);
    chartMenu_->setVisible(!wide);
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->setStretch(0, wide ? 6 : 5); // a narrow chart has no room for the numbers and the title of its axis
    row->setStretch(2, wide ? 4 : 6);
}

void PipelinePane::setNumbers(const NumberFormat& numbers)
{
    numbers_ = numbers;
    fillChart();
}

void PipelinePane::recolour()
{
    curves_->setTheme(look_.theme());
    bars_->setTheme(look_.theme());
    fillChart();
}

void PipelinePane::setChart(Chart chart)
{
    if (std::exchange(chart_, chart) == chart) return;
    choice_->setCurrent(chart);
    chartMenu_->setChoice(chartTitles()[chart]);
    points_.reset();
    fillChart();
    Q_EMIT curveWanted(); // or not any more
}

void PipelinePane::setTradeOff(std::optional<std::vector<pipeline::TradeOffPoint>> points, const QString& instead)
{
    points_ = std::move(points);
    instead_ = instead;
    if (showsTradeOff()) fillChart();
}

// --- charts --------------------------------------------------------------------------------------------------------------

void PipelinePane::fillChart()
{
    const bool stacked = chart_ == Waits || chart_ == Memory;
    for (QWidget* chart : {static_cast<QWidget*>(bars_), static_cast<QWidget*>(curves_)})
        chart->setAccessibleName(chartTitles()[chart_]);
    bars_->setVisible(stacked);
    curves_->setVisible(!stacked);
    switch (chart_) {
    case MemoryCurve:
    case LatencyCurve: fillTradeOff(); break;
    case Waits: fillWaits(); break;
    case Throughput: fillThroughput(); break;
    case Memory: fillMemory(); break;
    case Queues: fillQueues(); break;
    }
}

void PipelinePane::fillTradeOff()
{
    const bool bytes = chart_ == MemoryCurve;
    ChartCurve curve{{}, look_.theme().accent, {}, true, true};
    order_.clear();
    if (points_) {
        order_.resize(points_->size());
        std::iota(order_.begin(), order_.end(), std::size_t(0));
        const auto across = [&](std::size_t i) {
            const auto& point = (*points_)[i];
            return bytes ? double(point.bytes) : pipeline::toMicroseconds(point.latency);
        };
        std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) { return across(a) < across(b); });
        for (const std::size_t i : order_) curve.points.emplace_back(across(i), pipeline::toMicroseconds((*points_)[i].period));
    }
    curves_->setEmptyText(points_ ? tr("No split fits.") : instead_);
    curves_->setCurves(points_ ? std::vector{curve} : std::vector<ChartCurve>(),
                       {bytes ? tr("arena + constants of all stages, B") : tr("latency of a frame, µs"), {}, false},
                       {tr("period, µs"), {}, false});
    for (std::size_t i = 0; i < order_.size(); ++i)
        if (const auto& point = (*points_)[order_[i]]; placementOf(point.stages) == placement_)
            curves_->setChosen(int(i),
                               tr("%1, shown").arg(countedText(std::int64_t(point.stages.size()), QStringLiteral("stage"))));
}

void PipelinePane::fillWaits()
{
    const Theme& theme = look_.theme();
    std::vector<ChartPart> parts{{tr("busy"), theme.buffers[2], {}},
                                 {tr("input"), theme.text3, {}},
                                 {tr("output full"), theme.warn, {}},
                                 {tr("link"), theme.accent, {}},
                                 {tr("device"), theme.bad, {}}};
    QStringList names;
    std::vector<QString> texts;
    if (data_)
        for (std::size_t s = 0; s < data_->stages.size(); ++s) {
            const pipeline::StageRun& run = data_->predicted.stages[s];
            const auto add = [&](std::size_t part, pipeline::Ticks time) {
                parts[part].values.push_back(pipeline::toMicroseconds(time));
            };
            add(0, run.busy);
            add(1, run.stalls.input);
            add(2, run.stalls.output);
            add(3, run.stalls.link);
            add(4, run.stalls.device);
            names << tr("%1 %2").arg(s).arg(nameText(data_->stages[s].device));
            texts.push_back(shareText(data_->predicted.total > 0 ? double(run.busy) / double(data_->predicted.total) : 0));
        }
    // Beside the lanes are the shares of one steady period, which are larger.
    const QString frames = countedText(data_ ? data_->predicted.frames : 0, QStringLiteral("frame"));
    bars_->setBars(names, std::move(parts), std::vector<std::optional<double>>(texts.size()), texts,
                   tr("busy: share of the time of %1").arg(frames));
}

void PipelinePane::fillThroughput()
{
    std::vector<ChartCurve> curves;
    if (data_) {
        curves.push_back({tr("predicted"), look_.theme().accent, throughputOf(data_->predicted), false, false});
        if (data_->measured) curves.push_back({tr("measured"), look_.theme().text, throughputOf(*data_->measured), false, false});
    }
    curves_->setEmptyText(tr("The throughput needs two finished frames."));
    curves_->setCurves(std::move(curves), {tr("time, µs"), {}, true}, {tr("frames/s"), {}, true});
}

void PipelinePane::fillMemory()
{
    const Theme& theme = look_.theme();
    std::vector<ChartPart> parts{{tr("arena"), theme.buffers[0], {}},
                                 {tr("constants"), theme.buffers[9], {}},
                                 {tr("frames that wait"), theme.buffers[1], {}}};
    QStringList names;
    std::vector<std::optional<double>> limits;
    std::vector<QString> texts;
    if (data_)
        for (std::size_t s = 0; s < data_->stages.size(); ++s) {
            const StageFigures& stage = data_->stages[s];
            Bytes waiting = 0;
            for (std::size_t c = 0; c < data_->predicted.connections.size(); ++c)
                if (data_->predicted.connections[c].to == std::int32_t(s))
                    waiting += data_->predicted.connections[c].maxQueued * data_->model.connections[c].transferBytes;
            parts[0].values.push_back(double(stage.memory.arena));
            parts[1].values.push_back(double(stage.memory.constants + stage.memory.variables));
            parts[2].values.push_back(double(waiting));
            names << tr("%1 %2").arg(s).arg(nameText(stage.device));
            limits.push_back(stage.limit ? std::optional(double(*stage.limit)) : std::nullopt);
            texts.push_back(bytesText(stage.memory.total() + waiting, numbers_));
        }
    bars_->setBars(names, std::move(parts), std::move(limits), std::move(texts));
}

void PipelinePane::fillQueues()
{
    std::vector<ChartCurve> curves;
    const Theme& theme = look_.theme();
    if (data_)
        for (const pipeline::ConnectionRun& connection : data_->predicted.connections) {
            ChartCurve curve{
                tr("%1 to %2").arg(connection.from).arg(connection.to), theme.buffers[curves.size() % 10], {}, true, false};
            curve.points.emplace_back(0, 0);
            for (const pipeline::QueueLength& length : connection.lengths)
                curve.points.emplace_back(pipeline::toMicroseconds(length.time), double(length.length));
            curve.points.emplace_back(pipeline::toMicroseconds(data_->predicted.total), curve.points.back().y());
            curves.push_back(std::move(curve));
        }
    curves_->setEmptyText(tr("A pipeline of one stage has no queue."));
    curves_->setCurves(std::move(curves), {tr("time, µs"), {}, true}, {tr("frames that wait"), {}, true});
}

} // namespace stowage
