// A chart of curves: as lines, as steps, or as points, which can be clicked.
#pragma once

#include "app/canvas/kit/theme.h"

#include <QPointF>
#include <QString>
#include <QWidget>

#include <cstdint>
#include <functional>
#include <vector>

class QLabel;

namespace stowage {

class ChartLegend;

struct ChartCurve {
    QString name; ///< in the legend; empty: no entry
    QColor colour;
    std::vector<QPointF> points; ///< ascending in x
    bool steps = false;          ///< each value holds until the next point
    bool markers = false;        ///< points are marked and can be clicked
    bool line = true;            ///< false: points only
    /// By point: its text for screen readers, in place of its values; empty: none.
    std::vector<QString> texts = {};
    /// By point: an id, not below 0, by which it is known in later curves; empty: by its place.
    std::vector<int> ids = {};
};

struct ChartAxis {
    QString title; ///< "period, µs"
    /// Formats the value at a tick. Null: integers with a comma for each thousand.
    std::function<QString(double)> text;
    bool fromZero = false;    ///< the axis begins at 0
    bool logarithmic = false; ///< values are decimal logarithms; ticks are at 1, 2 and 5 times powers of ten
};

class CurveChart : public QWidget {
    Q_OBJECT

public:
    explicit CurveChart(QWidget* parent = nullptr);
    ~CurveChart() override;

    void setTheme(const Theme& theme);
    /// Curves with more points than pixels are thinned out. Keys go on from the point that they acted on, if it is still there.
    void setCurves(std::vector<ChartCurve> curves, ChartAxis across, ChartAxis up);
    /// The text that is shown if there are no curves.
    void setEmptyText(const QString& text);
    /// Marks a point of the first curve as the one shown elsewhere; -1: none. `note` is written beside it. Keys go on from there,
    /// unless the chart has the focus and that point was marked before.
    void setChosen(int point, const QString& note);
    [[nodiscard]] int chosen() const { return chosen_; }
    [[nodiscard]] int pointed() const; ///< the hovered point, else the one that keys act on while there is the focus; -1: none
    [[nodiscard]] const std::vector<ChartCurve>& curves() const { return curves_; }
    /// The position of a point, in pixels of the chart below the legend.
    [[nodiscard]] QPointF place(QPointF value) const;
    [[nodiscard]] const ChartLegend& legend() const { return *legend_; }
    [[nodiscard]] QSize sizeHint() const override { return {320, 180}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {180, 100}; }

Q_SIGNALS:
    void pointChosen(int point);  ///< of the first curve, by a click or a key
    void pointHovered(int point); ///< of the first curve: under the pointer, else the one that keys act on; -1: none

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    /// Left, Right, Home and End go from point to point; Enter and Space choose one. Without points to choose there is no focus.
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class Canvas;
    void arrange();  ///< places the legend above the chart
    void describe(); ///< says in words what the curves show, for screen readers
    [[nodiscard]] int pointAt(QPointF at) const;
    [[nodiscard]] int choosable() const; ///< count of points that can be chosen
    void setCurrent(int point);
    void acceptFocus(); ///< takes the focus if there are points to choose
    [[nodiscard]] int idOf(int point) const;
    [[nodiscard]] int pointOf(int id) const; ///< -1: none
    [[nodiscard]] QString valueAt(QPointF point) const;
    [[nodiscard]] QString textOf(int point) const; ///< of the first curve, for screen readers
    void markPointed();                            ///< marks the pointed point, and tells of it

    ChartLegend* legend_ = nullptr;
    Canvas* canvas_ = nullptr;
    QLabel* instead_ = nullptr; ///< shown if there are no curves
    const Theme* theme_;
    std::vector<ChartCurve> curves_;
    ChartAxis across_, up_;
    QRectF range_; ///< of the axes, in values
    int chosen_ = -1;
    QString note_;
    int hovered_ = -1;
    int chosenId_ = -1; ///< of the last point that was marked as the one shown elsewhere
    int current_ = 0;   ///< the point that keys act on
    int currentId_ = -1;
};

/// The step between ticks of an axis that shows `span` over `pixels`, at least `apart` pixels from each other: the smallest of 1,
/// 2 or 5 times a power of ten.
[[nodiscard]] double tickStep(double span, double pixels, double apart);

/// Ticks of a logarithmic axis from 10^`low` to 10^`high` over `pixels`, at least `apart` pixels from each other: at integer
/// multiples of powers of ten, at 1, 2 and 5 times them, or only at some powers of ten; at even steps where that leaves fewer
/// than two. Empty if no tick is in the range.
[[nodiscard]] std::vector<double> logarithmicTicks(double low, double high, double pixels, double apart);

} // namespace stowage
