// Plays the recorded steps of a run one after the other, for the Replay view.
#pragma once

#include "app/canvas/pictures/replay/replay.h"
#include "app/desktop/background_job.h"
#include "core/plan/run.h"

#include <QObject>

#include <cstdint>
#include <memory>

class QTimer;

namespace stowage {

class ReplayPlayer : public QObject {
    Q_OBJECT

public:
    explicit ReplayPlayer(QObject* parent = nullptr);

    /// Replaces the run, and makes the replay of the new one if it has recorded steps: immediately, or in the background if there
    /// are many. Null: no run.
    void setRun(std::shared_ptr<const Run> run);
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    /// Null without recorded steps, and until the replay is made.
    [[nodiscard]] const Replay* replay() const { return replay_.get(); }
    [[nodiscard]] bool making() const { return run_ && making_ == run_; }

    [[nodiscard]] bool playing() const;
    /// Starts or stops; starts from the beginning if all steps were shown.
    void play(bool on);
    void seek(std::size_t step);

Q_SIGNALS:
    void made();     ///< the replay is ready
    void moved();    ///< another step is shown
    void switched(); ///< it has started or stopped playing

private:
    void take(std::shared_ptr<Replay> replay);
    void advance();

    std::shared_ptr<const Run> run_;
    std::shared_ptr<Replay> replay_;
    std::shared_ptr<const Run> making_; ///< run whose replay is being made
    BackgroundJob job_;
    QTimer* timer_ = nullptr;
    double owed_ = 0; ///< fraction of a step that is due, in [0, 1)
};

} // namespace stowage
