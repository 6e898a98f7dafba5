#include "app/desktop/panels/revision_pane.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/revision_table.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

/// Why the peak differs, the sizes and the counts, in the words of `stowage-cli compare --against`.
QString wholeText(const RevisionsCompared& compared)
{
    QStringList sentences;
    if (const std::string peak = peakSentence(compared.before, compared.after, compared.difference); !peak.empty())
        sentences << QString::fromStdString(peak);
    sentences << QString::fromStdString(sizeSentence(compared.before, compared.after)) + u'.';
    sentences << QString::fromStdString(countsSentence(compared.difference)) + u'.';
    return sentences.join(u' ');
}

/// The same with names of at most a usual line's half.
QString shortText(const RevisionsCompared& compared)
{
    constexpr int nameWidth = 260;
    QString text = wholeText(compared);
    QStringList names{nameText(compared.before.name)};
    for (const PeakCause& cause : compared.difference.because) names << nameText(cause.tensor);
    const NameFit fit(names);
    const QFontMetrics letters(uiFont(metrics::body));
    for (const QString& name : names)
        if (const QString fitting = fit.fit(name, letters, nameWidth); fitting != name) text.replace(name, fitting);
    return text;
}

constexpr int maxButtonName = 320;

/// Selects the buffer of this name in the shown run.
void selectByName(Workspace& workspace, const std::string& name)
{
    const auto run = workspace.run();
    if (!run) return;
    const auto& buffers = run->problem().buffers;
    const auto found = std::ranges::find(buffers, name, &Buffer::name);
    if (found != buffers.end()) workspace.selection().select(BufferId(found - buffers.begin()));
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
    plan_ = makeButton({}, QStringLiteral("play"), ButtonKind::normal, true);
    plan_->setObjectName(QStringLiteral("revisionPlan"));
    plan_->hide();
    connect(plan_, &QPushButton::clicked, this, [this] { workspace_.plannings().plan(toPlan_); });
    auto* row = new QHBoxLayout;
    row->setContentsMargins(12, 0, 12, 6);
    row->addWidget(plan_);
    row->addStretch();
    column->addLayout(row);
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
    connect(view_, &QAbstractItemView::activated, this, [this](const QModelIndex& index) { showEarlier(index.row()); });
    column->addWidget(view_, 1);
    connect(&workspace_, &Workspace::runsChanged, this, [this] {
        if (against_ && against_ != workspace_.modelId()) refresh(); // a run of the other model
    });
}

QString RevisionPane::nameOf(int model) const
{
    const Model* found = workspace_.session().model(model);
    return found ? found->name : QString();
}

void RevisionPane::askForPlan(bool before, bool after)
{
    toPlan_ = after ? against_ : workspace_.modelId();
    plan_->setVisible(against_ && toPlan_);
    if (!against_) {
        setBreakableText(*sentence_, {});
        return;
    }
    const QString name = nameText(nameOf(toPlan_).toStdString());
    setBreakableText(*sentence_,
                     before || after ? tr("%1 has no plan yet.").arg(name) : tr("Neither of the two models has a plan yet."));
    plan_->setText(tr("Plan %1").arg(elidedWhole(name, plan_->fontMetrics(), maxButtonName)));
    plan_->setAccessibleName(tr("Plan %1").arg(name));
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
        askForPlan(before != nullptr, after != nullptr);
        return;
    }
    plan_->hide();
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
            QString told = shortText(*compared);
            static const QRegularExpression number(QStringLiteral("(\\d) B\\b")); // its unit stands in the same line
            setBreakableText(*sentence_, told.replace(number, QStringLiteral("\\1\u00a0B")));
            sentence_->setToolTip(wholeText(*compared));
            table_->show(std::move(compared), workspace_.numbers());
            fitColumns();
        });
}

void RevisionPane::select(int row)
{
    const RevisionChange* change = table_->change(row);
    if (!change || !after_ || after_ != workspace_.run()) return;
    if (change->after)
        selectByName(workspace_, table_->compared()->after.tensors[*change->after].name);
    else
        workspace_.selection().select(none); // it is in no view of this revision
}

void RevisionPane::showEarlier(int row)
{
    const RevisionChange* change = table_->change(row);
    if (!change || change->after || !change->before) return;
    const std::string name = table_->compared()->before.tensors[*change->before].name; // the table is emptied below
    workspace_.setModel(against_);
    selectByName(workspace_, name);
}

void RevisionPane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitColumns();
}

/// Numbers are whole; the name takes what is left, and numbers go one by one where that is little; the addresses last, which
/// alone tell what moved.
void RevisionPane::fitColumns()
{
    constexpr int number = 84, minName = 120, margins = 18, looked = 200; // rows
    const QFontMetrics letters(uiFont(metrics::body));
    int what = letters.horizontalAdvance(table_->headerData(RevisionTable::What, Qt::Horizontal, Qt::DisplayRole).toString());
    for (int row = 0; row < std::min(table_->rowCount(), looked); ++row)
        what = std::max(what, letters.horizontalAdvance(table_->index(row, RevisionTable::What).data().toString()));
    what += margins;
    view_->setColumnWidth(RevisionTable::What, what);
    for (int column = RevisionTable::Before; column < RevisionTable::columns; ++column) {
        view_->setColumnHidden(column, false);
        view_->setColumnWidth(column, column >= RevisionTable::OfPeak ? number + 26 : number);
    }
    view_->fitNumbers();
    int room = view_->width() - view_->verticalScrollBar()->sizeHint().width() - 2 - what;
    for (int column = RevisionTable::Before; column < RevisionTable::columns; ++column) room -= view_->columnWidth(column);
    for (const int column : {RevisionTable::Before, RevisionTable::After, RevisionTable::OfPeak, RevisionTable::AddressBefore,
                             RevisionTable::AddressAfter}) {
        if (room >= minName) break;
        room += view_->columnWidth(column);
        view_->setColumnHidden(column, true);
    }
    view_->setColumnWidth(RevisionTable::Tensor, std::max(minName, room));
}

} // namespace stowage
