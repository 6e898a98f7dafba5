#include "app/desktop/views/picture_view.h"

#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/picture_legend.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/workspace.h"

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

namespace {

constexpr qsizetype maxSegments = 4; ///< choices; more of them are a menu

} // namespace

PictureView::PictureView(const PictureEntry& entry, Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), entry_(entry), workspace_(workspace)
{
    const QString title = QString::fromUtf8(entry.title);
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(0);
    canvas_ = new Canvas(selection_, entry.make(), title);
    canvas_->setObjectName(QLatin1String(entry.id) + QStringLiteral("Canvas"));
    canvas_->setTheme(look.theme());
    canvas_->setWaitingText(tr("preparing the picture"));
    column_->addWidget(canvas_, 1);
    page_ = new StatePage;
    connect(page_, &StatePage::pressed, this, [this] { pressPage(); });
    column_->addWidget(page_, 1);

    bar_ = new QWidget;
    barRow_ = new QHBoxLayout(bar_);
    barRow_->setContentsMargins(12, 0, 12, 0);
    barRow_->setSpacing(8);
    legend_ = new PictureLegend(*canvas_);
    barRow_->addWidget(legend_, 1);

    connect(canvas_, &Canvas::sceneChanged, this, [this] { refresh(); });
    connect(canvas_, &Canvas::optionsChanged, this, [this] { refresh(); });
    connect(canvas_, &Canvas::rangeChanged, legend_, qOverload<>(&QWidget::update));
    connect(&workspace, &Workspace::jobsChanged, this, [this] { refresh(); });
}

PictureView::~PictureView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

QString PictureView::message() const
{
    return page_->isHidden() ? QString() : page_->sentence();
}

void PictureView::setTheme(const Theme& theme)
{
    canvas_->setTheme(theme);
    legend_->update();
    page_->update();
}

void PictureView::setContext(const ViewContext& context)
{
    run_ = context.run;
    PictureSource source;
    source.run = context.run;
    source.runs = context.runs;
    source.scenes = workspace_.scenes();
    if (const Model* model = workspace_.model()) source.program = model->program;
    whyNot_ = whyNoPicture(entry_, source);
    canvas_->setNumbers(context.numbers);
    if (whyNot_) source = {};
    canvas_->setSource(std::move(source));
    refresh();
}

PictureView::Page PictureView::page(const Error* why) const
{
    const QString icon = QString::fromLatin1(entry_.icon);
    if (!run_ && workspace_.busy())
        return {QStringLiteral("clock"), tr("Planning. The first valid plan is shown as soon as it is there."), tr("Cancel")};
    if (!why) return {QStringLiteral("clock"), tr("Preparing the picture…"), {}};
    const QString nothing = run_ && why->code == Code::nothingPlaced ? whyNothingToPlace(*run_) : QString();
    return {icon, nothing.isEmpty() ? QString::fromStdString(why->message) : nothing,
            wantsOther(why)                 ? tr("Show %1").arg(otherKind())
            : !workspace_.modelId() || run_ ? tr("Open another file…")
                                            : tr("Plan")};
}

QString PictureView::otherKind() const
{
    for (const PictureOption& option : canvas_->picture().options())
        if (option.id == u"kind")
            for (const QString& value : option.values)
                if (value != option.value) return value;
    return {};
}

bool PictureView::wantsOther(const Error* why) const
{
    return why && why->code == Code::noProgram && !otherKind().isEmpty();
}

void PictureView::pressPage()
{
    if (workspace_.busy())
        workspace_.cancel();
    else if (wantsOther(canvas_->error()))
        canvas_->setOption(QStringLiteral("kind"), otherKind());
    else if (!workspace_.modelId() || run_)
        Q_EMIT workspace_.openWanted();
    else
        workspace_.plan();
}

