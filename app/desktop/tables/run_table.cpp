#include "app/desktop/tables/run_table.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/run_groups.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"
#include "app/session/verdicts.h"

#include <QPainter>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

QString runRemark(const Run& run, const NumberFormat& numbers)
{
    QStringList parts;
    for (const std::string& remark : verdictRemarks(run, [&](Bytes bytes) { return bytesText(bytes, numbers).toStdString(); }))
        parts << QString::fromStdString(remark);
    if (!run.report.verdict.valid()) return parts.front();
    for (const Diagnostic& diagnostic : run.plan.diagnostics)
        if (diagnostic.severity != Severity::note) parts << QString::fromStdString(diagnostic.message);
    return parts.join(QStringLiteral("; "));
}

namespace {

/// No value for a plan of which only the size is known.
std::optional<Bytes> freeAtPeak(const Report& report)
{
    Bytes free = 0;
    for (const PoolReport& pool : report.pools) {
        if (pool.size > 0 && pool.buffers == 0) return std::nullopt;
        free += pool.freeAtPeak;
    }
    return free;
}

} // namespace

RunTable::RunTable(Workspace& workspace, QObject* parent) : QAbstractTableModel(parent), workspace_(workspace)
{
    connect(&workspace_, &Workspace::runsChanged, this, &RunTable::reload);
    connect(&workspace_, &Workspace::modelChanged, this, &RunTable::reload);
    connect(&workspace_, &Workspace::contextChanged, this, &RunTable::reload);
    reload();
}

bool RunTable::before(const Row& a, const Row& b) const
{
    const auto less = [&](const Row& x, const Row& y) {
        const Report &rx = x.run->report, &ry = y.run->report;
        switch (sortColumn_) {
        case Planner: return x.run->plan.planner < y.run->plan.planner;
        case Checker: return int(verdictKind(*x.run)) < int(verdictKind(*y.run));
        case Time: return x.run->elapsedMs < y.run->elapsedMs;
        case Remark: return x.remark < y.remark;
        case FreeAtPeak: return freeAtPeak(rx) < freeAtPeak(ry);
        default: return rx.totalSize() < ry.totalSize();
        }
    };
    return sortOrder_ == Qt::AscendingOrder ? less(a, b) : less(b, a);
}

void RunTable::reload()
{
    beginResetModel();
    rows_.clear();
    all_.clear();
    struct Group {
        PlanRequest request;
        std::vector<Row> rows;
        int latest = 0; ///< id of its latest run
        bool shown = false;
    };
    std::vector<Group> groups;
    const PlanRequest now = workspace_.modelId() ? workspace_.plannings().request({}) : PlanRequest();
    std::vector<std::shared_ptr<const Run>> runs;
    for (const RunEntry* entry : workspace_.runs()) {
        const Run& run = *entry->run;
        runs.push_back(entry->run);
        Row row;
        row.id = entry->id;
        row.run = entry->run;
        row.remark = runRemark(run, workspace_.numbers());
        auto group = std::ranges::find_if(groups, [&](const Group& each) { return sameSetup(each.request, entry->request); });
        if (group == groups.end()) group = groups.insert(groups.end(), Group{entry->request, {}, 0, false});
        group->latest = std::max(group->latest, entry->id);
        group->shown |= entry->id == workspace_.shownRun();
        group->rows.push_back(std::move(row));
    }
    scale_ = barScale(runs);
    marksCapacity_ = marksCapacity(runs);
    // The setup as it is goes first, then what was left last.
    std::ranges::sort(groups, [&](const Group& a, const Group& b) {
        return std::pair(sameSetup(a.request, now), a.latest) > std::pair(sameSetup(b.request, now), b.latest);
    });
    const auto current = std::ranges::find_if(groups, [&](const Group& each) { return sameSetup(each.request, now); });
    const Problem* ours = current == groups.end() ? nullptr : &current->rows.front().run->problem();
    const bool heads = groups.size() > 1;
    for (Group& group : groups) {
        const QString difference =
            setupDifference({&group.request, &group.rows.front().run->problem()}, {&now, ours}, workspace_.numbers());
        nameDifferences(group.rows, group.shown, heads ? QString() : difference);
        if (heads)
            for (Row& row : group.rows) row.title = difference;
        if (sortColumn_ >= 0) std::ranges::stable_sort(group.rows, [this](const Row& a, const Row& b) { return before(a, b); });
        all_.insert(all_.end(), group.rows.begin(), group.rows.end());
        if (heads) {
            Row head;
            head.title = difference.isEmpty() ? tr("as it is now") : difference;
            head.remark = countedText(std::int64_t(group.rows.size()), tr("run"));
            head.state = folds_.state(head.title, group.shown, difference.isEmpty());
            rows_.push_back(head);
            if (head.state == HeadState::folded) continue;
        }
        rows_.insert(rows_.end(), group.rows.begin(), group.rows.end());
    }
    QStringList planners;
    for (const Row& row : all_) planners << QString::fromStdString(row.run->plan.planner);
    planners_ = NameFit(planners);
    endResetModel();
}

