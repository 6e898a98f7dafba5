// How big the arena of the model must be: computed in the background for the runtime that the model is for, with the runtime's
// log, and written into a file. What the Fit view shows.
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
        Model model; ///< as the runtime reads it
        Fit fit;
    };
    /// Computes the fit of the model as it is now, unless that is there or under way.
    void compute();
    /// Null while it is computed, and where there is none.
    [[nodiscard]] const std::shared_ptr<const Made>& made() const { return made_; }
    [[nodiscard]] bool computing() const { return computing_.running(); }
    [[nodiscard]] const std::optional<Error>& why() const { return why_; } ///< why there is none
    /// Whether scratch and tail are those of the runtime's log, where there is one.
    [[nodiscard]] bool usesLog() const { return usesLog_; }
    void setUsesLog(bool on);
    /// Writes the plan: into the model's file for TensorFlow Lite Micro, as a table of offsets for ExecuTorch. A notice says when
    /// it is there, and read back.
    void write(const QString& file);
    [[nodiscard]] bool writing() const { return writing_.running(); }

Q_SIGNALS:
    void changed();

private:
    /// What a fit depends on.
    struct Wish {
        std::shared_ptr<const Program> program;
        std::shared_ptr<const Problem> problem;
        PlanRequest request;
        std::shared_ptr<const Model> log;
        [[nodiscard]] bool sameAs(const Wish& other) const;
    };
    [[nodiscard]] Wish wish() const;

    Workspace& workspace_;
    std::optional<Wish> asked_;
    std::shared_ptr<const Made> made_;
    std::optional<Error> why_;
    bool usesLog_ = true;
    BackgroundJob computing_{WhenGone::wait};
    BackgroundJobs writing_;
};

} // namespace stowage
