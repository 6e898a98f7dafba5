#include "app/desktop/shell/view_area.h"

#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QStackedWidget>
#include <QStyle>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace stowage {

namespace {

std::pair<double, double> keptAxis(const AxisRange& axis)
{
    return {double(axis.begin.whole) + axis.begin.part, axis.span};
}

AxisRange axisOf(const std::pair<double, double>& kept)
{
    const double whole = std::floor(kept.first);
    return {{std::int64_t(whole), kept.first - whole}, std::max(kept.second, 1e-3)};
}

SessionZoom zoomOf(const ViewRange& range)
{
    SessionZoom zoom{keptAxis(range.steps)};
    for (const AxisRange& axis : range.addresses) zoom.push_back(keptAxis(axis));
    return zoom;
}

} // namespace

ProgressLine::ProgressLine(const Look& look, QWidget* parent) : QWidget(parent), look_(look)
{
    setFixedHeight(2);
}

void ProgressLine::setFraction(double fraction)
{
    fraction_ = fraction;
    update();
}

void ProgressLine::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = look_.theme();
    painter.fillRect(rect(), theme.panel);
    if (fraction_ < 0) {
        painter.fillRect(QRect(0, 0, width(), 1), theme.line);
        return;
    }
    painter.fillRect(rect(), theme.hover);
    painter.fillRect(QRectF(0, 0, width() * std::clamp(fraction_, 0.02, 1.0), 2), theme.accent);
}

ViewArea::ViewArea(Workspace& workspace, const Look& look, QWidget* parent)
    : QWidget(parent),
      workspace_(workspace),
      look_(look),
      views_(viewEntries().size(), nullptr),
      stale_(viewEntries().size(), true),
      unzoomed_(viewEntries().size(), true)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    auto* top = new QWidget;
    tabRow_ = new QWidget;
    tabRow_->setFixedHeight(metrics::tabs + 2);
    tabRow_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    tabRow_->installEventFilter(this);
    auto* tabColumn = new QVBoxLayout(tabRow_);
    tabColumn->setContentsMargins(0, 0, 0, 0);
    tabColumn->setSpacing(0);
    top->setFixedHeight(metrics::tabs);
    top->setProperty("surface", "base");
    top->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(0, 0, 8, 0);
    row->setSpacing(8);
    tabs_ = new QTabBar;
    tabs_->setObjectName(QStringLiteral("viewTabs"));
    tabs_->installEventFilter(this);
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setUsesScrollButtons(true);
    tabs_->setElideMode(Qt::ElideNone);
    tabs_->setIconSize({metrics::icon, metrics::icon});
    for (const ViewEntry& entry : viewEntries())
        tabs_->addTab(themedIcon(QString::fromLatin1(entry.icon)), QString::fromLatin1(entry.title));
    row->addWidget(tabs_, 1);

    progress_ = new QWidget;
    auto* progressRow = new QHBoxLayout(progress_);
    progressRow->setContentsMargins(0, 0, 0, 0);
    progressRow->setSpacing(10);
    progressText_ = makeLabel({}, Tone::secondary);
    progressRow->addWidget(progressText_);
    auto* cancel = makeButton(tr("Cancel"), QStringLiteral("cross"), ButtonKind::normal, true);
    cancel->setObjectName(QStringLiteral("cancelPlanning"));
    connect(cancel, &QPushButton::clicked, this, &ViewArea::cancelRequested);
    progressRow->addWidget(cancel);
    progress_->hide();
    row->addWidget(progress_);
    tabColumn->addWidget(top);

    line_ = new ProgressLine(look);
    tabColumn->addWidget(line_);

    bars_ = new QStackedWidget;
    bars_->setAccessibleName(tr("Tools of the view"));
    bars_->setFixedHeight(metrics::viewBar);
    bars_->setProperty("surface", "panel");
    bars_->setProperty("edge", "bottom");
    bars_->installEventFilter(this);
    column->addWidget(bars_);
    stack_ = new QStackedWidget;
    stack_->setAccessibleName(tr("View"));
    column->addWidget(stack_, 1);
    for (std::size_t i = 0; i < views_.size(); ++i) {
        bars_->addWidget(new QWidget);
        stack_->addWidget(new QWidget);
    }

    progressDelay_ = new QTimer(this);
    progressDelay_->setSingleShot(true);
    progressDelay_->setInterval(300);
    connect(progressDelay_, &QTimer::timeout, this, [this] { progress_->setVisible(workspace_.busy()); });

    connect(tabs_, &QTabBar::currentChanged, this, [this](int index) {
        left_ = -1;
        refresh(index);
        showTabs();
        Q_EMIT currentChanged(index);
    });
    connect(&workspace_, &Workspace::modelChanged, this, &ViewArea::changeModel);
    connect(&workspace_, &Workspace::suiteChanged, this, &ViewArea::showTabs);
    connect(&workspace_, &Workspace::contextChanged, this, [this] {
        stale_.assign(stale_.size(), true);
        changeContext();
        turned_ = false; // the run shown is the model's own by now
        if (isVisible()) refresh(current());
        keepZoom(current()); // its scene may have come before `turned_` was false
    });
    connect(&workspace_, &Workspace::runsChanged, this, [this] {
        stale_.assign(stale_.size(), true);
        if (isVisible()) refresh(current());
    });
    connect(&workspace_, &Workspace::jobsChanged, this, &ViewArea::showProgress);
    connect(&look_, &Look::themeChanged, this, [this] {
        for (View* made : views_)
            if (made) made->setTheme(look_.theme());
    });
    showTabs();
}

