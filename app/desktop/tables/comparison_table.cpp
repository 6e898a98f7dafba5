#include "app/desktop/tables/comparison_table.h"

#include "app/canvas/axis/map_data.h"
#include "app/canvas/kit/fonts.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/run_groups.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"
#include "app/session/verdicts.h"

#include <QPainter>

#include <algorithm>

namespace stowage {

namespace {

bool isNumber(int column)
{
    return column == ComparisonTable::Size || column == ComparisonTable::Bound || column == ComparisonTable::OverBound ||
           column == ComparisonTable::Time;
}

QString ownBoundTip()
{
    return ComparisonTable::tr("Of the pools that this planner chose for the buffers. Another choice has another bound.");
}

} // namespace

void ComparisonTable::setRuns(std::vector<Entry> entries, const NumberFormat& numbers, int shown)
{
    beginResetModel();
    entries_ = std::move(entries);
    numbers_ = numbers;
    shown_ = shown;
    std::vector<std::shared_ptr<const Run>> runs;
    for (const Entry& entry : entries_) runs.push_back(entry.run);
    groups_ = groupRuns(runs);
    scale_ = barScale(runs);
    marksCapacity_ = marksCapacity(runs);
    ownBounds_ = std::ranges::any_of(groups_, [&](const RunGroup& group) {
        const Run& first = *runs[group.runs.front()];
        return choosesPools(first) && std::ranges::any_of(group.runs, [&](std::size_t run) {
                   return runs[run]->report.totalBound() != first.report.totalBound();
               });
    });
    QStringList planners;
    for (const auto& run : runs) planners << QString::fromStdString(run->plan.planner);
    planners_ = NameFit(planners);
    listRows();
    endResetModel();
}

void ComparisonTable::listRows()
{
    rows_.clear();
    all_.clear();
    for (std::size_t group = 0; group < groups_.size(); ++group) {
        const std::vector<std::size_t>& runs = groups_[group].runs;
        const bool hasShown = std::ranges::any_of(runs, [&](std::size_t run) { return entries_[run].id == shown_; });
        const bool heads = groups_.size() > 1;
        const HeadState state =
            heads ? folds_.state(title(group), hasShown, entries_[runs.front()].setup.isEmpty()) : HeadState::fixed;
        if (heads) rows_.push_back({-1, group, state});
        for (const std::size_t run : runs) {
            all_.push_back({std::int32_t(run), group, HeadState::open});
            if (state != HeadState::folded) rows_.push_back(all_.back());
        }
    }
}

bool ComparisonTable::toggleGroup(int row)
{
    if (row < 0 || row >= int(rows_.size()) || rows_[std::size_t(row)].entry >= 0) return false;
    if (rows_[std::size_t(row)].state == HeadState::fixed) return true;
    beginResetModel();
    folds_.toggle(title(rows_[std::size_t(row)].group));
    listRows();
    endResetModel();
    return true;
}

void ComparisonTable::setInMaps(const std::function<bool(int)>& shown)
{
    for (Entry& entry : entries_) entry.inMaps = shown(entry.id);
    if (!rows_.empty()) Q_EMIT dataChanged(index(0, Eye), index(rowCount() - 1, Eye));
}

int ComparisonTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(rows_.size());
}

int ComparisonTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

const ComparisonTable::Entry* ComparisonTable::entry(int row) const
{
    if (row < 0 || row >= int(rows_.size()) || rows_[std::size_t(row)].entry < 0) return nullptr;
    return &entries_[std::size_t(rows_[std::size_t(row)].entry)];
}

int ComparisonTable::rowOf(int run) const
{
    for (int row = 0; row < int(rows_.size()); ++row)
        if (const Entry* found = entry(row); found && found->id == run) return row;
    return -1;
}

const ComparisonTable::Row* ComparisonTable::find(int run) const
{
    const auto found = std::ranges::find_if(all_, [&](const Row& row) { return entries_[std::size_t(row.entry)].id == run; });
    return found == all_.end() ? nullptr : &*found;
}

bool ComparisonTable::isBest(const Row& row) const
{
    const RunGroup& group = groups_[row.group];
    const Run& run = *entries_[std::size_t(row.entry)].run;
    return group.runs.size() > 1 && isGood(run) && group.best == run.report.totalSize();
}

bool ComparisonTable::isBest(int row) const
{
    return entry(row) && isBest(rows_[std::size_t(row)]);
}

bool ComparisonTable::isBestRun(int run) const
{
    const Row* row = find(run);
    return row && isBest(*row);
}

