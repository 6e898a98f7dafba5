#include "app/desktop/panels/run_panel.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/tables/group_head.h"
#include "app/desktop/tables/run_table.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/section.h"
#include "app/desktop/widgets/table.h"
#include "app/desktop/workspace.h"

#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace stowage {

RunPanel::RunPanel(Workspace& workspace, const Look& look, QWidget* parent) : QWidget(parent), workspace_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    view_ = new Table(look);
    view_->setObjectName(QStringLiteral("runTable"));
    view_->setAccessibleName(tr("Runs"));
    model_ = new RunTable(workspace, view_);
    view_->setModel(model_);
    view_->setItemDelegate(new RunDelegate(*model_, look, view_));
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setSortingEnabled(true);
    view_->horizontalHeader()->setSortIndicatorClearable(true);
    view_->sortByColumn(-1, Qt::AscendingOrder);
    const std::vector<std::pair<int, int>> widths{{RunTable::Shown, 28},      {RunTable::Planner, 150},  {RunTable::Checker, 112},
                                                  {RunTable::Size, 100},      {RunTable::OverBound, 92}, {RunTable::Bar, 216},
                                                  {RunTable::FreeAtPeak, 94}, {RunTable::Time, 72}};
    for (const auto& [at, width] : widths) view_->setColumnWidth(at, width);
    connect(view_->horizontalHeader(), &QHeaderView::sectionResized, this, [this](int resized) {
        if (resized != RunTable::Remark) fitRemark();
    });
    view_->viewport()->installEventFilter(this);
    column->addWidget(view_);

    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (!selecting_ && current.isValid()) workspace_.showRun(current.data(RunTable::RunRole).toInt());
    });
    foldByMouseAndKeys(*view_, [this](int row) { return model_->toggleGroup(row); });
    connect(model_, &QAbstractItemModel::modelReset, this, &RunPanel::refresh);
    refresh();
}

void RunPanel::fillTitle(DockTitle& title)
{
    title_ = &title;
    auto* sideBySide = makeButton(tr("Side by side"), QStringLiteral("compare"), ButtonKind::normal, true);
    connect(sideBySide, &QPushButton::clicked, this, &RunPanel::compareRequested);
    title.addWidget(sideBySide);
    auto* copyButton = makeIconButton(QStringLiteral("copy"), tr("Copy the table"), true);
    connect(copyButton, &QToolButton::clicked, this, &RunPanel::copy);
    title.addWidget(copyButton);
    refresh();
}

void RunPanel::copy() const
{
    QGuiApplication::clipboard()->setText(model_->toTsv());
}

QSize RunPanel::sizeHint() const
{
    return {600, metrics::tableHeader + 6 * metrics::tableRow + 2};
}

bool RunPanel::eventFilter(QObject* object, QEvent* event)
{
    // The room for columns also changes when a scroll bar comes or goes.
    if (object == view_->viewport() && event->type() == QEvent::Resize && !fitting_) {
        fitting_ = true;
        fitBar();
        fitting_ = false;
    }
    return QWidget::eventFilter(object, event);
}

