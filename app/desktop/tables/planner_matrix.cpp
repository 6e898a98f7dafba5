#include "app/desktop/tables/planner_matrix.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/compare/compare_sheet.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"
#include "app/session/verdicts.h"
#include "core/explain/ranking.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr const char* withoutReuse = "naive"; ///< the planner that reuses no byte

double gapOf(const Run& run)
{
    const Bytes bound = run.report.totalBound();
    return bound > 0 ? double(run.report.totalSize() - bound) / double(bound) : 0.0;
}

QString plainPercent(double fraction)
{
    QString text = percentText(fraction); // the caption says that these are per cent
    if (text.endsWith(QStringLiteral(" %"))) text.chop(2);
    return text;
}

} // namespace

void PlannerMatrix::setLines(std::vector<Line> lines, const std::vector<std::string>& planners, const NumberFormat& numbers)
{
    beginResetModel();
    lines_ = std::move(lines);
    numbers_ = numbers;
    planners_.clear();
    common_.clear();
    worst_ = 0;
    hasForeign_ = false;
    for (const std::string& planner : planners)
        if (std::ranges::any_of(lines_, [&](const Line& line) { return line.cells.contains(planner); }))
            planners_.push_back(planner);
    for (const Line& line : lines_) {
        std::vector<std::pair<Fingerprint, std::size_t>> lowerings; // with the count of their runs
        for (const auto& [planner, cell] : line.cells) {
            Fingerprint lowering = cell.run->lowering->fingerprint.withoutPools();
            const auto known = std::ranges::find(lowerings, lowering, &std::pair<Fingerprint, std::size_t>::first);
            if (known == lowerings.end())
                lowerings.emplace_back(std::move(lowering), 1);
            else
                ++known->second;
            if (planner != withoutReuse && isGood(*cell.run)) worst_ = std::max(worst_, gapOf(*cell.run));
        }
        const auto most = std::ranges::max_element(lowerings, {}, &std::pair<Fingerprint, std::size_t>::second);
        common_.push_back(most == lowerings.end() ? Fingerprint() : most->first);
        hasForeign_ |= lowerings.size() > 1;
    }
    endResetModel();
}

int PlannerMatrix::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(lines_.size());
}

int PlannerMatrix::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(planners_.size()) + 1;
}

const PlannerMatrix::Cell* PlannerMatrix::cell(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= int(lines_.size()) || index.column() < 1 || index.column() > int(planners_.size()))
        return nullptr;
    const Line& line = lines_[std::size_t(index.row())];
    const auto found = line.cells.find(planners_[std::size_t(index.column()) - 1]);
    return found == line.cells.end() ? nullptr : &found->second;
}

bool PlannerMatrix::isForeign(const QModelIndex& index) const
{
    const Cell* found = cell(index);
    return found && found->run->lowering->fingerprint.withoutPools() != common_[std::size_t(index.row())];
}

QVariant PlannerMatrix::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((section > 0 ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    if (role == Qt::ToolTipRole && section == 0) return tr("Open models; a column is the gap of one planner's plan");
    return section == 0                       ? tr("model")
           : section <= int(planners_.size()) ? QString::fromStdString(planners_[std::size_t(section) - 1])
                                              : QString();
}

QVariant PlannerMatrix::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(lines_.size())) return {};
    const Line& line = lines_[std::size_t(index.row())];
    const Cell* found = cell(index);
    switch (role) {
    case ModelRole: return line.model;
    case RunRole: return found ? found->id : 0;
    case Qt::TextAlignmentRole: return headerData(index.column(), Qt::Horizontal, role);
    case Qt::ToolTipRole: {
        if (index.column() == 0) return line.name;
        if (!found) return tr("not planned");
        QString text =
            tr("%1, bound %2")
                .arg(bytesText(found->run->report.totalSize(), numbers_), bytesText(found->run->report.totalBound(), numbers_));
        if (!isGood(*found->run)) text += tr("; the plan does not fit, or is not valid");
        if (isForeign(index))
            text += tr("; another lowering (%1) with its own bound")
                        .arg(QString::fromStdString(found->run->lowering->fingerprint.text()));
        return text;
    }
    case Qt::DisplayRole:
        if (index.column() == 0) return line.name;
        if (!found) return QString();
        return plainPercent(gapOf(*found->run)) + (isForeign(index) ? QStringLiteral(" *") : QString());
    default: return {};
    }
}

QString PlannerMatrix::toTsv() const
{
    QString text;
    for (int column = 0; column < columnCount(); ++column)
        text += (column ? QStringLiteral("\t") : QString()) + headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    text += u'\n';
    for (int row = 0; row < rowCount(); ++row) {
        for (int column = 0; column < columnCount(); ++column)
            text += (column ? QStringLiteral("\t") : QString()) + index(row, column).data().toString();
        text += u'\n';
    }
    return text;
}

QSize PlannerMatrixDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

void PlannerMatrixDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    const QRect box = option.rect;
    painter->fillRect(box, option.state & QStyle::State_MouseOver ? theme.hover : theme.panel);
    painter->fillRect(QRect(box.left(), box.bottom(), box.width(), 1), theme.line);
    const QRect text = box.adjusted(8, 0, -8, -1);
    if (index.column() == 0) {
        painter->setFont(uiFont(metrics::body));
        painter->setPen(theme.text);
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                          filesOf(*index.model()).fit(index.data().toString(), painter->fontMetrics(), text.width()));
        return;
    }
    const PlannerMatrix::Cell* cell = table_.cell(index);
    if (!cell) return;
    QColor ink = goodColour(verdictKind(*cell->run), theme);
    const double gap = gapOf(*cell->run);
    if (!isGood(*cell->run)) {
        // A number in red with a cross: it is no candidate, whatever it says.
        ink = theme.bad;
        paintIcon(*painter, QRectF(box.left() + 4, box.top(), 12, box.height() - 1), QStringLiteral("cross"), theme.bad, 12);
    } else if (gap > 0) {
        const double share = table_.worst() > 0 ? std::min(1.0, gap / table_.worst()) : 1;
        const QColor ground = mix(theme.panel, theme.warn, 0.12 + 0.5 * share);
        painter->fillRect(box.adjusted(2, 2, -2, -3), ground);
        ink = contrastRatio(theme.text, ground) >= 4.5 ? theme.text : theme.inkOn(ground);
    }
    painter->setFont(monoFont(metrics::body));
    painter->setPen(ink);
    paintNumber(*painter, option, text, index.data().toString());
}

} // namespace stowage
