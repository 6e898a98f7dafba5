// Sizes, lifetimes and pools of the buffers as bars; a click filters every view.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/charts/chart_data.h"
#include "app/desktop/workspace.h"

#include <QScrollArea>

#include <memory>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace stowage {

class ElidedLabel;
class Histogram;
class Look;

/// A class of lifetimes for the axis: "1", "2–3"; the last one is open above: "8+".
[[nodiscard]] QString stepsLabel(const Bucket& bucket, bool last);

class DistributionsPanel : public QScrollArea {
    Q_OBJECT

public:
    DistributionsPanel(Workspace& workspace, const Look& look, QWidget* parent = nullptr);
    [[nodiscard]] Histogram& sizes() { return *sizes_; }
    [[nodiscard]] Histogram& lifetimes() { return *lifetimes_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void showFilter();
    void showPools(const Run& run);
    void showLargest(const Run& run);

    Workspace& workspace_;
    const Look& look_;
    std::shared_ptr<const Run> run_;
    NumberFormat numbers_;
    Histogram* sizes_ = nullptr;
    Histogram* lifetimes_ = nullptr;
    QVBoxLayout* pools_ = nullptr;
    QLabel* poolCount_ = nullptr;
    QLabel* sizeCaption_ = nullptr;
    QVBoxLayout* filter_ = nullptr;
    QLabel* kept_ = nullptr;
    QPushButton* clear_ = nullptr; ///< of the filter; hidden without one
    QVBoxLayout* largest_ = nullptr;
    std::shared_ptr<const BufferMask> listedOf_; ///< filter of the listed buffers
    QLabel* largestCount_ = nullptr;
};

} // namespace stowage
