// The state of the Pipeline view: devices and stages of the model with undo, the split that is searched in the background, moved
// borders, the trade-off, and measured runs.
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

    /// The inputs of a split, which `ModelEdits` holds by model; edits have undo.
    using Setup = PipelineSetup;

    /// Switches to the current model of the workspace. False if it is the same one.
    bool takeModel();
    void setNumbers(const NumberFormat& numbers) { numbers_ = numbers; }
    [[nodiscard]] const std::shared_ptr<const Program>& program() const { return program_; } ///< null: no model with ops

    // --- edits -----------------------------------------------------------------------------------------------------------
    [[nodiscard]] const Setup& setup() const;
    /// Sets another setup and splits again; `text` names the edit. No effect if the setup is the same.
    void change(Setup next, const QString& text);
    /// Chooses devices by the name of an installed set, or from a file; an error becomes a notice.
    void chooseDevices(const QString& nameOrFile);
    void chooseEqualDevices(const QString& text); ///< two equal devices
    /// Moves a border of the shown split before the op `cut`.
    void moveBorder(std::size_t border, std::size_t cut);
    /// Whether an edit of the setup can be undone.
    [[nodiscard]] bool hasEdit() const { return lastEdit() >= 0; }
    /// Undoes the last edit of the setup. Later edits of other things stay; then this is an edit by itself.
    void undoEdit();
    void setFrames(std::int64_t frames);
    void setQueue(std::int64_t queue);
    [[nodiscard]] std::int64_t frames() const { return frames_; }
    [[nodiscard]] std::int64_t queue() const { return queue_; }

    // --- the split -------------------------------------------------------------------------------------------------------
    /// The last result; null before the first.
    [[nodiscard]] const StudyAnswer* answer() const { return answer_ ? &*answer_ : nullptr; }
    /// The shown split with the measured run; null: none fits, or none yet.
    [[nodiscard]] const std::shared_ptr<const PipelineData>& shown() const { return shown_; }
    /// The same for the picture, with the buffers of a run of the model; null without a split.
    [[nodiscard]] std::shared_ptr<const PipelineSubject> subject(const Run* run) const;
    [[nodiscard]] StagePlacement placement() const; ///< of the shown split
    [[nodiscard]] bool byLatency() const;           ///< the objective of the shown split is the latency
    [[nodiscard]] bool splitting() const { return splitJob_.running() || configuredJob_.running(); }
    [[nodiscard]] bool slow() const { return slow_; } ///< the search has run for more than 300 ms
    void cancelSplit();
    /// The reason why there is no split; empty: there is one, or it is being searched.
    [[nodiscard]] const std::string& failure() const { return failure_; }
    /// The text of the view: progress, or the reason why a moved border was refused.
    [[nodiscard]] const QString& said() const { return said_; }
    [[nodiscard]] bool warns() const { return warns_; } ///< `said` is the reason of a refusal
    void say(const QString& text, bool warns = false);

    // --- what is asked beside it -----------------------------------------------------------------------------------------
    /// Plans the arenas of the stages for a moved border; `memoriesFound` gives the result. While they are planned, only the
    /// latest request waits, and it is planned only if `wanted` still returns true.
    void planBorder(std::size_t border, std::size_t cut, const std::function<bool(std::size_t border, std::size_t cut)>& wanted);
    /// Computes the Pareto front of the period against bytes (else against latency); `curveFound` gives points as they are found.
    /// False without a split of the current setup.
    bool findCurve(bool byBytes);
    void dropCurve() { curveJob_.drop(); }
    [[nodiscard]] bool findsCurve() const { return curveJob_.running(); }

    /// Shows a measured run (a trace, or the output of `pipeline run`) over the prediction; an error becomes a notice.
    void showMeasured(const QString& file);
    void leaveOutMeasured();
    [[nodiscard]] bool hasMeasured() const { return measured_.contains(model_); }

Q_SIGNALS:
    void changed();      ///< setup, progress, failure
    void shownChanged(); ///< another split is shown, or none
    void studied();      ///< the devices or the objective of splits have changed
    void answered();     ///< a split was found, or none fits
    void memoriesFound(std::size_t border, std::size_t cut, const std::vector<stowage::pipeline::StageMemory>& memories);
    void curveFound(const std::vector<stowage::pipeline::TradeOffPoint>& points);

private:
    class SetSetup;
    /// The devices of a model as their file gave them. Later edits may choose others.
    struct ReadDevices {
        QString path; ///< absolute
        pipeline::DeviceSet devices;
        std::shared_ptr<const int> contents; ///< see `BesideFile`
    };
    struct Measured {
        QString path; ///< absolute
        std::shared_ptr<const pipeline::RunResult> run;
    };
    struct Outcome {
        std::shared_ptr<PipelineStudy> study;
        std::optional<Expected<StudyAnswer>> answer;
        std::optional<StagePlacement> placement;
        bool placementLeft = false; ///< the wanted stages are none of this program, and were left out
    };

    void applySetup(int model, const Setup& setup);
    /// `again`: the file is read again, and the stages that the user chose stay if there are as many devices as before.
    void giveDevices(int model, const QString& nameOrFile, bool again);
    void readMeasuredAgain(int model);
    /// Moves what was read to the successors of models, and names the files of what is shown.
    void tellFiles();
    /// Undoes and removes the last edit, which did not fit. False if the last edit is another one.
    bool takeBack();
    /// Index of the last edit of the setup in the undo stack; -1: none.
    [[nodiscard]] int lastEdit() const;
    /// Starts the split of the setup; no effect while `readConfigured` reads, which asks at its end.
    void ask();
    void take(const Outcome& outcome);
    /// Reads the stages that the model's file describes, and asks for the split then.
    void readConfigured(const QString& path);
    /// Makes `shown_` from the result and the measured run.
    void renewShown();
    void endWaiting();
    void tellWaiting();
    [[nodiscard]] std::optional<BorderEffect> effectOf(std::size_t border, std::size_t cut) const;
    [[nodiscard]] std::string misfitText(const pipeline::Split& split, const pipeline::CutMap& map) const;
    /// Whether `study_` is of the current setup and was not stopped, so that it answers further questions.
    [[nodiscard]] bool studiesSetup() const;

    Workspace& workspace_;
    NumberFormat numbers_;
    std::shared_ptr<const Program> program_;
    int model_ = 0;
    std::map<int, ReadDevices> devices_; ///< by model: devices from a file
    std::map<int, Measured> measured_;   ///< by model
    std::int64_t frames_ = 8;
    std::int64_t queue_ = 1;

    std::shared_ptr<PipelineStudy> study_; ///< of `answer_`: both stay until the next result
    std::stop_source stop_;
    BackgroundJob splitJob_, configuredJob_, memoriesJob_, curveJob_;
    std::optional<StudyAnswer> answer_;
    std::shared_ptr<const PipelineData> shown_;
    std::string failure_;
    QString said_;
    bool warns_ = false;
    bool slow_ = false;
    QTimer* slowTimer_ = nullptr; ///< after 300 ms progress is shown
    /// Count of planned stages of the search.
    std::shared_ptr<std::atomic<std::size_t>> planned_ = std::make_shared<std::atomic<std::size_t>>(0);
    std::optional<std::pair<std::size_t, std::size_t>> plansNext_;
};

} // namespace stowage
