#include "app/desktop/shell/command_palette.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/shell/action_registry.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/workspace.h"

#include <QAction>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace stowage {

namespace {

constexpr int paletteWidth = 560;
constexpr int paletteRows = 12;
enum Role { EntryRole = Qt::UserRole, KeysRole, MenuRole, ThingRole };

class PaletteDelegate : public QStyledItemDelegate {
public:
    /// `names`: of the buffers in the list.
    PaletteDelegate(const Look& look, const NameFit& names, QObject* parent)
        : QStyledItemDelegate(parent), look_(look), names_(names)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = look_.theme();
        const QRect box = option.rect;
        const bool enabled = index.flags() & Qt::ItemIsEnabled;
        if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver))
            painter->fillRect(box, option.state & QStyle::State_Selected ? theme.accentSoft : theme.hover);
        painter->setFont(uiFont(metrics::body));
        painter->setPen(theme.text3);
        painter->drawText(box.adjusted(10, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, index.data(MenuRole).toString());
        const QString keys = index.data(KeysRole).toString();
        const QFont keyFont = monoFont(metrics::caption);
        const QRect text = box.adjusted(82, 0, -24 - QFontMetrics(keyFont).horizontalAdvance(keys), 0);
        painter->setPen(enabled ? theme.text : theme.text3); // what cannot be done now is read all the same
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                          names_.fit(index.data().toString(), painter->fontMetrics(), text.width()));
        painter->setFont(keyFont);
        painter->setPen(enabled ? theme.text2 : theme.text3);
        painter->drawText(box.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, keys);
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {100, metrics::listRow};
    }

private:
    const Look& look_;
    const NameFit& names_;
};

} // namespace

bool fuzzyMatch(const QString& text, const QString& needle)
{
    qsizetype at = 0;
    for (const QChar letter : needle) {
        if (letter.isSpace()) continue;
        at = text.indexOf(letter, at, Qt::CaseInsensitive);
        if (at < 0) return false;
        ++at;
    }
    return true;
}

