// Compare: the runs of a model as a table and as maps side by side, the difference of two of them (see
// app/desktop/workspace/compared_runs.h), and the matrix of open models and planners.
#pragma once

#include "app/desktop/view.h"
#include "app/desktop/workspace/compared_runs.h"

#include <QPointer>

#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QSplitter;

namespace stowage {

class ChoiceButton;
class ColourLegend;
class ComparisonTable;
class DifferenceLegend;
class ElidedLabel;
class Look;
class MapWidget;
class PaneHeadStrip;
class PlannerMatrix;
class RevisionPane;
class RunCharts;
class SegmentedControl;
class StatePage;
class Table;
class Workspace;

/// Maps share an address scale, a selection and a time cursor, and also the zoom unless unlinked. The shown run is one of them;
/// in maps of runs with other buffers the selection is matched by name.
class CompareView : public View {
    Q_OBJECT

public:
    CompareView(Workspace& workspace, const Look& look, QWidget* parent);
    ~CompareView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override;
    void zoomToFit() override;
    void zoomToSelection() override;
    void zoomToPeak() override;
    bool perform(ViewCommand command) override;
    bool performs(ViewCommand command) override;

    [[nodiscard]] ComparisonTable& table() { return *table_; }
    [[nodiscard]] Table& tableWidget() { return *tableView_; }
    [[nodiscard]] PlannerMatrix& matrix() { return *matrix_; }
    [[nodiscard]] bool matrixShown() const;
    /// Shows the runs as a chart (`RunCharts::Kind`); -1: as a table.
    void showRunsAs(int kind);
    /// Replaces the table of runs by the differences from another open model, tensor by tensor; 0: shows the table or chart
    /// again.
    void compareWithModel(int model);
    /// The same with the other open model, if there is one; of several the user chooses.
    void compareModels();
    [[nodiscard]] std::vector<MapWidget*> maps() const; ///< the maps with a run, from the left
    [[nodiscard]] ComparedRuns& compared() { return compared_; }
    [[nodiscard]] MapWidget& differenceMap() { return *differenceMap_; }
    void setLinked(bool on);
    /// Plans with `local-first`, to show the cost of sharing inside each operator first, and with the default planner; then shows
    /// these two side by side with their difference.
    void compareLocalFirst();
    /// The text shown instead of a picture; empty if there is one.
    [[nodiscard]] QString message() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    struct Pane {
        QWidget* box = nullptr;
        PaneHeadStrip* head = nullptr;
        MapWidget* map = nullptr;
        int run = 0;
    };

    QWidget* makeMaps();
    QWidget* makeDifference();
    QWidget* makeTable();
    QWidget* makeMatrix();
    void makeBar();
    void refresh();
    void showRows();
    void showRuns();
    void showHeads();
    void showDifference();
    void sayCompared();
    void showMatrix();
    void showRevision();
    void showBar();
    void fitColumns();
    void fitMatrix();
    void fitNames();
    void fitParts();
    void fitScales();
    void follow(const MapWidget* leader);
    [[nodiscard]] MapWidget* leader() const;
    [[nodiscard]] int room() const; ///< count of maps for which there is room

    const Look& look_;
    Workspace& workspace_;
    const Theme* theme_;
    NumberFormat numbers_;
    ComparedRuns compared_;
    bool linked_ = true;
    bool following_ = false;
    bool selecting_ = false;

    QPointer<QWidget> bar_;
    ChoiceButton* colourBy_ = nullptr;
    ColourLegend* legend_ = nullptr;
    ChoiceButton* pools_ = nullptr;
    QPushButton* link_ = nullptr;
    SegmentedControl* counts_ = nullptr;
    StatePage* page_ = nullptr;
    QString nothing_;              ///< reason why nothing is shown; empty otherwise
    QSplitter* content_ = nullptr; ///< maps above, the rest below
    QSplitter* below_ = nullptr;
    bool divided_ = false; ///< the user has moved the splitter
    bool dividedBelow_ = false;
    std::vector<Pane> panes_;
    StatePage* invite_ = nullptr;
    QWidget* differenceTitle_ = nullptr;
    QString hereName_;
    QString thereName_;
    ChoiceButton* here_ = nullptr;
    ChoiceButton* there_ = nullptr;
    DifferenceLegend* differenceLegend_ = nullptr;
    MapWidget* differenceMap_ = nullptr;
    QLabel* differenceEmpty_ = nullptr;
    ElidedLabel* tableCaption_ = nullptr;
    ComparisonTable* table_ = nullptr;
    Table* tableView_ = nullptr;
    ChoiceButton* runsAs_ = nullptr;
    RunCharts* charts_ = nullptr;
    int chart_ = -1; ///< chart shown instead of the table; -1: none
    RevisionPane* revision_ = nullptr;
    QWidget* matrixBox_ = nullptr;
    ElidedLabel* matrixCaption_ = nullptr;
    PlannerMatrix* matrix_ = nullptr;
    Table* matrixView_ = nullptr;
};

} // namespace stowage
