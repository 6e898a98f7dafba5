// The connections of a pipeline as a table: the bytes that they move, and the length of their queues over time.
#pragma once

#include "app/session/pipeline_data.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <memory>

namespace stowage {

class Look;

class ConnectionTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { From, To, Moved, Transfer, MaxQueued, Lengths, columnCount_ };

    using QAbstractTableModel::QAbstractTableModel;

    /// Null: no rows.
    void show(std::shared_ptr<const PipelineData> data);
    [[nodiscard]] const PipelineData* pipeline() const { return data_.get(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const PipelineData> data_;
};

/// Paints numbers at the right, a full queue in the warning colour, and the length of the queue over time as a line.
class ConnectionDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    ConnectionDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), look_(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Look& look_;
};

} // namespace stowage