CommandPalette::CommandPalette(const ActionRegistry& actions, Workspace& workspace, const Look& look, QWidget* window)
    : QFrame(window), actions_(actions), workspace_(workspace)
{
    setProperty("surface", "popup");
    setProperty("floating", true); // lies over the window by design
    hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
    input_ = new QLineEdit;
    input_->setPlaceholderText(tr("Command, model, planner, target, buffer or setting"));
    input_->setAccessibleName(tr("Command"));
    input_->installEventFilter(this);
    column->addWidget(input_);
    list_ = new QListWidget;
    list_->setItemDelegate(new PaletteDelegate(look, names_, list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setAccessibleName(tr("Commands found"));
    list_->setUniformItemSizes(true);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setFixedHeight(paletteRows * metrics::listRow);
    column->addWidget(list_);
    connect(input_, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(list_, &QListWidget::currentRowChanged, this, &CommandPalette::describeCurrent);
    connect(list_, &QListWidget::itemClicked, this, &CommandPalette::run);
}

void CommandPalette::open()
{
    before_.remember(*this);
    targets_ = workspace_.session().targets();
    input_->clear();
    narrow();
    setFixedWidth(std::min(paletteWidth, parentWidget()->width() - 40));
    adjustSize();
    move((parentWidget()->width() - width()) / 2, metrics::menuBar + metrics::toolBar + 16);
    show();
    raise();
    input_->setFocus();
}

int CommandPalette::count() const
{
    return list_->count();
}

void CommandPalette::narrow()
{
    job_.drop(); // the answer to another text
    runWhenFound_ = false;
    list_->clear();
    const auto& entries = actions_.entries();
    const QString needle = input_->text();
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].action && fuzzyMatch(entries[i].menu + u' ' + entries[i].text, needle)) found.push_back(i);
    // What holds the words as they are goes before what only holds the letters.
    const auto fuzzy = std::stable_partition(
        found.begin(), found.end(), [&](std::size_t i) { return entries[i].text.contains(needle, Qt::CaseInsensitive); });
    firstLoose_ = int(fuzzy - found.begin());
    for (const std::size_t i : found) {
        QString text = entries[i].text;
        auto* item = new QListWidgetItem(text.remove(QStringLiteral("…")));
        item->setData(EntryRole, qulonglong(i));
        item->setData(KeysRole, ActionRegistry::keyText(entries[i]));
        item->setData(MenuRole, entries[i].menu);
        if (!entries[i].action->isEnabled()) item->setFlags(Qt::NoItemFlags);
        list_->addItem(item);
    }
    things_.clear();
    addThings(things(needle), needle);
    searchBuffers(needle);
    list_->setCurrentRow(0);
    describeCurrent(); // of an empty list no row becomes current
}

void CommandPalette::addThings(std::vector<Thing> more, const QString& needle)
{
    std::size_t i = things_.size();
    std::ranges::move(more, std::back_inserter(things_));
    QStringList names;
    for (const Thing& thing : things_) names << thing.text;
    names_ = NameFit(names);
    for (; i < things_.size(); ++i) {
        auto* item = new QListWidgetItem(things_[i].text);
        item->setData(ThingRole, qulonglong(i));
        item->setData(KeysRole, things_[i].note);
        item->setData(MenuRole, things_[i].kind);
        list_->insertItem(things_[i].text.contains(needle, Qt::CaseInsensitive) ? firstLoose_++ : list_->count(), item);
    }
}

void CommandPalette::searchBuffers(const QString& needle)
{
    constexpr qsizetype enough = 2; // letters
    const auto run = workspace_.run();
    SearchQuery query;
    query.filter.text = needle.trimmed();
    if (!run || query.filter.text.size() < enough) return;
    if (run->problem().buffers.size() <= searchedAtOnce) {
        addThings(buffersOf(*run, findBuffers(*run, query, maxBuffers)), needle);
        return;
    }
    job_.start([run, query](const std::stop_token&) { return findBuffers(*run, query, maxBuffers); },
               [this, run, needle](const SearchHits& hits) {
                   const bool first = list_->currentRow() <= 0;
                   if (run == workspace_.run()) {
                       addThings(buffersOf(*run, hits), needle);
                   } else {
                       searchBuffers(needle); // the ids are those of other buffers; Enter waits on
                       if (job_.running()) return;
                   }
                   if (first) list_->setCurrentRow(0); // the best entry stays chosen
                   describeCurrent();
                   if (std::exchange(runWhenFound_, false)) this->run(list_->currentItem());
               });
}

std::vector<CommandPalette::Thing> CommandPalette::buffersOf(const Run& run, const SearchHits& hits) const
{
    std::vector<Thing> found;
    for (const BufferId id : hits.buffers) {
        const Buffer& buffer = run.problem().buffers[std::size_t(id)];
        found.push_back({tr("Buffer"), nameText(buffer.name), bytesText(buffer.size, workspace_.numbers()),
                         [&workspace = workspace_, id] { workspace.selection().select(id); }});
    }
    return found;
}

void CommandPalette::hideEvent(QHideEvent* event)
{
    QFrame::hideEvent(event);
    if (event->spontaneous()) return; // the whole window is hidden
    job_.drop();
    runWhenFound_ = false;
}

void CommandPalette::describeCurrent()
{
    const QListWidgetItem* item = list_->currentItem();
    QStringList words{tr("nothing found")};
    if (item) {
        words = {item->data(MenuRole).toString(), item->text(), item->data(KeysRole).toString()};
        if (!(item->flags() & Qt::ItemIsEnabled)) words << tr("cannot be done now");
        words.removeAll(QString());
    }
    input_->setAccessibleDescription(words.join(QStringLiteral(", ")));
}

std::vector<CommandPalette::Thing> CommandPalette::things(const QString& needle) const
{
    std::vector<Thing> found;
    if (needle.trimmed().isEmpty()) return found; // then it is a list of commands
    const auto add = [&](const QString& kind, const QString& text, const QString& note, std::function<void()> run) {
        if (fuzzyMatch(kind + u' ' + text, needle)) found.push_back({kind, text, note, std::move(run)});
    };
    Workspace& workspace = workspace_;
    for (const int id : workspace.models().ids()) {
        const Model* model = workspace.session().model(id);
        const QString name = model->path.isEmpty() ? model->name : QFileInfo(model->path).fileName();
        const auto shown = workspace.shown().runOfModel(id);
        add(tr("Model"), name, shown ? bytesText(shown->report.totalSize(), workspace.numbers()) : QString(),
            [&workspace, id] { workspace.setModel(id); });
    }
    for (const RunEntry* entry : workspace.runs())
        add(tr("Run"), QString::fromStdString(entry->request.planner),
            bytesText(entry->run->report.totalSize(), workspace.numbers()),
            [&workspace, id = entry->id] { workspace.showRun(id); });
    if (workspace.modelId()) {
        for (const auto& planner : workspace.session().planners().all())
            add(tr("Planner"), tr("Plan with %1").arg(QString::fromStdString(planner->info().name)), {},
                [&workspace, name = planner->info().name] {
                    workspace.planners().setFocus(name);
                    workspace.plannings().planOnly(name);
                });
        for (const Target& target : targets_)
            add(tr("Target"), target.name, {}, [&workspace, target] { workspace.edits().setTarget(target); });
    }
    const auto setting = [&](const QString& text, bool now, const auto& change) {
        add(tr("Setting"), text, now ? tr("now") : QString(), [&workspace, change] {
            NumberFormat numbers = workspace.numbers();
            change(numbers);
            workspace.setNumbers(numbers);
        });
    };
    const QStringList units{tr("Sizes in bytes"), tr("Sizes in KiB"), tr("Sizes in words of 4 bytes")};
    for (int unit = 0; unit < units.size(); ++unit)
        setting(units[unit], int(workspace.numbers().unit) == unit,
                [unit](NumberFormat& numbers) { numbers.unit = NumberFormat::Unit(unit); });
    for (const bool hex : {true, false})
        setting(hex ? tr("Addresses in hexadecimal") : tr("Addresses in decimal"), workspace.numbers().hexAddresses == hex,
                [hex](NumberFormat& numbers) { numbers.hexAddresses = hex; });
    // The rest of the settings that are no commands of their own stand on the page of settings.
    for (const QString& text : {tr("Time limit of planners"), tr("Reopen the last session at the start")})
        add(tr("Setting"), text, {}, [this] { actions_.action(QStringLiteral("tools.settings"))->trigger(); });
    std::stable_partition(found.begin(), found.end(),
                          [&](const Thing& thing) { return thing.text.contains(needle, Qt::CaseInsensitive); });
    return found;
}

void CommandPalette::run(const QListWidgetItem* item)
{
    if (item && !(item->flags() & Qt::ItemIsEnabled)) return;
    before_.giveBack(*this); // first: the command may move the focus
    hide();
    if (!item) return;
    if (const QVariant thing = item->data(ThingRole); thing.isValid()) {
        const auto take = things_[thing.toULongLong()].run; // the list may be made anew by what it does
        take();
        return;
    }
    actions_.entries()[item->data(EntryRole).toULongLong()].action->trigger();
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept(); // no command of the window while one is being looked for
        return true;
    }
    if (event->type() == QEvent::FocusOut && !list_->underMouse()) hide();
    if (event->type() == QEvent::KeyPress) {
        const auto goBy = [this](int rows) {
            list_->setCurrentRow(std::clamp(list_->currentRow() + rows, 0, std::max(0, list_->count() - 1)));
            return true;
        };
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Escape:
            before_.giveBack(*this);
            hide();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            // The buffer that is meant may not be found yet: an entry that only holds its letters is not run in its place.
            if (job_.running() && firstLoose_ == 0 && list_->currentRow() <= 0)
                runWhenFound_ = true;
            else
                run(list_->currentItem());
            return true;
        case Qt::Key_Down: return goBy(1);
        case Qt::Key_Up: return goBy(-1);
        case Qt::Key_PageDown: return goBy(paletteRows);
        case Qt::Key_PageUp: return goBy(-paletteRows);
        default: break;
        }
    }
    return QFrame::eventFilter(object, event);
}