void PictureView::refresh()
{
    const bool picture = canvas_->scene() != nullptr;
    page_->standIn(*canvas_, !picture);
    // A hidden canvas would take the focus from the tab key and show it nowhere.
    setFocusProxy(picture ? canvas_ : nullptr);
    if (!picture) {
        const Error* why = whyNot_ ? &*whyNot_ : canvas_->error();
        const Page says = page(why);
        page_->say(says.icon, says.sentence, says.button);
    }
    if (!bar_) return;
    // An option may be what helps: of a list of buffers there is no computation graph, but there are others.
    const bool optional = picture || canvas_->error();
    bar_->setEnabled(optional);
    const std::vector<PictureOption> options = optional ? canvas_->picture().options() : std::vector<PictureOption>();
    QStringList shape;
    for (const PictureOption& option : options) shape << option.id + u'=' + option.values.join(u'|');
    if (shape != shape_) {
        shape_ = shape;
        makeOptions(options);
    }
    for (const PictureOption& option : options)
        if (const auto found = show_.find(option.id); found != show_.end()) found->second(option);
    legend_->update();
}

void PictureView::makeOptions(const std::vector<PictureOption>& options)
{
    delete options_;
    show_.clear();
    options_ = new QWidget;
    auto* row = new QHBoxLayout(options_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    for (const PictureOption& option : options) {
        const QString id = option.id;
        const QString name = QLatin1String(entry_.id) + u'-' + id;
        const auto choose = [this, id](const QString& value) { canvas_->setOption(id, value); };
        QWidget* control = nullptr;
        const QString spokenName = option.label.isEmpty() ? asSentence(option.id.toStdString()) : option.label;
        if (option.toggle()) {
            QPushButton* button = makeButton(option.label, {}, ButtonKind::normal, true);
            button->setCheckable(true);
            connect(button, &QPushButton::clicked, this,
                    [choose](bool on) { choose(on ? QStringLiteral("on") : QStringLiteral("off")); });
            show_[id] = [button](const PictureOption& now) { button->setChecked(now.value == u"on"); };
            control = button;
        } else {
            if (!option.label.isEmpty()) {
                QLabel* label = makeLabel(option.label, Tone::secondary);
                label->setProperty("caption", true); // the first to go where the bar is narrow
                row->addWidget(label);
            }
            auto* menu = new ChoiceButton({}, true);
            menu->setMenuFiller([this, choose, id](QMenu& list) {
                auto* group = new QActionGroup(&list);
                for (const PictureOption& now : canvas_->picture().options()) {
                    if (now.id != id) continue;
                    for (const QString& value : now.values) {
                        QAction* action = list.addAction(value);
                        action->setCheckable(true);
                        action->setChecked(value == now.value);
                        group->addAction(action);
                        connect(action, &QAction::triggered, this, [choose, value] { choose(value); });
                    }
                }
            });
            show_[id] = [menu](const PictureOption& now) { menu->setChoice(now.value); };
            control = menu;
            if (option.values.size() <= maxSegments) {
                auto* segments = new SegmentedControl(option.values, true);
                connect(segments, &SegmentedControl::chosen, this,
                        [choose, values = option.values](int i) { choose(values[i]); });
                show_[id] = [segments, menu](const PictureOption& now) {
                    segments->setCurrent(int(now.values.indexOf(now.value)));
                    menu->setChoice(now.value);
                };
                // Where the bar is narrow, the menu stands in their place.
                segments->setProperty("wideForm", true);
                menu->setProperty("narrowForm", true);
                menu->setObjectName(name + QStringLiteral("-menu"));
                menu->setAccessibleName(spokenName);
                menu->setToolTip(option.tip);
                menu->hide();
                row->addWidget(menu);
                control = segments;
            }
        }
        control->setObjectName(name);
        control->setAccessibleName(spokenName);
        control->setToolTip(option.tip);
        row->addWidget(control);
    }
    barRow_->insertWidget(0, options_);
    options_->show(); // now, not when the layout gets to it: the bar is fitted before
}

} // namespace stowage
