#include "app/desktop/panels/overflow_page.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/kernel_changes.h"
#include "app/desktop/panels/tried_changes.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/overflow_card.h"
#include "app/desktop/workspace.h"
#include "core/explain/pipe_run.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr std::size_t maxOccupants = 10;

/// Bytes of a buffer as a bar of the largest one's width, its further slots paler.
class SlotBar : public QWidget {
public:
    SlotBar(double share, int slots, const QColor& colour, const Look& look)
        : share_(std::clamp(share, 0.0, 1.0)), slots_(std::max(1, slots)), colour_(colour), look_(look)
    {
        setFixedHeight(4);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), look_.theme().hover);
        const double each = std::max(1.0, width() * share_ / slots_);
        for (int slot = 0; slot < slots_; ++slot) {
            QColor colour = colour_;
            if (slot > 0) colour.setAlphaF(0.55F);
            painter.fillRect(QRectF(slot * each, 0, std::max(1.0, each - (slot + 1 < slots_ ? 1 : 0)), height()), colour);
        }
    }

private:
    double share_;
    int slots_;
    QColor colour_;
    const Look& look_;
};

void addHeading(QVBoxLayout& column, const QString& title, const QString& caption)
{
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 6, 12, 2);
    row->addWidget(makeLabel(title, Tone::main, metrics::body, QFont::DemiBold));
    row->addStretch();
    row->addWidget(makeLabel(caption, Tone::secondary));
    column.addLayout(row);
}

} // namespace

OverflowPage::OverflowPage(Workspace& workspace, const Look& look, QWidget* parent)
    : QWidget(parent), workspace_(workspace), look_(look)
{
    setObjectName(QStringLiteral("overflowPage"));
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(3);
    changes_ = new KernelChanges(workspace, this);
    changes_->hide();
}

void OverflowPage::setRun(std::shared_ptr<const Run> run, PoolId pool)
{
    if (run == run_ && pool == pool_) {
        fill(); // colours or units may differ
        return;
    }
    job_.drop();
    run_ = std::move(run);
    pool_ = pool;
    colours_.setRun(run_);
    overflow_.reset();
    live_.clear();
    start();
    fill();
}

void OverflowPage::start()
{
    if (!run_ || workspace_.shown().showsIncumbent()) return;
    job_.start(
        [run = run_, pool = pool_](const std::stop_token& token) {
            PlanContext context;
            context.cancel = token;
            context.seed = run->plan.seed;
            return hivmOverflow(run->problem(), pool, run->plan.planner == "hivm" ? run->plan.options : OptionValues(), context);
        },
        [this](std::optional<hivm::Overflow> overflow) {
            overflow_ = std::move(overflow);
            if (overflow_)
                for (const hivm::Occupant& occupant : overflow_->occupants) live_.push_back(occupant.buffer);
            std::ranges::sort(live_);
            fill();
            Q_EMIT changed();
        });
}

void OverflowPage::lightUp()
{
    if (!overflow_) return;
    workspace_.selection().selectMany(live_);
    if (overflow_->step >= 0) workspace_.selection().setCursor(overflow_->step);
}

void OverflowPage::fill()
{
    changes_->hide();
    column_->removeWidget(changes_);
    clearLayout(*column_);
    if (run_) addParts();
    showContents(*column_); // the card does not wait for the next turn of the event loop
}

void OverflowPage::addParts()
{
    fillHead();
    if (!overflow_) {
        QLabel* text =
            makeLabel(busy() ? tr("Finding live buffers and changes that help…")
                      : workspace_.shown().showsIncumbent()
                          ? tr("Waiting for the search to end.")
                          : tr("The compiler's planner by levels finds a plan that fits; the plan shown does not fit."),
                      Tone::secondary);
        text->setWordWrap(true);
        text->setContentsMargins(12, 4, 12, 0);
        column_->addWidget(text);
        return;
    }
    fillLive();
    std::vector<Change> changes;
    for (const hivm::TriedChange& tried : overflow_->changes) changes.push_back(tried.change);
    const bool fits = std::ranges::any_of(overflow_->changes, &hivm::TriedChange::fits);
    addHeading(*column_, fits ? tr("What would fit") : tr("What would help"),
               fits ? tr("single changes, smallest first") : tr("no single change fits"));
    auto* tried = new QVBoxLayout;
    tried->setContentsMargins(12, 0, 12, 0);
    addTriedChanges(*tried, workspace_);
    column_->addLayout(tried);
    changes_->setChanges(run_, pool_, std::move(changes));
    column_->addWidget(changes_);
}

