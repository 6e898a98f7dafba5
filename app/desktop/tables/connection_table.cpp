#include "app/desktop/tables/connection_table.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/canvas/pictures/pipeline/stage_graph.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/table.h"

#include <QPainter>

#include <algorithm>

namespace stowage {

namespace {

QString endName(const PipelineData& data, std::int32_t stage)
{
    const std::string& device = data.stages[std::size_t(stage)].device;
    return device.empty() ? ConnectionTable::tr("stage %1").arg(stage) : nameText(device);
}

/// The length over the time of the run, as steps. Neighbouring changes of one pixel are one.
void paintLengths(QPainter& painter, const QRect& box, const PipelineData& data, std::size_t c, const QColor& colour)
{
    const auto& lengths = data.predicted.connections[c].lengths;
    const double end = double(std::max<pipeline::Ticks>(data.predicted.total, 1));
    const double most = double(std::max<std::int64_t>(data.predicted.connections[c].maxQueued, 1));
    const double base = box.bottom() - 4.5;
    const double height = box.height() - 10;
    QPolygonF line;
    const auto put = [&](double x, double y) {
        if (!line.isEmpty()) line << QPointF(x, line.back().y());
        line << QPointF(x, y);
    };
    put(box.left(), base);
    for (const pipeline::QueueLength& length : lengths) {
        const double x = box.left() + box.width() * double(length.time) / end;
        put(std::min<double>(x, box.right()), base - height * double(length.length) / most);
    }
    put(box.right(), line.back().y());
    painter.setPen(QPen(colour, 1.25));
    painter.drawPolyline(line);
}

} // namespace

void ConnectionTable::show(std::shared_ptr<const PipelineData> data)
{
    const auto count = [](const std::shared_ptr<const PipelineData>& of) { return of ? of->model.connections.size() : 0; };
    if (count(data) == count(data_)) {
        data_ = std::move(data);
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    data_ = std::move(data);
    endResetModel();
}

int ConnectionTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !data_ ? 0 : int(data_->model.connections.size());
}

int ConnectionTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columnCount_;
}

QVariant ConnectionTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || role != Qt::DisplayRole) return {};
    const auto c = std::size_t(index.row());
    const pipeline::ConnectionModel& connection = data_->model.connections[c];
    switch (index.column()) {
    case From: return endName(*data_, connection.from);
    case To: return endName(*data_, connection.to);
    case Moved: return countText(connection.transferBytes);
    case Transfer: return microText(connection.transfer);
    case MaxQueued: return countText(data_->predicted.connections[c].maxQueued);
    default: return {};
    }
}

QVariant ConnectionTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    const bool left = section <= To || section == Lengths;
    if (role == Qt::TextAlignmentRole) return int((left ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        static const QStringList tips{tr("The stage that sends"),
                                      tr("The stage that receives"),
                                      tr("Bytes of one frame that cross the connection"),
                                      tr("Time that one frame takes to cross the connection"),
                                      tr("The most frames that waited in front of the receiving stage at one time"),
                                      tr("Frames that wait in front of the receiving stage, over time")};
        return tips.value(section);
    }
    if (role != Qt::DisplayRole) return {};
    static const QStringList titles{tr("from"),         tr("to"),         tr("bytes"),
                                    tr("transfer, µs"), tr("max queued"), tr("queue length over time")};
    return titles.value(section);
}

void ConnectionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    paintRowGround(*painter, option, theme);
    const auto* table = qobject_cast<const ConnectionTable*>(index.model());
    if (!table || !table->pipeline()) return;
    const auto c = std::size_t(index.row());
    const QRect box = option.rect.adjusted(8, 0, -8, -1);
    if (index.column() == ConnectionTable::Lengths) {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        paintLengths(*painter, box, *table->pipeline(), c, theme.accent);
        painter->restore();
        return;
    }
    const bool number = index.column() > ConnectionTable::To;
    const std::int64_t capacity = table->pipeline()->model.connections[c].capacity;
    const bool full = index.column() == ConnectionTable::MaxQueued && capacity > 0 &&
                      table->pipeline()->predicted.connections[c].maxQueued >= capacity;
    painter->setFont(number ? monoFont(metrics::body) : uiFont(metrics::body));
    painter->setPen(full ? theme.warn : theme.text);
    if (number) return paintNumber(*painter, option, box, index.data().toString()); // never cut
    painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, box.width()));
}

QSize ConnectionDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

} // namespace stowage
