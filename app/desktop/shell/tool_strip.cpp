#include "app/desktop/shell/tool_strip.h"

#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/shell/search_field.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"
#include "app/session/targets.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>
#include <QStyle>

namespace stowage {

ToolStrip::ToolStrip(Workspace& workspace, Look& look, const ActionRegistry& actions, QWidget* window)
    : QWidget(window), workspace_(workspace), look_(look), actions_(actions)
{
    setFixedHeight(metrics::toolBar);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 10, 0);
    row->setSpacing(8);
    const auto gap = [&] { row->addSpacing(2), row->addWidget(makeLine(Qt::Vertical, 18)), row->addSpacing(2); };

    row->addWidget(makeIconButton(actions.action(QStringLiteral("file.open"))));
    gap();

    model_ = new ChoiceButton(QStringLiteral("file"), false);
    model_->setObjectName(QStringLiteral("modelChooser"));
    model_->setMenuFiller([this](QMenu& menu) {
        for (const int id : workspace_.models().ids()) {
            const Model* model = workspace_.session().model(id);
            QAction* action = menu.addAction(model->name, this, [this, id] { workspace_.setModel(id); });
            action->setCheckable(true);
            action->setChecked(id == workspace_.modelId());
        }
        if (!menu.isEmpty()) menu.addSeparator();
        menu.addAction(actions_.action(QStringLiteral("file.open")));
        menu.addAction(actions_.action(QStringLiteral("file.reload")));
        menu.addAction(actions_.action(QStringLiteral("file.close")));
    });
    row->addWidget(model_);

    target_ = new ChoiceButton(QStringLiteral("target"), false);
    target_->setObjectName(QStringLiteral("targetChooser"));
    target_->setMenuFiller([this](QMenu& menu) {
        const Model* model = workspace_.model();
        const auto add = [&](const QString& text, const Target& target, bool current, bool possible = true) {
            QAction* action = menu.addAction(text, this, [this, target] { workspace_.edits().setTarget(target); });
            action->setCheckable(true);
            action->setChecked(current);
            action->setEnabled(model != nullptr && possible);
            return action;
        };
        const QString chip = model ? namedChip(*model) : QString();
        add(chip.isEmpty() ? tr("The model's own pools") : tr("%1, named by the kernel").arg(chip), {},
            workspace_.target().pools.empty());
        menu.addSeparator();
        // A kernel names its memories: targets without them are of no use to it, and come last.
        std::vector<Target> others;
        for (const Target& target : workspace_.session().targets()) {
            if (model && !suits(target, *model)) {
                others.push_back(target);
                continue;
            }
            const bool current = target.name == workspace_.target().name;
            const QString text = current && workspace_.edits().targetIsAssumed()
                                     ? tr("%1, assumed: the kernel names none").arg(target.name)
                                     : target.name;
            add(text, target, current)->setToolTip(target.description);
        }
        if (!others.empty()) menu.addSeparator();
        for (const Target& target : others)
            add(target.name, target, false, false)->setToolTip(tr("This target lacks the pools that the kernel names"));
        menu.setToolTipsVisible(true);
        menu.addSeparator();
        menu.addAction(actions_.action(QStringLiteral("plan.target-file")));
    });
    row->addWidget(target_);

    auto* split = new QHBoxLayout;
    split->setSpacing(0);
    plan_ = makeButton(tr("Plan"), QStringLiteral("plan"), ButtonKind::primary);
    plan_->setObjectName(QStringLiteral("planButton"));
    plan_->setProperty("segment", QString());
    connect(plan_, &QPushButton::clicked, this, [this] {
        if (workspace_.busy())
            workspace_.cancel();
        else
            workspace_.plan();
    });
    planMenu_ = makeButton({}, {}, ButtonKind::primary);
    planMenu_->setAccessibleName(tr("Other ways to plan"));
    planMenu_->setIcon(themedIcon(QStringLiteral("chevron-down"), IconTone::onAccent));
    planMenu_->setFixedWidth(24);
    auto* menu = new QMenu(planMenu_);
    connect(menu, &QMenu::aboutToShow, menu, [this, menu] {
        menu->clear();
        for (const char* id : {"plan.run", "plan.shown", "plan.cancel"})
            menu->addAction(actions_.action(QString::fromLatin1(id)));
        menu->addSeparator();
        for (const char* id : {"plan.tick-all", "plan.tick-none", "plan.clear"})
            menu->addAction(actions_.action(QString::fromLatin1(id)));
    });
    connect(planMenu_, &QPushButton::clicked, this, [this, menu] {
        menu->popup(planMenu_->mapToGlobal(QPoint(planMenu_->width() - menu->sizeHint().width(), planMenu_->height() + 2)));
    });
    plan_->setProperty("split", "left");
    planMenu_->setProperty("split", "right");
    split->addWidget(plan_);
    split->addWidget(planMenu_);
    row->addLayout(split);
    gap();

