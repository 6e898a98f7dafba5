#include "app/desktop/views/loops_view.h"

#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QKeyEvent>
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
    : PictureView(*pictureEntry(QStringLiteral("loops")), workspace, look, parent)
{
    makeTransport();
    makeUnrolled();
    refresh();
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
    back_ = makeIconButton(QStringLiteral("step-back"), tr("Previous iteration  ,"), true);
    back_->setObjectName(QStringLiteral("loopBack"));
    forward_ = makeIconButton(QStringLiteral("step-forward"), tr("Next iteration  ."), true);
    forward_->setObjectName(QStringLiteral("loopForward"));
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(QStringLiteral("loopSlider"));
    slider_->setAccessibleName(tr("Iteration"));
    at_ = makeNumber({}, Tone::secondary);
    row->addWidget(back_);
    row->addWidget(forward_);
    row->addWidget(slider_, 1);
    row->addWidget(at_);
    column().addWidget(transport_);
    connect(back_, &QToolButton::clicked, this, [this] { setIteration(iteration() - 1); });
    connect(forward_, &QToolButton::clicked, this, [this] { setIteration(iteration() + 1); });
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        if (value != iteration()) setIteration(value);
    });
}

void LoopsView::makeUnrolled()
{
    unrolled_ = makeButton(tr("Plan it unrolled"), QStringLiteral("loop"), ButtonKind::normal, true);
    unrolled_->setObjectName(QStringLiteral("planUnrolled"));
    unrolled_->setToolTip(tr("Shows the plan of nnc, which lets carried values rotate instead of copying them"));
    connect(unrolled_, &QPushButton::clicked, this, [this] {
        if (const RunEntry* known = workspace().shown().runOf("nnc")) return workspace().showRun(known->id);
        awaited_ = workspace().modelId();
        workspace().plannings().planOnly("nnc");
    });
    connect(&workspace(), &Workspace::runsChanged, this, [this] {
        const RunEntry* planned = awaited_ && awaited_ == workspace().modelId() ? workspace().shown().runOf("nnc") : nullptr;
        if (!planned) return;
        awaited_ = 0;
        workspace().showRun(planned->id);
    });
    // One that failed or was stopped is not waited for any more: a later one would be shown unasked.
    connect(&workspace(), &Workspace::jobsChanged, this, [this] {
        if (!workspace().busy()) awaited_ = 0;
    });
    barRow().addWidget(unrolled_);
}

void LoopsView::refresh()
{
    PictureView::refresh();
    if (!transport_ || !unrolled_) return; // still being made
    const LoopPicture* story = canvas()->scene() ? loopsPicture().story() : nullptr;
    transport_->setVisible(story != nullptr);
    unrolled_->setVisible(story && story->story.moved > 0 && run() && run()->lowering->options.loops == LoopMode::conservative);
    if (!story) return;
    const std::int64_t all = iterations();
    slider_->setRange(0, int(std::min<std::int64_t>(all - 1, std::numeric_limits<int>::max())));
    slider_->setValue(int(std::min<std::int64_t>(iteration(), std::numeric_limits<int>::max())));
    back_->setEnabled(iteration() > 0);
    forward_->setEnabled(iteration() + 1 < all);
    at_->setText(story->story.tripCount ? tr("iteration %1 of %2").arg(countText(iteration()), countText(all))
                                        : tr("iteration %1, number of iterations not known").arg(countText(iteration())));
    at_->setToolTip(tr("Iterations are counted from 0"));
}

void LoopsView::setIteration(std::int64_t iteration)
{
    if (!canvas()->scene()) return;
    const std::int64_t wanted = std::clamp<std::int64_t>(iteration, 0, iterations() - 1);
    canvas()->hideCard();
    canvas()->setOption(QStringLiteral("iteration"), QString::number(wanted));
}

bool LoopsView::perform(ViewCommand command)
{
    switch (command) {
    case ViewCommand::next:
    case ViewCommand::stepForward:
        if (loop() == none) return false;
        setIteration(iteration() + 1);
        return true;
    case ViewCommand::previous:
    case ViewCommand::stepBack:
        if (loop() == none) return false;
        setIteration(iteration() - 1);
        return true;
    default: return View::perform(command);
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
