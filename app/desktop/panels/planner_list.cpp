#include "app/desktop/panels/planner_list.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/look/style.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <tuple>

namespace stowage {

PlannerList::PlannerList(Workspace& workspace, QObject* parent) : QAbstractListModel(parent), workspace_(workspace)
{
    connect(&workspace_, &Workspace::jobsChanged, this, [this] {
        if (workspace_.busy())
            refresh();
        else
            rearrange();
    });
    connect(&workspace_, &Workspace::modelChanged, this, &PlannerList::rearrange);
    connect(&workspace_, &Workspace::runsChanged, this, &PlannerList::refresh);
    connect(&workspace_, &Workspace::planningChanged, this, &PlannerList::refresh);
    connect(&workspace_, &Workspace::contextChanged, this, &PlannerList::refresh);
    rearrange();
}

void PlannerList::rearrange()
{
    struct Entry {
        std::string name;
        bool ticked = false;
        const RunEntry* run = nullptr;
        std::size_t order = 0;
    };
    std::vector<Entry> entries;
    for (const auto& planner : workspace_.session().planners().all()) {
        const PlannerInfo& info = planner->info();
        if (!filter_.isEmpty() && !QString::fromStdString(info.name + ' ' + info.summary).contains(filter_, Qt::CaseInsensitive))
            continue;
        entries.push_back(
            {info.name, workspace_.planners().ticked(info.name), workspace_.shown().runOf(info.name), entries.size()});
    }
    std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
        const auto key = [](const Entry& entry) { return std::tuple(!entry.ticked, entry.run == nullptr); };
        if (key(a) != key(b)) return key(a) < key(b);
        if (a.run && b.run) return betterRun(*a.run, *b.run);
        return a.order < b.order;
    });
    const std::size_t shown = limit_ > 0 && filter_.isEmpty() ? std::min(entries.size(), std::size_t(limit_)) : entries.size();
    beginResetModel();
    hidden_ = int(entries.size() - shown);
    rows_.clear();
    for (std::size_t i = 0; i < shown; ++i) rows_.push_back(std::move(entries[i].name));
    endResetModel();
}

void PlannerList::refresh()
{
    if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(int(rows_.size()) - 1));
}

void PlannerList::setFilter(const QString& text)
{
    filter_ = text.trimmed();
    rearrange();
}

void PlannerList::setLimit(int rows)
{
    limit_ = rows;
    rearrange();
}

int PlannerList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(rows_.size());
}

std::string PlannerList::planner(const QModelIndex& index) const
{
    return index.isValid() && index.row() < int(rows_.size()) ? rows_[std::size_t(index.row())] : std::string();
}

QModelIndex PlannerList::indexOf(const std::string& planner) const
{
    const auto found = std::ranges::find(rows_, planner);
    return found == rows_.end() ? QModelIndex() : index(int(found - rows_.begin()));
}

QVariant PlannerList::data(const QModelIndex& index, int role) const
{
    const std::string name = planner(index);
    if (name.empty()) return {};
    const RunEntry* run = workspace_.shown().runOf(name);
    switch (role) {
    case Qt::DisplayRole: return QString::fromStdString(name);
    case Qt::CheckStateRole: return workspace_.planners().ticked(name) ? Qt::Checked : Qt::Unchecked;
    case Qt::ToolTipRole:
        if (const auto found = workspace_.session().planners().find(name))
            return QString::fromStdString(found->info().source.empty() ? found->info().summary
                                                                       : found->info().summary + "\n" + found->info().source);
        return {};
    case Qt::AccessibleDescriptionRole:
        return run ? tr("%1, %2").arg(bytesText(run->run->report.totalSize(), workspace_.numbers()),
                                      QString::fromUtf8(verdictWord(*run->run)).toLower())
                   : QString();
    case SizeRole: return run ? bytesNumber(run->run->report.totalSize(), workspace_.numbers()) : QString();
    case ShortSizeRole: return run ? shortBytes(run->run->report.totalSize(), workspace_.numbers()) : QString();
    case VerdictRole: return run ? QVariant(int(verdictKind(*run->run))) : QVariant();
    case AtBoundRole: return run && run->run->report.totalSize() <= run->run->report.totalBound();
    case BusyRole:
        return std::ranges::any_of(workspace_.plannings().jobs(), [&](const auto& job) {
            return job.second.planner == name && job.second.model == workspace_.modelId();
        });
    case ShownRole: return workspace_.run() && workspace_.run()->plan.planner == name;
    default: return {};
    }
}

