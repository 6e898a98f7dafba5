// Curves over the steps, on the same gutter as the maps: a step is one column in all of them.
#pragma once

#include "app/canvas/kit/theme.h"
#include "app/charts/chart_data.h"

#include <QColor>
#include <QString>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace stowage {

struct ChartCurve {
    QString name;
    QColor colour;
    bool dashed = false;
    bool area = false; ///< filled below, 18 %
    std::vector<ChartSample> samples;
};

/// A level across the chart that ends in a chip at the right.
struct ChartLevel {
    QString text;
    double y = 0;
    QColor colour;
    bool dashed = false;
};

class TimeChart : public QWidget {
    Q_OBJECT

public:
    static constexpr int gutter = 128; ///< left of the curves; shared with the maps
    static constexpr int rightMargin = 14;
    static constexpr int ruler = 22;

    explicit TimeChart(QWidget* parent = nullptr);
    ~TimeChart() override;

    void setTheme(const Theme& theme);
    void setTitle(const QString& title, const QString& caption);
    /// How a value is written at the axis and beside the cursor.
    void setFormat(std::function<QString(double)> format);
    void setCurves(std::vector<ChartCurve> curves, double steps);
    void setLevels(std::vector<ChartLevel> levels);
    /// A dot with its text at the middle of a step; nothing: none.
    void setPeak(std::optional<ChartSample> peak, const QString& text);
    void setRulerShown(bool shown);
    void setCursor(std::optional<double> step);
    /// The visible steps; clamped to [0, steps].
    void setRange(double begin, double end);
    [[nodiscard]] double begin() const { return begin_; }
    [[nodiscard]] double end() const { return end_; }
    /// Points handed to the chart for the widest curve now: at most twice the width in pixels.
    [[nodiscard]] std::size_t mostPoints() const;

Q_SIGNALS:
    void stepChosen(double step);
    void rangeChanged(double begin, double end); ///< by wheel, drag or keys

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    class Canvas;
    void arrange();
    void drawUnder(QPainter& painter) const;
    void drawOver(QPainter& painter) const;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double xOf(double step) const;
    [[nodiscard]] double yOf(double value) const;
    [[nodiscard]] double stepAt(double x) const;

    Canvas* canvas_ = nullptr;
    const Theme* theme_;
    QString title_, caption_;
    std::function<QString(double)> format_;
    std::vector<ChartCurve> curves_;
    std::vector<ChartLevel> levels_;
    double steps_ = 1, begin_ = 0, end_ = 1, top_ = 1;
    bool ruler_ = true;
    std::optional<ChartSample> peak_;
    QString peakText_;
    std::optional<double> cursor_;
    std::optional<double> dragFrom_;
    double dragBegin_ = 0, dragEnd_ = 0;
    bool dragged_ = false;
};

} // namespace stowage
