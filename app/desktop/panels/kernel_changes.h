// Tries changes of a kernel: the slots of a rotating buffer, the size of a buffer or of a loop's tile. Each change is planned in
// the background; its row has the resulting size of the pool, whether it fits, the stalls of pipes, and a button that makes the
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

    /// Lists `changes` of a run in this order, with their effect on `pool`. Computed once the list is visible; the same changes
    /// are not computed twice.
    void setChanges(std::shared_ptr<const Run> run, PoolId pool, std::vector<Change> changes);
    [[nodiscard]] bool busy() const { return job_.running(); }
    [[nodiscard]] const std::vector<ChangeOutcome>& outcomes() const { return outcomes_; }
    /// Makes change `index` of `outcomes` (with undo), and plans.
    void apply(std::size_t index);

Q_SIGNALS:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Answer {
        std::vector<ChangeOutcome> outcomes; ///< without changes that cannot be made
        double time = 0;                     ///< simulated time of the run without a change
    };

    void start();
    void fill();
    void addRows();

    Workspace& workspace_;
    QVBoxLayout* column_ = nullptr;
    std::shared_ptr<const Run> run_;
    PoolId pool_ = none;
    std::vector<Change> changes_;
    bool known_ = false; ///< `outcomes_` is the result for `changes_`
    std::vector<ChangeOutcome> outcomes_;
    double time_ = 0;
    BackgroundJob job_;
};

} // namespace stowage
