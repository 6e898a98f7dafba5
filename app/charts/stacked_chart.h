// Horizontal bars made of parts, with an optional limit for each bar.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/theme.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace stowage {

class ChartLegend;

/// A part: its value in each bar.
struct ChartPart {
    QString name;
    QColor colour;
    std::vector<double> values; ///< by bar; >= 0
};

class StackedChart : public QWidget {
    Q_OBJECT

public:
    explicit StackedChart(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// `limits`: by bar, the value at which a limit is marked. `texts`: by bar, at its right end. `title`: below the texts, what
    /// they mean; empty: none.
    void setBars(QStringList names, std::vector<ChartPart> parts, std::vector<std::optional<double>> limits,
                 std::vector<QString> texts, const QString& title = {});
    [[nodiscard]] const std::vector<ChartPart>& parts() const { return parts_; }
    [[nodiscard]] const ChartLegend& legend() const { return *legend_; }
    [[nodiscard]] QSize sizeHint() const override { return {320, 180}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 100}; }
    /// Paints the bars without the legend.
    void paint(DrawList& list) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();  ///< places the legend above the bars
    void describe(); ///< says in words what the bars show, for screen readers

    ChartLegend* legend_ = nullptr;
    const Theme* theme_;
    QStringList names_;
    std::vector<ChartPart> parts_;
    std::vector<std::optional<double>> limits_;
    std::vector<QString> texts_;
    QString title_;
    double highest_ = 1;
    TextShaper shaper_;
};

} // namespace stowage
