// Constant folding: the picture, with a slider for the threshold below it, and the folded model as a file.
#pragma once

#include "app/canvas/pictures/fold/fold_picture.h"
#include "app/desktop/background_job.h"
#include "app/desktop/views/picture_view.h"

class QLabel;
class QPushButton;
class QSlider;

namespace stowage {

class FoldView : public PictureView {
    Q_OBJECT

public:
    FoldView(Workspace& workspace, const Look& look, QWidget* parent);

    [[nodiscard]] FoldPicture& foldPicture() { return pictureAs<FoldPicture>(); }
    /// Writes the model, folded as the picture shows it, as `stowage-cli fold -o` does: MLIR as MLIR, other models as program
    /// JSON. In the background; `written` follows, and a notice when it fails.
    void writeTo(const QString& file);

Q_SIGNALS:
    void written(const QString& file, bool done);

protected:
    void refresh() override;

private:
    /// What the threshold under the slider gives: known at once, before its graphs are laid out.
    void say(int at);
    void write(); ///< asks for the file

    QPushButton* write_ = nullptr;
    BackgroundJobs writing_;
    QWidget* row_ = nullptr;
    QSlider* slider_ = nullptr; ///< an index into `foldThresholds`
    QLabel* gives_ = nullptr;
};

} // namespace stowage
