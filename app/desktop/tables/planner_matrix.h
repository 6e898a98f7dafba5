// The matrix of open models and planners: by how much each planner's latest plan of each model exceeds the lower bound.
#pragma once

#include "app/canvas/kit/number_text.h"
#include "core/plan/run.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace stowage {

class Look;

class PlannerMatrix : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        ModelRole = Qt::UserRole, ///< id of the model
        RunRole
    }; ///< id of the run; 0: none

    struct Cell {
        int id = 0;
        std::shared_ptr<const Run> run; ///< null: not planned
    };
    struct Line {
        int model = 0;
        QString name;
        std::map<std::string, Cell> cells; ///< by planner: the latest run
    };

    using QAbstractTableModel::QAbstractTableModel;
    /// `planners`: in the order of the columns; those without a run are left out. `numbers`: of the sizes in the tool tips.
    void setLines(std::vector<Line> lines, const std::vector<std::string>& planners, const NumberFormat& numbers = {});

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    [[nodiscard]] const Cell* cell(const QModelIndex& index) const; ///< null: the column of names, or not planned
    /// True if the run's lowering differs from the one that most runs of its line have, so that its lower bound differs, too.
    [[nodiscard]] bool isForeign(const QModelIndex& index) const;
    /// Largest gap of a fitting plan, which has the darkest background. `naive`, which reuses no bytes, does not count, because
    /// all others would look alike.
    [[nodiscard]] double worst() const { return worst_; }
    [[nodiscard]] bool hasForeign() const { return hasForeign_; }
    [[nodiscard]] QString toTsv() const;

private:
    std::vector<Line> lines_;
    NumberFormat numbers_;
    std::vector<Fingerprint> common_; ///< by line: the lowering that most runs have, without pools
    std::vector<std::string> planners_;
    double worst_ = 0;
    bool hasForeign_ = false;
};

class PlannerMatrixDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    PlannerMatrixDelegate(const PlannerMatrix& table, const Look& look, QObject* parent)
        : QStyledItemDelegate(parent), table_(table), look_(look)
    {
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const PlannerMatrix& table_;
    const Look& look_;
};

} // namespace stowage
