// The pane below the picture of a pipeline: its devices, editable, and charts of the split and of the run.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/session/pipeline_study.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QPushButton;

namespace stowage {

class ChoiceButton;
class ConnectionTable;
class CurveChart;
class DeviceTable;
class ElidedLabel;
class Look;
class SegmentedControl;
class StackedChart;
class Table;

class PipelinePane : public QWidget {
    Q_OBJECT

public:
    enum Chart { MemoryCurve, LatencyCurve, Waits, Throughput, Memory, Queues };

    PipelinePane(const Look& look, QWidget* parent = nullptr);

    /// `split`: null without one. `placement`: of the shown split.
    void showSplit(const pipeline::DeviceSet& devices, std::shared_ptr<const PipelineData> split, const StagePlacement& placement,
                   bool editable);
    void setNumbers(const NumberFormat& numbers);
    void recolour();
    void setChart(Chart chart);
    [[nodiscard]] Chart chart() const { return chart_; }
    /// Whether the chart is a trade-off, whose points are requested by `curveWanted`.
    [[nodiscard]] bool showsTradeOff() const { return chart_ == MemoryCurve || chart_ == LatencyCurve; }
    /// Sets the points of the shown trade-off; no value: not computed yet. `instead`: text without points.
    void setTradeOff(std::optional<std::vector<pipeline::TradeOffPoint>> points, const QString& instead);

    [[nodiscard]] DeviceTable& devices() { return *devices_; }
    [[nodiscard]] Table& table() { return *table_; }
    [[nodiscard]] ConnectionTable& connections() { return *connections_; }
    [[nodiscard]] Table& connectionTable() { return *connectionTable_; }
    /// Selects the row of a connection; `none`: no row.
    void selectConnection(std::int32_t connection);
    /// Selects the row of the device of a stage; `none`: no row.
    void selectStage(std::int32_t stage);
    [[nodiscard]] CurveChart& curves() { return *curves_; }
    [[nodiscard]] StackedChart& bars() { return *bars_; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override; ///< the room of the table of devices

Q_SIGNALS:
    void devicesEdited(const stowage::pipeline::DeviceSet& devices, const QString& text);
    void refused(const QString& why);
    void splitChosen(const stowage::StagePlacement& placement);
    void curveWanted(); ///< another chart is shown, which may be a trade-off
    void stageChosen(int stage);
    void connectionChosen(int connection);

private:
    void makeTable(const Look& look, QWidget& side);
    /// Devices and connections one above the other; where that leaves each of them two rows, one of them at a time.
    void showLists();
    /// Gives the columns of the devices the room of their titles and cells, and the rest to the last one.
    void fitDevices();
    void makeConnections(const Look& look, QWidget& side);
    void makeCharts(QWidget& side);
    void fillChart();
    void fillTradeOff();
    void fillWaits();
    void fillThroughput();
    void fillMemory();
    void fillQueues();

    const Look& look_;
    NumberFormat numbers_;
    std::shared_ptr<const PipelineData> data_;
    StagePlacement placement_;
    std::optional<std::vector<pipeline::TradeOffPoint>> points_;
    std::vector<std::size_t> order_; ///< by point of the chart: index into `points_`
    QString instead_;
    Chart chart_ = MemoryCurve;
    QPushButton* add_ = nullptr;
    QPushButton* remove_ = nullptr;
    QWidget* devicesSide_ = nullptr;
    QWidget* devicesTitle_ = nullptr;
    ElidedLabel* devicesNote_ = nullptr;
    SegmentedControl* list_ = nullptr; ///< in a low pane: which list is shown
    DeviceTable* devices_ = nullptr;
    Table* table_ = nullptr;
    ConnectionTable* connections_ = nullptr;
    Table* connectionTable_ = nullptr;
    QWidget* connectionsSide_ = nullptr;
    QWidget* connectionsHead_ = nullptr;
    ElidedLabel* connectionsNote_ = nullptr;
    QLabel* caption_ = nullptr;
    SegmentedControl* choice_ = nullptr;
    ChoiceButton* chartMenu_ = nullptr; ///< in a narrow pane, in the place of `choice_`
    CurveChart* curves_ = nullptr;
    StackedChart* bars_ = nullptr;
};

} // namespace stowage