Qt::ItemFlags ComparisonTable::flags(const QModelIndex& index) const
{
    if (!index.isValid()) return Qt::NoItemFlags;
    return entry(index.row()) ? QAbstractTableModel::flags(index) : Qt::ItemIsEnabled;
}

QVariant ComparisonTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole)
        return ownBounds_ && (section == Bound || section == OverBound) ? ownBoundTip() : runHeaderTip<ComparisonTable>(section);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Planner: return tr("planner");
    case Checker: return tr("checker");
    case Size: return tr("size, %1").arg(unitText(numbers_));
    case Bound: return (ownBounds_ ? tr("own bound, %1") : tr("bound, %1")).arg(unitText(numbers_));
    case OverBound: return ownBounds_ ? tr("over own bound") : tr("over bound");
    case Bar: return marksCapacity_ ? tr("size, bound, capacity") : tr("size, bound");
    case Time: return tr("time");
    case Remark: return tr("remark");
    default: return QString();
    }
}

QVariant ComparisonTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(rows_.size())) return {};
    const Entry* found = entry(index.row());
    if (role == HeadingRole) return found == nullptr;
    if (role == RunRole) return found ? found->id : 0;
    if (role == BestRole) return isBest(index.row());
    if (role == Qt::TextAlignmentRole) return headerData(index.column(), Qt::Horizontal, role);
    if (!found) {
        const Row& head = rows_[std::size_t(index.row())];
        const RunGroup& group = groups_[head.group];
        if (index.column() != Eye) return {};
        if (role == Qt::DisplayRole) return title(head.group);
        if (role == Qt::AccessibleTextRole) return spokenHead(title(head.group), count(head.group), head.state);
        if (role != Qt::ToolTipRole) return {};
        const QString target = group.target.empty() ? tr("own pools") : QString::fromStdString(group.target);
        return tr("%1, %2\nSizes of other lowerings or pools are not comparable: they are ranked apart.")
            .arg(QString::fromStdString(group.lowering.text()), target);
    }
    if (role == Qt::ToolTipRole) {
        if (index.column() == Eye) return found->inMaps ? tr("Hide its map") : tr("Show its map");
        if (index.column() == Bound && usedPools(*found->run).size() > 1) return ownBoundTip();
        return found->remark; // its column has no room in narrow tables
    }
    if (role == Qt::AccessibleDescriptionRole && index.column() == Planner) return found->remark;
    if (role == Qt::AccessibleTextRole && index.column() == Eye) return found->inMaps ? tr("in the maps") : tr("not in the maps");
    return role == Qt::DisplayRole ? cell(rows_[std::size_t(index.row())], index.column()) : QVariant();
}

QVariant ComparisonTable::cell(const Row& row, int column) const
{
    const Entry& entry = entries_[std::size_t(row.entry)];
    const Report& report = entry.run->report;
    switch (column) {
    case Planner: return QString::fromStdString(entry.run->plan.planner);
    case Checker: return verdictLook(verdictKind(*entry.run), Theme::darkTheme()).word;
    case Size: return bytesNumber(report.totalSize(), numbers_);
    case Bound: return bytesNumber(report.totalBound(), numbers_);
    case OverBound: return percentText(totalGap(report));
    case Time: return planningTimeText(entry.run->elapsedMs);
    case Remark: return entry.remark;
    default: return {};
    }
}

QString ComparisonTable::count(std::size_t group) const
{
    return countedText(std::int64_t(groups_[group].runs.size()), tr("run"));
}

QString ComparisonTable::title(std::size_t group) const
{
    const auto setup = [&](std::size_t each) { return entries_[groups_[each].runs.front()].setup; };
    QString text = setup(group).isEmpty() ? tr("as it is now") : setup(group);
    // A planner may need a lowering of its own.
    for (std::size_t before = 0; before < group; ++before) {
        if (setup(before) != setup(group)) continue;
        if (const QString other = loweringDifference(groups_[group].lowering, groups_[before].lowering); !other.isEmpty())
            text += QStringLiteral(", ") + other;
        break;
    }
    return text;
}

QString ComparisonTable::nameOf(int run) const
{
    const Row* row = find(run);
    if (!row) return {};
    const std::string& planner = entries_[std::size_t(row->entry)].run->plan.planner;
    const QString name = QString::fromStdString(planner);
    const auto same = std::ranges::count_if(entries_, [&](const Entry& each) { return each.run->plan.planner == planner; });
    return same > 1 && groups_.size() > 1 ? tr("%1, %2").arg(name, title(row->group)) : name;
}