void OverflowPage::fillHead()
{
    auto* box = new QHBoxLayout;
    box->setContentsMargins(8, 4, 8, 4);
    const NumberFormat& numbers = workspace_.numbers();
    const PoolReport& report = *std::ranges::find(run_->report.pools, pool_, &PoolReport::pool);
    // What the plan that is shown takes, rounded up as the compiler counts where it is the compiler's.
    const Bytes required = overflow_ && run_->plan.planner == "hivm" ? overflow_->required : report.size;
    ScopeOverflow scope;
    scope.name = nameText(run_->problem().pools[std::size_t(pool_)].name);
    scope.required = required;
    scope.capacity = report.capacity.value_or(0);
    if (overflow_) {
        const QString step = countText(overflow_->step);
        scope.why = overflow_->tooMuchLive()
                        ? tr("Op %1 alone needs %2, so no placement can fit. Change the kernel.")
                              .arg(step, bytesText(overflow_->live, numbers))
                        : tr("No op needs more than the capacity, but buffers of different ops cannot share enough addresses. "
                             "Op %2 needs most: %1.")
                              .arg(bytesText(overflow_->live, numbers), step);
        scope.words = QString::fromStdString(
            hivm::overflowText(run_->problem().pools[std::size_t(pool_)].name, overflow_->required, overflow_->capacity));
    }
    box->addWidget(new OverflowCard(look_, scope, numbers));
    column_->addLayout(box);
}

void OverflowPage::fillLive()
{
    const Problem& problem = run_->problem();
    const NumberFormat& numbers = workspace_.numbers();
    addHeading(*column_, tr("Live at step %1").arg(countText(overflow_->step)), tr("%1 after alignment").arg(unitText(numbers)));
    Bytes largest = 1;
    for (const hivm::Occupant& occupant : overflow_->occupants) largest = std::max(largest, occupant.total());
    auto* list = new QVBoxLayout;
    list->setContentsMargins(12, 0, 12, 0);
    list->setSpacing(3);
    for (std::size_t i = 0; i < overflow_->occupants.size() && i < maxOccupants; ++i) {
        const hivm::Occupant& occupant = overflow_->occupants[i];
        const QColor colour = colours_.fill(occupant.buffer, look_.theme());
        auto* row = new QHBoxLayout;
        row->setSpacing(6);
        auto* swatch = new QFrame;
        swatch->setFixedSize(10, 10);
        QPalette palette = swatch->palette();
        palette.setColor(QPalette::Window, colour);
        swatch->setPalette(palette);
        swatch->setAutoFillBackground(true);
        row->addWidget(swatch, 0, Qt::AlignVCenter);
        auto* name = makeButton(nameText(problem.buffers[std::size_t(occupant.buffer)].name).replace(u'&', QStringLiteral("&&")),
                                {}, ButtonKind::link);
        name->setToolTip(tr("Selects this buffer"));
        connect(name, &QPushButton::clicked, this, [this, id = occupant.buffer] { workspace_.selection().select(id); });
        row->addWidget(name);
        row->addStretch();
        if (occupant.slots > 1) {
            QLabel* times = makeNumber(tr("× %1").arg(occupant.slots), Tone::warn);
            times->setToolTip(tr("%1 slots of %2").arg(occupant.slots).arg(bytesText(occupant.bytes, numbers)));
            row->addWidget(times);
        }
        QLabel* level =
            makeLabel(occupant.level ? QString::fromStdString(std::string(shortName(*occupant.level))) : tr("shares nothing"),
                      Tone::secondary, 11);
        level->setToolTip(tr("The highest level of reuse that permits its address, given the other buffers in its bytes"));
        level->setFixedWidth(78);
        level->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        row->addWidget(level);
        QLabel* size = makeNumber(bytesNumber(occupant.total(), numbers));
        size->setToolTip(sizeInBits(occupant.total()));
        size->setMinimumWidth(68);
        size->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        row->addWidget(size);
        list->addLayout(row);
        list->addWidget(new SlotBar(double(occupant.total()) / double(largest), occupant.slots, colour, look_));
    }
    if (overflow_->occupants.size() > maxOccupants)
        list->addWidget(makeLabel(tr("and %1 more").arg(overflow_->occupants.size() - maxOccupants), Tone::secondary));
    column_->addLayout(list);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(12, 2, 12, 4);
    const Bytes further = overflow_->furtherSlots();
    foot->addWidget(makeLabel(further > 0 ? tr("%1 of this are further slots").arg(bytesText(further, numbers))
                                          : tr("no buffer has a further slot"),
                              Tone::secondary));
    foot->addStretch();
    auto* light = makeButton(tr("Light up"), {}, ButtonKind::link);
    light->setObjectName(QStringLiteral("lightOverflow"));
    light->setToolTip(tr("Selects these buffers in all views, and goes to their op"));
    connect(light, &QPushButton::clicked, this, &OverflowPage::lightUp);
    foot->addWidget(light);
    column_->addLayout(foot);
}

} // namespace stowage
