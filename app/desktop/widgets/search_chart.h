// The curve of a search as a widget: hovering reads it, a click or a drag seeks in it.
#pragma once

#include "app/canvas/pictures/replay/search_curve.h"

#include <QWidget>

#include <vector>

namespace stowage {

class SearchChart : public QWidget {
    Q_OBJECT

public:
    explicit SearchChart(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    /// `curve.samples` is taken from `samples`.
    void setCurve(std::vector<SearchSample> samples, SearchCurve curve);
    [[nodiscard]] const std::vector<SearchSample>& samples() const { return samples_; }
    [[nodiscard]] const SearchCurve& curve() const { return curve_; }
    [[nodiscard]] SearchScale scale() const { return searchScale(curve_, QRectF(rect())); }
    [[nodiscard]] QSize sizeHint() const override { return {360, 160}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 90}; }

Q_SIGNALS:
    void sought(double value); ///< an abscissa, inside the curve

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void seek(double px);

    const Theme* theme_;
    NumberFormat numbers_;
    std::vector<SearchSample> samples_;
    SearchCurve curve_;
    TextShaper shaper_;
};

} // namespace stowage