QString ComparisonTable::toTsv() const
{
    QStringList titles;
    const std::vector<int> wanted{Planner, Checker, Size, Bound, OverBound, Time, Remark};
    for (const int column : wanted) // for programs: a unit stands in the title, and is the same in every row
        titles << (column == Time        ? tr("time, ms")
                   : column == Bound     ? tr("bound, %1").arg(unitText(numbers_))
                   : column == OverBound ? tr("over bound")
                                         : headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    QString text = (titles << tr("best") << tr("lowering") << tr("target")).join(u'\t') + u'\n';
    for (const Row& row : all_) {
        const RunGroup& group = groups_[row.group];
        QStringList cells;
        for (const int column : wanted)
            cells << (column == Time ? planningTimeNumber(entries_[std::size_t(row.entry)].run->elapsedMs)
                                     : cell(row, column).toString());
        text += (cells << (isBest(row) ? tr("best") : QString()) << QString::fromStdString(group.lowering.text())
                       << QString::fromStdString(group.target))
                    .join(u'\t') +
                u'\n';
    }
    return text;
}

QSize ComparisonDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

void ComparisonDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    const QRect box = option.rect;
    const ComparisonTable::Entry* entry = table_.entry(index.row());
    if (!entry) {
        if (index.column() != ComparisonTable::Eye) return; // the heading spans all columns
        const ComparisonTable::Row& head = table_.rows()[std::size_t(index.row())];
        paintGroupHead(*painter, option, theme, table_.title(head.group), table_.count(head.group), head.state);
        return;
    }
    const bool shown = option.state & QStyle::State_Selected;
    paintRowGround(*painter, option, theme);
    const QRect text = box.adjusted(8, 0, -8, -1);
    const double middle = box.top() + (box.height() - 1) / 2.0;
    switch (index.column()) {
    case ComparisonTable::Eye:
        if (entry->inMaps)
            paintIcon(*painter, QRectF(box.left() + 8, box.top(), 16, box.height() - 1), QStringLiteral("eye"), theme.accent);
        else if (option.state & QStyle::State_MouseOver)
            paintIcon(*painter, QRectF(box.left() + 8, box.top(), 16, box.height() - 1), QStringLiteral("eye"), theme.text3);
        return;
    case ComparisonTable::Checker: {
        const VerdictLook look = verdictLook(verdictKind(*entry->run), theme);
        paintChip(*painter, text.left(), middle, look.icon, look.word, look.ink, look.soft);
        return;
    }
    case ComparisonTable::Bar: {
        TextShaper shaper;
        DrawList list(shaper, painter->device()->devicePixelRatioF());
        paintSizeBar(list, theme, QRectF(text.left(), box.top() + 5, text.width(), 12), *entry->run, table_.scale());
        replay(list, *painter);
        return;
    }
    default: break;
    }
    const bool best = index.data(ComparisonTable::BestRole).toBool();
    QRect words = text;
    if (index.column() == ComparisonTable::Planner && best) {
        const QString word = ComparisonTable::tr("best");
        painter->setFont(uiFont(metrics::caption));
        const int width = painter->fontMetrics().horizontalAdvance(word) + 12;
        const QRectF chip(text.right() - width + 0.5, middle - 8, width, 16);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(QPen(goodColour(verdictKind(*entry->run), theme), 1));
        painter->drawRoundedRect(chip, 3, 3);
        painter->drawText(chip, Qt::AlignCenter, word);
        painter->restore();
        words.setRight(text.right() - width - 6);
    }
    const bool number = isNumber(index.column());
    QColor ink = index.column() == ComparisonTable::Planner || index.column() == ComparisonTable::Size ? theme.text : theme.text2;
    if (index.column() == ComparisonTable::OverBound) ink = overBoundColour(*entry->run, theme);
    painter->setFont(
        number ? monoFont(metrics::body)
               : uiFont(metrics::body, shown && index.column() == ComparisonTable::Planner ? QFont::DemiBold : QFont::Normal));
    painter->setPen(ink);
    const int room = upToEdge(option, words).width();
    if (number)
        paintNumber(*painter, option, words, index.data().toString());
    else
        painter->drawText(words, int(Qt::AlignLeft) | Qt::AlignVCenter,
                          index.column() == ComparisonTable::Planner
                              ? table_.planners().fit(index.data().toString(), painter->fontMetrics(), room)
                              : sentenceStart(index.data().toString(), painter->fontMetrics(), room));
}

} // namespace stowage