constexpr int maxColumns = 4; ///< of shortcuts; fewer where they have no room

ShortcutList::ShortcutList(const ActionRegistry& actions, const Look&, QWidget* window) : QFrame(window), actions_(actions)
{
    setSpokenRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Shortcuts"));
    setProperty("surface", "popup");
    setProperty("floating", true); // lies over the window by design
    setFocusPolicy(Qt::StrongFocus);
    hide();
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(20, 16, 20, 18);
    outer->setSpacing(12);
    outer->addWidget(makeLabel(tr("Shortcuts"), Tone::main, metrics::section, QFont::DemiBold));
    scroll_ = new QScrollArea; // in a small window
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setFocusPolicy(Qt::NoFocus); // the card closes when it loses the focus
    scroll_->setWidgetResizable(true);
    scroll_->viewport()->setAutoFillBackground(false);
    outer->addWidget(scroll_);
    fill(maxColumns);
}

/// Lists all shortcuts in columns of nearly equal heights. A group that goes on in the next column has its title there again.
void ShortcutList::fill(int columnCount)
{
    auto* body = new QWidget;
    auto* columns = new QHBoxLayout(body);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(36);
    count_ = 0;
    QStringList menus, told;
    for (const ActionRegistry::Entry& entry : actions_.entries())
        if (!menus.contains(entry.menu)) menus << entry.menu;
    const auto listed = std::ranges::count_if(
        actions_.entries(), [](const ActionRegistry::Entry& entry) { return !ActionRegistry::keyText(entry).isEmpty(); });
    // Titles of groups are rows, too; each further column may repeat one.
    const int rows = (int(listed) + int(menus.size()) + columnCount - 1 + columnCount - 1) / columnCount;
    QGridLayout* grid = nullptr;
    int row = 0;
    for (const QString& menu : menus) {
        bool first = true;
        for (const ActionRegistry::Entry& entry : actions_.entries()) {
            const QStringList keys = ActionRegistry::keyTexts(entry);
            if (entry.menu != menu || keys.isEmpty()) continue;
            if (!grid || row >= rows) {
                grid = new QGridLayout;
                grid->setVerticalSpacing(5);
                grid->setHorizontalSpacing(14);
                grid->setRowStretch(rows + 6, 1);
                columns->addLayout(grid);
                row = 0;
                first = true;
            }
            if (first) {
                grid->addWidget(makeLabel(menu, Tone::caption, metrics::caption, QFont::DemiBold), row++, 0, 1, 2);
                first = false;
            }
            QString text = entry.text;
            grid->addWidget(makeLabel(text.remove(QStringLiteral("…"))), row, 0);
            told << tr("%1: %2").arg(text, keys.join(tr(" or ")));
            auto* caps = new QHBoxLayout;
            caps->setSpacing(3);
            caps->addStretch();
            for (qsizetype i = 0; i < keys.size(); ++i) {
                if (i > 0) caps->addWidget(makeLabel(tr("or"), Tone::caption, metrics::caption));
                // "Ctrl++" is Ctrl and +.
                QStringList parts =
                    QString(keys[i]).replace(QStringLiteral("++"), QStringLiteral("+Plus")).split(u'+', Qt::SkipEmptyParts);
                if (keys[i] == u"+") parts = QStringList{QStringLiteral("+")};
                for (const QString& part : parts) caps->addWidget(new KeyCap(part == u"Plus" ? QStringLiteral("+") : part));
            }
            grid->addLayout(caps, row++, 1);
            ++count_;
        }
    }
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    scroll_->setWidget(body); // the former one goes
    body->setAutoFillBackground(false);
}

