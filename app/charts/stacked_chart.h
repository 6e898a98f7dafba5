// Horizontal bars made of parts, one bar for each of a few things, with the limit that each has.
#pragma once

#include "app/canvas/kit/theme.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

namespace stowage {

class ChartLegend;

/// One kind of part: its value in each bar.
struct ChartPart {
    QString name;
    QColor colour;
    std::vector<double> values; ///< by bar, >= 0
};

class StackedChart : public QWidget {
    Q_OBJECT

public:
    explicit StackedChart(QWidget* parent = nullptr);
    ~StackedChart() override;

    void setTheme(const Theme& theme);
    /// `limits` by bar: a mark that the parts should not pass. `texts` by bar, at its right.
    void setBars(QStringList names, std::vector<ChartPart> parts, std::vector<std::optional<double>> limits,
                 std::vector<QString> texts);
    [[nodiscard]] const std::vector<ChartPart>& parts() const { return parts_; }
    [[nodiscard]] QSize sizeHint() const override { return {320, 180}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 100}; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Canvas;
    void arrange(); ///< legend above, bars below it

    ChartLegend* legend_ = nullptr;
    Canvas* canvas_ = nullptr;
    const Theme* theme_;
    QStringList names_;
    std::vector<ChartPart> parts_;
    std::vector<std::optional<double>> limits_;
    std::vector<QString> texts_;
    double highest_ = 1;
};

} // namespace stowage
