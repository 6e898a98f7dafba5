#include "app/desktop/panels/sidebar.h"

#include "app/desktop/glossary.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/panels/devices_section.h"
#include "app/desktop/panels/model_list.h"
#include "app/desktop/panels/options_form.h"
#include "app/desktop/panels/planner_list.h"
#include "app/desktop/panels/program_form.h"
#include "app/desktop/panels/target_panel.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/workspace.h"

#include <QAction>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

namespace stowage {

namespace {

/// "6 runs in 31 ms" and the way to be rid of them.
class RunsFooter : public QWidget {
public:
    RunsFooter(Workspace& workspace, const Look& look, QAction* clear) : workspace_(workspace), look_(look)
    {
        setFixedHeight(34);
        auto* row = new QHBoxLayout(this);
        row->setContentsMargins(33, 0, metrics::dockPadding, 0);
        text_ = new ElidedLabel;
        text_->setProperty("tone", "secondary");
        row->addWidget(text_, 1);
        clear_ = makeButton(Sidebar::tr("Clear runs"), {}, ButtonKind::link);
        connect(clear_, &QPushButton::clicked, clear, &QAction::trigger);
        row->addWidget(clear_);
        connect(&workspace_, &Workspace::runsChanged, this, [this] { refresh(); });
        connect(&workspace_, &Workspace::jobsChanged, this, [this] { refresh(); });
        refresh();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = look_.theme();
        painter.fillRect(QRect(0, 0, width(), 1), theme.line);
        const bool done = !workspace_.busy() && clear_->isEnabled();
        paintIcon(painter, QRectF(10, 0, 16, height()),
                  workspace_.busy() ? QStringLiteral("clock")
                  : done            ? QStringLiteral("check")
                                    : QStringLiteral("dot"),
                  done ? theme.ok : theme.text3, 14);
    }

private:
    void refresh()
    {
        const std::size_t runs = workspace_.runs().size();
        clear_->setEnabled(runs > 0);
        if (workspace_.busy())
            text_->setFullText(Sidebar::tr("%1 under way")
                                   .arg(countedText(std::int64_t(workspace_.plannings().jobs().size()), Sidebar::tr("planner"))));
        else if (runs == 0)
            text_->setFullText(Sidebar::tr("No runs yet"));
        else
            text_->setFullText(workspace_.plannings().batchMs() > 0
                                   ? Sidebar::tr("%1 in %2")
                                         .arg(countedText(std::int64_t(runs), Sidebar::tr("run")),
                                              durationText(workspace_.plannings().batchMs()))
                                   : countedText(std::int64_t(runs), Sidebar::tr("run")));
        update();
    }

    Workspace& workspace_;
    const Look& look_;
    ElidedLabel* text_ = nullptr;
    QPushButton* clear_ = nullptr;
};

} // namespace

Sidebar::Sidebar(Workspace& workspace, const Look& look, const ActionRegistry& actions, QWidget* parent)
    : QWidget(parent), look_(look)
{
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* content = new QWidget;
    content->setProperty("surface", "panel");
    content->setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeModelsSection(workspace, look, actions.action(QStringLiteral("file.open"))));
    column->addWidget(makeDevicesSection(workspace, look));
    QWidget* program = makeProgramSection(workspace, look);
    program->setProperty(guidePageProperty, "will-my-model-fit");
    column->addWidget(program);
    QWidget* target = makeTargetSection(workspace, look);
    target->setProperty(guidePageProperty, "two-memories");
    column->addWidget(target);
    column->addWidget(makePlannersSection(workspace, look));
    column->addWidget(makeOptionsSection(workspace, look));
    column->addStretch();
    scroll->setWidget(content);
    outer->addWidget(scroll, 1);
    outer->addWidget(new RunsFooter(workspace, look, actions.action(QStringLiteral("plan.clear"))));
}

QSize Sidebar::sizeHint() const
{
    return {metrics::sidebar, 600};
}

void Sidebar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme().panel);
}

} // namespace stowage
