#include "app/desktop/views/tables_view.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/row_delegate.h"
#include "app/desktop/tables/sources.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>

namespace stowage {

TablesView::TablesView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), workspace_(workspace), look_(look)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    table_ = new Table(look);
    table_->setObjectName(QStringLiteral("dataTable"));
    table_->setAccessibleName(tr("Rows"));
    model_ = new RowTable(table_);
    table_->setModel(model_);
    table_->setItemDelegate(new RowDelegate(look, names_, table_));
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->horizontalHeader()->setSortIndicatorClearable(true);
    table_->setSortingEnabled(true);
    table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    table_->viewport()->installEventFilter(this);
    connect(table_->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int section, int, int size) {
        if (!fitting_ && model_->source() && section == nameColumn()) nameWidth_ = size; // by the user
    });
    column->addWidget(table_);
    empty_ = new StatePage;
    connect(empty_, &StatePage::pressed, this, [this] {
        if (!run_ && workspace_.busy())
            workspace_.cancel();
        else if (!run_)
            workspace_.plan();
        else if (tabs_->current() == Buffers)
            Q_EMIT workspace_.openWanted();
        else
            setTab(Buffers);
    });
    column->addWidget(empty_);

    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(10);
    tabs_ = new SegmentedControl({tr("Buffers"), tr("Ops"), tr("Pools"), tr("Diagnostics")}, true);
    tabs_->setToolTip(tr("What is listed: each row is one of these"));
    tabs_->setObjectName(QStringLiteral("tableTabs"));
    tabs_->setAccessibleName(tr("Listed"));
    connect(tabs_, &SegmentedControl::chosen, this, [this] { showSource(); });
    row->addWidget(tabs_);
    count_ = makeLabel({}, Tone::secondary);
    row->addWidget(count_);
    row->addStretch();
    auto* copy = makeButton(tr("Copy rows"), QStringLiteral("copy"), ButtonKind::normal, true);
    connect(copy, &QPushButton::clicked, this, [this] {
        if (!table_->selectionModel()->hasSelection()) table_->selectAll();
        table_->copySelection();
    });
    row->addWidget(copy);

    connect(&workspace_, &Workspace::jobsChanged, this, [this] {
        if (!run_) showSource(); // what the page says depends on it
    });
    connect(&selection_, &SelectionModel::selectionChanged, this, &TablesView::showSelection);
    connect(&selection_, &SelectionModel::maskChanged, this, [this] {
        const auto& mask = selection_.mask();
        model_->setShown(mask ? std::shared_ptr<const std::vector<bool>>(mask, &mask->shown) : nullptr);
    });
    connect(model_, &RowTable::ordered, this, &TablesView::refreshCount);
    connect(model_, &QAbstractItemModel::modelReset, this, &TablesView::refreshCount);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (selecting_) return;
        // A whole table of a million rows is selected to be copied, not to be lit up everywhere.
        std::vector<BufferId> chosen;
        const QModelIndexList rows =
            table_->selectionModel()->selection().size() > 256 ? QModelIndexList() : table_->selectionModel()->selectedRows();
        if (rows.size() > 4096) return;
        for (const QModelIndex& row_ : rows)
            if (const BufferId id = row_.data(RowTable::BufferRole).toInt();
                id != none && std::ranges::find(chosen, id) == chosen.end())
                chosen.push_back(id);
        selecting_ = true;
        if (!chosen.empty()) selection_.selectMany(std::move(chosen));
        selecting_ = false;
    });
}

TablesView::~TablesView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

QWidget* TablesView::bar()
{
    return bar_;
}

void TablesView::setTab(int tab)
{
    tabs_->setCurrent(tab);
    showSource();
}

void TablesView::setContext(const ViewContext& context)
{
    model_->setNumbers(context.numbers);
    if (context.run == run_ && model_->source()) {
        table_->fitNumbers();
        fitEdge();
        refreshCount();
        return;
    }
    run_ = context.run;
    showSource();
}

