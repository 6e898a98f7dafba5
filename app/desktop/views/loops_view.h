// Loops: the unrolled body of a loop and the placements in one iteration, with a slider for the iteration.
#pragma once

#include "app/canvas/pictures/loops/loops_picture.h"
#include "app/desktop/views/picture_view.h"

#include <cstdint>

class QLabel;
class QPushButton;
class QSlider;
class QToolButton;

namespace stowage {

class LoopsView : public PictureView {
    Q_OBJECT

public:
    LoopsView(Workspace& workspace, const Look& look, QWidget* parent);
    /// Whether the program has loops, and so a tab.
    static bool applies(const Workspace& workspace);

    bool perform(ViewCommand command) override;

    [[nodiscard]] LoopsPicture& loopsPicture() { return pictureAs<LoopsPicture>(); }
    /// The shown loop; `none` without loops.
    [[nodiscard]] LoopId loop() { return loopsPicture().loop(); }
    [[nodiscard]] std::int64_t iteration() { return loopsPicture().iteration(); }
    /// Clamped to [0, iterations()).
    void setIteration(std::int64_t iteration);
    /// Count of iterations to step through.
    [[nodiscard]] std::int64_t iterations() { return loopsPicture().iterations(); }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void refresh() override;

private:
    void makeTransport();
    void makeUnrolled();

    QWidget* transport_ = nullptr;
    QSlider* slider_ = nullptr;
    QToolButton* back_ = nullptr;
    QToolButton* forward_ = nullptr;
    QLabel* at_ = nullptr;
    QPushButton* unrolled_ = nullptr;
    int awaited_ = 0; ///< model whose unrolled plan will be shown when it is ready; 0: none
};

} // namespace stowage
