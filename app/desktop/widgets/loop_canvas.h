// The picture of a loop as a widget: hovering and selecting as in a map, the wheel goes through rows or iterations.
#pragma once

#include "app/canvas/pictures/loops/loop_sheet.h"
#include "app/desktop/selection_model.h"
#include "app/desktop/widgets/hover_card.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace stowage {

class LoopCanvas : public QWidget {
    Q_OBJECT

public:
    LoopCanvas(SelectionModel& selection, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setNumbers(const NumberFormat& numbers);
    /// Null: nothing is shown.
    void setPicture(std::shared_ptr<const RunScene> scene, std::optional<LoopPicture> picture);
    /// Requires iteration >= 0.
    void setIteration(std::int64_t iteration);
    void setClose(bool close);
    [[nodiscard]] const std::optional<LoopPicture>& picture() const { return picture_; }
    [[nodiscard]] std::int64_t iteration() const { return iteration_; }
    /// What is painted; requires a picture. Valid until the next event.
    [[nodiscard]] LoopState state() const;
    [[nodiscard]] LoopLayout arranged() const { return layOut(state(), QSizeF(size())); }
    [[nodiscard]] const HoverCard& card() const { return *card_; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {360, 260}; }

Q_SIGNALS:
    void sought(qint64 iteration); ///< a click on a column

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void hold();
    [[nodiscard]] std::vector<HoverLine> linesOf(const LoopHit& hit) const;

    SelectionModel& selection_;
    const Theme* theme_;
    NumberFormat numbers_;
    std::shared_ptr<const RunScene> scene_;
    std::optional<LoopPicture> picture_;
    std::vector<LoopHold> holds_;
    std::int64_t iteration_ = 0;
    double scroll_ = 0;
    bool close_ = false;
    TextShaper shaper_;
    HoverCard* card_ = nullptr;
};

} // namespace stowage
