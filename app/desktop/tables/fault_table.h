// The faults of a pipeline configuration: a row for each.
#pragma once

#include "core/pipeline/config_check.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <vector>

namespace stowage {

class Look;

class FaultTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Code, Module, Interface, Line, Sentence, columnCount_ };

    using QAbstractTableModel::QAbstractTableModel;

    /// Modules are numbered as in `form`.
    void show(std::vector<pipeline::Fault> faults, pipeline::ConfigForm form);
    [[nodiscard]] const std::vector<pipeline::Fault>& faults() const { return faults_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<pipeline::Fault> faults_;
    pipeline::ConfigForm form_ = pipeline::ConfigForm::shipped;
};

class FaultDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    FaultDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), look_(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Look& look_;
};

} // namespace stowage
