#include "app/desktop/workspace/suite_desk.h"

#include "app/desktop/workspace.h"
#include "app/session/regress/kept_plans.h"
#include "app/session/regress/row_request.h"
#include "core/io/input_file.h"
#include "core/io/text.h"

#include <QFileInfo>
#include <QPointer>

#include <algorithm>
#include <utility>
#include <vector>

namespace stowage {

SuiteDesk::SuiteDesk(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {}

SuiteDesk::~SuiteDesk()
{
    ++asked_; // what is still told of a run is of no use
}

void SuiteDesk::hold()
{
    planning_.drop();
    ++asked_; // its progress is outdated
    failure_.reset();
    told_.clear();
    regression_.reset();
    suite_ = workspace_.suite();
    held_ = true;
    done_ = total_ = 0;
    Q_EMIT changed();
}

void SuiteDesk::run()
{
    held_ = false;
    failure_.reset();
    told_.clear();
    if (suite_ != workspace_.suite()) regression_.reset();
    suite_ = workspace_.suite();
    workspace_.suiteIsBeingRead();
    workspace_.setRegression(regression_);
    done_ = total_ = 0;
    const auto outcome = std::make_shared<Outcome>();
    outcome->asked = ++asked_;
    RegressionOptions options;
    options.progress = [desk = QPointer(this), asked = asked_](std::size_t done, std::size_t total) {
        // The desk waits for this thread before it goes.
        QMetaObject::invokeMethod(
            desk.data(),
            [desk, asked, done, total] {
                if (!desk || asked != desk->asked_) return;
                desk->done_ = done;
                desk->total_ = total;
                Q_EMIT desk->changed();
            },
            Qt::QueuedConnection);
    };
    planning_.start(
        [&session = workspace_.session(), path = suite_, options, outcome](const std::stop_token& stop) mutable {
            options.cancel = stop;
            outcome->regression = runRegression(session, path, options);
            if (!*outcome->regression) return;
            std::vector<RowResult> results;
            for (const RegressionRow& row : (*outcome->regression)->rows) results.push_back(row.result);
            outcome->history = appendHistory((*outcome->regression)->suite, results);
        },
        [this, outcome] {
            take(*outcome);
            Q_EMIT changed();
        });
    Q_EMIT changed();
}

void SuiteDesk::cancel()
{
    planning_.stop();
}

void SuiteDesk::take(Outcome& outcome)
{
    if (outcome.asked != asked_ || !outcome.regression) return;
    if (!*outcome.regression) {
        const Error& error = outcome.regression->error();
        if (error.code == Code::cancelled && regression_) {
            told_ = tr("cancelled");
        } else {
            failure_ = error;
            regression_.reset();
        }
    } else {
        regression_ = std::make_shared<const Regression>(std::move(**outcome.regression));
        if (outcome.history) told_ = tr("The history was not written: %1").arg(QString::fromStdString(outcome.history->message));
    }
    workspace_.setRegression(regression_);
    Q_EMIT answered();
}

void SuiteDesk::accept(std::span<const std::string> keys)
{
    if (!regression_ || running()) return;
    // Plans of large models take a moment to write; the window stays usable.
    told_ = tr("writing the baseline…");
    workspace_.writing().start(
        accepting_, QString::fromStdString(baselinePath(regression_->suite)),
        [regression = regression_, wanted = std::vector<std::string>(keys.begin(), keys.end())](const std::stop_token& stop) {
            return acceptRows(*regression, wanted, stop);
        },
        [this](const Expected<std::vector<BaselineChange>>& changes) {
            told_.clear();
            if (changes) {
                if (!held_)
                    run();
                else // another suite came from a session meanwhile
                    Q_EMIT changed();
                return true;
            }
            workspace_.report({tr("The baseline was not written"), changes.error(), {}, {}, {}});
            Q_EMIT changed();
            return false;
        });
    Q_EMIT changed();
}

QString SuiteDesk::told() const
{
    return told_.isEmpty() && planning_.running() && regression_ && total_ > 0 ? tr("%1 of %2 rows").arg(done_).arg(total_)
                                                                               : told_;
}

void SuiteDesk::open(const RegressionRow& row)
{
    const SuiteRow* asked = rowOf(regression_->suite, row.result.key);
    if (!asked || !row.current) return;
    SessionModel kept;
    kept.path = pathFrom(regression_->suite.folder, asked->model);
    kept.importer = asked->importer;
    kept.function = asked->function;
    kept.bindings = asked->bindings;
    kept.importOptions = asked->importOptions;
    kept.target = asked->target;
    kept.pools = row.current->problem().pools;
    if (!asked->target.empty())
        if (const auto target = targetOf(workspace_.session(), regression_->suite.folder, asked->target)) {
            kept.target = target->name.toStdString();
            kept.runtime = target->runtime.toStdString();
            if (!target->file.isEmpty()) kept.targetFile = QFileInfo(target->file).absoluteFilePath().toStdString();
            // The problem of a kernel has only the pools in use. The target may have changed since it was planned.
            const auto isOfTarget = [&](const Pool& pool) {
                return std::ranges::find(target->pools, pool) != target->pools.end();
            };
            if (std::ranges::all_of(kept.pools, isOfTarget)) kept.pools = target->pools;
        }
    kept.alignment = asked->alignment.value_or(elementAlignment);
    kept.lowering = asked->lowering;
    kept.shown = row.current->plan.planner;
    kept.runs.push_back({row.current->plan.planner, row.current->plan.options, asked->seed, asked->workLimit, asked->timeLimit,
                         row.current->elapsedMs, io::writePlanJson(*row.current)});
    OpenIntent intent;
    intent.session = std::make_shared<const SessionModel>(kept);
    workspace_.open(QString::fromStdString(kept.path), intent, readingOf(kept));
}

void SuiteDesk::openBaseline(const RegressionRow& row)
{
    if (!row.baseline || row.baseline == row.current || !row.result.baseline) return;
    const std::string& name = row.result.baseline->kept;
    auto plan = io::readFile(keptPlanPath(regression_->suite, name), {maxKeptProblem * 16, maxKeptProblem});
    if (!plan) {
        workspace_.report({tr("The baseline's map was not opened"), plan.error(), {}, {}, {}});
        return;
    }
    SessionModel kept;
    kept.path = keptProblemPath(regression_->suite, name);
    kept.alignment = 1;
    kept.shown = row.baseline->plan.planner;
    kept.runs.push_back({row.baseline->plan.planner, row.baseline->plan.options, 0, 0, 0, 0, *std::move(plan)});
    OpenIntent intent;
    intent.session = std::make_shared<const SessionModel>(kept);
    intent.front = !row.current; // else today's map, whichever file is read first
    workspace_.open(QString::fromStdString(kept.path), intent);
}

void SuiteDesk::openBothMaps(const RegressionRow& row)
{
    if (!regression_) return;
    openBaseline(row);
    open(row);
    Q_EMIT workspace_.viewWanted(QStringLiteral("memory-map"));
}

} // namespace stowage
