// A tour of one minute on a sample: a card beside each part of the window in turn, with a frame around the part. The window stays
// usable.
#pragma once

#include "app/desktop/widgets/focus_return.h"

#include <QFrame>
#include <QPointer>
#include <QString>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace stowage {

class Look;

/// One stop of a tour.
struct TourStop {
    QString title;
    QString text;
    std::function<QWidget*()> part; ///< the part that is explained; null or hidden: the middle of the window
    std::function<void()> enter;    ///< prepares the part: opens a panel, selects; may be null
};

class Tour : public QFrame {
    Q_OBJECT

public:
    /// A child of the window, on top of its other children.
    Tour(std::vector<TourStop> stops, const Look& look, QWidget* window);
    ~Tour() override;
    void start();
    /// For a tour that replaces this one: it remembers who had the focus before both.
    void giveFocusBack() { before_.giveBack(*this); }
    void go(int stop);
    [[nodiscard]] int stop() const { return stop_; }
    [[nodiscard]] int count() const { return int(stops_.size()); }

Q_SIGNALS:
    void ended();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void place();
    void end();

    std::vector<TourStop> stops_;
    const Look& look_;
    QWidget* window_;
    FocusReturn before_;
    QPointer<QWidget> frame_; ///< also a child of the window, which may be destroyed before the tour
    QLabel* title_ = nullptr;
    QLabel* text_ = nullptr;
    QLabel* at_ = nullptr;
    QPushButton* back_ = nullptr;
    QPushButton* next_ = nullptr;
    int stop_ = 0;
};

} // namespace stowage
