#include "app/desktop/views/loops_view.h"

#include "app/canvas/export/render.h"
#include "app/desktop/look/look.h"
#include "app/desktop/scene_cache.h"
#include "app/desktop/views/stack_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/loop_canvas.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace stowage {

namespace {

/// A loop of the program, whether or not it was lowered yet.
bool hasLoop(const Program& program)
{
    return std::ranges::any_of(program.functions, [](const Function& function) {
        return std::ranges::any_of(function.ops, [](const Op& op) { return op.control == Control::loop; });
    });
}

} // namespace

bool LoopsView::applies(const Workspace& workspace)
{
    if (const auto run = workspace.run()) return run->program && !loopsOf(*run->lowering).empty();
    return workspace.model() && workspace.model()->program && hasLoop(*workspace.model()->program);
}

LoopsView::LoopsView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    canvas_ = new LoopCanvas(selection_, look.theme());
    canvas_->setObjectName(QStringLiteral("loopCanvas"));
    column->addWidget(canvas_, 1);
    makeTransport();
    column->addWidget(transport_);
    page_ = new StatePage;
    column->addWidget(page_, 1);
    setFocusProxy(canvas_);
    makeBar();
    connect(canvas_, &LoopCanvas::sought, this, [this](qint64 iteration) { setIteration(iteration); });
    connect(page_, &StatePage::pressed, &workspace_, &Workspace::plan);
    refresh();
}

LoopsView::~LoopsView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

void LoopsView::makeBar()
{
    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    row->addWidget(makeLabel(tr("Loop"), Tone::secondary));
    choice_ = new ChoiceButton({}, true);
    choice_->setObjectName(QStringLiteral("loopChoice"));
    choice_->setMenuFiller([this](QMenu& menu) {
        for (const LoopId loop : loops_) {
            QAction* action = menu.addAction(QString::fromStdString(run_->problem().loops[std::size_t(loop)].name), this,
                                             [this, loop] { setLoop(loop); });
            action->setCheckable(true);
            action->setChecked(loop == loop_);
        }
    });
    row->addWidget(choice_);
    count_ = makeLabel({}, Tone::secondary);
    row->addWidget(count_);
    row->addSpacing(8);
    row->addWidget(makeLabel(tr("Addresses"), Tone::secondary));
    range_ = new SegmentedControl({tr("all"), tr("of the views")}, true);
    range_->setObjectName(QStringLiteral("loopRange"));
    range_->setToolTip(tr("All that the body uses, or only where the tensors above lie"));
    connect(range_, &SegmentedControl::chosen, this, [this](int index) { canvas_->setClose(index == 1); });
    row->addWidget(range_);
    row->addStretch();
    unrolled_ = makeButton(tr("Plan it unrolled"), QStringLiteral("loop"), ButtonKind::normal, true);
    unrolled_->setObjectName(QStringLiteral("planUnrolled"));
    unrolled_->setToolTip(tr("Shows the plan of nnc, which lets carried values rotate instead of copying them"));
    connect(unrolled_, &QPushButton::clicked, this, [this] {
        if (const RunEntry* known = workspace_.runOf("nnc")) return workspace_.showRun(known->id);
        awaited_ = workspace_.modelId();
        workspace_.planOnly("nnc");
    });
    connect(&workspace_, &Workspace::runsChanged, this, [this] {
        const RunEntry* planned = awaited_ && awaited_ == workspace_.modelId() ? workspace_.runOf("nnc") : nullptr;
        if (!planned) return;
        awaited_ = 0;
        workspace_.showRun(planned->id);
    });
    // One that failed or was stopped is not waited for any more: a later one would be shown unasked.
    connect(&workspace_, &Workspace::jobsChanged, this, [this] {
        if (!workspace_.busy()) awaited_ = 0;
    });
    row->addWidget(unrolled_);
}

void LoopsView::makeTransport()
{
    transport_ = new QWidget;
    transport_->setFixedHeight(38);
    transport_->setProperty("surface", "panel");
    transport_->setProperty("edge", "top");
    transport_->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(transport_);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(6);
    back_ = makeIconButton(QStringLiteral("step-back"), tr("One iteration back  ,"), true);
    back_->setObjectName(QStringLiteral("loopBack"));
    forward_ = makeIconButton(QStringLiteral("step-forward"), tr("One iteration on  ."), true);
    forward_->setObjectName(QStringLiteral("loopForward"));
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(QStringLiteral("loopSlider"));
    slider_->setAccessibleName(tr("Iteration"));
    at_ = makeNumber({}, Tone::secondary);
    row->addWidget(back_);
    row->addWidget(forward_);
    row->addWidget(slider_, 1);
    row->addWidget(at_);
    connect(back_, &QToolButton::clicked, this, [this] { setIteration(iteration() - 1); });
    connect(forward_, &QToolButton::clicked, this, [this] { setIteration(iteration() + 1); });
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        if (value != iteration()) setIteration(value);
    });
}

