// The page of an overflowing pool of an Ascend core: the compiler's message, the live buffers at the peak, the excess in bits,
// and changes that help.
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

/// For runs in Ascend's order. The compiler's message is computed in the background by its planner, whichever planner made the
/// plan.
class OverflowPage : public QWidget {
    Q_OBJECT

public:
    OverflowPage(Workspace& workspace, const Look& look, QWidget* parent = nullptr);

    void setRun(std::shared_ptr<const Run> run, PoolId pool);
    [[nodiscard]] PoolId pool() const { return pool_; }
    [[nodiscard]] bool busy() const { return job_.running(); }
    [[nodiscard]] const std::optional<hivm::Overflow>& overflow() const { return overflow_; }
    /// The buffers that "Light up" selects: those live at the peak, ascending.
    [[nodiscard]] const std::vector<BufferId>& live() const { return live_; }
    /// Selects these buffers, and goes to the peak step.
    void lightUp();

Q_SIGNALS:
    void changed();

private:
    void start();
    void fill();
    void addParts();
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