    row->addWidget(makeIconButton(actions.action(QStringLiteral("edit.undo"))));
    row->addWidget(makeIconButton(actions.action(QStringLiteral("edit.redo"))));
    gap();

    search_ = new SearchField(workspace, look, window);
    search_->setObjectName(QStringLiteral("search"));
    search_->setMinimumWidth(140);
    search_->setMaximumWidth(350);
    row->addWidget(search_, 4);
    row->addStretch(1);

    units_ = new SegmentedControl({QStringLiteral("B"), QStringLiteral("KiB"), tr("words")}, false);
    units_->setAccessibleName(tr("Unit of sizes"));
    units_->setToolTip(tr("Unit of sizes; a word has 4 bytes"));
    connect(units_, &SegmentedControl::chosen, this, [this](int index) {
        NumberFormat numbers = workspace_.numbers();
        numbers.unit = NumberFormat::Unit(index);
        workspace_.setNumbers(numbers);
    });
    row->addWidget(units_);
    base_ = new SegmentedControl({tr("hex"), tr("dec")}, false);
    base_->setAccessibleName(tr("Base of addresses"));
    base_->setToolTip(tr("Base of addresses"));
    connect(base_, &SegmentedControl::chosen, this, [this](int index) {
        NumberFormat numbers = workspace_.numbers();
        numbers.hexAddresses = index == 0;
        workspace_.setNumbers(numbers);
    });
    row->addWidget(base_);
    numbers_ = new ChoiceButton({}, false);
    numbers_->setObjectName(QStringLiteral("numbersChooser"));
    numbers_->setMenuFiller([this](QMenu& into) { fillNumberMenu(into); });
    numbers_->hide();
    row->addWidget(numbers_);
    gap();

    export_ = makeButton(tr("Export"), QStringLiteral("export"));
    export_->setObjectName(QStringLiteral("toolbarExport"));
    QAction* exportPicture = actions.action(QStringLiteral("file.export-picture"));
    connect(export_, &QPushButton::clicked, exportPicture, &QAction::trigger);
    connect(exportPicture, &QAction::changed, export_,
            [this, exportPicture] { export_->setEnabled(exportPicture->isEnabled()); });
    export_->setEnabled(exportPicture->isEnabled());
    row->addWidget(export_);
    theme_ = makeIconButton(QStringLiteral("sun"), tr("Theme"));
    theme_->setObjectName(QStringLiteral("themeButton"));
    connect(theme_, &QToolButton::clicked, actions.action(QStringLiteral("view.theme-next")), &QAction::trigger);
    row->addWidget(theme_);

    connect(&workspace_, &Workspace::modelsChanged, this, &ToolStrip::refresh);
    connect(&workspace_, &Workspace::modelChanged, this, &ToolStrip::refresh);
    connect(&workspace_, &Workspace::targetChanged, this, &ToolStrip::refresh);
    connect(&workspace_, &Workspace::jobsChanged, this, &ToolStrip::refresh);
    connect(&workspace_, &Workspace::contextChanged, this, &ToolStrip::refresh);
    connect(&look_, &Look::themeChanged, this, &ToolStrip::refreshTheme);
    connect(&look_, &Look::modeChanged, this, &ToolStrip::refreshTheme);
    refresh();
    refreshTheme();
}

void ToolStrip::refresh()
{
    const Model* model = workspace_.model();
    const bool open = model != nullptr;
    const bool busy = workspace_.busy();
    plan_->setText(busy ? tr("Stop") : tr("Plan"));
    plan_->setIcon(themedIcon(busy ? QStringLiteral("stop") : QStringLiteral("plan"), IconTone::onAccent));
    plan_->setToolTip(busy ? tr("Stop planning; the best plans found so far are kept")
                           : actions_.action(QStringLiteral("plan.run"))->toolTip());
    for (QPushButton* button : {plan_, planMenu_}) {
        button->setEnabled(open);
        setLook(button, "kind", open ? QStringLiteral("primary") : QString());
    }
    if (!open) {
        plan_->setIcon(themedIcon(QStringLiteral("plan")));
        planMenu_->setIcon(themedIcon(QStringLiteral("chevron-down")));
    } else {
        planMenu_->setIcon(themedIcon(QStringLiteral("chevron-down"), IconTone::onAccent));
    }
    units_->setCurrent(int(workspace_.numbers().unit));
    base_->setCurrent(workspace_.numbers().hexAddresses ? 0 : 1);
    numbers_->setChoice(unitText(workspace_.numbers()) + (workspace_.numbers().hexAddresses ? tr(", hex") : tr(", dec")));
    numbers_->setToolTip(tr("Unit of sizes, base of addresses"));
    fold();
}

