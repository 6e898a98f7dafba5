#include "app/desktop/panels/revision_pane.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/revision_table.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QFontMetrics>
#include <QHeaderView>
#include <QLabel>
#include <QRegularExpression>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

/// "40 matched by name, 1 renamed, 2 new, 1 gone".
QString countsOf(const RevisionsCompared& compared)
{
    const RevisionDifference& found = compared.difference;
    return RevisionPane::tr("%1 matched by name, %2 renamed, %3 new, %4 gone")
        .arg(countText(std::int64_t(found.matched.size())), countText(std::int64_t(found.renamed.size())),
             countText(std::int64_t(found.added.size())), countText(std::int64_t(found.gone.size())));
}

/// Why the peak differs, with names of at most a usual line's half.
QString peakText(const RevisionsCompared& compared)
{
    constexpr int nameWidth = 260;
    QString text = QString::fromStdString(peakSentence(compared.before, compared.after, compared.difference));
    QStringList names;
    for (const PeakCause& cause : compared.difference.because) names << nameText(cause.tensor);
    const NameFit fit(names);
    const QFontMetrics letters(uiFont(metrics::body));
    for (const QString& name : names) text.replace(name, fit.fit(name, letters, nameWidth));
    return text;
}

} // namespace

RevisionPane::RevisionPane(Workspace& workspace, const Look& look, QWidget* parent) : QWidget(parent), workspace_(workspace)
{
    setProperty("surface", "panel");
    setAttribute(Qt::WA_StyledBackground);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    sentence_ = makeLabel({}, Tone::main);
    sentence_->setObjectName(QStringLiteral("revisionSentence"));
    sentence_->setWordWrap(true);
    sentence_->setContentsMargins(12, 6, 12, 6);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    column->addWidget(sentence_);
    view_ = new Table(look);
    view_->setObjectName(QStringLiteral("revisionTable"));
    view_->setAccessibleName(tr("Tensors that differ"));
    table_ = new RevisionTable(view_);
    view_->setModel(table_);
    view_->setItemDelegate(new RevisionDelegate(*table_, look, view_));
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->horizontalHeader()->setSectionsClickable(false);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& current) { select(current.isValid() ? current.row() : -1); });
    column->addWidget(view_, 1);
}

QString RevisionPane::sentence() const
{
    return sentence_->text();
}

void RevisionPane::setAgainst(int model)
{
    if (model == against_) return;
    against_ = model;
    table_->show(nullptr, workspace_.numbers());
    before_ = after_ = nullptr;
    refresh();
}

void RevisionPane::refresh()
{
    const auto before = against_ ? workspace_.shown().runOfModel(against_) : nullptr;
    const auto after = workspace_.run();
    table_->setNumbers(workspace_.numbers());
    if (before && before == before_ && after == after_) return;
    job_.drop();
    before_ = before;
    after_ = after;
    if (!before || !after) {
        table_->show(nullptr, workspace_.numbers());
        setBreakableText(*sentence_, against_ ? tr("One of the two models has no plan yet.") : QString());
        return;
    }
    if (!table_->compared())
        setBreakableText(*sentence_, tr("Comparing…")); // else the last comparison stays until the next is there
    const Model* was = workspace_.session().model(against_);
    const Model* is = workspace_.model();
    job_.start(
        [before, after, was = was ? was->name.toStdString() : std::string(),
         is = is ? is->name.toStdString() : std::string()](const std::stop_token&) {
            auto compared = std::make_shared<RevisionsCompared>();
            compared->before = revisionOf(*before, was);
            compared->after = revisionOf(*after, is);
            compared->difference = difference(compared->before, compared->after);
            compared->changes = changesOf(compared->before, compared->after, compared->difference);
            return std::shared_ptr<const RevisionsCompared>(std::move(compared));
        },
        [this](std::shared_ptr<const RevisionsCompared> compared) {
            const QString peak = peakText(*compared);
            const QString counts = countsOf(*compared);
            QString told = peak.isEmpty() ? counts : peak + u' ' + counts + u'.';
            static const QRegularExpression number(QStringLiteral("(\\d) B\\b")); // its unit stands in the same line
            setBreakableText(*sentence_, told.replace(number, QStringLiteral("\\1\u00a0B")));
            sentence_->setToolTip(QString::fromStdString(peakSentence(compared->before, compared->after, compared->difference)));
            table_->show(std::move(compared), workspace_.numbers());
            fitColumns();
        });
}

void RevisionPane::select(int row)
{
    const RevisionChange* change = table_->change(row);
    if (!change || !change->after || !after_ || after_ != workspace_.run()) return; // a tensor that is gone is in no view
    const std::string& name = table_->compared()->after.tensors[*change->after].name;
    const auto& buffers = after_->problem().buffers;
    const auto found = std::ranges::find(buffers, name, &Buffer::name);
    if (found != buffers.end()) workspace_.selection().select(BufferId(found - buffers.begin()));
}

void RevisionPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

/// Numbers are whole; the name takes what is left, and sizes go one by one where that is little.
void RevisionPane::fitColumns()
{
    constexpr int number = 84, minName = 120, margins = 18, looked = 200; // rows
    const QFontMetrics letters(uiFont(metrics::body));
    int what = letters.horizontalAdvance(table_->headerData(RevisionTable::What, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < std::min(table_->rowCount(), looked); ++row)
        what = std::max(what, letters.horizontalAdvance(table_->index(row, RevisionTable::What).data().toString()));
    what += margins;
    view_->setColumnWidth(RevisionTable::What, what);
    for (const int column : {RevisionTable::Before, RevisionTable::After, RevisionTable::Change, RevisionTable::OfPeak}) {
        view_->setColumnHidden(column, false);
        view_->setColumnWidth(column, column == RevisionTable::OfPeak ? number + 26 : number);
    }
    view_->fitNumbers();
    int room = view_->width() - view_->verticalScrollBar()->sizeHint().width() - 2 - what;
    for (const int column : {RevisionTable::Before, RevisionTable::After, RevisionTable::Change, RevisionTable::OfPeak})
        room -= view_->columnWidth(column);
    for (const int column : {RevisionTable::Before, RevisionTable::After, RevisionTable::OfPeak}) {
        if (room >= minName) break;
        room += view_->columnWidth(column);
        view_->setColumnHidden(column, true);
    }
    view_->setColumnWidth(RevisionTable::Tensor, std::max(minName, room));
}

} // namespace stowage
