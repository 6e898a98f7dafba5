// Tables of up to millions of rows: an immutable source of the rows, and a model that only stores their order.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/background_job.h"
#include "core/ir/types.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

namespace stowage {

struct RowColumn {
    QString title;
    bool number = false; ///< right-aligned, in the typeface of numbers
    bool bytes = false;  ///< the header shows the unit
    int width = 100;
    QString tip = {}; ///< tool tip of the title; empty: what the glossary says of the title
};

/// The sort keys of a column, by row; the views refer to the source.
using SortKeys = std::variant<std::vector<std::int64_t>, std::vector<std::string_view>>;

/// Immutable and thread-safe: sorting and filtering read it in the background.
class RowSource {
public:
    virtual ~RowSource() = default;
    [[nodiscard]] virtual std::size_t rows() const = 0;
    [[nodiscard]] virtual const std::vector<RowColumn>& columns() const = 0;
    [[nodiscard]] virtual QString text(std::size_t row, int column, const NumberFormat& numbers) const = 0;
    [[nodiscard]] virtual SortKeys keys(int column) const = 0;
    /// The buffer of the row, or `none`.
    [[nodiscard]] virtual BufferId buffer(std::size_t row) const = 0;
    /// The row under which this one is nested (one level), or -1. Sorting keeps nested rows below their parents.
    [[nodiscard]] virtual std::int64_t parent(std::size_t) const { return -1; }
    /// Whether the row is the head of a group: its numbers are sums of those of the rows nested under it.
    [[nodiscard]] virtual bool sums(std::size_t) const { return false; }
    /// Whether the row stays if only the buffers in `shown` are shown. O(1).
    [[nodiscard]] virtual bool passes(std::size_t row, const std::vector<bool>& shown) const = 0;
};

/// Rows of `source` in the order of `column` (-1: of the source), without those that do not pass; nested rows follow their
/// parents, in the same order among themselves. Stable. O(n log n).
[[nodiscard]] std::vector<std::uint32_t> orderRows(const RowSource& source, int column, Qt::SortOrder order,
                                                   const std::vector<bool>* shown);

class RowTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { BufferRole = Qt::UserRole, NumberRole };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null empties the table.
    void setSource(std::shared_ptr<const RowSource> source);
    void setShown(std::shared_ptr<const std::vector<bool>> shown);
    void setNumbers(const NumberFormat& numbers);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// With more than `backgroundAbove` rows sorts in the background; the old order stays until then.
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] const RowSource* source() const { return source_.get(); }
    /// The first row of the buffer, or -1. O(rows).
    [[nodiscard]] int rowOf(BufferId buffer) const;
    [[nodiscard]] bool busy() const { return job_.running(); }

    static constexpr std::size_t backgroundAbove = 50'000;

Q_SIGNALS:
    void ordered();

private:
    void renew();
    void take(std::vector<std::uint32_t> order);

    std::shared_ptr<const RowSource> source_;
    std::shared_ptr<const std::vector<bool>> shown_;
    NumberFormat numbers_;
    std::vector<std::uint32_t> order_;
    int column_ = -1;
    Qt::SortOrder direction_ = Qt::AscendingOrder;
    BackgroundJob job_;
};

} // namespace stowage
