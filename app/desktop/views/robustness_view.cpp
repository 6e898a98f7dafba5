#include "app/desktop/views/robustness_view.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QLineEdit>
#include <QMenu>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

/// The number in a field, with or without commas between thousands. Where it is none that is allowed, the field gets a red border
/// and `wrong` a sentence.
double numberIn(QLineEdit& edit, std::int64_t least, std::int64_t most, QStringList& wrong)
{
    bool isNumber = false;
    const double value = edit.text().remove(u',').trimmed().toDouble(&isNumber);
    const bool good = isNumber && value >= double(least) && value <= double(most);
    setLook(&edit, "invalid", !good);
    if (!good)
        wrong << RobustnessView::tr("'%1' takes a number from %2 to %3.")
                     .arg(edit.accessibleName(), countText(least), countText(most));
    return value;
}

} // namespace

RobustnessView::RobustnessView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace), desk_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto spread = std::make_unique<RobustnessPicture>();
    spread_ = spread.get();
    chart_ = new Canvas(selection_, std::move(spread), tr("Size over bound of each planning"));
    chart_->setObjectName(QStringLiteral("spreadChart"));
    column->addWidget(chart_, 1);
    page_ = new StatePage;
    column->addWidget(page_, 1);
    auto* foot = new QWidget;
    foot->setFixedHeight(34);
    foot->setProperty("surface", "panel");
    foot->setProperty("edge", "top");
    foot->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(foot);
    row->setContentsMargins(12, 0, 12, 0);
    text_ = makeLabel({}, Tone::secondary);
    text_->setObjectName(QStringLiteral("robustnessText"));
    row->addWidget(text_, 1);
    column->addWidget(foot);
    makeBar();
    ticker_ = new QTimer(this);
    ticker_->setInterval(100);
    connect(ticker_, &QTimer::timeout, this, &RobustnessView::showState);
    connect(&desk_, &RobustnessDesk::changed, this, &RobustnessView::showState);
    connect(&desk_, &RobustnessDesk::rowsChanged, this, &RobustnessView::showRows);
    connect(page_, &StatePage::pressed, this, [this] {
        if (desk_.running())
            desk_.cancel();
        else if (desk_.run() && !whyNothingToPlace(*desk_.run()).isEmpty())
            Q_EMIT workspace_.openWanted();
        else if (desk_.run())
            start();
        else
            workspace_.plan();
    });
    connect(chart_, &Canvas::clicked, this, [this](const PictureHit& hit) {
        const RobustnessSample* sample = spread_->sample(hit);
        if (!sample || sample->perturbed) return;
        if (!desk_.plansWhatWasStudied())
            return desk_.refuse(tr("The model has another program now than the one that was studied."));
        workspace_.planners().setSeed(sample->seed);
        workspace_.plannings().planOnly(desk_.request(sample->seed));
    });
    setTheme(look.theme());
    showState();
}

RobustnessView::~RobustnessView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

