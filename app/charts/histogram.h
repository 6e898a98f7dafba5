// Counts by class as bars, a control that filters: painted as pictures are. A click keeps a class, a drag a range of classes, a
// click on what is kept lets go.
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
    /// `label` writes a class under its bar.
    void setBuckets(std::vector<Bucket> buckets, std::function<QString(const Bucket&, bool last)> label);
    /// First and last class that are kept; nothing: all are.
    void setKept(std::optional<std::pair<int, int>> range);
    [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }
    [[nodiscard]] QSize sizeHint() const override { return {276, 150}; }
    /// All of it, as the screen and files show it.
    void paint(DrawList& list) const;
    /// Where the bar of a class is, in pixels: for tests.
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
    /// Left and Right go from class to class, with Shift they add to what is kept; Enter keeps the class, Escape all.
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void arrange();
    void describe();
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] int classAt(double x) const;
    [[nodiscard]] QString labelText(int index) const; ///< of a class
    /// Left and right end of a class's label, moved off the edges of the widget.
    [[nodiscard]] std::pair<double, double> labelSpan(const DrawList& list, int index) const;
    /// From one class with a label to the next, counted from the last class: the least number for which no two labels touch.
    [[nodiscard]] int labelStride(const DrawList& list) const;

    const Theme* theme_;
    std::vector<Bucket> buckets_;
    std::function<QString(const Bucket&, bool)> label_;
    std::optional<std::pair<int, int>> kept_;
    std::optional<int> pressed_;
    std::optional<std::pair<int, int>> before_; ///< what was kept when the button went down
    int hovered_ = -1;
    TextShaper shaper_;
    int current_ = 0; ///< the class that keys act on
};

} // namespace stowage
