// Constant folding: the picture, with a slider for the threshold below it, and the folded model as a file.
#pragma once

#include "app/canvas/pictures/fold/fold_picture.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/workspace/fold_writer.h"

class QLabel;
class QPushButton;
class QSlider;

namespace stowage {

class FoldView : public PictureView {
    Q_OBJECT

public:
    FoldView(Workspace& workspace, const Look& look, QWidget* parent);

    [[nodiscard]] FoldPicture& foldPicture() { return pictureAs<FoldPicture>(); }
    [[nodiscard]] FoldWriter& writer() { return writer_; }
    void writeTo(const QString& file); ///< writes the model, folded as in the picture

protected:
    void refresh() override;

private:
    /// Shows the effect of the slider's threshold, before its graphs are laid out.
    void say(int at);
    void write(); ///< asks for the file name

    FoldWriter writer_;
    QPushButton* write_ = nullptr;
    QWidget* row_ = nullptr;
    QSlider* slider_ = nullptr; ///< an index into `foldThresholds`
    QLabel* gives_ = nullptr;
};

} // namespace stowage
