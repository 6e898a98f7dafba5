#include "app/desktop/tables/device_table.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/table.h"

#include <QLineEdit>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double largestRate = 1e15; ///< per microsecond: above every machine

/// "1,234.5", "40000", without an exponent.
QString rateText(double rate)
{
    const double whole = std::floor(rate);
    if (whole == rate) return countText(std::int64_t(rate));
    return QString::number(rate, 'g', 12);
}

std::optional<double> rateFrom(const QString& text)
{
    bool isNumber = false;
    const double value = QString(text).remove(u',').trimmed().toDouble(&isNumber);
    if (!isNumber || !(value >= 0) || value > largestRate) return std::nullopt;
    return value;
}

} // namespace

pipeline::Device anotherDevice(const pipeline::DeviceSet& devices)
{
    std::size_t index = devices.devices.size();
    pipeline::Device made = pipeline::plainDevice(index);
    while (devices.find(made.name) != none) made = pipeline::plainDevice(++index);
    return made;
}

void DeviceTable::show(const pipeline::DeviceSet& devices, std::shared_ptr<const PipelineData> data)
{
    if (devices.devices.size() == devices_.devices.size()) {
        devices_ = devices;
        data_ = std::move(data);
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    devices_ = devices;
    data_ = std::move(data);
    endResetModel();
}

std::int32_t DeviceTable::stageOf(int row) const
{
    if (!data_ || row < 0 || std::size_t(row) >= devices_.devices.size()) return none;
    for (std::size_t s = 0; s < data_->stages.size(); ++s)
        if (data_->stages[s].device == devices_.devices[std::size_t(row)].name) return std::int32_t(s);
    return none;
}

int DeviceTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(devices_.devices.size());
}

int DeviceTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columnCount_;
}

QVariant DeviceTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const pipeline::Device& device = devices_.devices[std::size_t(index.row())];
    const std::int32_t stage = stageOf(index.row());
    if (role == NumberRole) return index.column() != Name && index.column() != Kind;
    if (role == ShareRole && index.column() == Busy) {
        if (stage == none || data_->predicted.period <= 0) return {};
        return double(data_->model.stages[std::size_t(stage)].cost) / double(data_->predicted.period);
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
    switch (index.column()) {
    case Name: return nameText(device.name);
    case Kind: return nameText(device.kind);
    case Stage: return stage == none ? tr("idle") : QString::number(stage);
    case Flops: return rateText(device.flopsPerUs);
    case Moved: return rateText(device.bytesPerUs);
    case Start: return rateText(device.startUs);
    case Memory: return device.memory ? countText(*device.memory) : role == Qt::EditRole ? QString() : tr("unbounded");
    case Alignment: return countText(device.alignment);
    case Busy: {
        const QVariant share = this->data(index, ShareRole);
        return share.isValid() ? shareText(share.toDouble()) : QString();
    }
    default: return {};
    }
}

QVariant DeviceTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int((section <= Kind ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        static const QStringList tips{{},
                                      tr("cpu, gpu, npu or another word; measured costs may be given for a kind"),
                                      {},
                                      tr("Floating-point operations per µs; 0: computing takes no time"),
                                      tr("Bytes per µs that the device's memory moves; 0: moving takes no time"),
                                      tr("Time to start one op"),
                                      tr("Bytes of the device's own memory: arena, constants, variables and waiting frames"),
                                      tr("Number of which every offset in the arena is a multiple"),
                                      tr("Share of a period in which the device works")};
        return tips.value(section);
    }
    if (role != Qt::DisplayRole) return {};
    static const QStringList titles{tr("device"),    tr("kind"),      tr("stage"), tr("flop/µs"), tr("B/µs"),
                                    tr("start, µs"), tr("memory, B"), tr("align"), tr("busy")};
    return titles.value(section);
}

Qt::ItemFlags DeviceTable::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags base = QAbstractTableModel::flags(index);
    return index.column() == Stage || index.column() == Busy ? base : base | Qt::ItemIsEditable;
}

