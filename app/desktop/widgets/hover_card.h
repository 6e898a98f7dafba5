// What is under the pointer, in up to five lines beside it.
#pragma once

#include "app/canvas/kit/theme.h"

#include <QString>
#include <QWidget>

#include <vector>

class QTimer;

namespace stowage {

/// A line of the card: a caption and what it says. Without a caption it is the title.
struct HoverLine {
    QString caption;
    QString text;
    bool number = true; ///< in the typeface of numbers

    friend bool operator==(const HoverLine&, const HoverLine&) = default;
};

/// Lies over its parent, takes no events, and never covers what it speaks of.
class HoverCard : public QWidget {
    Q_OBJECT

public:
    explicit HoverCard(QWidget* parent);

    void setTheme(const Theme& theme);
    /// Shows the lines 150 ms from now, 18 px from `pointer`, clear of `subject` where there is room for that (both in the
    /// parent's coordinates). A card that is shown moves at once.
    void announce(std::vector<HoverLine> lines, QColor swatch, const QPointF& pointer, const QRectF& subject);
    void dismiss();
    [[nodiscard]] const std::vector<HoverLine>& lines() const { return lines_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void place();
    [[nodiscard]] QSize needed() const;

    const Theme* theme_ = &Theme::darkTheme();
    QTimer* delay_ = nullptr;
    std::vector<HoverLine> lines_;
    QColor swatch_;
    QPointF pointer_;
    QRectF subject_;
};

} // namespace stowage
