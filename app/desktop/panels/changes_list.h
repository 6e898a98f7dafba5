// What would help: the single changes that make a pool smallest, best first, each with a button that tries it; and those that are
// being tried, to take back.
#pragma once

#include "app/desktop/background_job.h"
#include "app/session/levers.h"
#include "core/explain/counterfactual.h"
#include "core/plan/run.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QPushButton;
class QVBoxLayout;

namespace stowage {

class Look;
class NameFit;
class Workspace;

class ChangesList : public QWidget {
    Q_OBJECT

public:
    ChangesList(Workspace& workspace, const Look& look, QWidget* parent = nullptr);

    /// Of which run and pool; worked out in the background when it is in sight. A run that was asked for before is answered at
    /// once.
    void setRun(std::shared_ptr<const Run> run, PoolId pool) { ask(std::move(run), pool, none); }
    /// The same about one buffer that the run has placed, with the changes that help nothing.
    void setBuffer(std::shared_ptr<const Run> run, BufferId buffer);
    [[nodiscard]] bool busy() const { return job_.running() || leversJob_.running(); }
    [[nodiscard]] const std::vector<Counterfactual>& ranked() const { return ranked_.changes; }
    /// Makes the change number `index` of `ranked` (undoable), and plans.
    void apply(std::size_t index);
    /// The changes of the whole model; null until they are known, and for one buffer.
    [[nodiscard]] const Levers* levers() const { return levers_ ? &*levers_ : nullptr; }
    /// Makes the change number `index` of `levers` (undoable), and plans. Does nothing where another target would have to be
    /// written (a second pool, no alignment).
    void applyLever(std::size_t index);

Q_SIGNALS:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    void ask(std::shared_ptr<const Run> run, PoolId pool, BufferId buffer);
    void start();
    /// After the single changes: those of the whole model.
    void startLevers();
    [[nodiscard]] Bytes maxSaved() const;
    void addLevers();
    void addLever(const Lever& lever, std::size_t index, const NameFit& names);
    QPushButton* makeTry(const QString& name);
    void fill();
    void addRows();
    void addRow(const Counterfactual& found, std::size_t index, const NameFit& names);

    Workspace& workspace_;
    const Look& look_;
    QVBoxLayout* column_ = nullptr;
    std::shared_ptr<const Run> run_;
    PoolId pool_ = none;
    BufferId buffer_ = none; ///< whose changes; none: of the whole pool
    bool known_ = false;     ///< `ranked_` is of `run_`, `pool_` and `buffer_`
    RankedChanges ranked_;
    std::optional<Levers> levers_; ///< of `run_`; nothing until they are known, and for one buffer
    BackgroundJob job_;
    BackgroundJob leversJob_{WhenGone::wait}; ///< it plans with the session's planners
};

} // namespace stowage