void ToolStrip::showNames(int textWidth)
{
    model_->setMaximumTextWidth(textWidth);
    target_->setMaximumTextWidth(textWidth);
    const Model* model = workspace_.model();
    model_->setChoice(model ? model->name : workspace_.models().opening().empty() ? tr("No model") : tr("Opening…"));
    const QString chip = model ? namedChip(*model) : QString();
    target_->setChoice(!model                                 ? tr("No target")
                       : workspace_.target().pools.empty()    ? chip.isEmpty() ? tr("own pools") : chip
                       : workspace_.edits().targetIsAssumed() ? tr("%1 (assumed)").arg(workspace_.target().name)
                                                              : workspace_.target().name);
    target_->setToolTip(model && workspace_.edits().targetIsAssumed()
                            ? tr("The kernel names no target. This one is assumed; choose another here.")
                        : model && workspace_.target().pools.empty() && !chip.isEmpty()
                            ? tr("The pools of %1, which the kernel's text names").arg(chip)
                            : tr("Pools to plan into"));
}

void ToolStrip::fold()
{
    // Nothing to do, and nothing to be shown and hidden again, as long as the names and the room are the same.
    showNames(220);
    const QStringList now{QString::number(width()), model_->text(), target_->text(), plan_->text(), numbers_->text()};
    if (now == folded_) return showNames(textWidth_);
    folded_ = now;
    struct Fold {
        int text;      ///< px of the model's and of the target's name
        bool together; ///< unit and base in one button
        bool named;    ///< the button that exports says so
    };
    constexpr int spare = 12; ///< px: buttons may round their widths up
    tightest_ = false;
    for (const Fold& step :
         {Fold{220, false, true}, {140, false, true}, {140, true, true}, {96, true, true}, {64, true, false}}) {
        textWidth_ = step.text;
        showNames(step.text);
        units_->setVisible(!step.together);
        base_->setVisible(!step.together);
        numbers_->setVisible(step.together);
        export_->setText(step.named ? tr("Export") : QString());
        export_->setToolTip(step.named ? QString() : tr("Export"));
        layout()->invalidate(); // what is shown for the first time has not said yet how wide it is
        if (layout()->minimumSize().width() + spare <= width()) return;
    }
    tightest_ = true;
}

void ToolStrip::fillNumberMenu(QMenu& menu)
{
    const auto add = [&](const QString& text, bool current, const auto& change) {
        QAction* action = menu.addAction(text, this, [this, change] {
            NumberFormat numbers = workspace_.numbers();
            change(numbers);
            workspace_.setNumbers(numbers);
        });
        action->setCheckable(true);
        action->setChecked(current);
    };
    const QStringList units{tr("Bytes"), tr("KiB"), tr("Words of 4 bytes")};
    for (int unit = 0; unit < units.size(); ++unit)
        add(units[unit], int(workspace_.numbers().unit) == unit,
            [unit](NumberFormat& numbers) { numbers.unit = NumberFormat::Unit(unit); });
    menu.addSeparator();
    add(tr("Addresses in hex"), workspace_.numbers().hexAddresses, [](NumberFormat& numbers) { numbers.hexAddresses = true; });
    add(tr("Addresses in decimal"), !workspace_.numbers().hexAddresses,
        [](NumberFormat& numbers) { numbers.hexAddresses = false; });
}

QSize ToolStrip::minimumSizeHint() const
{
    return {0, metrics::toolBar};
}

bool ToolStrip::event(QEvent* event)
{
    // A style that comes later may make things wider than they were when this was folded.
    if (event->type() == QEvent::LayoutRequest && !tightest_ && theme_ && againAt_ != width() &&
        layout()->minimumSize().width() > width()) {
        againAt_ = width(); // once, so that it ends whatever the style does
        folded_.clear();
        fold();
    }
    return QWidget::event(event);
}

void ToolStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fold();
}

void ToolStrip::refreshTheme()
{
    const QString name = look_.mode() == ThemeMode::dark    ? QStringLiteral("moon")
                         : look_.mode() == ThemeMode::light ? QStringLiteral("sun")
                                                            : QStringLiteral("system");
    theme_->setIcon(themedIcon(name));
    theme_->setToolTip(look_.mode() == ThemeMode::dark    ? tr("Dark theme; click for light")
                       : look_.mode() == ThemeMode::light ? tr("Light theme; click for the system's")
                                                          : tr("The system's theme; click for dark"));
}

void ToolStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme().base);
    painter.fillRect(QRect(0, height() - 1, width(), 1), look_.theme().line);
}

} // namespace stowage
