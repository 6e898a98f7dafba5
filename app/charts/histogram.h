// A histogram that filters: bars of counts by class. A click keeps a class, a drag a range of classes, a click on a kept class
// releases all.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "app/canvas/kit/theme.h"
#include "app/charts/chart_data.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

class Histogram : public QWidget {
    Q_OBJECT

public:
    explicit Histogram(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// `label` gives the text under the bar of a class.
    void setBuckets(std::vector<Bucket> buckets, std::function<QString(const Bucket&, bool last)> label);
    /// The first and last class that are kept; no value: all are.
    void setKept(std::optional<std::pair<int, int>> range);
    [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }
    [[nodiscard]] QSize sizeHint() const override { return {276, 150}; }
    /// Paints the histogram, for the screen and for files.
    void paint(DrawList& list) const;
    /// The bar of a class, in pixels; for tests.
    [[nodiscard]] QRectF barBox(int index) const;

Q_SIGNALS:
    void kept(int first, int last);
    void released();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    /// Left and Right go from class to class, with Shift they extend the kept range; Enter keeps the class, Escape releases all.
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void arrange();
    /// The class that keys act on.
    void moveTo(int index);
    void describe();
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] int classAt(double x) const;
    [[nodiscard]] QString labelText(int index) const; ///< of a class
    /// Left and right end of a class's label, in pixels, moved inside the widget.
    [[nodiscard]] std::pair<double, double> labelSpan(const DrawList& list, int index) const;
    /// The distance between classes with a label, counted from the last class: the smallest for which no two labels touch.
    [[nodiscard]] int labelStride(const DrawList& list) const;

    const Theme* theme_;
    std::vector<Bucket> buckets_;
    std::function<QString(const Bucket&, bool)> label_;
    std::optional<std::pair<int, int>> kept_;
    std::optional<int> pressed_;
    std::optional<std::pair<int, int>> before_; ///< the kept range when the button was pressed
    int hovered_ = -1;
    TextShaper shaper_;
    int current_ = 0; ///< the class that keys act on
};

} // namespace stowage
