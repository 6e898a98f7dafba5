// The state of the Fit view: computes the required arena size of the model in the background, for the model's runtime and with
// its log, and writes the plan into a file.
#pragma once

#include "app/desktop/background_job.h"
#include "app/session/offline_file.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace stowage {

class Workspace;

class FitDesk : public QObject {
    Q_OBJECT

public:
    explicit FitDesk(Workspace& workspace, QObject* parent = nullptr);

    /// Whether the model is for a runtime whose planners are known.
    static bool applies(const Workspace& workspace);

    struct Made {
        Model model; ///< as its runtime reads it
        Fit fit;
    };
    /// Computes the fit of the current model, unless that is done or running.
    void compute();
    /// Null until computed, and after an error.
    [[nodiscard]] const std::shared_ptr<const Made>& made() const { return made_; }
    [[nodiscard]] bool computing() const { return computing_.running(); }
    [[nodiscard]] const std::optional<Error>& why() const { return why_; } ///< the error; no value: none
    /// Whether scratch and tail are taken from the runtime's log, if there is one.
    [[nodiscard]] bool usesLog() const { return usesLog_; }
    void setUsesLog(bool on);
    /// Writes the plan: into the model's file for TensorFlow Lite Micro, as a table of offsets for ExecuTorch. A notice reports
    /// that it was written and read back. The file of an open model is replaced only after a question.
    void write(const QString& file);
    [[nodiscard]] bool writing() const { return writing_.running(); }

Q_SIGNALS:
    void changed();

private:
    /// The inputs of a fit.
    struct Wish {
        std::shared_ptr<const Program> program;
        std::shared_ptr<const Problem> problem;
        PlanRequest request;
        std::shared_ptr<const Model> log;
        [[nodiscard]] bool sameAs(const Wish& other) const;
    };
    [[nodiscard]] Wish wish() const;
    void start(const std::shared_ptr<const Made>& made, const QString& file);

    Workspace& workspace_;
    std::optional<Wish> asked_;
    std::shared_ptr<const Made> made_;
    std::optional<Error> why_;
    bool usesLog_ = true;
    BackgroundJob computing_{WhenGone::wait};
    BackgroundJobs writing_;
};

} // namespace stowage