bool PlannerList::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !index.isValid()) return false;
    workspace_.planners().setTicked(planner(index), value.value<Qt::CheckState>() == Qt::Checked);
    return true;
}

Qt::ItemFlags PlannerList::flags(const QModelIndex& index) const
{
    return index.isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable : Qt::NoItemFlags;
}

QSize PlannerDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {100, metrics::listRow};
}

namespace {

/// Beside a whole size some name would be cut: then all sizes take a larger unit. `room`: logical pixels for a name and its
/// size. O(planners).
bool sizesShort(const QAbstractItemModel& planners, int room, const QFontMetrics& digits)
{
    const QFontMetrics letters(uiFont(metrics::body)), strong(uiFont(metrics::body, QFont::DemiBold));
    for (int row = 0; row < planners.rowCount(); ++row) {
        const QModelIndex index = planners.index(row, 0);
        const QString size = index.data(PlannerList::SizeRole).toString();
        if (size.isEmpty()) continue;
        const QFontMetrics& name = index.data(PlannerList::ShownRole).toBool() ? strong : letters;
        if (room - digits.horizontalAdvance(size) < name.horizontalAdvance(index.data().toString())) return true;
    }
    return false;
}

} // namespace

void PlannerDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    constexpr int nameLeft = 30, gap = 5;
    const Theme& theme = look_.theme();
    const QRect box = option.rect;
    const bool shown = index.data(PlannerList::ShownRole).toBool();
    const bool hovered = option.state & QStyle::State_MouseOver;
    painter->fillRect(box, shown ? theme.accentSoft : hovered ? theme.hover : theme.panel);
    paintRowFocus(*painter, option, theme);
    const auto check = index.data(Qt::CheckStateRole).value<Qt::CheckState>();
    paintCheckBox(*painter, QRectF(box.left() + 10, box.top(), 14, box.height()), check, true, hovered, theme);

    const QVariant role = index.data(PlannerList::VerdictRole);
    const std::optional<VerdictKind> verdict = role.isValid() ? std::optional(VerdictKind(role.toInt())) : std::nullopt;
    const bool busy = index.data(PlannerList::BusyRole).toBool();
    int right = box.right() - 7;
    if (busy || verdict) {
        const bool atBound = index.data(PlannerList::AtBoundRole).toBool();
        const QColor colour = busy               ? theme.text3
                              : isOpen(*verdict) ? theme.warn
                              : !isYes(*verdict) ? theme.bad
                              : atBound          ? theme.ok
                                                 : theme.text2;
        paintIcon(*painter, QRectF(right - 14, box.top(), 14, box.height()),
                  busy ? QStringLiteral("clock") : verdictLook(verdict, theme).icon, colour, 14);
        right -= 18;
        QString size = index.data(PlannerList::SizeRole).toString();
        painter->setFont(monoFont(metrics::body));
        if (sizesShort(*index.model(), right - box.left() - nameLeft - gap, painter->fontMetrics()))
            size = index.data(PlannerList::ShortSizeRole).toString();
        painter->setPen(colour);
        painter->drawText(QRect(box.left(), box.top(), right - box.left(), box.height()), Qt::AlignRight | Qt::AlignVCenter,
                          size);
        right -= painter->fontMetrics().horizontalAdvance(size) + gap;
    }
    painter->setFont(uiFont(metrics::body, shown ? QFont::DemiBold : QFont::Normal));
    painter->setPen(check == Qt::Checked ? theme.text : theme.text2);
    const QRect name(box.left() + nameLeft, box.top(), right - box.left() - nameLeft, box.height());
    painter->drawText(name, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, name.width()));
}

