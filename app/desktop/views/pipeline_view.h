// The model as a pipeline (see app/desktop/workspace/pipeline_desk.h): its stages on devices, borders to drag, and charts of it.
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

    /// True for a model with ops that can be split.
    static bool applies(const Workspace& workspace);

    void setContext(const ViewContext& context) override;
    void setTheme(const Theme& theme) override;

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
    /// Shows the split in the picture with the buffers of the run, and in the pane.
    void showSplit();
    void askCurve(); ///< where the pane shows one
    /// Tells the panels beside the view what it shows; shows what they select.
    void tellFocus();
    void showSelected();

    PipelineDesk desk_;
    std::shared_ptr<const Run> shownRun_;

    QSplitter* split_ = nullptr;
    PipelinePane* pane_ = nullptr;
    bool sized_ = false; ///< the pane has its first height
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
