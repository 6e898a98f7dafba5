#include "app/desktop/views/regression_view.h"

#include "app/desktop/look/look.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"
#include "app/session/regress/kept_plans.h"
#include "app/session/regress/row_request.h"
#include "core/io/input_file.h"
#include "core/io/text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPointer>
#include <QPushButton>

#include <array>

namespace stowage {

RegressionView::RegressionView(Workspace& workspace, const Look& look, QWidget* parent)
    : PictureView(*pictureEntry(QStringLiteral("regression")), workspace, look, parent)
{
    makeControls();
    connect(&workspace, &Workspace::suiteChanged, this, [this] {
        if (this->workspace().suite() != suite_) run();
    });
    connect(canvas(), &Canvas::clicked, this, [this] { refresh(); });
    if (!workspace.suite().isEmpty()) run();
    refresh();
}

RegressionView::~RegressionView()
{
    ++asked_; // what is still told of a run is of no use
}

bool RegressionView::applies(const Workspace& workspace)
{
    return !workspace.suite().isEmpty();
}

void RegressionView::makeControls()
{
    auto* controls = new QWidget;
    auto* row = new QHBoxLayout(controls);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    suiteChoice_ = new ChoiceButton(QStringLiteral("list"), true);
    suiteChoice_->setObjectName(QStringLiteral("regressionSuite"));
    suiteChoice_->setAccessibleName(tr("Suite"));
    suiteChoice_->setToolTip(tr("The suite of models that is compared with its baseline"));
    suiteChoice_->setMenuFiller([this](QMenu& menu) { menu.addAction(tr("Open a suite…"), this, &RegressionView::openSuite); });
    row->addWidget(suiteChoice_);
    said_ = makeLabel({}, Tone::secondary);
    said_->setObjectName(QStringLiteral("regressionSaid"));
    row->addWidget(said_, 1);
    const auto button = [&](const char* name, const QString& text, const QString& icon, const QString& tip, auto slot) {
        QPushButton* made = makeButton(text, icon, ButtonKind::normal, true);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        connect(made, &QPushButton::clicked, this, slot);
        row->addWidget(made);
        return made;
    };
    both_ = button("regressionBoth", tr("Open both maps"), QStringLiteral("compare"),
                   tr("Opens the model of the row with its plan, and the baseline's beside it"), [this] { openBothMaps(); });
    acceptRow_ =
        button("regressionAccept", tr("Accept row"), QStringLiteral("check"), tr("Writes this row into the baseline"), [this] {
            const std::array<std::string, 1> key{chosenKey()};
            if (!key.front().empty()) accept(key);
        });
    again_ =
        button("regressionAgain", tr("Run again"), QStringLiteral("refresh"), tr("Plans every row of the suite again"), [this] {
            if (running())
                cancel();
            else
                run();
        });
    update_ = button("regressionUpdate", tr("Update baseline…"), QStringLiteral("flag"),
                     tr("Writes all results into the baseline beside the suite"), [this] { askToUpdate(); });
    barRow().insertWidget(0, controls, 1);
}

// --- running -------------------------------------------------------------------------------------------------------------

void RegressionView::openSuite()
{
    const QString file =
        QFileDialog::getOpenFileName(window(), tr("Open a suite"), QFileInfo(suite_).absolutePath(), tr("Suites (*.json)"));
    if (!file.isEmpty()) workspace().openSuite(file);
}

void RegressionView::run()
{
    failure_.reset();
    if (suite_ != workspace().suite()) {
        regression_.reset();
        canvas()->setSource({});
    }
    suite_ = workspace().suite();
    done_ = total_ = 0;
    const auto outcome = std::make_shared<Outcome>();
    outcome->asked = ++asked_;
    RegressionOptions options;
    options.progress = [view = QPointer(this), asked = asked_](std::size_t done, std::size_t total) {
        // The view waits for this thread before it goes.
        QMetaObject::invokeMethod(
            view.data(),
            [view, asked, done, total] {
                if (!view || asked != view->asked_) return;
                view->done_ = done;
                view->total_ = total;
                view->refresh();
            },
            Qt::QueuedConnection);
    };
    planning_.start(
        [&session = workspace().session(), path = suite_, options, outcome](const std::stop_token& stop) mutable {
            options.cancel = stop;
            outcome->regression = runRegression(session, path, options);
            if (!*outcome->regression) return;
            std::vector<RowResult> results;
            for (const RegressionRow& row : (*outcome->regression)->rows) results.push_back(row.result);
            outcome->history = appendHistory((*outcome->regression)->suite, results);
        },
        [this, outcome] {
            take(*outcome);
            refresh();
        });
    refresh();
}

void RegressionView::cancel()
{
    planning_.stop();
}

void RegressionView::take(Outcome& outcome)
{
    if (outcome.asked != asked_ || !outcome.regression) return;
    said_->clear();
    if (!*outcome.regression) {
        const Error& error = outcome.regression->error();
        if (error.code == Code::cancelled && regression_)
            said_->setText(tr("cancelled"));
        else
            failure_ = error;
        if (failure_) {
            regression_.reset();
            canvas()->setSource({});
        }
        Q_EMIT answered();
        return;
    }
    regression_ = std::make_shared<const Regression>(std::move(**outcome.regression));
    if (outcome.history)
        said_->setText(tr("The history was not written: %1").arg(QString::fromStdString(outcome.history->message)));
    auto subject = std::make_shared<RegressionSubject>();
    subject->regression = regression_;
    PictureSource source;
    source.subject = std::move(subject);
    source.scenes = workspace().scenes();
    canvas()->setSource(std::move(source));
    Q_EMIT answered();
}

// --- baseline ------------------------------------------------------------------------------------------------------------

void RegressionView::askToUpdate()
{
    if (!regression_) return;
    Notice notice{tr("Write the baseline of %1?").arg(QString::fromStdString(regression_->suite.name)), {}, {}, {}, {}};
    notice.what.severity = Severity::note;
    notice.what.message = tr("What this run gave is accepted for every row but those that failed. The baseline has %1 rows now.")
                              .arg(regression_->baselineRows)
                              .toStdString();
    notice.choices = {{tr("Write it"), [view = QPointer(this)] {
                           if (view) view->accept({});
                       }}};
    workspace().report(notice);
}

void RegressionView::accept(std::span<const std::string> keys)
{
    if (!regression_ || running()) return;
    // Plans of large models take a moment to write; the view stays usable.
    said_->setText(tr("writing the baseline…"));
    accepting_.start([regression = regression_, wanted = std::vector<std::string>(keys.begin(), keys.end())](
                         const std::stop_token&) { return acceptRows(*regression, wanted); },
                     [this](const Expected<std::vector<BaselineChange>>& changes) {
                         said_->clear();
                         if (!changes) {
                             workspace().report({tr("The baseline was not written"), changes.error(), {}, {}, {}});
                             refresh();
                             return;
                         }
                         run();
                     });
    refresh();
}

// --- both maps -----------------------------------------------------------------------------------------------------------

std::string RegressionView::chosenKey()
{
    const RegressionRow* row = canvas()->scene() ? regressionPicture().row() : nullptr;
    return row ? row->result.key : std::string();
}

void RegressionView::open(const RegressionRow& row)
{
    const SuiteRow* asked = rowOf(regression_->suite, row.result.key);
    if (!asked || !row.current) return;
    SessionModel kept;
    kept.path = pathFrom(regression_->suite.folder, asked->model);
    kept.target = asked->target;
    kept.pools = row.current->problem().pools;
    kept.alignment = asked->alignment.value_or(elementAlignment);
    kept.lowering = asked->lowering;
    kept.shown = row.current->plan.planner;
    kept.runs.push_back({row.current->plan.planner, row.current->plan.options, asked->seed, asked->workLimit, asked->timeLimit,
                         row.current->elapsedMs, io::writePlanJson(*row.current)});
    OpenIntent intent;
    intent.session = std::make_shared<const SessionModel>(kept);
    OpenOptions options;
    options.importer = QString::fromStdString(asked->importer);
    options.function = QString::fromStdString(asked->function);
    options.bindings = asked->bindings;
    options.importOptions = asked->importOptions;
    workspace().open(QString::fromStdString(kept.path), intent, options);
}

void RegressionView::openBaseline(const RegressionRow& row)
{
    if (!row.baseline || row.baseline == row.current || !row.result.baseline) return;
    const std::string& name = row.result.baseline->kept;
    auto plan = io::readFile(keptPlanPath(regression_->suite, name), {maxKeptProblem * 16, maxKeptProblem});
    if (!plan) {
        workspace().report({tr("The baseline's map was not opened"), plan.error(), {}, {}, {}});
        return;
    }
    SessionModel kept;
    kept.path = keptProblemPath(regression_->suite, name);
    kept.alignment = 1;
    kept.shown = row.baseline->plan.planner;
    kept.runs.push_back({row.baseline->plan.planner, row.baseline->plan.options, 0, 0, 0, 0, *std::move(plan)});
    OpenIntent intent;
    intent.session = std::make_shared<const SessionModel>(kept);
    workspace().open(QString::fromStdString(kept.path), intent);
}

void RegressionView::openBothMaps()
{
    const RegressionRow* row = canvas()->scene() ? regressionPicture().row() : nullptr;
    if (!row) return;
    openBaseline(*row);
    open(*row); // in front
    Q_EMIT workspace().viewWanted(QStringLiteral("memory-map"));
}

// --- what is said --------------------------------------------------------------------------------------------------------

QString RegressionView::said() const
{
    return said_->text();
}

void RegressionView::setContext(const ViewContext& context)
{
    canvas()->setNumbers(context.numbers);
    refresh();
}

PictureView::Page RegressionView::page(const Error*) const
{
    if (workspace().suite().isEmpty())
        return {QStringLiteral("regression"), tr("Open a suite of models to compare it with its baseline."), tr("Open a suite…")};
    if (failure_ && !running()) {
        const QString text = QString::fromStdString(failure_->code == Code::cancelled ? failure_->message : toText(*failure_));
        return {QStringLiteral("warning"), text, tr("Run again")};
    }
    if (total_ > 0) return {QStringLiteral("clock"), tr("Planned %1 of %2 rows…").arg(done_).arg(total_), tr("Cancel")};
    return {QStringLiteral("clock"), tr("Planning the suite…"), tr("Cancel")};
}

void RegressionView::pressPage()
{
    if (workspace().suite().isEmpty())
        openSuite();
    else if (running())
        cancel();
    else
        run();
}

void RegressionView::refresh()
{
    PictureView::refresh();
    if (!update_ || !bar()) return; // still being made, or gone
    bar()->setEnabled(true);
    suiteChoice_->setChoice(suite_.isEmpty() ? tr("Open a suite") : QFileInfo(suite_).fileName());
    const RegressionRow* row = canvas()->scene() ? regressionPicture().row() : nullptr;
    both_->setEnabled(row && (row->current || row->baseline));
    acceptRow_->setEnabled(row && row->result.verdict != RowVerdict::same && row->result.verdict != RowVerdict::failed &&
                           !running());
    again_->setText(running() ? tr("Cancel") : tr("Run again"));
    again_->setEnabled(!suite_.isEmpty());
    update_->setEnabled(regression_ && !running());
    if (running() && regression_ && total_ > 0) said_->setText(tr("%1 of %2 rows").arg(done_).arg(total_));
    if (!running() && said_->text().endsWith(tr("rows"))) said_->clear();
}

} // namespace stowage