bool PlannerDelegate::editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                                  const QModelIndex& index)
{
    const bool click = event->type() == QEvent::MouseButtonRelease &&
                       static_cast<QMouseEvent*>(event)->position().x() < option.rect.left() + 30; // the box with its margins
    const bool key = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
    if (!click && !key) return false;
    ticked_ = click;
    const auto now = index.data(Qt::CheckStateRole).value<Qt::CheckState>();
    return model->setData(index, now == Qt::Checked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
}

Section* makePlannersSection(Workspace& workspace, const Look& look)
{
    auto* section = new Section(PlannerList::tr("Planners"), look);
    auto* find = makeIconButton(QStringLiteral("search"), PlannerList::tr("Filter planners"), true);
    find->setCheckable(true);
    section->addHeaderWidget(find);

    auto* filter = new QLineEdit;
    filter->setPlaceholderText(PlannerList::tr("Name or method"));
    filter->setAccessibleName(PlannerList::tr("Filter planners"));
    filter->setClearButtonEnabled(true);
    auto* filterBox = new QWidget;
    auto* filterRow = new QHBoxLayout(filterBox);
    filterRow->setContentsMargins(10, 6, 10, 4);
    filterRow->addWidget(filter);
    filterBox->hide();
    section->body()->addWidget(filterBox);

    auto* list = new QListView;
    list->setObjectName(QStringLiteral("plannerList"));
    auto* model = new PlannerList(workspace, list);
    list->setModel(model);
    auto* delegate = new PlannerDelegate(look, list);
    list->setItemDelegate(delegate);
    list->setUniformItemSizes(true);
    list->setMouseTracking(true);
    list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setAccessibleName(PlannerList::tr("Planners"));
    section->body()->addWidget(list);

    auto* more = makeButton({}, {}, ButtonKind::link);
    auto* moreBox = new QWidget;
    auto* moreRow = new QHBoxLayout(moreBox);
    moreRow->setContentsMargins(10, 2, 10, 6);
    moreRow->addWidget(more);
    moreRow->addStretch();
    section->body()->addWidget(moreBox);

    const auto fit = [=, &workspace] {
        list->setFixedHeight(std::max(1, model->rowCount()) * metrics::listRow + 4);
        more->setText(PlannerList::tr("%1 more, show all").arg(model->hidden()));
        moreBox->setVisible(model->hidden() > 0);
        section->setCaption(PlannerList::tr("%1 of %2 ticked")
                                .arg(workspace.planners().tickedPlanners().size())
                                .arg(workspace.session().planners().all().size()));
    };
    QObject::connect(model, &QAbstractItemModel::modelReset, list, fit);
    QObject::connect(&workspace, &Workspace::planningChanged, list, fit);
    QObject::connect(more, &QPushButton::clicked, model, [model] { model->setLimit(0); });
    QObject::connect(find, &QToolButton::toggled, filter, [=](bool on) {
        filterBox->setVisible(on);
        if (on)
            filter->setFocus();
        else
            filter->clear();
    });
    QObject::connect(filter, &QLineEdit::textChanged, model, &PlannerList::setFilter);
    // A planner that has planned is shown; one that has not shows its options.
    const auto choose = [model, &workspace](const QModelIndex& index) {
        const std::string planner = model->planner(index);
        if (planner.empty()) return;
        if (const RunEntry* run = workspace.shown().runOf(planner))
            workspace.showRun(run->id);
        else
            workspace.planners().setFocus(planner);
    };
    QObject::connect(list, &QListView::clicked, list, [delegate, choose](const QModelIndex& index) {
        if (!delegate->takeTicked()) choose(index);
    });
    QObject::connect(list, &QListView::activated, list, choose);
    fit();
    return section;
}

} // namespace stowage