/// Marks the rows of a group that have another lowering or other pools than the shown run, and names differences that no head
/// names: `setup`, and the lowering that a planner needs for itself.
void RunTable::nameDifferences(std::vector<Row>& rows, bool hasShown, const QString& setup) const
{
    const auto shown = workspace_.run();
    if (!shown) return;
    // Pools, pins and changes are of the setup.
    const auto lowering = [](const Run& run) { return run.lowering->fingerprint.withoutPools().withoutEdits(); };
    std::vector<Fingerprint> lowerings;
    for (const Row& row : rows) lowerings.push_back(lowering(*row.run));
    // That of the shown run in its group; in others that of most runs.
    const auto runsWith = [&](const Fingerprint& each) { return std::ranges::count(lowerings, each); };
    const Fingerprint usual = hasShown ? lowering(*shown) : *std::ranges::max_element(lowerings, {}, runsWith);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        Row& row = rows[i];
        const Run& run = *row.run;
        row.comparable = run.lowering->fingerprint == shown->lowering->fingerprint && run.targetName == shown->targetName;
        QStringList parts;
        if (!hasShown && !setup.isEmpty()) parts << setup;
        if (lowerings[i] != usual) {
            const QString other = loweringDifference(lowerings[i], usual);
            parts << (other.isEmpty() ? tr("other lowering") : other);
        }
        if (!row.remark.isEmpty()) parts << row.remark;
        row.remark = parts.join(QStringLiteral("; "));
    }
}

bool RunTable::toggleGroup(int row)
{
    if (row < 0 || row >= int(rows_.size()) || rows_[std::size_t(row)].id != 0) return false;
    if (rows_[std::size_t(row)].state == HeadState::fixed) return true;
    folds_.toggle(rows_[std::size_t(row)].title);
    reload();
    return true;
}

Qt::ItemFlags RunTable::flags(const QModelIndex& index) const
{
    if (index.isValid() && index.row() < int(rows_.size()) && rows_[std::size_t(index.row())].id == 0) return Qt::ItemIsEnabled;
    return QAbstractTableModel::flags(index);
}

void RunTable::sort(int column, Qt::SortOrder order)
{
    sortColumn_ = column;
    sortOrder_ = order;
    reload();
}

int RunTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(rows_.size());
}

int RunTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

int RunTable::rowOf(int run) const
{
    const auto found = std::ranges::find(rows_, run, &Row::id);
    return found == rows_.end() ? -1 : int(found - rows_.begin());
}

QVariant RunTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    const bool number = section == Size || section == OverBound || section == FreeAtPeak || section == Time;
    if (role == Qt::TextAlignmentRole) return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return runHeaderTip<RunTable>(section);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case Planner: return tr("planner");
    case Checker: return tr("checker");
    case Size: return tr("pool size, %1").arg(unitText(workspace_.numbers()));
    case OverBound: return tr("over bound");
    case Bar: return marksCapacity_ ? tr("size, bound, capacity") : tr("size, bound");
    case FreeAtPeak: return tr("free at peak");
    case Time: return tr("time");
    case Remark: return tr("remark");
    default: return QString();
    }
}

QVariant RunTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(rows_.size())) return {};
    const Row& row = rows_[std::size_t(index.row())];
    const bool head = row.id == 0;
    switch (role) {
    case RunRole: return row.id;
    case VerdictRole: return head ? QVariant() : QVariant(int(verdictKind(*row.run)));
    case Qt::TextAlignmentRole: return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ToolTipRole:
        if (head) return row.title;
        return index.column() == Remark || index.column() == Planner ? row.remark : QString();
    case Qt::AccessibleTextRole:
        if (head) return spokenHead(row.title, row.remark, row.state);
        return cell(row, index.column());
    case Qt::DisplayRole: break;
    default: return {};
    }
    if (head) return index.column() == Shown ? QStringLiteral("%1 (%2)").arg(row.title, row.remark) : QString();
    return cell(row, index.column());
}

