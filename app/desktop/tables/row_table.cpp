#include "app/desktop/tables/row_table.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace stowage {

namespace {

/// The same rows with each nested one after the row that it belongs to.
std::vector<std::uint32_t> nested(const RowSource& source, std::vector<std::uint32_t> rows)
{
    std::unordered_map<std::int64_t, std::vector<std::uint32_t>> below;
    for (const std::uint32_t row : rows)
        if (const std::int64_t parent = source.parent(row); parent >= 0) below[parent].push_back(row);
    if (below.empty()) return rows;
    std::vector<std::uint32_t> result;
    result.reserve(rows.size());
    for (const std::uint32_t row : rows) {
        if (source.parent(row) >= 0) continue;
        result.push_back(row);
        if (const auto members = below.find(std::int64_t(row)); members != below.end())
            result.insert(result.end(), members->second.begin(), members->second.end());
    }
    return result;
}

} // namespace

std::vector<std::uint32_t> orderRows(const RowSource& source, int column, Qt::SortOrder order, const std::vector<bool>* shown)
{
    std::vector<std::uint32_t> rows;
    rows.reserve(source.rows());
    for (std::size_t row = 0; row < source.rows(); ++row)
        if (!shown || source.passes(row, *shown)) rows.push_back(std::uint32_t(row));
    if (column < 0 || column >= int(source.columns().size())) return nested(source, std::move(rows));
    // Equal keys keep the listed order in both directions, so that sorting by one column and then another is what one expects.
    std::visit(
        [&](const auto& keys) {
            if (order == Qt::AscendingOrder)
                std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
            else
                std::ranges::stable_sort(rows, [&](std::uint32_t a, std::uint32_t b) { return keys[b] < keys[a]; });
        },
        source.keys(column));
    return nested(source, std::move(rows));
}

void RowTable::setSource(std::shared_ptr<const RowSource> source)
{
    if (source == source_) return;
    job_.drop(); // what is being sorted is of no use any more
    beginResetModel();
    source_ = std::move(source);
    order_.clear();
    shown_ = nullptr;
    if (source_) {
        order_ = orderRows(*source_, -1, Qt::AscendingOrder, nullptr);
    }
    endResetModel();
    if (column_ >= 0) renew();
}

void RowTable::setShown(std::shared_ptr<const std::vector<bool>> shown)
{
    if (shown == shown_) return;
    shown_ = std::move(shown);
    renew();
}

void RowTable::setNumbers(const NumberFormat& numbers)
{
    if (numbers == numbers_) return;
    numbers_ = numbers;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    if (columnCount() > 0) Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

int RowTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(order_.size());
}

int RowTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() || !source_ ? 0 : int(source_->columns().size());
}

QVariant RowTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !source_ || index.row() >= int(order_.size())) return {};
    const std::size_t row = order_[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return source_->text(row, index.column(), numbers_);
    case Qt::TextAlignmentRole: return headerData(index.column(), Qt::Horizontal, role);
    case BufferRole: return source_->buffer(row);
    case NumberRole: return source_->columns()[std::size_t(index.column())].number;
    default: return {};
    }
}

QVariant RowTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || !source_ || section < 0 || section >= columnCount()) return {};
    const RowColumn& column = source_->columns()[std::size_t(section)];
    if (role == Qt::TextAlignmentRole) return int((column.number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return column.tip;
    if (role != Qt::DisplayRole) return {};
    return column.bytes ? QStringLiteral("%1, %2").arg(column.title, unitText(numbers_)) : column.title;
}

void RowTable::sort(int column, Qt::SortOrder order)
{
    if (column == column_ && order == direction_) return;
    column_ = column;
    direction_ = order;
    renew();
}

int RowTable::rowOf(BufferId buffer) const
{
    if (!source_ || buffer == none) return -1;
    const auto found = std::ranges::find_if(order_, [&](std::uint32_t row) { return source_->buffer(row) == buffer; });
    return found == order_.end() ? -1 : int(found - order_.begin());
}

void RowTable::renew()
{
    job_.drop();
    if (!source_) return;
    if (source_->rows() <= backgroundAbove) {
        take(orderRows(*source_, column_, direction_, shown_.get()));
        return;
    }
    job_.start([source = source_, shown = shown_, column = column_,
                order = direction_](const std::stop_token&) { return orderRows(*source, column, order, shown.get()); },
               [this](std::vector<std::uint32_t> order) { take(std::move(order)); });
}

void RowTable::take(std::vector<std::uint32_t> order)
{
    if (order.size() != order_.size()) {
        beginResetModel();
        order_ = std::move(order);
        endResetModel();
    } else {
        Q_EMIT layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
        // Rows that something points to (the selection, the current one) go along with their contents.
        const QModelIndexList before = persistentIndexList();
        std::vector<std::uint32_t> rows;
        for (const QModelIndex& old : before) rows.push_back(order_[std::size_t(old.row())]);
        order_ = std::move(order);
        if (!before.isEmpty()) {
            std::vector<std::uint32_t> where(source_->rows());
            for (std::size_t i = 0; i < order_.size(); ++i) where[order_[i]] = std::uint32_t(i);
            for (qsizetype i = 0; i < before.size(); ++i)
                changePersistentIndex(before[i], index(int(where[rows[std::size_t(i)]]), before[i].column()));
        }
        Q_EMIT layoutChanged({}, QAbstractItemModel::VerticalSortHint);
    }
    Q_EMIT ordered();
}

} // namespace stowage