void LoopsView::setTheme(const Theme& theme)
{
    canvas_->setTheme(theme);
    page_->update();
}

void LoopsView::setContext(const ViewContext& context)
{
    canvas_->setNumbers(context.numbers);
    const bool other = context.run != run_;
    run_ = context.run;
    if (other) refresh();
}

void LoopsView::refresh()
{
    loops_.clear();
    if (run_ && run_->program) loops_ = loopsOf(*run_->lowering);
    const auto named =
        std::ranges::find_if(loops_, [&](LoopId loop) { return run_->problem().loops[std::size_t(loop)].name == wanted_; });
    loop_ = loops_.empty() ? none : named != loops_.end() ? *named : loops_.front();
    std::optional<LoopPicture> picture;
    if (loop_ != none) picture = loopPicture(*run_, loop_);
    const bool any = picture.has_value();
    canvas_->setPicture(any ? workspace_.scenes()->scene(run_) : nullptr, std::move(picture));
    canvas_->setVisible(any);
    transport_->setVisible(any);
    page_->setVisible(!any);
    if (bar_) bar_->setEnabled(any);
    if (any) {
        const QString name = QString::fromStdString(run_->problem().loops[std::size_t(loop_)].name);
        choice_->setChoice(name);
        count_->setText(loops_.size() > 1 ? tr("%1 of %2")
                                                .arg(std::ranges::find(loops_, loop_) - loops_.begin() + 1)
                                                .arg(countedText(std::int64_t(loops_.size()), tr("loop")))
                                          : QString());
        unrolled_->setVisible(canvas_->picture()->story.moved > 0 && run_->lowering->options.loops == LoopMode::conservative);
        setIteration(std::min(canvas_->iteration(), iterations() - 1));
        return;
    }
    choice_->setChoice(tr("none"));
    count_->clear();
    unrolled_->hide();
    if (!run_)
        page_->say(QStringLiteral("loop"), tr("Nothing is planned yet."), workspace_.modelId() ? tr("Plan") : QString());
    else if (!run_->program)
        page_->say(QStringLiteral("loop"), tr("The input is a list of buffers: the loops that they belong to are not in it."),
                   {});
    else
        page_->say(QStringLiteral("loop"),
                   tr("This program has no loops. What a loop carries is shown here, and which view each iteration uses."), {});
}

std::int64_t LoopsView::iteration() const
{
    return canvas_->iteration();
}

std::int64_t LoopsView::iterations() const
{
    if (!canvas_->picture()) return 1;
    const LoopStory& story = canvas_->picture()->story;
    const std::int64_t turns = story.views.first + 3 * story.views.repeat + 2;
    return std::max<std::int64_t>(1, story.tripCount ? *story.tripCount : turns);
}

void LoopsView::setLoop(LoopId loop)
{
    if (!run_ || std::ranges::find(loops_, loop) == loops_.end()) return;
    wanted_ = run_->problem().loops[std::size_t(loop)].name;
    refresh();
}

void LoopsView::setIteration(std::int64_t iteration)
{
    if (!canvas_->picture()) return;
    canvas_->setIteration(std::clamp<std::int64_t>(iteration, 0, iterations() - 1));
    showStep();
}

void LoopsView::showStep()
{
    const std::int64_t all = iterations();
    slider_->setRange(0, int(std::min<std::int64_t>(all - 1, std::numeric_limits<int>::max())));
    slider_->setValue(int(std::min<std::int64_t>(iteration(), std::numeric_limits<int>::max())));
    back_->setEnabled(iteration() > 0);
    forward_->setEnabled(iteration() + 1 < all);
    const bool known = canvas_->picture()->story.tripCount.has_value();
    at_->setText(known ? tr("iteration %1 of %2").arg(countText(iteration()), countText(all))
                       : tr("iteration %1, any number").arg(countText(iteration())));
    at_->setToolTip(tr("Iterations are counted from 0"));
}

QString LoopsView::message() const
{
    return page_->isHidden() ? QString() : page_->sentence();
}

QString LoopsView::picture(RenderOptions& options) const
{
    if (loop_ != none) options.loop = QString::fromStdString(run_->problem().loops[std::size_t(loop_)].name);
    options.iteration = iteration();
    options.close = range_->current() == 1;
    return QStringLiteral("loops");
}

bool LoopsView::perform(ViewCommand command)
{
    switch (command) {
    case ViewCommand::next:
    case ViewCommand::stepForward:
        if (loop_ == none) return false;
        setIteration(iteration() + 1);
        return true;
    case ViewCommand::previous:
    case ViewCommand::stepBack:
        if (loop_ == none) return false;
        setIteration(iteration() - 1);
        return true;
    default: return false;
    }
}

void LoopsView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Home)
        setIteration(0);
    else if (event->key() == Qt::Key_End)
        setIteration(iterations() - 1);
    else
        View::keyPressEvent(event);
}

} // namespace stowage
