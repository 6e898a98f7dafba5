// The table of compared runs: a row for each, under a heading for each group that may be ranked together. Groups of other setups
// are folded, as in the table of runs.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/tables/group_head.h"
#include "app/desktop/widgets/name_fit.h"
#include "core/explain/ranking.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <functional>
#include <memory>
#include <vector>

namespace stowage {

class Look;

class ComparisonTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Eye, Planner, Checker, Size, Bound, OverBound, Bar, Time, Remark, columns };
    enum Role {
        RunRole = Qt::UserRole, ///< id of the run; 0 for a heading
        BestRole,               ///< bool: smallest valid and fitting plan of its group
        HeadingRole
    }; ///< bool

    struct Entry {
        int id = 0;
        std::shared_ptr<const Run> run;
        QString remark;
        QString setup; ///< its difference from the edits as they are now (`setupDifference`); empty: none
        bool inMaps = false;
    };
    struct Row {
        std::int32_t entry = -1; ///< -1: a heading
        std::size_t group = 0;
        HeadState state = HeadState::open; ///< of a heading
    };

    using QAbstractTableModel::QAbstractTableModel;
    /// `shown`: id of the shown run, whose group is open; 0: none.
    void setRuns(std::vector<Entry> entries, const NumberFormat& numbers, int shown = 0);
    /// Folds or unfolds the group whose heading is in this row; false if there is a run in it. The group of the shown run stays
    /// as it is.
    bool toggleGroup(int row);
    void setInMaps(const std::function<bool(int)>& shown); ///< given the id of a run

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; } ///< those that are listed
    [[nodiscard]] const std::vector<RunGroup>& groups() const { return groups_; }
    [[nodiscard]] const Entry* entry(int row) const; ///< null for a heading
    [[nodiscard]] int rowOf(int run) const;          ///< -1: no row, or its group is folded
    [[nodiscard]] bool isBest(int row) const;
    [[nodiscard]] bool isBestRun(int run) const;         ///< also of a folded group
    [[nodiscard]] Bytes scale() const { return scale_; } ///< bytes of a bar of full length
    /// The title of a group: the difference of its setup and lowering from that of other groups.
    [[nodiscard]] QString title(std::size_t group) const;
    /// "3 runs"
    [[nodiscard]] QString count(std::size_t group) const;
    /// The planner of a run, and the title of its group if another run has the same planner.
    [[nodiscard]] QString nameOf(int run) const;
    /// The names of the runs' planners, for shortening.
    [[nodiscard]] const NameFit& planners() const { return planners_; }
    /// A header line and a line for each run, with its lowering.
    [[nodiscard]] QString toTsv() const;

private:
    void listRows();
    [[nodiscard]] const Row* find(int run) const; ///< null: no such run
    [[nodiscard]] bool isBest(const Row& row) const;
    [[nodiscard]] QVariant cell(const Row& row, int column) const;

    std::vector<Entry> entries_;
    std::vector<RunGroup> groups_;
    std::vector<Row> rows_; ///< the listed rows, with headings
    std::vector<Row> all_;  ///< every run, in order
    GroupFolds folds_;
    int shown_ = 0;
    NumberFormat numbers_;
    NameFit planners_;
    Bytes scale_ = 1;
    bool marksCapacity_ = false; ///< see `marksCapacity`
    bool ownBounds_ = false;     ///< runs of one group have different bounds, each that of its choice of pools: the titles say so
};

class ComparisonDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ComparisonDelegate(const ComparisonTable& table, const Look& look, QObject* parent)
        : QStyledItemDelegate(parent), table_(table), look_(look)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const ComparisonTable& table_;
    const Look& look_;
};

} // namespace stowage
