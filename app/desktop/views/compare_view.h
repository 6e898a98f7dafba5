// Compare: the runs of a model as a table and as maps side by side, what moved between two of them, and all open models against
// all planners.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/view.h"
#include "core/explain/plan_difference.h"

#include <QPointer>

#include <optional>
#include <string>
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
class RunCharts;
class SegmentedControl;
class StatePage;
class Table;
class Workspace;
struct RunEntry;

/// Maps share one address scale, one selection and one time cursor; zoom too, unless it is let go. The run that all views show is
/// one of them.
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

    [[nodiscard]] ComparisonTable& table() { return *table_; }
    [[nodiscard]] Table& tableWidget() { return *tableView_; }
    [[nodiscard]] PlannerMatrix& matrix() { return *matrix_; }
    [[nodiscard]] bool matrixShown() const;
    /// The runs as a chart (`RunCharts::Kind`) in the place of their table; -1: as the table.
    void showRunsAs(int kind);
    [[nodiscard]] std::vector<MapWidget*> maps() const; ///< those with a run, from the left
    [[nodiscard]] std::vector<int> runsInMaps() const;  ///< ids
    [[nodiscard]] MapWidget& differenceMap() { return *differenceMap_; }
    /// Of the two runs chosen; nothing with fewer than two.
    [[nodiscard]] const std::optional<PlanDifference>& difference() const { return difference_; }
    /// Shows a run in the maps or leaves it out. Four at most: a fifth takes the place of the last.
    void toggleInMaps(int run);
    void setMapCount(int count);
    void setLinked(bool on);
    /// Plans with `local-first` (what sharing inside each operator first costs) and with the default planner, and shows these two
    /// side by side, with what moved between them, as soon as they are there.
    void compareLocalFirst();
    /// What is said while there is no picture; empty when there is one.
    [[nodiscard]] QString message() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

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
    void chooseRuns();
    void showRuns();
    void showHeads();
    void showDifference();
    void showDifferenceOf(std::optional<PlanDifference> found);
    void showMatrix();
    void showBar();
    void fitColumns();
    void fitParts();
    void fitScales();
    void follow(const MapWidget* leader);
    [[nodiscard]] MapWidget* leader() const;
    [[nodiscard]] PoolId poolOf(const Run& run) const;
    [[nodiscard]] const RunEntry* entryOf(int run) const;
    [[nodiscard]] static std::string keyOf(const RunEntry& entry);

    const Look& look_;
    Workspace& workspace_;
    const Theme* theme_;
    NumberFormat numbers_;
    int model_ = 0;
    static constexpr int maxMaps = 4;
    std::string poolName_;                    ///< of the maps
    bool poolChosen_ = false;                 ///< by the user; else the one with the most buffers of all runs
    std::vector<std::string> picked_;         ///< keys of runs picked for the maps; empty: the first ones
    std::vector<std::string> pickedPlanners_; ///< whose latest runs are in the maps; goes before `picked_`
    std::vector<int> shown_;                  ///< runs in the maps
    int count_ = 3;
    bool linked_ = true;
    bool following_ = false;
    bool selecting_ = false;
    int hereRun_ = 0; ///< of the difference, as chosen; 0: not chosen
    int thereRun_ = 0;
    std::optional<PlanDifference> difference_;
    std::shared_ptr<const Run> now_, before_; ///< of the difference that is shown or under way
    BackgroundJobs differenceJobs_;

    QPointer<QWidget> bar_;
    ChoiceButton* colourBy_ = nullptr;
    ColourLegend* legend_ = nullptr;
    ChoiceButton* pools_ = nullptr;
    QPushButton* link_ = nullptr;
    SegmentedControl* counts_ = nullptr;
    StatePage* page_ = nullptr;
    QSplitter* content_ = nullptr; ///< maps above the rest
    QSplitter* below_ = nullptr;
    bool divided_ = false; ///< by the user
    bool dividedBelow_ = false;
    std::vector<Pane> panes_;
    StatePage* invite_ = nullptr;
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
    int chart_ = -1; ///< shown in the place of the table; -1: none
    QWidget* matrixBox_ = nullptr;
    ElidedLabel* matrixCaption_ = nullptr;
    PlannerMatrix* matrix_ = nullptr;
    Table* matrixView_ = nullptr;
};

} // namespace stowage
