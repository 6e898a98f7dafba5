// Occupancy heatmap: how full each part of a pool is over time, how often addresses are used again, pools against each other.
#pragma once

#include "app/desktop/view.h"

#include <QPointer>
#include <QStringList>

class QHBoxLayout;

namespace stowage {

class ChoiceButton;
class HeatWidget;
class Look;
class SegmentedControl;
class StatePage;
class Workspace;

class HeatmapView : public View {
    Q_OBJECT

public:
    HeatmapView(Workspace& workspace, const Look& look, QWidget* parent);
    ~HeatmapView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override;
    void zoomToFit() override;
    void zoomToSelection() override;
    void zoomToPeak() override;
    bool perform(ViewCommand command) override;

    [[nodiscard]] HeatWidget& map() { return *map_; }
    /// What is said instead of a picture; empty when there is one.
    [[nodiscard]] QString message() const;

private:
    class Scale;
    void showPools();
    void showBins();
    void showState();

    Workspace& workspace_;
    QPointer<QWidget> bar_;
    QHBoxLayout* barRow_ = nullptr;
    QStringList poolNames_;
    QWidget* pools_ = nullptr; ///< a segmented control, or a menu where there are many
    SegmentedControl* measures_ = nullptr;
    ChoiceButton* bins_ = nullptr;
    Scale* scale_ = nullptr;
    HeatWidget* map_ = nullptr;
    StatePage* page_ = nullptr;
    std::shared_ptr<const Run> run_;
};

} // namespace stowage