void RobustnessView::makeBar()
{
    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(6);
    planners_ = new ChoiceButton({}, true);
    planners_->setObjectName(QStringLiteral("robustnessPlanner"));
    planners_->setAccessibleName(tr("Planner"));
    planners_->setMaximumTextWidth(150);
    planners_->setMenuFiller([this](QMenu& menu) {
        for (const auto& known : workspace_.session().planners().all()) {
            QAction* action = menu.addAction(QString::fromStdString(known->info().name), this,
                                             [this, name = known->info().name] { desk_.choosePlanner(name); });
            action->setCheckable(true);
            action->setChecked(known->info().name == desk_.planner());
        }
    });
    row->addWidget(planners_);
    const auto field = [&](const QString& label, const QString& tip, const QString& value, int width, const char* name) {
        row->addSpacing(6);
        QLabel* caption = makeLabel(label, Tone::secondary);
        caption->setToolTip(tip);
        row->addWidget(caption);
        auto* edit = new QLineEdit(value);
        edit->setFont(monoFont(metrics::body));
        edit->setObjectName(QString::fromLatin1(name));
        edit->setAccessibleName(label);
        edit->setToolTip(tip);
        edit->setFixedWidth(width);
        row->addWidget(edit);
        connect(edit, &QLineEdit::returnPressed, this, &RobustnessView::start);
        return edit;
    };
    seeds_ = field(tr("seeds"), tr("Number of seeds to plan the problem with, 0 to 1,000"), QStringLiteral("16"), 52,
                   "robustnessSeeds");
    perturbed_ = field(tr("other sizes"), tr("Number of problems with slightly different sizes to plan, 0 to 1,000"),
                       QStringLiteral("16"), 52, "robustnessPerturbed");
    percent_ = field(tr("± %"), tr("Largest change of a size, 0 to 90 %"), QStringLiteral("5"), 44, "robustnessPercent");
    work_ = field(tr("work limit"), tr("Largest number of placements that one planning may try; 0: the planner's own limit"),
                  countText(100'000), 82, "robustnessWork");
    row->addStretch();
    run_button_ = makeButton(tr("Try it"), QStringLiteral("plan"), ButtonKind::normal, true);
    run_button_->setObjectName(QStringLiteral("robustnessRun"));
    connect(run_button_, &QPushButton::clicked, this, [this] {
        if (desk_.running())
            desk_.cancel();
        else
            start();
    });
    row->addWidget(run_button_);
}

void RobustnessView::setTheme(const Theme& theme)
{
    chart_->setTheme(theme);
    page_->update();
}

void RobustnessView::setContext(const ViewContext& context)
{
    chart_->setNumbers(context.numbers);
    desk_.setRun(context.run);
}

void RobustnessView::start()
{
    constexpr std::int64_t maxWork = 1'000'000'000'000'000;
    QStringList wrong;
    const double seeds = numberIn(*seeds_, 0, 1000, wrong);
    const double otherSizes = numberIn(*perturbed_, 0, 1000, wrong);
    const double percent = numberIn(*percent_, 0, 90, wrong);
    const double work = numberIn(*work_, 0, maxWork, wrong);
    if (desk_.running() || !desk_.run()) return;
    if (!wrong.isEmpty()) return desk_.refuse(wrong.join(u' '));
    desk_.start(int(seeds), int(otherSizes), percent, std::uint64_t(work));
}

void RobustnessView::showRows()
{
    PictureSource source;
    source.scenes = workspace_.scenes();
    if (!desk_.rows().empty()) {
        auto subject = std::make_shared<RobustnessSubject>();
        subject->rows = desk_.rows();
        source.subject = std::move(subject);
    }
    chart_->setSource(std::move(source));
}

QString RobustnessView::message() const
{
    return page_->isHidden() ? text_->text() : page_->sentence();
}

void RobustnessView::showState()
{
    if (!bar_) return;
    const bool dots = !desk_.rows().empty();
    const bool running = desk_.running();
    const QString planner = QString::fromStdString(desk_.planner());
    if (!running)
        ticker_->stop();
    else if (!ticker_->isActive())
        ticker_->start();
    page_->standIn(*chart_, !dots);
    const QString nothing = desk_.run() ? whyNothingToPlace(*desk_.run()) : QString();
    bar_->setEnabled(desk_.run() && nothing.isEmpty());
    planners_->setChoice(planner);
    run_button_->setText(running ? tr("Cancel") : tr("Try it"));
    run_button_->setIcon({});
    run_button_->setVisible(dots); // else the page has it
    const QString far = running ? tr("%1 of %2 plannings").arg(desk_.done()).arg(desk_.wanted()) : QString();
    text_->setText(running ? far : desk_.told());
    setTone(text_, desk_.failed() ? Tone::bad : Tone::secondary);
    if (dots) return;
    if (!desk_.run())
        page_->say(QStringLiteral("spread"), tr("Nothing is planned yet."), tr("Plan"));
    else if (!nothing.isEmpty())
        page_->say(QStringLiteral("spread"), nothing, tr("Open another file…"));
    else if (running)
        page_->say(QStringLiteral("clock"), tr("%1 plans repeatedly: %2.").arg(planner, far), tr("Cancel"));
    else if (desk_.failed())
        page_->say(QStringLiteral("warning"), desk_.told(), tr("Try again"));
    else
        page_->say(QStringLiteral("spread"),
                   tr("Does the size that %1 reaches depend on its seed, or on small changes of sizes?").arg(planner),
                   tr("Try it"));
}

} // namespace stowage
