// Constant folding: the picture, with a slider for the threshold below it.
#pragma once

#include "app/canvas/pictures/fold/fold_picture.h"
#include "app/desktop/views/picture_view.h"

class QLabel;
class QSlider;

namespace stowage {

class FoldView : public PictureView {
    Q_OBJECT

public:
    FoldView(Workspace& workspace, const Look& look, QWidget* parent);

    [[nodiscard]] FoldPicture& foldPicture() { return pictureAs<FoldPicture>(); }

protected:
    void refresh() override;

private:
    /// What the threshold under the slider gives: known at once, before its graphs are laid out.
    void say(int at);

    QWidget* row_ = nullptr;
    QSlider* slider_ = nullptr; ///< an index into `foldThresholds`
    QLabel* gives_ = nullptr;
};

} // namespace stowage