void TablesView::showSource()
{
    const Model* input = workspace_.model();
    std::shared_ptr<const RowSource> source;
    QString empty = run_ ? whyNothingToPlace(*run_) : workspace_.busy() ? tr("Planning…") : tr("Nothing is planned yet.");
    names_ = run_ ? NameFit(run_->problem()) : NameFit();
    switch (tabs_->current()) {
    case Buffers: source = bufferRows(run_); break;
    case Ops:
        source = opRows(run_);
        if (run_ && !source) empty = tr("The input is a list of buffers without ops.");
        break;
    case Pools: source = poolRows(run_); break;
    default:
        source = diagnosticRows(input ? input->diagnostics : Diagnostics{}, run_);
        if (source->rows() == 0) empty = tr("No problems found.");
        break;
    }
    const bool rows = source && source->rows() > 0;
    const bool sameColumns = model_->source() && source && model_->source()->columns().data() == source->columns().data();
    model_->setSource(source);
    if (const auto& mask = selection_.mask()) model_->setShown(std::shared_ptr<const std::vector<bool>>(mask, &mask->shown));
    if (source && !sameColumns) {
        table_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
        for (std::size_t i = 0; i < source->columns().size(); ++i) table_->setColumnWidth(int(i), source->columns()[i].width);
    }
    if (source && (!sameColumns || fittedFor_ != workspace_.modelId())) {
        std::vector<int> widths;
        for (const RowColumn& column : source->columns()) widths.push_back(column.width);
        table_->fitTexts(widths);
        nameWidth_ = table_->columnWidth(nameColumn());
        fittedFor_ = workspace_.modelId();
    }
    table_->fitNumbers();
    fitEdge();
    empty_->standIn(*table_, !rows);
    empty_->say(QStringLiteral("table"), empty,
                !run_                         ? (workspace_.busy() ? tr("Cancel") : tr("Plan"))
                : tabs_->current() == Buffers ? tr("Open another file…")
                                              : tr("Show buffers"));
    refreshCount();
    showSelection();
}

int TablesView::nameColumn() const
{
    const auto& columns = model_->source()->columns();
    const auto widest = std::ranges::max_element(columns, {}, [](const RowColumn& each) { return each.number ? 0 : each.width; });
    return int(widest - columns.begin());
}

void TablesView::fitEdge()
{
    if (!model_->source()) return;
    fitting_ = true;
    const int name = nameColumn(), all = table_->viewport()->width();
    table_->setColumnWidth(name, nameWidth_);
    int whole = 0, column = 0;
    while (column < model_->columnCount() && whole + table_->columnWidth(column) <= all) whole += table_->columnWidth(column++);
    if (column > name && column < model_->columnCount()) table_->setColumnWidth(name, nameWidth_ + all - whole);
    fitting_ = false;
}

bool TablesView::eventFilter(QObject* object, QEvent* event)
{
    if (object == table_->viewport() && event->type() == QEvent::Resize) fitEdge();
    return View::eventFilter(object, event);
}

void TablesView::showSelection()
{
    if (selecting_ || !isVisible() || tabs_->current() != Buffers) return;
    selecting_ = true;
    const int row = model_->rowOf(selection_.buffer());
    if (row >= 0) {
        table_->selectRow(row);
        table_->scrollTo(model_->index(row, 0));
    } else {
        table_->clearSelection();
    }
    selecting_ = false;
}

void TablesView::refreshCount()
{
    const RowSource* source = model_->source();
    if (!source) {
        count_->setText({});
        return;
    }
    // Rows that only head others are not counted: the figure is that of the status bar.
    auto all = std::int64_t(source->rows()), shown = std::int64_t(model_->rowCount());
    QString noun = tabs_->current() == Ops ? tr("op") : tabs_->current() == Pools ? tr("pool") : tr("diagnostic");
    if (tabs_->current() == Buffers && run_) {
        noun = tr("buffer");
        all = std::int64_t(run_->problem().buffers.size());
        const auto& mask = selection_.mask();
        shown = mask && mask->shown.size() == run_->problem().buffers.size() ? std::int64_t(mask->count) : all;
    }
    count_->setText(model_->busy() ? tr("sorting…")
                    : all == shown ? countedText(all, noun)
                                   : tr("%1 of %2, filtered").arg(countText(shown), countedText(all, noun)));
}

} // namespace stowage
