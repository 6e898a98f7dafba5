// The devices of a pipeline as a table whose cells are edited in place.
#pragma once

#include "app/session/pipeline_data.h"
#include "core/pipeline/devices.h"

#include <QAbstractTableModel>
#include <QStyledItemDelegate>

#include <vector>

namespace stowage {

class Look;

class DeviceTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Name, Kind, Stage, Flops, Moved, Start, Memory, Alignment, Busy, columnCount_ };
    enum Role { NumberRole = Qt::UserRole, ShareRole }; ///< `ShareRole`: of `Busy`, 0 to 1; may be invalid

    using QAbstractTableModel::QAbstractTableModel;

    /// `data` null: no device has a stage.
    void show(const pipeline::DeviceSet& devices, std::shared_ptr<const PipelineData> data);
    [[nodiscard]] const pipeline::DeviceSet& devices() const { return devices_; }
    /// The stage on a device; `none` without one.
    [[nodiscard]] std::int32_t stageOf(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// Sets a valid value and emits `edited`; for an invalid one emits `refused` and changes nothing.
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void edited(const stowage::pipeline::DeviceSet& devices, const QString& text); ///< `text` names the edit
    void refused(const QString& why);

private:
    pipeline::DeviceSet devices_;
    std::shared_ptr<const PipelineData> data_;
};

/// Paints numbers at the right, in the typeface of numbers, and the share of a period as a bar.
class DeviceDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    DeviceDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), look_(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Look& look_;
};

/// A new device with a unique name.
[[nodiscard]] pipeline::Device anotherDevice(const pipeline::DeviceSet& devices);

} // namespace stowage
