// The list of single changes, of buffers and of the whole model, that make a pool smallest, best first, each with a button that
// tries it; and of the tried changes, to remove them.
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
class Workspace;

class ChangesList : public QWidget {
    Q_OBJECT

public:
    ChangesList(Workspace& workspace, const Look& look, QWidget* parent = nullptr);

    /// Lists the changes of a pool of this run, computed in the background once the list is visible. Earlier results are kept.
    void setRun(std::shared_ptr<const Run> run, PoolId pool) { ask(std::move(run), pool, none); }
    /// The same for one placed buffer of the run, including changes that do not help.
    void setBuffer(std::shared_ptr<const Run> run, BufferId buffer);
    [[nodiscard]] bool busy() const { return job_.running() || leversJob_.running(); }
    [[nodiscard]] const std::vector<Counterfactual>& ranked() const { return ranked_.changes; }
    /// Makes change `index` of `ranked` (with undo), and plans.
    void apply(std::size_t index);
    /// The changes of the whole model; null until they are computed, and for one buffer.
    [[nodiscard]] const Levers* levers() const { return levers_ ? &*levers_ : nullptr; }
    /// Makes change `index` of `levers` (with undo), and plans. No effect if the change needs another target (a second pool, no
    /// alignment).
    void applyLever(std::size_t index);

Q_SIGNALS:
    void changed();

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct ChangeNames;
    using SharedNames = std::shared_ptr<const ChangeNames>;
    void ask(std::shared_ptr<const Run> run, PoolId pool, BufferId buffer);
    void start();
    /// Starts the changes of the whole model, after the single changes.
    void startLevers();
    [[nodiscard]] Bytes maxSaved() const;
    void addChanges();
    void addLever(const Lever& lever, std::size_t index, const SharedNames& names);
    void sayTried();
    QPushButton* makeTry(const QString& name);
    void fill();
    void addRows();
    void addRow(const Counterfactual& found, std::size_t index, const SharedNames& names);
    /// Smaller than the unchanged pool, or with a lower bound.
    [[nodiscard]] bool helps(const Counterfactual& found) const;
    void addUseless(const QStringList& changes);

    Workspace& workspace_;
    const Look& look_;
    QVBoxLayout* column_ = nullptr;
    std::shared_ptr<const Run> run_;
    PoolId pool_ = none;
    BufferId buffer_ = none; ///< its changes are listed; `none`: those of the whole pool
    bool known_ = false;     ///< `ranked_` is of `run_`, `pool_` and `buffer_`
    RankedChanges ranked_;
    std::optional<Levers> levers_; ///< of `run_`; no value until computed, and for one buffer
    BackgroundJob job_;
    BackgroundJob leversJob_{WhenGone::wait}; ///< because it uses the session's planners
};

} // namespace stowage
