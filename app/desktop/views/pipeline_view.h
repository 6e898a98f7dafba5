// The model as a pipeline: its stages on devices, split in the background with a proof, borders to drag, and what runs measured.
#pragma once

#include "app/canvas/pictures/pipeline/pipeline_picture.h"
#include "app/desktop/background_job.h"
#include "app/desktop/views/picture_view.h"
#include "app/session/pipeline_study.h"

#include <QString>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>

class QLabel;
class QPushButton;
class QSplitter;
class QTimer;

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

    /// What a split depends on; edits of it can be undone.
    struct Setup {
        pipeline::DeviceSet devices;
        pipeline::Objective objective = pipeline::Objective::period;
        std::optional<StagePlacement> placement; ///< stages put by hand; nothing: the best ones

        friend bool operator==(const Setup&, const Setup&) = default;
    };
    [[nodiscard]] const Setup& setup() const;
    /// Splits anew; `text` names the edit. Nothing when the setup is the same.
    void change(Setup next, const QString& text);
    /// Devices by the name of an installed set, or from a file; what is wrong is reported.
    void chooseDevices(const QString& nameOrFile);
    void setFrames(std::int64_t frames);
    void setQueue(std::int64_t queue);
    [[nodiscard]] std::int64_t frames() const { return frames_; }
    [[nodiscard]] std::int64_t queue() const { return queue_; }
    void cancelSplit();
    /// Lays a measured run (a trace, or the output of `pipeline run`) over the prediction; what is wrong is reported.
    void showMeasured(const QString& file);
    void leaveOutMeasured();

    [[nodiscard]] PipelinePane& pane() { return *pane_; }
    [[nodiscard]] PipelinePicture& pipelinePicture() { return pictureAs<PipelinePicture>(); }
    /// The last answer; null before.
    [[nodiscard]] const StudyAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }
    [[nodiscard]] bool splitting() const { return splitJob_.running() || configuredJob_.running(); }
    /// True while the points of the trade-off are being found.
    [[nodiscard]] bool findsCurve() const { return curveJob_.running(); }
    /// What is said beside the controls: progress, or why a border went back.
    [[nodiscard]] QString said() const;

Q_SIGNALS:
    void answered(); ///< a split is there, or none fits

protected:
    [[nodiscard]] Page page(const Error* why) const override;
    void pressPage() override;
    void refresh() override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    class SetSetup;
    friend class SetSetup;
    struct Outcome {
        std::shared_ptr<PipelineStudy> study;
        std::optional<Expected<StudyAnswer>> answer;
        std::optional<StagePlacement> placement;
    };

    void makeControls();
    void applySetup(int model, const Setup& setup);
    /// Undoes the last edit, which did not fit, and forgets it. False where the last edit is not one of this view.
    bool takeBack();
    /// Tells the panels beside the view what it shows; shows what they select.
    void tellFocus();
    void showSelected();
    /// Asks for the split of the setup in the background.
    void ask();
    void take(const Outcome& outcome);
    /// Hands the answer to the canvas with the buffers of the run.
    void showAnswer();
    [[nodiscard]] std::optional<BorderEffect> effectOf(std::size_t border, std::size_t cut) const;
    void planBorder(std::size_t border, std::size_t cut);
    /// The points of the trade-off that the pane shows, in the background.
    void askCurve();
    /// The stages that a configuration's file gives, read in the background.
    void readConfigured(const QString& path);
    void borderDropped();
    void say(const QString& text, bool warns = false);
    [[nodiscard]] std::string misfitText(const pipeline::Split& split) const;

    std::shared_ptr<const Run> shownRun_;
    std::shared_ptr<const PipelineData> shown_; ///< with the measured run; null: nothing is shown
    NumberFormat numbers_;
    std::shared_ptr<const Program> program_;
    int model_ = 0;
    std::map<int, Setup> setups_;
    std::map<int, std::shared_ptr<const pipeline::RunResult>> measured_; ///< by model
    std::int64_t frames_ = 8;
    std::int64_t queue_ = 1;

    std::shared_ptr<PipelineStudy> study_; ///< that answered last
    std::shared_ptr<const Program> studied_;
    Setup studiedSetup_;
    std::stop_source stop_;
    BackgroundJob splitJob_, configuredJob_;
    std::optional<StudyAnswer> answer_;
    std::string failure_;       ///< why there is no picture; empty: there is one, or it is on its way
    BackgroundJob memoriesJob_; ///< of a border that is dragged
    std::optional<std::pair<std::size_t, std::size_t>> plansNext_;

    BackgroundJob curveJob_;
    std::shared_ptr<std::atomic<std::size_t>> planned_ = std::make_shared<std::atomic<std::size_t>>(0); ///< of the search

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
    QTimer* slow_ = nullptr; ///< after 300 ms what is under way is said
};

} // namespace stowage
