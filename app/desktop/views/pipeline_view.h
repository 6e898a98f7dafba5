// The model as a pipeline (see app/desktop/workspace/pipeline_desk.h): its stages on devices, borders that can be dragged, and
// charts.
#pragma once

#include "app/canvas/pictures/pipeline/pipeline_picture.h"
#include "app/desktop/views/picture_view.h"
#include "app/desktop/workspace/pipeline_desk.h"

#include <memory>

class QLabel;
class QPushButton;
class QSplitter;

namespace stowage {

class ChoiceButton;
class PipelinePane;
class SegmentedControl;

class PipelineView : public PictureView {
    Q_OBJECT

public:
    PipelineView(Workspace& workspace, const Look& look, QWidget* parent);
    ~PipelineView() override;

    /// Whether the model has ops that can be split.
    static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;
    bool perform(ViewCommand command) override;
    bool performs(ViewCommand command) override;

    [[nodiscard]] PipelineDesk& desk() { return desk_; }
    [[nodiscard]] PipelinePane& pane() { return *pane_; }
    [[nodiscard]] PipelinePicture& pipelinePicture() { return pictureAs<PipelinePicture>(); }

protected:
    [[nodiscard]] Page page(const Error* why) const override;
    void pressPage() override;
    void refresh() override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void makeControls();
    void listen();
    /// Shows the split in the picture, with the buffers of the run, and in the pane.
    void showSplit();
    /// Moves the border at the end of the selected stage (of the last stage, at its beginning; without a selection, the first
    /// one) to the next place before a later or an earlier op that is allowed. False without a split.
    bool stepBorder(bool later);
    void askCurve(); ///< requests the trade-off if the pane shows one
    /// Passes the contents and the selection of the view to the panels beside it.
    void tellFocus();
    void showSelected();

    PipelineDesk desk_;
    std::shared_ptr<const Run> shownRun_;

    QSplitter* split_ = nullptr;
    PipelinePane* pane_ = nullptr;
    bool sized_ = false; ///< the pane has got its first height
    QWidget* controls_ = nullptr;
    QPushButton* paneButton_ = nullptr;
    ChoiceButton* devices_ = nullptr;
    SegmentedControl* objective_ = nullptr;
    ChoiceButton* framesChoice_ = nullptr;
    ChoiceButton* measuredChoice_ = nullptr;
    ChoiceButton* queueChoice_ = nullptr;
    QPushButton* again_ = nullptr;
    QPushButton* cancel_ = nullptr;
    QLabel* said_ = nullptr;
};

} // namespace stowage
