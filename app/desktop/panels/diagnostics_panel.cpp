#include "app/desktop/panels/diagnostics_panel.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/sources.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/error_card.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

/// A row is as high as its sentence is long: names in it differ in any of their parts, so none is cut.
class DiagnosticDelegate : public QStyledItemDelegate {
public:
    DiagnosticDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), look_(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = look_.theme();
        const QRect box = option.rect;
        paintRowGround(*painter, option, theme);
        const auto severity = Severity(index.data(DiagnosticList::SeverityRole).toInt());
        const QString icon = severity == Severity::error     ? QStringLiteral("cross")
                             : severity == Severity::warning ? QStringLiteral("warning")
                                                             : QStringLiteral("info");
        const QColor ink = severity == Severity::error ? theme.bad : severity == Severity::warning ? theme.warn : theme.text2;
        const QRect first(box.left(), box.top(), box.width(), metrics::listRow - 1);
        paintIcon(*painter, QRectF(first.left() + 10, first.top(), 16, first.height()), icon, ink, 14);
        painter->setFont(monoFont(metrics::caption));
        painter->setPen(theme.text2);
        const int room = whereRoom(index, box.width());
        painter->drawText(first.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter,
                          painter->fontMetrics().elidedText(whereOf(index), Qt::ElideMiddle, room));
        painter->setFont(uiFont(metrics::body));
        painter->setPen(theme.text);
        painter->drawText(sentenceBox(index, box.width()).translated(box.topLeft()), wrapped, breakable(index.data().toString()));
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const auto* view = qobject_cast<const QAbstractItemView*>(option.widget);
        return {100, sentenceBox(index, view ? view->viewport()->width() : option.rect.width()).bottom() + 1 + above() + 1};
    }

private:
    static constexpr int left = 34, right = 22; ///< beside the sentence
    static constexpr int wrapped = int(Qt::AlignLeft) | Qt::AlignTop | Qt::TextWordWrap;

    static QString whereOf(const QModelIndex& index) { return index.data(DiagnosticList::WhereRole).toString(); }
    static int whereRoom(const QModelIndex& index, int width)
    {
        const QString where = whereOf(index);
        if (where.isEmpty()) return 0;
        const int besides = // a sentence of one line leaves the rest of it
            width - left - right - QFontMetrics(uiFont(metrics::body)).horizontalAdvance(breakable(index.data().toString())) - 1;
        constexpr int fraction = 2; // by which a painter's letters may be wider
        return std::min(QFontMetrics(monoFont(metrics::caption)).horizontalAdvance(where) + fraction,
                        std::max(width / 3, besides));
    }
    /// What is above the first line, and below the last one.
    static int above() { return (metrics::listRow - 1 - QFontMetrics(uiFont(metrics::body)).height()) / 2; }
    /// Of the sentence, in a row of that width.
    static QRect sentenceBox(const QModelIndex& index, int width)
    {
        const QRect room(left, above(), std::max(80, width - left - right - whereRoom(index, width)), 10'000);
        return QFontMetrics(uiFont(metrics::body)).boundingRect(room, wrapped, breakable(index.data().toString()));
    }

    const Look& look_;
};

} // namespace

void DiagnosticList::setDiagnostics(Diagnostics diagnostics)
{
    if (diagnostics == diagnostics_) return;
    beginResetModel();
    diagnostics_ = std::move(diagnostics);
    endResetModel();
}

int DiagnosticList::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(diagnostics_.size());
}

QVariant DiagnosticList::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const Diagnostic& diagnostic = diagnostics_[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole: return QString::fromStdString(diagnostic.message);
    case Qt::ToolTipRole: return QString::fromStdString(toText(diagnostic));
    case SeverityRole: return int(diagnostic.severity);
    case WhereRole: return whereText(diagnostic.where);
    default: return {};
    }
}

DiagnosticsPanel::DiagnosticsPanel(Workspace& workspace, const Look& look, QWidget* parent)
    : QWidget(parent), workspace_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* view = new QListView;
    view->setObjectName(QStringLiteral("diagnosticList"));
    view->setAccessibleName(tr("Diagnostics"));
    model_ = new DiagnosticList(view);
    view->setModel(model_);
    view->setItemDelegate(new DiagnosticDelegate(look, view));
    view->setResizeMode(QListView::Adjust);
    view->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view->setMouseTracking(true);
    view->setSelectionMode(QAbstractItemView::SingleSelection);
    column->addWidget(view);
    connect(&workspace_, &Workspace::contextChanged, this, &DiagnosticsPanel::refresh);
    connect(&workspace_, &Workspace::modelChanged, this, &DiagnosticsPanel::refresh);
    connect(&workspace_, &Workspace::modelsChanged, this, &DiagnosticsPanel::refresh); // files that were not opened
    connect(&workspace_.plannings(), &Plannings::failuresChanged, this, &DiagnosticsPanel::refresh);
    refresh();
}

void DiagnosticsPanel::fillTitle(DockTitle& title)
{
    title_ = &title;
    auto* copy = makeIconButton(QStringLiteral("copy"), tr("Copy all"), true);
    connect(copy, &QToolButton::clicked, this, [this] {
        QString text;
        for (int row = 0; row < model_->rowCount(); ++row) text += model_->index(row).data(Qt::ToolTipRole).toString() + u'\n';
        QGuiApplication::clipboard()->setText(text);
    });
    title.addWidget(copy);
    refresh();
}

void DiagnosticsPanel::refresh()
{
    const Model* input = workspace_.model();
    const auto run = workspace_.run();
    Diagnostics all;
    for (const OpenFailure& failure : workspace_.models().failures()) {
        all.push_back(failure.error);
        all.back().message = QFileInfo(failure.path).fileName().toStdString() + " was not opened: " + failure.error.message;
    }
    for (const PlanFailure& failure : workspace_.plannings().failuresOf(workspace_.modelId())) {
        all.push_back(failure.error);
        all.back().message = failure.planner + " did not plan: " + failure.error.message;
    }
    for (Diagnostic& one : allDiagnostics(input ? input->diagnostics : Diagnostics{}, run.get())) all.push_back(std::move(one));
    model_->setDiagnostics(std::move(all));
    if (title_) title_->setCaption(model_->rowCount() ? QString::number(model_->rowCount()) : tr("no problems found"));
}

} // namespace stowage
