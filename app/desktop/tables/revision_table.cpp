#include "app/desktop/tables/revision_table.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/table.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

QString changeNumber(Bytes by, const NumberFormat& numbers)
{
    return (by < 0 ? QStringLiteral("-") : QStringLiteral("+")) + bytesNumber(by < 0 ? -by : by, numbers);
}

/// The address of `one`, after its pool if `other` is in another one; empty if it is not placed.
QString placeText(const RevisionTensor* one, const RevisionTensor* other, const NumberFormat& numbers)
{
    if (!one || !one->offset) return {};
    const QString address = addressText(*one->offset, numbers);
    return other && other->pool != one->pool ? nameText(one->pool) + u' ' + address : address;
}

constexpr std::size_t namesKnown = 4'096; ///< that short forms are told apart from

} // namespace

void RevisionTable::show(std::shared_ptr<const RevisionsCompared> compared, const NumberFormat& numbers)
{
    beginResetModel();
    compared_ = std::move(compared);
    numbers_ = numbers;
    QStringList names;
    for (int row = 0; row < int(std::min(namesKnown, std::size_t(rowCount()))); ++row)
        names << cell(*change(row), Tensor, numbers_);
    names_ = NameFit(names);
    endResetModel();
}

void RevisionTable::setNumbers(const NumberFormat& numbers)
{
    if (numbers != numbers_) show(compared_, numbers);
}

int RevisionTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !compared_ ? 0 : int(compared_->changes.size());
}

int RevisionTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(columns);
}

const RevisionChange* RevisionTable::change(int row) const
{
    return row < 0 || row >= rowCount() ? nullptr : &compared_->changes[std::size_t(row)];
}

const RevisionTensor* RevisionTable::was(const RevisionChange& change) const
{
    return change.before ? &compared_->before.tensors[*change.before] : nullptr;
}

const RevisionTensor* RevisionTable::is(const RevisionChange& change) const
{
    return change.after ? &compared_->after.tensors[*change.after] : nullptr;
}

QString RevisionTable::cell(const RevisionChange& change, int column, const NumberFormat& numbers) const
{
    const RevisionTensor *before = was(change), *after = is(change);
    const Bytes by = (after ? after->size : 0) - (before ? before->size : 0);
    switch (column) {
    case What: return QString::fromStdString(changeWord(change));
    case Tensor: return nameText((after ? after : before)->name);
    case Before: return before ? bytesNumber(before->size, numbers) : QString();
    case After: return after ? bytesNumber(after->size, numbers) : QString();
    case Change: return by == 0 ? QString() : changeNumber(by, numbers);
    case OfPeak: {
        const Bytes peak = (after ? after->atPeak : 0) - (before ? before->atPeak : 0);
        return peak == 0 ? QString() : changeNumber(peak, numbers);
    }
    case AddressBefore: return placeText(before, after, numbers);
    case AddressAfter: return placeText(after, before, numbers);
    default: return {};
    }
}

QVariant RevisionTable::data(const QModelIndex& index, int role) const
{
    const RevisionChange* found = index.isValid() ? change(index.row()) : nullptr;
    if (!found) return {};
    if (role == Qt::DisplayRole) return cell(*found, index.column(), numbers_);
    if (role == Qt::TextAlignmentRole) return headerData(index.column(), Qt::Horizontal, role);
    if (role != Qt::ToolTipRole) return {};
    const RevisionTensor *before = was(*found), *after = is(*found);
    if (found->otherName && before && after) return tr("%1, was called %2").arg(nameText(after->name), nameText(before->name));
    if (found->kind == RevisionChange::Kind::gone)
        return tr("%1, not in this revision; Enter or a double click shows it in %2")
            .arg(cell(*found, Tensor, numbers_), nameText(compared_->before.name));
    if (found->kind == RevisionChange::Kind::moved && before && after && !(before->offset && after->offset))
        return tr("%1, not placed in %2")
            .arg(cell(*found, Tensor, numbers_), nameText(before->offset ? compared_->after.name : compared_->before.name));
    if (found->kind == RevisionChange::Kind::moved)
        return tr("%1, moved from %2 to %3")
            .arg(cell(*found, Tensor, numbers_), cell(*found, AddressBefore, numbers_), cell(*found, AddressAfter, numbers_));
    return cell(*found, Tensor, numbers_);
}

QVariant RevisionTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        static const QStringList tips{tr("What became of the tensor: new, gone, of another size, renamed or moved"),
                                      {},
                                      tr("Size of the tensor in the earlier revision"),
                                      tr("Size of the tensor in this revision"),
                                      tr("Bytes by which the tensor grew or shrank"),
                                      tr("Bytes by which the tensor's part of the peak grew or shrank"),
                                      tr("Address of the tensor in the earlier revision; with its pool if that differs"),
                                      tr("Address of the tensor in this revision; with its pool if that differs")};
        return tips.value(section);
    }
    if (role != Qt::DisplayRole) return {};
    const QString unit = unitText(numbers_);
    switch (section) {
    case What: return tr("change");
    case Tensor: return tr("tensor");
    case Before: return tr("before, %1").arg(unit);
    case After: return tr("after, %1").arg(unit);
    case Change: return tr("by, %1").arg(unit);
    case OfPeak: return tr("of the peak, %1").arg(unit);
    case AddressBefore: return tr("address before");
    case AddressAfter: return tr("address after");
    default: return {};
    }
}

QString RevisionTable::toTsv() const
{
    QStringList titles;
    for (int column = 0; column < columns; ++column) titles << headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QString text = titles.join(u'\t') + u'\n';
    for (int row = 0; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columns; ++column) cells << cell(*change(row), column, numbers_);
        text += cells.join(u'\t') + u'\n';
    }
    return text;
}

QSize RevisionDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

void RevisionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    paintRowGround(*painter, option, theme);
    const RevisionChange* change = table_.change(index.row());
    if (!change) return;
    const QRect box = option.rect.adjusted(8, 0, -8, -1);
    const QString text = index.data().toString();
    const bool up = text.startsWith(u'+'), down = text.startsWith(u'-');
    painter->setPen(up ? theme.warn : down ? theme.ok : index.column() == RevisionTable::Tensor ? theme.text : theme.text2);
    if (RevisionTable::isNumber(index.column())) {
        painter->setFont(monoFont(metrics::body));
        paintNumber(*painter, option, box, text);
        return;
    }
    painter->setFont(uiFont(metrics::body));
    painter->drawText(box, int(Qt::AlignLeft) | Qt::AlignVCenter,
                      table_.names().fit(text, painter->fontMetrics(), upToEdge(option, box).width()));
}

} // namespace stowage
