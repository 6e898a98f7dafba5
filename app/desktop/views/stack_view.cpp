#include "app/desktop/views/stack_view.h"

#include "app/desktop/look/look.h"
#include "app/desktop/widgets/colour_legend.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr const char* gutterSetting = "map/gutter";
constexpr double gutterStep = 20; ///< logical pixels, for a key

} // namespace

StackView::StackView(Workspace& workspace, const Look& look, unsigned bands, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace), hasMap_((bands & bandMap) != 0)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    map_ = new MapWidget(selection_, workspace.scenes(), bands);
    page_ = new StatePage;
    column->addWidget(map_, 1);
    column->addWidget(page_, 1);
    setFocusProxy(map_);

    bar_ = new QWidget;
    barRow_ = new QHBoxLayout(bar_);
    barRow_->setContentsMargins(12, 0, 12, 0);
    barRow_->setSpacing(8);
    QLabel* const caption = makeLabel(tr("Colour by"), Tone::secondary);
    caption->setProperty("caption", true); // the first to go where the bar is narrow
    barRow_->addWidget(caption);
    colourBy_ = new ChoiceButton({}, true);
    colourBy_->setObjectName(QStringLiteral("colourBy"));
    colourBy_->setAccessibleName(tr("Colour by"));
    colourBy_->setToolTip(tr("What colours of buffers mean"));
    colourBy_->setMenuFiller([this](QMenu& menu) {
        addColourings(menu, map_->run().get(), map_->colourBy(), [this](ColourBy by) { map_->setColourBy(by); });
    });
    barRow_->addWidget(colourBy_);
    barRow_->addSpacing(4);
    legend_ = new ColourLegend;
    legend_->setTheme(look.theme());
    connect(legend_, &ColourLegend::hiddenChanged, map_, &MapWidget::setHiddenClasses);
    barRow_->addWidget(legend_, 1);

    map_->setTheme(look.theme());
    map_->setEditable(true);
    map_->setNotes(workspace.notes());
    connect(map_, &MapWidget::moveRequested, this, [this](BufferId buffer, PoolId pool, Bytes offset) {
        const Problem& problem = map_->run()->problem();
        workspace_.setPin({problem.buffers[std::size_t(buffer)].name, problem.pools[std::size_t(pool)].name, offset});
    });
    connect(map_, &Canvas::dragRefused, this, [this] { workspace_.refusePin(*map_->run(), selection_.buffer()); });
    connect(map_, &MapWidget::noteEdited, &workspace.edits(), &ModelEdits::setNote);
    connect(&workspace, &Workspace::notesChanged, this, [this] { map_->setNotes(workspace_.notes()); });
    connect(map_, &MapWidget::sceneChanged, this, [this] {
        refreshBar();
        showState();
    });
    connect(map_, &MapWidget::optionsChanged, this, &StackView::keepGutter);
    takeGutter();
    connect(page_, &StatePage::pressed, this, [this] {
        if (map_->run() && !whyNothingToPlace(*map_->run()).isEmpty())
            Q_EMIT workspace_.openWanted();
        else if (workspace_.busy())
            workspace_.cancel();
        else
            workspace_.plan();
    });
    connect(&workspace, &Workspace::jobsChanged, this, [this] {
        if (wasBusy_ && !workspace_.busy()) failed_ = !workspace_.run();
        wasBusy_ = workspace_.busy();
        showState();
    });
    connect(&workspace, &Workspace::modelChanged, this, [this] {
        failed_ = false;
        map_->setNotes(workspace_.notes());
        showState();
    });
    showState();
}

StackView::~StackView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