bool DeviceTable::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::EditRole) return false;
    pipeline::DeviceSet next = devices_;
    pipeline::Device& device = next.devices[std::size_t(index.row())];
    const QString text = value.toString().trimmed();
    const std::string words = text.toStdString();
    const auto refuse = [&](const QString& why) {
        Q_EMIT refused(why);
        return false;
    };
    const auto rate = [&](double& of) {
        const auto read = rateFrom(text);
        if (read) of = *read;
        return read.has_value();
    };
    switch (index.column()) {
    case Name:
        if (words == device.name) return false;
        if (words.empty() || next.find(words) != none) return refuse(tr("a device needs a name that no other device has"));
        for (pipeline::Link& link : next.links) {
            if (link.from == device.name) link.from = words;
            if (link.to == device.name) link.to = words;
        }
        device.name = words;
        break;
    case Kind: device.kind = words; break;
    case Flops:
        if (!rate(device.flopsPerUs)) return refuse(tr("flop/µs is a number from 0 on; 0: computing takes no time"));
        break;
    case Moved:
        if (!rate(device.bytesPerUs)) return refuse(tr("B/µs is a number from 0 on; 0: moving takes no time"));
        break;
    case Start:
        if (!rate(device.startUs)) return refuse(tr("the start of an op takes a number of µs from 0 on"));
        break;
    case Memory:
        if (text.isEmpty() || text == tr("unbounded")) {
            device.memory.reset();
        } else {
            const auto bytes = parseBytes(text);
            if (!bytes) return refuse(tr("a memory is a size such as 196608 or 192K; empty: unbounded"));
            device.memory = *bytes;
        }
        break;
    case Alignment: {
        const auto bytes = parseBytes(text);
        if (!bytes || *bytes < 1 || *bytes > (Bytes{1} << 30)) return refuse(tr("an alignment is a size from 1 to 1 GiB"));
        device.alignment = *bytes;
        break;
    }
    default: return false;
    }
    if (next == devices_) return false;
    Q_EMIT edited(next, tr("Set %1 of %2")
                            .arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
                                 nameText(devices_.devices[std::size_t(index.row())].name)));
    return true;
}

// --- how cells look ------------------------------------------------------------------------------------------------------

void DeviceDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    paintRowGround(*painter, option, theme);
    QRect text = option.rect.adjusted(8, 0, -8, -1);
    const QVariant share = index.data(DeviceTable::ShareRole);
    if (index.column() == DeviceTable::Busy) {
        const int number = 56;
        const QRect bar(text.left(), text.center().y() - 5, std::max(0, text.width() - number), 11);
        painter->fillRect(bar, theme.press);
        if (share.isValid())
            painter->fillRect(
                QRect(bar.left(), bar.top(), int(std::lround(bar.width() * std::min(1.0, share.toDouble()))), bar.height()),
                share.toDouble() > 0.9995 ? theme.warn : theme.buffers[9]);
        text.setLeft(text.right() - number);
    }
    const bool number = index.data(DeviceTable::NumberRole).toBool();
    painter->setFont(number ? monoFont(metrics::body) : uiFont(metrics::body));
    const bool fixed = !(index.flags() & Qt::ItemIsEditable);
    painter->setPen(fixed ? theme.text2 : theme.text);
    if (number) return paintNumber(*painter, option, text, index.data().toString()); // never cut
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, text.width()));
}

QSize DeviceDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

QWidget* DeviceDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const
{
    auto* edit = new QLineEdit(parent);
    edit->setObjectName(QStringLiteral("deviceCell"));
    const bool number = index.data(DeviceTable::NumberRole).toBool();
    edit->setFont(number ? monoFont(metrics::body) : uiFont(metrics::body));
    edit->setAlignment(number ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    edit->setTextMargins(2, 0, 2, 0);
    return edit;
}

} // namespace stowage
