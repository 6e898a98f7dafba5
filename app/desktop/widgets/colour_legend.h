// The legend of colours: swatches with names, or the steps of a ramp with their ends. A click hides a class. By keyboard, Left
// and Right go from class to class, Space hides or shows it; the classes that have no room are in a menu, the last stop. And the
// choice of what colours mean.
#pragma once

#include "app/canvas/axis/colouring.h"
#include "app/canvas/kit/theme.h"

#include <QPoint>
#include <QRect>
#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QMenu;

namespace stowage {

class ColourLegend : public QWidget {
    Q_OBJECT

public:
    explicit ColourLegend(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setClasses(const Colouring& colouring, unsigned hidden);
    [[nodiscard]] unsigned hidden() const { return hidden_; } ///< one bit for each class
    /// The box of a class; null if there is no room for it.
    [[nodiscard]] QRect boxOf(std::size_t index) const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void hiddenChanged(unsigned hidden); ///< by the user

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Entry {
        std::size_t index = 0;
        QRect box;
        QString name; ///< possibly shortened
    };
    [[nodiscard]] std::vector<Entry> entries() const;     ///< the entries that fit
    [[nodiscard]] std::vector<std::size_t> shown() const; ///< classes with buffers
    [[nodiscard]] QString nameOf(std::size_t index) const;
    [[nodiscard]] bool isHidden(std::size_t index) const { return hidden_ & 1U << index; }
    void toggle(std::size_t index);
    /// A menu of the classes after those that fit.
    void openRest(const std::vector<Entry>& fitting, QPoint global);
    /// Says in words which classes there are, or the one that keys act on, for screen readers.
    void describe();

    const Theme* theme_ = &Theme::darkTheme();
    ColourBy by_ = ColourBy::opKind;
    std::vector<ColourClass> classes_;
    unsigned hidden_ = 0;
    int current_ = 0; ///< the entry that keys act on; after the last entry: the classes without room
};

/// Adds what buffers of `run` (null: any) can be coloured by to a menu, each with its meaning as tool tip; `current` is checked.
void addColourings(QMenu& menu, const Run* run, std::optional<ColourBy> current, const std::function<void(ColourBy)>& choose);

} // namespace stowage