int ViewArea::current() const
{
    return tabs_->currentIndex();
}

void ViewArea::showTabs()
{
    const auto applies = [this](int index) {
        const ViewEntry& entry = viewEntries()[std::size_t(index)];
        return !entry.applies || entry.applies(workspace_);
    };
    if (left_ >= 0 && applies(left_)) {
        const int back = left_;
        showTab(back, true);
        tabs_->setCurrentIndex(back); // comes back here, for the tabs
        return;
    }
    for (int i = 0; i < tabs_->count(); ++i) showTab(i, i == current() || applies(i));
    fitTabs();
    QTimer::singleShot(0, this, &ViewArea::fitTabs); // panels may come or go in this turn
}

/// Qt 6.4 forgets that a tab has come or gone when it is told next of one that stays as it is: the new tab has no room then.
void ViewArea::showTab(int index, bool visible)
{
    if (tabs_->isTabVisible(index) != visible) tabs_->setTabVisible(index, visible);
}

void ViewArea::fitTabs()
{
    if (fitting_) return; // what it changes asks for it again
    fitting_ = true;
    // Tried out, from the widest: how much a style leaves around icons and words is its own affair.
    const auto fits = [this](bool icons, bool narrow) {
        if (icons != iconsShown_)
            for (int i = 0; i < tabs_->count(); ++i)
                tabs_->setTabIcon(i, icons ? themedIcon(QString::fromLatin1(viewEntries()[std::size_t(i)].icon)) : QIcon());
        if (narrow != narrow_) {
            tabs_->setProperty("narrow", narrow);
            tabs_->style()->polish(tabs_);         // the style sheet asks for the property
            tabs_->setIconSize(tabs_->iconSize()); // lays out anew
        }
        iconsShown_ = icons;
        narrow_ = narrow;
        return tabs_->sizeHint().width() <= tabs_->width();
    };
    if (!fits(true, false) && !fits(false, false)) fits(false, true);
    fitting_ = false;
}

