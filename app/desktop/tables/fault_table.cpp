#include "app/desktop/tables/fault_table.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/table.h"

#include <QPainter>

#include <string>
#include <utility>

namespace stowage {

void FaultTable::show(std::vector<pipeline::Fault> faults, pipeline::ConfigForm form)
{
    beginResetModel();
    faults_ = std::move(faults);
    form_ = form;
    endResetModel();
}

int FaultTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(faults_.size());
}

int FaultTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columnCount_;
}

QVariant FaultTable::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::ToolTipRole)) return {};
    const pipeline::Fault& fault = faults_[std::size_t(index.row())];
    if (role == Qt::ToolTipRole) return nameText(describe(fault, form_));
    switch (index.column()) {
    case Code: return QString::fromStdString(std::string(pipeline::toText(fault.code)));
    case Module:
        return fault.module ? QString::number(*fault.module + (form_ == pipeline::ConfigForm::document ? 1 : 0)) : QString();
    case Interface: return nameText(fault.interface);
    case Line: return fault.place.line > 0 ? QString::number(fault.place.line) : QString();
    case Sentence: { // without the module, which has a column of its own
        const std::string text = describe(fault, form_);
        const std::size_t colon = text.find(": ");
        return nameText(colon == std::string::npos ? text : text.substr(colon + 2));
    }
    default: return {};
    }
}

QVariant FaultTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal) return {};
    const bool number = section == Module || section == Line;
    if (role == Qt::TextAlignmentRole) return int((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        static const QStringList tips{tr("The kind of the fault"), tr("The stage of the configuration that has the fault"),
                                      tr("The input or output that the fault is about"), tr("The line of the file"),
                                      tr("The fault in a sentence")};
        return tips.value(section);
    }
    if (role != Qt::DisplayRole) return {};
    static const QStringList titles{tr("fault"), tr("module"), tr("interface"), tr("line"), tr("what is wrong")};
    return titles.value(section);
}

void FaultDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    paintRowGround(*painter, option, theme);
    const QRect box = option.rect.adjusted(8, 0, -8, -1);
    const bool number = index.column() == FaultTable::Module || index.column() == FaultTable::Line;
    const bool code = index.column() == FaultTable::Code;
    painter->setFont(index.column() == FaultTable::Sentence ? uiFont(metrics::body) : monoFont(metrics::body));
    painter->setPen(code ? theme.bad : theme.text);
    if (number) return paintNumber(*painter, option, box, index.data().toString());
    painter->drawText(box, int(Qt::AlignLeft) | Qt::AlignVCenter,
                      painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, box.width()));
}

QSize FaultDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {60, metrics::tableRow};
}

} // namespace stowage
