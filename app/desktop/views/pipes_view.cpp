#include "app/desktop/views/pipes_view.h"

#include "app/canvas/export/render.h"
#include "app/desktop/look/look.h"
#include "app/desktop/views/stack_view.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/pipe_widget.h"
#include "app/desktop/workspace.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

namespace stowage {

PipesView::PipesView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    lanes_ = new PipeWidget(selection_);
    lanes_->setObjectName(QStringLiteral("pipeLanes"));
    lanes_->setTheme(look.theme());
    column->addWidget(lanes_, 1);
    setFocusProxy(lanes_);
    page_ = new StatePage;
    connect(page_, &StatePage::pressed, this, [this] {
        if (remedy_ == Remedy::order)
            workspace_.setLowering("order", "hivm");
        else
            workspace_.plan();
    });
    column->addWidget(page_, 1);

    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(8);
    row->addWidget(makeLabel(tr("Simulate"), Tone::secondary));
    iterations_ = new ChoiceButton({}, true);
    iterations_->setObjectName(QStringLiteral("pipeIterations"));
    iterations_->setAccessibleName(tr("Iterations simulated"));
    iterations_->setToolTip(tr("Of each loop, or its trip count where that is less"));
    iterations_->setMenuFiller([this](QMenu& menu) {
        auto* group = new QActionGroup(&menu);
        for (const std::int64_t count : {1, 2, 4, 8, 16, 32, 64}) {
            QAction* action = menu.addAction(countedText(count, tr("iteration")));
            action->setCheckable(true);
            action->setChecked(lanes_->iterations() == count);
            group->addAction(action);
            connect(action, &QAction::triggered, this, [this, count] {
                lanes_->setIterations(count);
                showState();
            });
        }
    });
    row->addWidget(iterations_);
    row->addStretch();
    row->addWidget(makeLabel(tr("Arrows"), Tone::secondary));
    auto* joined = new QHBoxLayout;
    joined->setSpacing(0);
    const std::array<QString, 3> names{tr("Same pipe"), tr("Cross pipe"), tr("Breaks")};
    const std::array<QString, 3> tips{tr("The pipe works in order anyway: nothing is waited for"),
                                      tr("One pipe waits for another one to be done with the bytes"),
                                      tr("A double buffer waits for another pipe sooner than its own slots would")};
    for (std::size_t kind = 0; kind < names.size(); ++kind) {
        QPushButton* button = makeButton(names[kind], {}, ButtonKind::normal, true);
        button->setObjectName(QStringLiteral("pipeArrows%1").arg(kind));
        button->setCheckable(true);
        button->setChecked(lanes_->state().arrows[kind]);
        button->setToolTip(tips[kind]);
        button->setProperty("segment", kind == 0 ? "first" : kind + 1 == names.size() ? "last" : "middle");
        connect(button, &QPushButton::toggled, this, [this, kind](bool on) { lanes_->setArrows(ReuseKind(kind), on); });
        joined->addWidget(button);
        arrows_[kind] = button;
    }
    row->addLayout(joined);
    connect(lanes_, &PipeWidget::sceneChanged, this, &PipesView::showState);
    connect(&workspace, &Workspace::jobsChanged, this, &PipesView::showState);
    showState();
}

PipesView::~PipesView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

bool PipesView::applies(const Workspace& workspace)
{
    if (const auto run = workspace.run(); run && run->problem().axis == Axis::hivm) return true;
    const Model* model = workspace.model();
    return model && model->program && hasPipes(*model->program);
}

QString PipesView::message() const
{
    return page_->isHidden() ? QString() : page_->sentence();
}

void PipesView::setTheme(const Theme& theme)
{
    lanes_->setTheme(theme);
    page_->update();
}

void PipesView::setContext(const ViewContext& context)
{
    run_ = context.run;
    lanes_->setNumbers(context.numbers);
    lanes_->setRun(context.run);
    showState();
}

void PipesView::showState()
{
    const bool picture = lanes_->scene() != nullptr;
    lanes_->setVisible(picture);
    page_->setVisible(!picture);
    if (bar_) {
        bar_->setEnabled(picture);
        iterations_->setChoice(countedText(lanes_->iterations(), tr("iteration")));
    }
    if (picture) return;
    remedy_ = Remedy::nothing;
    const QString icon = QStringLiteral("pipes");
    if (!run_) {
        const bool busy = workspace_.busy();
        remedy_ = busy ? Remedy::nothing : Remedy::plan;
        page_->say(busy ? QStringLiteral("clock") : icon,
                   busy ? tr("Planning. The first valid plan is shown as soon as it is there.") : tr("Nothing is planned yet."),
                   busy ? QString() : tr("Plan"));
    } else if (lanes_->waiting()) {
        page_->say(QStringLiteral("clock"), tr("The pipes are being simulated …"), {});
    } else {
        const QString why = QString::fromStdString(whyNoPipes(*run_));
        if (run_->problem().axis != Axis::hivm && run_->program && hasPipes(*run_->program)) remedy_ = Remedy::order;
        page_->say(icon, why.isEmpty() ? tr("No op of this kernel runs on a pipe.") : why,
                   remedy_ == Remedy::order ? tr("Plan in Ascend's order") : QString());
    }
}

void PipesView::zoomToFit()
{
    lanes_->zoomToFit();
}
void PipesView::zoomToSelection()
{
    lanes_->zoomToSelection();
}
void PipesView::zoomToPeak()
{
    lanes_->zoomToPeak();
}

QString PipesView::picture(RenderOptions& options) const
{
    if (!lanes_->scene()) return {};
    const PipeState& state = lanes_->state();
    options.iterations = lanes_->iterations();
    options.arrows = state.arrows;
    options.selected = state.selected;
    options.timeBegin = state.axis.unitAt(0);
    options.timeEnd = state.axis.unitAt(state.axis.pixels() - 1) + 1;
    return {};
}

bool PipesView::perform(ViewCommand command)
{
    if (!lanes_->scene()) return false;
    switch (command) {
    case ViewCommand::zoomIn: lanes_->zoom(1.25); return true;
    case ViewCommand::zoomOut: lanes_->zoom(0.8); return true;
    case ViewCommand::panLeft: lanes_->pan(-0.125); return true;
    case ViewCommand::panRight: lanes_->pan(0.125); return true;
    case ViewCommand::back: return lanes_->goBack();
    case ViewCommand::forward: return lanes_->goForward();
    case ViewCommand::neighbourLeft: lanes_->goToNeighbour(Direction::left); return true;
    case ViewCommand::neighbourRight: lanes_->goToNeighbour(Direction::right); return true;
    case ViewCommand::neighbourUp: lanes_->goToNeighbour(Direction::up); return true;
    case ViewCommand::neighbourDown: lanes_->goToNeighbour(Direction::down); return true;
    default: return false;
    }
}

} // namespace stowage