void RunPanel::fitBar()
{
    constexpr int usual = 216, least = 80, minRemark = 72, maxRemark = 260, minName = 84, usualName = 150;
    constexpr int margins = 18, usualChecker = 112;
    const int all = view_->viewport()->width();
    // Names, verdicts and remarks are as wide as they are.
    int wholeName = minName, checker = 0, remark = minRemark;
    const QFontMetrics letters(uiFont(metrics::body, QFont::DemiBold)), remarkLetters(uiFont(metrics::body));
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (model_->rows()[std::size_t(row)].id == 0) continue; // the head of a group
        const auto text = [&](int column) { return model_->index(row, column).data().toString(); };
        wholeName = std::max(wholeName, letters.horizontalAdvance(text(RunTable::Planner)) + margins);
        checker = std::max(checker, chipWidth(text(RunTable::Checker)) + margins);
        remark = std::max(remark, remarkLetters.horizontalAdvance(text(RunTable::Remark)) + margins);
    }
    // The title has the unit of the sizes below it.
    const QString sizeTitle = model_->headerData(RunTable::Size, Qt::Horizontal, Qt::DisplayRole).toString();
    view_->setColumnWidth(RunTable::Size,
                          std::max(view_->columnWidth(RunTable::Size), remarkLetters.horizontalAdvance(sizeTitle) + margins));
    wholeName = std::min(wholeName, usualName);
    remark = std::min(remark, maxRemark);
    // In a narrow window columns go one by one, the bar first, and names become shorter: what is left is whole.
    for (int column = 0; column < RunTable::columns; ++column)
        if (!view_->isColumnHidden(column)) widths_[std::size_t(column)] = view_->columnWidth(column); // 0 while it is hidden
    widths_[RunTable::Bar] = least;
    widths_[RunTable::Planner] = wholeName;
    widths_[RunTable::Checker] = std::clamp(checker, letters.horizontalAdvance(tr("checker")) + margins, usualChecker);
    view_->setColumnWidth(RunTable::Checker, widths_[RunTable::Checker]);
    int needed = 0;
    for (int column = 0; column < RunTable::Remark; ++column) needed += widths_[std::size_t(column)];
    bool back = false;
    constexpr std::array<int, 4> leaving{RunTable::Bar, RunTable::FreeAtPeak, RunTable::Time, RunTable::OverBound};
    for (const int column : leaving) {
        // The remark keeps some room from the bar, and gives way to numbers.
        const bool leaves = needed + (column == RunTable::Bar ? minRemark : 0) > all;
        back |= !leaves && view_->isColumnHidden(column);
        view_->setColumnHidden(column, leaves);
        if (leaves) needed -= widths_[std::size_t(column)];
    }
    const int rest = all - needed;
    // A remark of two letters says nothing: names take its room. The tool tip of a name has it.
    const bool remarked = rest >= minRemark;
    view_->setColumnHidden(RunTable::Remark, !remarked);
    // What the remark leaves is the bar's, and then the name's.
    int spare = std::max(0, rest - remark);
    if (!view_->isColumnHidden(RunTable::Bar)) {
        const int bar = std::min(usual, least + spare);
        view_->setColumnWidth(RunTable::Bar, bar);
        spare -= bar - least;
    }
    view_->setColumnWidth(RunTable::Planner,
                          remarked ? std::min(usualName, wholeName + spare) : std::max(minName, wholeName + rest));
    if (back) view_->fitNumbers();
    fitRemark();
}

void RunPanel::fitRemark()
{
    if (view_->isColumnHidden(RunTable::Remark)) return;
    // Not by the header: it gives its last column no less than the width that it had before.
    constexpr int nothing = 28;
    int others = 0;
    for (int column = 0; column < RunTable::Remark; ++column)
        if (!view_->isColumnHidden(column)) others += view_->columnWidth(column);
    view_->setColumnWidth(RunTable::Remark, std::max(nothing, view_->viewport()->width() - others));
}

void RunPanel::refresh()
{
    view_->clearSpans();
    for (int row = 0; row < model_->rowCount(); ++row)
        if (model_->rows()[std::size_t(row)].id == 0) view_->setSpan(row, 0, 1, RunTable::columns);
    view_->fitNumbers();
    fitBar();
    selecting_ = true;
    const int row = model_->rowOf(workspace_.shownRun());
    if (row >= 0)
        view_->selectRow(row);
    else
        view_->clearSelection();
    selecting_ = false;
    if (!title_) return;
    const auto runs = std::int64_t(model_->runCount());
    QString caption = countedText(runs, tr("run"));
    if (const auto run = workspace_.run()) {
        QStringList pools;
        for (const PoolReport& pool : run->report.pools)
            if (pool.size > 0) pools << nameText(run->problem().pools[std::size_t(pool.pool)].name);
        if (!pools.isEmpty())
            caption += (pools.size() == 1 ? tr(", pool %1") : tr(", pools %1")).arg(pools.join(QStringLiteral(", ")));
    }
    title_->setCaption(runs ? caption : QString());
}

} // namespace stowage