std::vector<QPushButton*> StackView::addToggles(QHBoxLayout& row, const QStringList& names, const QStringList& tips)
{
    auto* buttonsSideBySide = new QWidget;
    buttonsSideBySide->setProperty("wideForm", true);
    auto* joined = new QHBoxLayout(buttonsSideBySide);
    joined->setContentsMargins(0, 0, 0, 0);
    joined->setSpacing(0);
    std::vector<QPushButton*> buttons;
    for (qsizetype i = 0; i < names.size(); ++i) {
        QPushButton* button = makeButton(names[i], {}, ButtonKind::normal, true);
        button->setCheckable(true);
        button->setToolTip(tips[i]);
        const bool first = i == 0, last = i == names.size() - 1;
        button->setProperty("segment", first && last ? "only" : first ? "first" : last ? "last" : "middle");
        joined->addWidget(button);
        buttons.push_back(button);
    }
    row.addWidget(buttonsSideBySide);
    // Where the bar is narrow, a menu stands in their place.
    auto* menu = new ChoiceButton({}, true);
    menu->setProperty("narrowForm", true);
    menu->setObjectName(QStringLiteral("toggleMenu"));
    menu->setChoice(tr("Marks"));
    menu->setToolTip(names.join(QStringLiteral(", ")));
    menu->setMenuFiller([buttons](QMenu& list) {
        for (QPushButton* button : buttons) {
            QAction* action = list.addAction(button->text());
            action->setCheckable(true);
            action->setChecked(button->isChecked());
            action->setToolTip(button->toolTip());
            QObject::connect(action, &QAction::toggled, button, &QPushButton::setChecked);
        }
    });
    menu->hide();
    row.addWidget(menu);
    return buttons;
}

void StackView::setTheme(const Theme& theme)
{
    map_->setTheme(theme);
    legend_->setTheme(theme);
    page_->update();
}

void StackView::setContext(const ViewContext& context)
{
    map_->setNumbers(context.numbers);
    map_->setRun(context.run);
    showState();
}

void StackView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    takeGutter(); // it may have been dragged in another view
}

void StackView::takeGutter()
{
    const double kept = QSettings().value(QLatin1String(gutterSetting), gutterWidth).toDouble();
    const double gutter = std::clamp(kept, StackPicture::minGutter, StackPicture::maxGutter);
    if (gutter != map_->stack().gutter()) map_->setScale(0, gutter);
}

void StackView::keepGutter()
{
    const double gutter = map_->stack().gutter();
    QSettings settings;
    if (settings.value(QLatin1String(gutterSetting), gutterWidth).toDouble() == gutter) return;
    if (gutter == gutterWidth)
        settings.remove(QLatin1String(gutterSetting));
    else
        settings.setValue(QLatin1String(gutterSetting), gutter);
}

void StackView::refreshBar()
{
    const ViewState* state = map_->state();
    if (!state) return;
    const std::string_view name = toText(state->colouring().by);
    colourBy_->setChoice(QString::fromUtf8(name.data(), qsizetype(name.size())));
    legend_->setClasses(state->colouring(), state->hiddenClasses());
}

bool StackView::perform(ViewCommand command)
{
    switch (command) {
    case ViewCommand::note: map_->noteAtPointer(); return true;
    case ViewCommand::widerNames: map_->widenGutter(gutterStep); return true;
    case ViewCommand::narrowerNames: map_->widenGutter(-gutterStep); return true;
    default: return map_->perform(command);
    }
}

bool StackView::performs(ViewCommand command)
{
    return command == ViewCommand::widerNames || command == ViewCommand::narrowerNames || View::performs(command);
}

QString StackView::message() const
{
    return page_->isHidden() ? QString() : page_->sentence();
}

QString StackView::whyNoPlan() const
{
    QString text = tr("No planner found a plan that can be shown.");
    const std::vector<PlanFailure> failures = workspace_.plannings().failuresOf(workspace_.modelId());
    if (failures.empty()) return text;
    const PlanFailure& first = failures.front();
    text +=
        u' ' + tr("%1 did not plan: %2.").arg(QString::fromStdString(first.planner), QString::fromStdString(first.error.message));
    if (failures.size() > 1) text += u' ' + tr("Diagnostics list the other planners.");
    return text;
}

void StackView::showState()
{
    const QString nothing = map_->run() ? whyNothingToPlace(*map_->run()) : QString();
    const bool picture = map_->state() && nothing.isEmpty();
    page_->standIn(*map_, !picture);
    if (bar_) bar_->setEnabled(picture);
    if (picture) return;
    const QString icon = hasMap_ ? QStringLiteral("map") : QStringLiteral("liveness");
    if (!nothing.isEmpty())
        page_->say(icon, nothing, tr("Open another file…"));
    else if (map_->run())
        page_->say(QStringLiteral("clock"), tr("Preparing the picture…"), {});
    else if (workspace_.busy())
        page_->say(QStringLiteral("clock"), tr("Planning. The first valid plan is shown as soon as it is there."), tr("Cancel"));
    else if (failed_)
        page_->say(QStringLiteral("warning"), whyNoPlan(), tr("Plan again"));
    else
        page_->say(icon, tr("Nothing is planned yet."), tr("Plan"));
}

} // namespace stowage
