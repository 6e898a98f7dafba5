// Counts by class as bars. A click keeps a class, a drag a range of classes, a click on what is kept lets go.
#pragma once

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
    ~Histogram() override;

    void setTheme(const Theme& theme);
    /// `label` writes a class under its bar.
    void setBuckets(std::vector<Bucket> buckets, std::function<QString(const Bucket&, bool last)> label);
    /// First and last class that are kept; nothing: all are.
    void setKept(std::optional<std::pair<int, int>> range);
    [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }
    [[nodiscard]] QSize sizeHint() const override { return {276, 150}; }
    /// Where the bar of a class is, in pixels: for tests.
    [[nodiscard]] QRectF barBox(int index) const;

Q_SIGNALS:
    void kept(int first, int last);
    void released();

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    /// Left and Right go from class to class, with Shift they add to what is kept; Enter keeps the class, Escape all.
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class Canvas;
    void arrange();
    void describe();
    void drawOver(QPainter& painter) const;
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] int classAt(double x) const;

    Canvas* canvas_ = nullptr;
    const Theme* theme_;
    std::vector<Bucket> buckets_;
    std::function<QString(const Bucket&, bool)> label_;
    std::optional<std::pair<int, int>> kept_;
    std::optional<int> pressed_;
    std::optional<std::pair<int, int>> before_; ///< what was kept when the button went down
    int hovered_ = -1;
    int current_ = 0; ///< the class that keys act on
};

} // namespace stowage
