// A memory of an Ascend core that overflows: the compiler's own words, what is live where it is fullest, how many bits must go,
// and what helps.
#pragma once

#include "app/desktop/background_job.h"
#include "app/desktop/buffer_colours.h"
#include "core/plan/run.h"
#include "core/planners/hivm/hivm.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QVBoxLayout;

namespace stowage {

class KernelChanges;
class Look;
class Workspace;

/// For runs on Ascend's axis. What the compiler would say is worked out in the background by its planner, whoever made the plan.
class OverflowPage : public QWidget {
    Q_OBJECT

public:
    OverflowPage(Workspace& workspace, const Look& look, QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const Run> run, PoolId pool);
    [[nodiscard]] PoolId pool() const { return pool_; }
    [[nodiscard]] bool busy() const { return job_.running(); }
    [[nodiscard]] const std::optional<hivm::Overflow>& overflow() const { return overflow_; }
    /// What "Light up" selects: the buffers that are live at the fullest step, ascending.
    [[nodiscard]] const std::vector<BufferId>& live() const { return live_; }
    /// Selects them, and goes to their step.
    void lightUp();

Q_SIGNALS:
    void changed();

private:
    void start();
    void fill();
    void fillHead();
    void fillLive();

    Workspace& workspace_;
    const Look& look_;
    QVBoxLayout* column_ = nullptr;
    KernelChanges* changes_ = nullptr;
    BufferColours colours_;
    std::shared_ptr<const Run> run_;
    PoolId pool_ = none;
    std::optional<hivm::Overflow> overflow_;
    std::vector<BufferId> live_;
    BackgroundJob job_;
};

} // namespace stowage
