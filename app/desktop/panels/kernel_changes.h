// What if a kernel were different: slots of a multi-buffer, the size of a buffer or of a loop's tile. Each is planned anew in the
// background; its row says what the scope takes then, whether it fits and how long pipes wait, and has a button that makes the
// change.
#pragma once

#include "app/desktop/background_job.h"
#include "core/explain/kernel_change.h"
#include "core/plan/run.h"

#include <QWidget>

#include <memory>
#include <vector>

class QVBoxLayout;

namespace stowage {

class Workspace;

class KernelChanges : public QWidget {
    Q_OBJECT

public:
    explicit KernelChanges(Workspace& workspace, QWidget* parent = nullptr);

    /// `changes` of a run in the order in which they are to be listed, judged by what becomes of `pool`. Worked out when it is
    /// in sight; the same question is not answered twice.
    void setChanges(std::shared_ptr<const Run> run, PoolId pool, std::vector<Change> changes);
    [[nodiscard]] bool busy() const { return job_.running(); }
    [[nodiscard]] const std::vector<ChangeOutcome>& outcomes() const { return outcomes_; }
    /// Makes the change number `index` of `outcomes` (undoable), and plans.
    void apply(std::size_t index);

Q_SIGNALS:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Answer {
        std::vector<ChangeOutcome> outcomes; ///< without those that cannot be made
        double time = 0;                     ///< of the run as it is
    };

    void start();
    void fill();
    void addRows();

    Workspace& workspace_;
    QVBoxLayout* column_ = nullptr;
    std::shared_ptr<const Run> run_;
    PoolId pool_ = none;
    std::vector<Change> changes_;
    bool known_ = false; ///< `outcomes_` is of what was asked for last
    std::vector<ChangeOutcome> outcomes_;
    double time_ = 0;
    BackgroundJob job_;
};

} // namespace stowage