void ViewArea::fitBar()
{
    QWidget* bar = bars_->currentWidget();
    if (!bar || !bar->layout() || bar->property("blank").toBool()) return; // a view without a picture hides all of it
    std::vector<QWidget*> buttons, captions, segments, menus;
    for (QWidget* each : bar->findChildren<QWidget*>()) {
        if (each->property("wideForm").toBool()) segments.push_back(each);
        if (each->property("narrowForm").toBool()) menus.push_back(each);
        const auto* button = qobject_cast<QPushButton*>(each);
        // The words of a chooser are its value, unless it says otherwise.
        const bool value = each->property("chooser").toBool() && !each->property("wordsGo").toBool();
        if (each->property("caption").toBool())
            captions.push_back(each);
        else if (button && !button->icon().isNull() && !value)
            buttons.push_back(each);
    }
    struct BarForm {
        bool words, captioned, joined;
    };
    constexpr BarForm steps[] = {{true, true, true}, {false, true, true}, {false, false, true}, {false, false, false}};
    for (const auto& [words, captioned, joined] : steps) {
        for (QWidget* button : buttons) {
            if (button->property("iconOnly").toBool() != words) continue;
            button->setProperty("iconOnly", !words);
            if (button->toolTip().isEmpty()) button->setToolTip(static_cast<QPushButton*>(button)->text());
            button->updateGeometry();
            button->update();
        }
        for (QWidget* caption : captions) caption->setVisible(captioned);
        for (QWidget* choice : segments) choice->setVisible(joined);
        for (QWidget* choice : menus) choice->setVisible(!joined);
        for (QLayout* inner : bar->findChildren<QLayout*>()) inner->invalidate();
        for (QWidget* each : bar->findChildren<QWidget*>())
            if (each->layout()) each->updateGeometry(); // else the bar's layout goes on with its size of before
        bar->layout()->invalidate();
        if (bar->layout()->minimumSize().width() <= bars_->width()) return;
    }
}

bool ViewArea::eventFilter(QObject* object, QEvent* event)
{
    if (object == bars_ && event->type() == QEvent::Resize) fitBar();
    if (event->type() == QEvent::ChildAdded && bars_ && object == bars_->currentWidget())
        QTimer::singleShot(0, this, &ViewArea::fitBar); // a picture's options come with its scene, later than the view
    if (object == tabRow_ && event->type() == QEvent::Resize) {
        tabRow_->layout()->activate(); // the tabs' own width follows
        fitTabs();
    }
    if (object == tabs_ && event->type() == QEvent::StyleChange && !fitting_)
        QTimer::singleShot(0, this, &ViewArea::fitTabs); // another theme lays the tabs out anew
    return QWidget::eventFilter(object, event);
}

void ViewArea::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    QTimer::singleShot(0, this, &ViewArea::fitTabs); // the panels beside it come in the same turn
}

void ViewArea::changeModel()
{
    const int before = std::exchange(model_, workspace_.modelId());
    turned_ = before != 0 && model_ != 0 && before != model_;
    if (before != model_) unzoomed_.assign(unzoomed_.size(), true);
    changeContext();
}

void ViewArea::changeContext()
{
    const ViewEntry& open = viewEntries()[std::size_t(current())];
    // Whoever asks for a view before there is a model waits for one; whoever turns to another model wants to see something of it.
    if (turned_ && open.applies && !open.applies(workspace_)) {
        const int leaving = current();
        tabs_->setCurrentIndex(0);
        left_ = leaving;
    }
    showTabs();
}

Canvas* ViewArea::canvasOfModel(int index)
{
    // A hidden view, and one that waits for the model's run, still has the scene of the last model.
    if (index != current() || turned_ || stale_[std::size_t(index)] || model_ == 0) return nullptr;
    View* shown = views_[std::size_t(index)];
    Canvas* canvas = shown ? shown->canvas() : nullptr;
    return canvas && canvas->scene() ? canvas : nullptr;
}

void ViewArea::keepZoom(int index)
{
    const Canvas* canvas = canvasOfModel(index);
    if (!canvas) return;
    const std::string id = viewEntries()[std::size_t(index)].id;
    if (canvas->ready() && workspace_.zooms().of(model_, id).empty()) unzoomed_[std::size_t(index)] = false;
    if (unzoomed_[std::size_t(index)]) {
        QTimer::singleShot(0, this, [this, index] { restoreZoom(index); }); // when the view has set up its scene
    } else if (canvas->fresh()) {
        workspace_.zooms().forget(model_, id); // it was one of other axes
    } else if (canvas->ready()) {
        workspace_.zooms().put(model_, id, zoomOf(canvas->range()));
    }
}

