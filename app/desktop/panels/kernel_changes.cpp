#include "app/desktop/panels/kernel_changes.h"

#include "app/canvas/kit/number_text.h"
#include "app/desktop/panels/tried_changes.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/overflow_card.h"
#include "app/desktop/workspace.h"
#include "core/explain/pipe_run.h"
#include "core/planners/registry.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cstdlib>

namespace stowage {

namespace {

constexpr std::size_t maxBuffers = 5'000;      ///< beyond it one planning takes too long to do it for each row
constexpr std::uint64_t workOfOneTry = 20'000; ///< of planners that would go on

} // namespace

KernelChanges::KernelChanges(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace)
{
    setObjectName(QStringLiteral("kernelChanges"));
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(12, 2, 12, 2);
    column_->setSpacing(2);
}

void KernelChanges::setChanges(std::shared_ptr<const Run> run, PoolId pool, std::vector<Change> changes)
{
    if (run == run_ && pool == pool_ && changes == changes_) {
        fill();
        return;
    }
    job_.drop();
    run_ = std::move(run);
    pool_ = pool;
    changes_ = std::move(changes);
    known_ = false;
    outcomes_.clear();
    fill();
    if (isVisible()) start();
}

void KernelChanges::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    start();
}

void KernelChanges::start()
{
    if (!run_ || known_ || busy() || workspace_.shown().showsIncumbent() || run_->problem().buffers.size() > maxBuffers) return;
    auto planner = workspace_.session().planners().find(run_->plan.planner);
    if (!planner) planner = workspace_.session().planners().find("hivm"); // of a plan that the file brings
    if (!planner) return;
    job_.start(
        [run = run_, changes = changes_, planner](const std::stop_token& token) {
            Answer answer;
            const PipeModel model = pipeModelOf(run->program.get(), *run->lowering);
            if (const auto now = analysePipes(*run)) answer.time = double(now->report.time);
            PlanContext context;
            context.cancel = token;
            context.seed = run->plan.seed;
            if (planner->info().anytime) context.workLimit = workOfOneTry;
            OptionValues options = run->plan.options;
            if (planner->info().name != run->plan.planner) options.clear();
            for (const Change& change : changes) {
                if (token.stop_requested()) break;
                if (auto outcome = tryChange(run->problem(), model, change, *planner, options, context))
                    answer.outcomes.push_back(*std::move(outcome));
            }
            return answer;
        },
        [this](Answer answer) {
            known_ = true;
            outcomes_ = std::move(answer.outcomes);
            time_ = answer.time;
            fill();
            Q_EMIT changed();
        });
    fill();
}

void KernelChanges::apply(std::size_t index)
{
    if (!run_ || index >= outcomes_.size()) return;
    const Change change = outcomes_[index].change; // `outcomes_` goes with the run
    workspace_.edits().addChange(withNames(run_->problem(), change),
                                 tr("Try: %1").arg(QString::fromStdString(describe(run_->problem(), change))));
}

void KernelChanges::fill()
{
    clearLayout(*column_);
    if (run_) addRows();
    showContents(*column_);
}

void KernelChanges::addRows()
{
    const auto say = [this](const QString& text) {
        QLabel* label = makeLabel(text, Tone::secondary);
        label->setWordWrap(true);
        column_->addWidget(label);
    };
    if (run_->problem().buffers.size() > maxBuffers) return say(tr("Too many buffers to try changes one by one."));
    if (!known_)
        return say(workspace_.shown().showsIncumbent() ? tr("Waiting for the search to end.") : tr("Planning each change…"));
    if (outcomes_.empty()) return say(tr("No single change makes the pool smaller."));
    const NumberFormat& numbers = workspace_.numbers();
    const PoolReport& now = run_->report.pools[std::size_t(pool_)];
    const auto quotedIn = [this](const Change& change) {
        QStringList names;
        for (const BufferId id : {change.buffer, change.other})
            if (id != none) names << nameText(run_->problem().buffers[std::size_t(id)].name);
        return names;
    };
    QStringList names;
    for (const ChangeOutcome& outcome : outcomes_) names << quotedIn(outcome.change);
    const NameFit apart(names);
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
        const ChangeOutcome& outcome = outcomes_[i];
        const Bytes size = outcome.report.pools[std::size_t(pool_)].size;
        auto* head = new QHBoxLayout;
        head->setSpacing(6);
        auto* name = new ElidedLabel;
        name->setFitter([apart, quoted = quotedIn(outcome.change)](const QString& full, const QFontMetrics& letters, int room) {
            return apart.fitSentence(full, quoted, letters, room);
        });
        name->setFullText(asSentence(describe(run_->problem(), outcome.change)));
        name->setToolTip(name->fullText());
        head->addWidget(name, 1);
        const Bytes difference = size - now.size;
        const QString sign = difference > 0 ? QStringLiteral("+%1") : QStringLiteral("-%1");
        QLabel* change = makeNumber(difference == 0 ? tr("same size") : sign.arg(bytesText(std::abs(difference), numbers)),
                                    difference < 0   ? Tone::ok
                                    : difference > 0 ? Tone::warn
                                                     : Tone::secondary);
        change->setToolTip(sizeInBits(difference));
        head->addWidget(change);
        column_->addLayout(head);
        auto* row = new QHBoxLayout;
        row->setSpacing(6);
        QString fits = bytesText(size, numbers);
        if (now.capacity)
            fits += size <= *now.capacity ? tr(", fits") : tr(", %1 over").arg(bytesText(size - *now.capacity, numbers));
        const std::int64_t stall = outcome.pipes.stall();
        QString waits = stall > 0 ? tr("pipes wait %1").arg(countText(stall)) : tr("no pipe waits because of reuse");
        // A buffer of another size alone is another computation: its time says nothing.
        if (time_ > 0 && outcome.fits && outcome.change.kind != Change::Kind::scale) {
            const double more = outcome.timeForAll / time_ - 1;
            waits += more == 0 ? tr(", same time") : tr(", time %1").arg(percentText(more));
        }
        auto* lines = new QVBoxLayout;
        lines->setSpacing(0);
        QLabel* first = makeLabel(fits, now.capacity && size > *now.capacity ? Tone::bad : Tone::secondary, 11);
        first->setToolTip(sizeInBits(size));
        lines->addWidget(first);
        auto* second = new ElidedLabel;
        second->setFullText(waits);
        second->setProperty("tone", "caption");
        second->setToolTip(tr("From the simulation of the pipes, in bytes moved: time in which pipes wait because of reuse, and "
                              "time of the kernel"));
        lines->addWidget(second);
        row->addLayout(lines, 1);
        auto* button = makeButton(tr("Try"), {}, ButtonKind::normal, true);
        button->setObjectName(QStringLiteral("tryKernelChange:%1").arg(i));
        button->setToolTip(tr("Makes this change and plans again. Undo takes it back."));
        connect(button, &QPushButton::clicked, this, [this, i] { apply(i); });
        row->addWidget(button, 0, Qt::AlignVCenter);
        column_->addLayout(row);
        column_->addSpacing(5);
    }
}

} // namespace stowage
