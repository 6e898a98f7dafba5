// The runs of a model, a row for each: verdict, size, gap, time. After edits (of a capacity, a pin, the lowering), runs are
// grouped by setup under a row that names the difference, and other setups are folded.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/tables/group_head.h"
#include "app/desktop/widgets/name_fit.h"
#include "core/plan/run.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>
#include <optional>
#include <vector>

namespace stowage {

class Look;
class Workspace;

class RunTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Shown, Planner, Checker, Size, OverBound, Bar, FreeAtPeak, Time, Remark, columns };
    enum Role { RunRole = Qt::UserRole, VerdictRole };
    ///< `RunRole`: 0 in the row of a group

    explicit RunTable(Workspace& workspace, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    struct Row {
        int id = 0;                        ///< 0: the head of a group
        HeadState state = HeadState::open; ///< of a head
        std::shared_ptr<const Run> run;
        QString remark;
        bool comparable = true; ///< same lowering and target as the shown run
        QString title;          ///< the difference of a group's setup, in its head and in its runs; in these empty for none
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    /// Count of runs of the model, including folded ones.
    [[nodiscard]] std::size_t runCount() const { return all_.size(); }
    /// Folds or unfolds the group whose head is in this row. The group of the shown run stays as it is.
    /// False if there is a run in the row.
    bool toggleGroup(int row);
    [[nodiscard]] int rowOf(int run) const;
    /// The value of a bar of full length: see `barScale`.
    [[nodiscard]] Bytes scale() const { return scale_; }
    /// The names of the runs' planners, for shortening.
    [[nodiscard]] const NameFit& planners() const { return planners_; }
    [[nodiscard]] QString toTsv() const;

private:
    void reload();
    void nameDifferences(std::vector<Row>& rows, bool hasShown, const QString& setup) const;
    [[nodiscard]] QVariant cell(const Row& row, int column) const;
    [[nodiscard]] bool before(const Row& a, const Row& b) const;

    Workspace& workspace_;
    std::vector<Row> rows_; ///< the listed rows, with heads of groups
    std::vector<Row> all_;  ///< every run, in order
    NameFit planners_;
    GroupFolds folds_;
    Bytes scale_ = 1;
    bool marksCapacity_ = false; ///< see `marksCapacity`
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

/// A remark on a run in one line: its proof, what stopped it, or its violation.
[[nodiscard]] QString runRemark(const Run& run, const NumberFormat& numbers);

class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    RunDelegate(const RunTable& table, const Look& look, QObject* parent)
        : QStyledItemDelegate(parent), table_(table), look_(look)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const RunTable& table_;
    const Look& look_;
};

} // namespace stowage
