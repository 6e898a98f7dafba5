// The model as a pipeline: its devices and stages with undo, the split that is found in the background, borders that are moved,
// the trade-off, and measured runs. What the Pipeline view shows.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/pipeline/pipeline_picture.h"
#include "app/desktop/background_job.h"
#include "app/session/pipeline_study.h"

#include <QObject>
#include <QString>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

class QTimer;

namespace stowage {

class Workspace;

class PipelineDesk : public QObject {
    Q_OBJECT

public:
    explicit PipelineDesk(Workspace& workspace, QObject* parent = nullptr);
    ~PipelineDesk() override;

    /// What a split depends on; edits of it can be undone.
    struct Setup {
        pipeline::DeviceSet devices;
        pipeline::Objective objective = pipeline::Objective::period;
        std::optional<StagePlacement> placement; ///< stages put by hand; nothing: the best ones

        friend bool operator==(const Setup&, const Setup&) = default;
    };

    /// Turns to the model that the workspace has now. False when it is the same one.
    bool takeModel();
    void setNumbers(const NumberFormat& numbers) { numbers_ = numbers; }
    [[nodiscard]] const std::shared_ptr<const Program>& program() const { return program_; } ///< null: no model with ops

    // --- edits -----------------------------------------------------------------------------------------------------------
    [[nodiscard]] const Setup& setup() const;
    /// Splits anew; `text` names the edit. Nothing when the setup is the same.
    void change(Setup next, const QString& text);
    /// Devices by the name of an installed set, or from a file; what is wrong is reported.
    void chooseDevices(const QString& nameOrFile);
    void chooseEqualDevices(const QString& text); ///< two of them
    /// Puts a border of the split that is shown in front of the op `cut`.
    void moveBorder(std::size_t border, std::size_t cut);
    void setFrames(std::int64_t frames);
    void setQueue(std::int64_t queue);
    [[nodiscard]] std::int64_t frames() const { return frames_; }
    [[nodiscard]] std::int64_t queue() const { return queue_; }

    // --- the split -------------------------------------------------------------------------------------------------------
    /// The last answer; null before.
    [[nodiscard]] const StudyAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }
    /// The split that is shown, with the measured run; null: none fits, or there is none yet.
    [[nodiscard]] const std::shared_ptr<const PipelineData>& shown() const { return shown_; }
    /// The same for the picture, with the buffers of a run of the model; null where nothing is shown.
    [[nodiscard]] std::shared_ptr<const PipelineSubject> subject(const Run* run) const;
    [[nodiscard]] StagePlacement placement() const; ///< of the split that is shown
    [[nodiscard]] bool splitting() const { return splitJob_.running() || configuredJob_.running(); }
    [[nodiscard]] bool slow() const { return slow_; } ///< it splits for longer than a moment
    void cancelSplit();
    /// Why there is no split; empty: there is one, or it is on its way.
    [[nodiscard]] const std::string& failure() const { return failure_; }
    /// Progress, or why a border went back.
    [[nodiscard]] const QString& said() const { return said_; }
    [[nodiscard]] bool warns() const { return warns_; } ///< `said` is about something that was refused
    void say(const QString& text, bool warns = false);

    // --- what is asked beside it -----------------------------------------------------------------------------------------
    /// Plans the memories of the stages as they would be with a border moved; `memoriesFound` tells them. While they are planned
    /// the latest question waits, and is asked only when `wanted` still says so.
    void planBorder(std::size_t border, std::size_t cut, const std::function<bool(std::size_t border, std::size_t cut)>& wanted);
    /// Looks for the splits that no other beats in period and bytes (else latency); `curveFound` tells them as they come. False
    /// without a split to begin from.
    bool findCurve(bool byBytes);
    void dropCurve() { curveJob_.drop(); }
    [[nodiscard]] bool findsCurve() const { return curveJob_.running(); }

    /// Lays a measured run (a trace, or the output of `pipeline run`) over the prediction; what is wrong is reported.
    void showMeasured(const QString& file);
    void leaveOutMeasured();
    [[nodiscard]] bool hasMeasured() const { return measured_.contains(model_); }

Q_SIGNALS:
    void changed();      ///< setup, progress, failure
    void shownChanged(); ///< another split is shown, or none
    void studied();      ///< the splits are those of other devices or of another objective
    void answered();     ///< a split is there, or none fits
    void memoriesFound(std::size_t border, std::size_t cut, const std::vector<stowage::pipeline::StageMemory>& memories);
    void curveFound(const std::vector<stowage::pipeline::TradeOffPoint>& points);

private:
    class SetSetup;
    struct Outcome {
        std::shared_ptr<PipelineStudy> study;
        std::optional<Expected<StudyAnswer>> answer;
        std::optional<StagePlacement> placement;
    };

    void applySetup(int model, const Setup& setup);
    /// Undoes the last edit, which did not fit, and forgets it. False where the last edit is another one.
    bool takeBack();
    void ask();
    void take(const Outcome& outcome);
    void readConfigured(const QString& path);
    /// Puts answer and measured run together.
    void renewShown();
    void endWaiting();
    void tellWaiting();
    [[nodiscard]] std::optional<BorderEffect> effectOf(std::size_t border, std::size_t cut) const;
    [[nodiscard]] std::string misfitText(const pipeline::Split& split) const;

    Workspace& workspace_;
    NumberFormat numbers_;
    std::shared_ptr<const Program> program_;
    int model_ = 0;
    std::map<int, Setup> setups_;                                        ///< by model
    std::map<int, std::shared_ptr<const pipeline::RunResult>> measured_; ///< by model
    std::int64_t frames_ = 8;
    std::int64_t queue_ = 1;

    std::shared_ptr<PipelineStudy> study_; ///< that answered last
    std::shared_ptr<const Program> studied_;
    Setup studiedSetup_;
    std::stop_source stop_;
    BackgroundJob splitJob_, configuredJob_, memoriesJob_, curveJob_;
    std::optional<StudyAnswer> answer_;
    std::shared_ptr<const PipelineData> shown_;
    std::string failure_;
    QString said_;
    bool warns_ = false;
    bool slow_ = false;
    QTimer* slowTimer_ = nullptr; ///< after 300 ms what is under way is said
    std::shared_ptr<std::atomic<std::size_t>> planned_ = std::make_shared<std::atomic<std::size_t>>(0); ///< of the search
    std::optional<std::pair<std::size_t, std::size_t>> plansNext_;
};

} // namespace stowage
