// Usage: live, allocated and free bytes of a pool over time, and how the free ones are cut up.
#pragma once

#include "app/canvas/pictures/usage/usage_chart.h"
#include "app/desktop/view.h"

#include <QPointer>

#include <memory>
#include <vector>

class QHBoxLayout;
class QLabel;
class QSplitter;

namespace stowage {

class Look;
class SegmentedControl;
class TimeChart;
class Workspace;

class UsageView : public View {
    Q_OBJECT

public:
    UsageView(Workspace& workspace, const Look& look, QWidget* parent);
    ~UsageView() override;

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    QWidget* bar() override;
    void zoomToFit() override;
    void zoomToSelection() override;
    void zoomToPeak() override;

    [[nodiscard]] TimeChart& useChart() { return *use_; }

private:
    void takeUses(std::vector<UsagePool> uses);
    void showPool();
    void showCursor();
    [[nodiscard]] const UsagePool* shownPool() const;

    const Look& look_;
    const Theme* theme_;
    std::shared_ptr<const Run> run_;
    NumberFormat numbers_;
    std::vector<UsagePool> uses_;
    std::size_t shown_ = 0;
    QPointer<QWidget> bar_;
    QHBoxLayout* barRow_ = nullptr;
    SegmentedControl* pools_ = nullptr;
    QWidget* legend_ = nullptr;
    QSplitter* charts_ = nullptr;
    TimeChart* use_ = nullptr;
    TimeChart* free_ = nullptr;
    QLabel* empty_ = nullptr;
    std::uint64_t generation_ = 0;
};

} // namespace stowage