void ViewArea::restoreZoom(int index)
{
    Canvas* canvas = canvasOfModel(index);
    if (!canvas || !canvas->ready() || !unzoomed_[std::size_t(index)]) return;
    unzoomed_[std::size_t(index)] = false;
    const SessionZoom zoom = workspace_.zooms().of(model_, viewEntries()[std::size_t(index)].id);
    ViewRange range = canvas->range();
    if (zoom.size() != 1 + range.addresses.size()) return; // none, or that of another picture
    range.steps = axisOf(zoom.front());
    for (std::size_t i = 0; i < range.addresses.size(); ++i) range.addresses[i] = axisOf(zoom[i + 1]);
    canvas->go(range);
}

void ViewArea::setCurrent(int index)
{
    if (index < 0 || index >= tabs_->count()) return;
    showTab(index, true);
    tabs_->setCurrentIndex(index);
    refresh(index);
}

bool ViewArea::setCurrent(const QString& id)
{
    const auto& entries = viewEntries();
    const auto found = std::ranges::find_if(entries, [&](const ViewEntry& entry) { return id == QLatin1String(entry.id); });
    if (found == entries.end()) return false;
    setCurrent(int(found - entries.begin()));
    return true;
}

View* ViewArea::view(int index)
{
    if (index < 0 || index >= int(views_.size())) return nullptr;
    View*& slot = views_[std::size_t(index)];
    if (slot) return slot;
    slot = viewEntries()[std::size_t(index)].make(workspace_, look_, nullptr);
    slot->setTheme(look_.theme());
    connect(slot, &View::barChanged, this, [this] { QTimer::singleShot(0, this, &ViewArea::fitBar); });
    if (const Canvas* canvas = slot->canvas()) {
        connect(canvas, &Canvas::sceneChanged, this, [this, index] { keepZoom(index); });
        connect(canvas, &Canvas::rangeChanged, this, [this, index] {
            keepZoom(index);
            Q_EMIT rangeChanged();
        });
    }
    const auto replace = [index](QStackedWidget* stack, QWidget* widget) {
        QWidget* old = stack->widget(index);
        stack->removeWidget(old);
        stack->insertWidget(index, widget);
        delete old;
    };
    replace(stack_, slot);
    if (QWidget* bar = slot->bar()) {
        replace(bars_, bar);
        bar->installEventFilter(this);
    }
    return slot;
}

int ViewArea::made() const
{
    return int(std::ranges::count_if(views_, [](const View* made) { return made != nullptr; }));
}

void ViewArea::refresh(int index)
{
    View* shown = view(index);
    if (!shown) return;
    bars_->setVisible(shown->bar() != nullptr);
    bars_->setCurrentIndex(index);
    stack_->setCurrentIndex(index);
    QTimer::singleShot(0, this, &ViewArea::fitBar); // what the view puts into its bar comes in this turn
    if (!stale_[std::size_t(index)]) return;
    stale_[std::size_t(index)] = false;
    shown->setContext(workspace_.context());
    keepZoom(index); // also where the scene stays the same
}

void ViewArea::showProgress()
{
    if (!workspace_.busy()) {
        progressDelay_->stop();
        progress_->hide();
        line_->setFraction(-1);
        return;
    }
    if (!progress_->isVisible() && !progressDelay_->isActive()) progressDelay_->start();
    line_->setFraction(workspace_.plannings().progress());
    // The tabs go first: what is left of the row is for words.
    const QString text = workspace_.progressText();
    progressText_->setText(text);
    progress_->setToolTip(text);
    progressText_->setVisible(tabs_->sizeHint().width() + progressText_->fontMetrics().horizontalAdvance(text) + 130 <=
                              tabRow_->width());
    // At once: jobs that end one after the other would leave the words of one with the room of another.
    for (QWidget* box : {progress_, progress_->parentWidget()}) box->layout()->activate();
}

} // namespace stowage
