// The tensors that differ between two revisions of a model, a row for each: its change, its sizes, its part of the change of the
// peak, and its addresses.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/session/revision.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>
#include <vector>

namespace stowage {

class Look;

/// Two revisions and their differences. Immutable.
struct RevisionsCompared {
    Revision before, after;
    RevisionDifference difference;
    std::vector<RevisionChange> changes;
};

class RevisionTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { What, Tensor, Before, After, Change, OfPeak, AddressBefore, AddressAfter, columns };

    using QAbstractTableModel::QAbstractTableModel;
    /// Null empties the table.
    void show(std::shared_ptr<const RevisionsCompared> compared, const NumberFormat& numbers);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Null outside of the rows.
    [[nodiscard]] const RevisionChange* change(int row) const;
    [[nodiscard]] const RevisionsCompared* compared() const { return compared_.get(); }
    void setNumbers(const NumberFormat& numbers);
    /// The tensors' names, for shortening.
    [[nodiscard]] const NameFit& names() const { return names_; }
    [[nodiscard]] static bool isNumber(int column) { return column >= Before; }
    /// A header line and a line for each change.
    [[nodiscard]] QString toTsv() const;

private:
    [[nodiscard]] const RevisionTensor* was(const RevisionChange& change) const;
    [[nodiscard]] const RevisionTensor* is(const RevisionChange& change) const;
    [[nodiscard]] QString cell(const RevisionChange& change, int column, const NumberFormat& numbers) const;

    std::shared_ptr<const RevisionsCompared> compared_;
    NumberFormat numbers_;
    NameFit names_;
};

class RevisionDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    RevisionDelegate(const RevisionTable& table, const Look& look, QObject* parent)
        : QStyledItemDelegate(parent), table_(table), look_(look)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const RevisionTable& table_;
    const Look& look_;
};

} // namespace stowage