QVariant RunTable::cell(const Row& row, int column) const
{
    const Report& report = row.run->report;
    switch (column) {
    case Planner: return QString::fromStdString(row.run->plan.planner);
    case Checker: return verdictLook(verdictKind(*row.run), Theme::darkTheme()).word;
    case Size: return bytesNumber(report.totalSize(), workspace_.numbers());
    case OverBound: return percentText(totalGap(report));
    case FreeAtPeak: {
        const auto free = freeAtPeak(report);
        return free ? bytesText(*free, workspace_.numbers()) : QStringLiteral("–");
    }
    case Time: return planningTimeText(row.run->elapsedMs);
    case Remark: return row.id == workspace_.shownRun() && row.remark.isEmpty() ? tr("shown above") : row.remark;
    default: return {};
    }
}

QString RunTable::toTsv() const
{
    QString text;
    const std::vector<int> wanted{Planner, Checker, Size, OverBound, FreeAtPeak, Time, Remark};
    const auto line = [&](auto value) {
        QStringList cells;
        for (const int column : wanted) cells << value(column).toString();
        text += cells.join(u'\t') + u'\n';
    };
    // For programs: a unit stands in the title, and is the same in every row.
    line([&](int column) -> QVariant {
        if (column == FreeAtPeak) return tr("free at peak, %1").arg(unitText(workspace_.numbers()));
        if (column == Time) return tr("time, ms");
        return headerData(column, Qt::Horizontal, Qt::DisplayRole);
    });
    for (const Row& row : all_)
        line([&](int column) -> QVariant {
            if (column == FreeAtPeak) {
                const auto free = freeAtPeak(row.run->report);
                return free ? bytesNumber(*free, workspace_.numbers()) : QString();
            }
            // No head tells the setup here.
            if (column == Remark && !row.title.isEmpty())
                return row.remark.isEmpty() ? row.title : row.title + QStringLiteral("; ") + row.remark;
            if (column == Time) return planningTimeNumber(row.run->elapsedMs);
            return cell(row, column);
        });
    return text;
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    const RunTable::Row& row = table_.rows()[std::size_t(index.row())];
    const QRect box = option.rect;
    if (row.id == 0) {
        if (index.column() != RunTable::Shown) return;
        paintGroupHead(*painter, option, theme, row.title, row.remark, row.state);
        return;
    }
    const bool shown = option.state & QStyle::State_Selected;
    paintRowGround(*painter, option, theme);
    const QRect text = box.adjusted(8, 0, -8, -1);
    const auto verdict = VerdictKind(index.data(RunTable::VerdictRole).toInt());

    switch (index.column()) {
    case RunTable::Shown:
        if (shown)
            paintIcon(*painter, QRectF(box.left() + 8, box.top(), 16, box.height() - 1), QStringLiteral("eye"), theme.accent);
        return;
    case RunTable::Checker: {
        const VerdictLook look = verdictLook(verdict, theme);
        paintChip(*painter, text.left(), box.top() + (box.height() - 1) / 2.0, look.icon, look.word, look.ink, look.soft);
        return;
    }
    case RunTable::Bar: {
        TextShaper shaper;
        DrawList list(shaper, painter->device()->devicePixelRatioF());
        paintSizeBar(list, theme, QRectF(text.left(), box.top() + 5, text.width(), 12), *row.run, table_.scale());
        replay(list, *painter);
        return;
    }
    default: break;
    }
    const bool number = index.column() == RunTable::Size || index.column() == RunTable::OverBound ||
                        index.column() == RunTable::FreeAtPeak || index.column() == RunTable::Time;
    QColor ink = index.column() == RunTable::Planner || index.column() == RunTable::Size ? theme.text : theme.text2;
    if (!row.comparable) ink = theme.text3;
    painter->setFont(number
                         ? monoFont(metrics::body)
                         : uiFont(metrics::body, shown && index.column() == RunTable::Planner ? QFont::DemiBold : QFont::Normal));
    painter->setPen(ink);
    const int room = upToEdge(option, text).width();
    if (number)
        paintNumber(*painter, option, text, index.data().toString());
    else
        painter->drawText(text, int(Qt::AlignLeft) | Qt::AlignVCenter,
                          index.column() == RunTable::Planner
                              ? table_.planners().fit(index.data().toString(), painter->fontMetrics(), room)
                              : sentenceStart(index.data().toString(), painter->fontMetrics(), room));
}

} // namespace stowage