void ShortcutList::open()
{
    before_.remember(*this);
    constexpr QSize border(88, 120); // of the card, with some of the window around it
    constexpr int bar = 16;          // a scroll bar in one direction takes room in the other
    const QSize room = parentWidget()->size() - border;
    QSize whole;
    for (int columns = maxColumns; columns > 0; --columns) {
        fill(columns);
        whole = scroll_->widget()->sizeHint();
        if (whole.width() + (whole.height() > room.height() ? bar : 0) <= room.width()) break;
    }
    const QSize bars(whole.height() > room.height() ? bar : 0, whole.width() > room.width() ? bar : 0);
    scroll_->setMinimumSize((whole + bars).boundedTo(room));
    adjustSize();
    move((parentWidget()->width() - width()) / 2, std::max(20, (parentWidget()->height() - height()) / 2));
    show();
    raise();
    setFocus();
}

bool ShortcutList::event(QEvent* event)
{
    return claimsKey(*event, {Qt::Key_Escape, Qt::Key_Question}) || QFrame::event(event);
}

void ShortcutList::keyPressEvent(QKeyEvent* event)
{
    const auto scroll = [this](QAbstractSlider::SliderAction action) { scroll_->verticalScrollBar()->triggerAction(action); };
    switch (event->key()) {
    case Qt::Key_Escape:
    case Qt::Key_Question:
        before_.giveBack(*this);
        hide();
        break;
    case Qt::Key_Down: scroll(QAbstractSlider::SliderSingleStepAdd); break;
    case Qt::Key_Up: scroll(QAbstractSlider::SliderSingleStepSub); break;
    case Qt::Key_PageDown: scroll(QAbstractSlider::SliderPageStepAdd); break;
    case Qt::Key_PageUp: scroll(QAbstractSlider::SliderPageStepSub); break;
    case Qt::Key_Home: scroll(QAbstractSlider::SliderToMinimum); break;
    case Qt::Key_End: scroll(QAbstractSlider::SliderToMaximum); break;
    default: QFrame::keyPressEvent(event);
    }
}

void ShortcutList::focusOutEvent(QFocusEvent* event)
{
    QFrame::focusOutEvent(event);
    hide();
}

} // namespace stowage
