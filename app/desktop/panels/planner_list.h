// The planners: a tick box, the size of the latest plan, its verdict.
#pragma once

#include <QAbstractListModel>
#include <QStyledItemDelegate>

#include <string>
#include <utility>
#include <vector>

namespace stowage {

class Look;
class Section;
class Workspace;

class PlannerList : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        SizeRole = Qt::UserRole, ///< text; empty without a run
        ShortSizeRole,           ///< the same in about three digits
        VerdictRole,             ///< int of VerdictKind; invalid if the planner has no run
        AtBoundRole,             ///< bool: no plan is smaller
        BusyRole,                ///< bool: it is planning
        ShownRole
    }; ///< bool: its run is shown

    explicit PlannerList(Workspace& workspace, QObject* parent = nullptr);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// Lists only planners whose name or summary contains this text.
    void setFilter(const QString& text);
    /// Sets the maximum count of rows, so that the options below stay visible; 0: all.
    void setLimit(int rows);
    [[nodiscard]] int hidden() const { return hidden_; } ///< count of planners beyond the limit
    [[nodiscard]] std::string planner(const QModelIndex& index) const;
    [[nodiscard]] QModelIndex indexOf(const std::string& planner) const;

private:
    /// Sorts ticked planners first, by size. Rows move only when a batch has ended or another model is shown, never under the
    /// pointer.
    void rearrange();
    void refresh();

    Workspace& workspace_;
    QString filter_;
    int limit_ = 10;
    int hidden_ = 0;
    std::vector<std::string> rows_;
};

class PlannerDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    PlannerDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), look_(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override;
    /// True once after a click on the tick box, which does not choose the planner.
    bool takeTicked() { return std::exchange(ticked_, false); }

private:
    const Look& look_;
    bool ticked_ = false;
};

Section* makePlannersSection(Workspace& workspace, const Look& look);

} // namespace stowage
