// Plays the recorded steps of a run, one after the other: for the Replay view.
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

    /// Forgets the run before, and makes the replay of this one where it has recorded steps: at once, or in the background when
    /// there are many. Null: there is none.
    void setRun(std::shared_ptr<const Run> run);
    [[nodiscard]] const std::shared_ptr<const Run>& run() const { return run_; }
    /// Null without recorded steps, and while the replay is being made.
    [[nodiscard]] const Replay* replay() const { return replay_.get(); }
    [[nodiscard]] bool making() const { return run_ && making_ == run_; }

    [[nodiscard]] bool playing() const;
    /// From the beginning when all steps were shown.
    void play(bool on);
    void seek(std::size_t step);

Q_SIGNALS:
    void made();     ///< the replay of the run is there
    void moved();    ///< another step is shown
    void switched(); ///< it plays, or does not any more

private:
    void take(std::shared_ptr<Replay> replay);
    void advance();

    std::shared_ptr<const Run> run_;
    std::shared_ptr<Replay> replay_;
    std::shared_ptr<const Run> making_; ///< whose replay is being made
    BackgroundJob job_;
    QTimer* timer_ = nullptr;
    double owed_ = 0; ///< part of a step that is still to be shown, in [0, 1)
};

} // namespace stowage
