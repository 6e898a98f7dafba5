#include "app/desktop/panels/model_list.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QAction>
#include <QFileInfo>
#include <QListView>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace stowage {

namespace {

constexpr int modelRowHeight = 34;
constexpr int maxRows = 6;

/// Where the cross of a row lies that is being read, or was not.
QRect closeBox(const QRect& row)
{
    return {row.right() - 26, row.top(), 18, row.height()};
}

QString detailOf(const Model& model, const Run* run)
{
    if (!model.program) {
        return model.problem
                   ? QStringLiteral("%1, %2").arg(
                         countedText(std::int64_t(model.problem->buffers.size()), ModelList::tr("buffer")), model.importer)
                   : QString();
    }
    std::size_t tensors = 0, ops = 0;
    std::map<std::string, std::size_t> types;
    for (const Function& function : model.program->functions) {
        ops += function.ops.size();
        for (const Tensor& tensor : function.tensors) {
            if (tensor.kind == TensorKind::constant) continue;
            ++tensors;
            if (!tensor.dtype.empty()) ++types[tensor.dtype];
        }
    }
    const auto most = std::ranges::max_element(types, {}, [](const auto& type) { return type.second; });
    const QString content = run ? countedText(std::int64_t(run->problem().buffers.size()), ModelList::tr("buffer"))
                                : countedText(std::int64_t(tensors), ModelList::tr("tensor"));
    QString text = QStringLiteral("%1, %2").arg(content, countedText(std::int64_t(ops), ModelList::tr("op")));
    if (most != types.end()) text += QStringLiteral(", ") + QString::fromStdString(most->first).toLower();
    return text;
}

} // namespace

ModelList::ModelList(Workspace& workspace, QObject* parent) : QAbstractListModel(parent), workspace_(workspace)
{
    connect(&workspace_, &Workspace::modelsChanged, this, &ModelList::reload);
    connect(&workspace_, &Workspace::runsChanged, this, &ModelList::renewSizes);
    connect(&workspace_, &Workspace::contextChanged, this, &ModelList::renewSizes);
    reload();
}

void ModelList::reload()
{
    beginResetModel();
    rows_.clear();
    for (const int id : workspace_.models().ids()) {
        const Model* model = workspace_.session().model(id);
        if (model)
            rows_.push_back({id,
                             false,
                             model->path.isEmpty() ? model->name : QFileInfo(model->path).fileName(),
                             detailOf(*model, nullptr),
                             {}});
    }
    for (const auto& [id, path] : workspace_.models().opening())
        rows_.push_back({id, true, QFileInfo(path).fileName(), tr("opening…"), {}});
    for (const OpenFailure& failure : workspace_.models().failures())
        rows_.push_back({failure.id, false, QFileInfo(failure.path).fileName(), tr("was not opened"), {}, true});
    endResetModel();
    renewSizes();
}

void ModelList::renewSizes()
{
    for (Row& row : rows_) {
        const auto shown = row.opening || row.failed ? nullptr : workspace_.shown().runOfModel(row.id);
        row.size = shown ? shortBytes(shown->report.totalSize(), workspace_.numbers()) : QString();
        row.spokenSize = shown ? bytesText(shown->report.totalSize(), workspace_.numbers()) : QString();
        const Model* model = row.opening || row.failed ? nullptr : workspace_.session().model(row.id);
        if (model) row.detail = detailOf(*model, shown.get());
    }
    if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(int(rows_.size()) - 1));
}

int ModelList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(rows_.size());
}

QVariant ModelList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= int(rows_.size())) return {};
    const Row& row = rows_[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return row.name;
    case Qt::ToolTipRole: {
        for (const OpenFailure& failure : workspace_.models().failures())
            if (failure.id == row.id) return failure.path + u'\n' + QString::fromStdString(toText(failure.error));
        const Model* model = workspace_.session().model(row.id);
        return model ? model->path : QString();
    }
    case Qt::AccessibleDescriptionRole:
        return row.size.isEmpty() ? row.detail : tr("%1, plan of %2").arg(row.detail, row.spokenSize);
    case IdRole: return row.id;
    case DetailRole: return row.detail;
    case SizeRole: return row.size;
    case BusyRole: return row.opening;
    case FailedRole: return row.failed;
    default: return {};
    }
}

int ModelList::rowOf(int id) const
{
    const auto found = std::ranges::find(rows_, id, &Row::id);
    return found == rows_.end() ? -1 : int(found - rows_.begin());
}

QSize ModelDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const
{
    return {100, modelRowHeight};
}

void ModelDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = look_.theme();
    const bool selected = option.state & QStyle::State_Selected;
    const QRect box = option.rect;
    paintRowGround(*painter, option, theme, false);
    if (selected) painter->fillRect(QRect(box.left(), box.top(), 2, box.height()), theme.accent);
    const bool busy = index.data(ModelList::BusyRole).toBool(), failed = index.data(ModelList::FailedRole).toBool();
    paintIcon(*painter, QRectF(box.left() + 10, box.top(), 16, box.height()),
              failed ? QStringLiteral("warning")
              : busy ? QStringLiteral("clock")
                     : QStringLiteral("file"),
              failed     ? theme.bad
              : selected ? theme.accent
                         : theme.text2);
    // Gives up what is being read, or forgets what was not.
    if (busy || failed)
        paintIcon(*painter, QRectF(closeBox(box)), QStringLiteral("cross"),
                  option.state & QStyle::State_MouseOver ? theme.text : theme.text2, 14);

    const QString size = index.data(ModelList::SizeRole).toString();
    painter->setFont(monoFont(metrics::body));
    const int sizeWidth = busy || failed ? 18 : size.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(size) + 8;
    painter->setPen(theme.text2);
    painter->drawText(box.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter, size);

    const QRect text(box.left() + 33, box.top() + 2, box.width() - 43 - sizeWidth, 16);
    painter->setFont(uiFont(metrics::body, selected ? QFont::DemiBold : QFont::Normal));
    painter->setPen(theme.text);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, // versions of a model differ by a few letters
                      filesOf(*index.model()).fit(index.data().toString(), painter->fontMetrics(), text.width()));
    painter->setFont(uiFont(metrics::caption));
    painter->setPen(failed ? theme.bad : theme.text2);
    const QRect detail = text.translated(0, 15);
    painter->drawText(detail, Qt::AlignLeft | Qt::AlignVCenter,
                      elidedWhole(index.data(ModelList::DetailRole).toString(), painter->fontMetrics(), detail.width()));
}

bool ModelDelegate::editorEvent(QEvent* event, QAbstractItemModel*, const QStyleOptionViewItem& option, const QModelIndex& index)
{
    if (event->type() != QEvent::MouseButtonRelease) return false;
    const bool busy = index.data(ModelList::BusyRole).toBool(), failed = index.data(ModelList::FailedRole).toBool();
    const int id = index.data(ModelList::IdRole).toInt();
    const bool onCross = closeBox(option.rect).contains(static_cast<QMouseEvent*>(event)->position().toPoint());
    if (busy && onCross)
        QMetaObject::invokeMethod(
            &workspace_, [this, id] { workspace_.models().cancelOpening(id); }, Qt::QueuedConnection);
    else if (failed)
        QMetaObject::invokeMethod(
            &workspace_,
            [this, id, onCross] { onCross ? workspace_.models().dismissFailure(id) : workspace_.models().reportFailures(true); },
            Qt::QueuedConnection);
    else
        return false;
    return true;
}

Section* makeModelsSection(Workspace& workspace, const Look& look, QAction* open)
{
    auto* section = new Section(ModelList::tr("Models"), look);
    section->addHeaderWidget([&] {
        auto* button = makeIconButton(QStringLiteral("plus"), ModelList::tr("Open a model"), true);
        QObject::connect(button, &QToolButton::clicked, open, &QAction::trigger);
        return button;
    }());
    auto* list = new QListView;
    list->setObjectName(QStringLiteral("modelList"));
    auto* model = new ModelList(workspace, list);
    list->setModel(model);
    list->setItemDelegate(new ModelDelegate(workspace, look, list));
    list->setUniformItemSizes(true);
    list->setMouseTracking(true);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setContextMenuPolicy(Qt::CustomContextMenu);
    list->setAccessibleName(ModelList::tr("Open models"));
    section->body()->addWidget(list);

    const auto fit = [section, list, model, &workspace] {
        const int rows = model->rowCount();
        list->setFixedHeight(std::clamp(rows, 1, maxRows) * modelRowHeight);
        const std::size_t models = workspace.models().ids().size();
        section->setCaption(models > 0 ? QString::number(models) : QString());
        const QModelIndex current = model->index(model->rowOf(workspace.modelId()));
        if (current.isValid()) list->setCurrentIndex(current);
    };
    QObject::connect(model, &QAbstractItemModel::modelReset, list, fit);
    QObject::connect(&workspace, &Workspace::modelChanged, list, fit);
    QObject::connect(
        list->selectionModel(), &QItemSelectionModel::currentChanged, list, [&workspace](const QModelIndex& current) {
            if (current.isValid() && !current.data(ModelList::BusyRole).toBool() && !current.data(ModelList::FailedRole).toBool())
                workspace.setModel(current.data(ModelList::IdRole).toInt());
        });
    // By key, or by the second click of a double click, which shows what the first one shows.
    QObject::connect(list, &QAbstractItemView::activated, &workspace, [&workspace](const QModelIndex& index) {
        if (index.data(ModelList::FailedRole).toBool()) workspace.models().reportFailures(true);
    });
    QObject::connect(list, &QWidget::customContextMenuRequested, list, [list, &workspace](const QPoint& at) {
        const QModelIndex index = list->indexAt(at);
        if (!index.isValid()) return;
        QMenu menu;
        const int id = index.data(ModelList::IdRole).toInt();
        if (index.data(ModelList::BusyRole).toBool())
            menu.addAction(ModelList::tr("Cancel"), [&workspace, id] { workspace.models().cancelOpening(id); });
        else if (index.data(ModelList::FailedRole).toBool())
            menu.addAction(ModelList::tr("Forget"), [&workspace, id] { workspace.models().dismissFailure(id); });
        else
            menu.addAction(ModelList::tr("Close"), [&workspace, id] { workspace.closeModel(id); });
        menu.exec(list->viewport()->mapToGlobal(at));
    });
    fit();
    return section;
}

} // namespace stowage
