// The heads above compared maps: planner, verdict and figures of a run, and the summary of a difference.
#pragma once

#include "app/canvas/axis/difference_colours.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "core/explain/plan_difference.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace stowage {

class Look;

/// Two lines about a run; a click emits `chosen`, to show the run in all views.
class PaneHeadStrip : public QWidget {
    Q_OBJECT

public:
    explicit PaneHeadStrip(const Look& look, QWidget* parent = nullptr);
    void setHead(PaneHead head, bool current);
    [[nodiscard]] const PaneHead& head() const { return head_; }
    [[nodiscard]] QSize sizeHint() const override { return {240, int(paneHeadHeight)}; }

Q_SIGNALS:
    void chosen();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    const Look& look_;
    PaneHead head_;
    bool current_ = false;
    TextShaper shaper_;
};

/// "154 of 154 moved", and the count of buffers of each colour.
class DifferenceLegend : public QWidget {
    Q_OBJECT

public:
    explicit DifferenceLegend(const Look& look, QWidget* parent = nullptr);
    void setDifference(std::optional<PlanDifference> difference);
    void setTitle(const QString& title); ///< what the summary is about, in front of it; empty: the head above says it
    [[nodiscard]] QString text() const;  ///< the painted text in one line

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString moved() const;
    [[nodiscard]] QString summary() const;

    const Look& look_;
    std::optional<PlanDifference> difference_;
    std::vector<DifferenceCount> counts_;
    QString title_;
    TextShaper shaper_;
};

} // namespace stowage
