// The runs of a model, one a row: verdict, size, how far from the bound, time. When something was edited in between (a capacity,
// a pin, the lowering), runs stand in groups under a row that names the difference, and those of other setups are folded.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "app/desktop/widgets/name_fit.h"
#include "core/plan/run.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace stowage {

class Look;
class Workspace;

class RunTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Shown, Planner, Checker, Size, OverBound, Bar, FreeAtPeak, Time, Remark, columns };
    enum Role { RunRole = Qt::UserRole, VerdictRole };
    ///< `RunRole` is 0 in the row of a group

    explicit RunTable(Workspace& workspace, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void sort(int column, Qt::SortOrder order) override;

    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    struct Row {
        int id = 0; ///< 0: the head of a group
        std::shared_ptr<const Run> run;
        QString remark;
        bool comparable = true; ///< same lowering and target as the run that is shown
        QString title;          ///< of a group: what was edited
        bool folded = false;    ///< a group whose runs are not listed
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    /// Runs of the model, folded ones too.
    [[nodiscard]] std::size_t runCount() const { return all_.size(); }
    /// Folds the group whose head is in this row, or lists its runs. The group with the run that is shown stays open.
    void toggleGroup(int row);
    [[nodiscard]] int rowOf(int run) const;
    /// What a bar of full length stands for: the largest size, but at most 1.14 times the smallest bound or capacity.
    [[nodiscard]] Bytes scale() const { return scale_; }
    /// The planners of all runs, to be shortened beside each other.
    [[nodiscard]] const NameFit& planners() const { return planners_; }
    [[nodiscard]] QString toTsv() const;

private:
    void reload();
    [[nodiscard]] QVariant cell(const Row& row, int column) const;
    [[nodiscard]] bool before(const Row& a, const Row& b) const;

    Workspace& workspace_;
    std::vector<Row> rows_; ///< as listed, with heads of groups
    std::vector<Row> all_;  ///< every run, in order
    NameFit planners_;
    std::set<QString> opened_; ///< groups by title
    Bytes scale_ = 0;
    int sortColumn_ = -1;
    Qt::SortOrder sortOrder_ = Qt::AscendingOrder;
};

/// What is said about a run in one line: its proof, what stopped it, or what is wrong with it.
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
