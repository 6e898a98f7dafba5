#include "app/desktop/shell/plugin_dialog.h"

#include "plugins/host/plugin_host.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace stowage {

namespace {

enum Column { state, name, kind, lastFailure, file, columns };

QString stateText(PluginState state)
{
    const std::string_view text = toText(state);
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

PluginDialog::PluginDialog(const PluginHost& host, QWidget* parent)
    : QDialog(parent), host_(host), table_(new QTableWidget(this)), details_(new QLabel(this))
{
    setWindowTitle(tr("Plug-ins"));
    resize(900, 480);
    table_->setObjectName(QStringLiteral("plugins"));
    table_->setAccessibleName(tr("Plug-ins"));
    table_->setColumnCount(columns);
    table_->setHorizontalHeaderLabels({tr("State"), tr("Plug-in"), tr("Kind"), tr("Last run"), tr("File")});
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->setTextElideMode(Qt::ElideMiddle); // of a path both ends matter
    table_->setWordWrap(false);
    details_->setObjectName(QStringLiteral("plugin-details"));
    details_->setWordWrap(true);
    details_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    details_->setMinimumHeight(4 * details_->fontMetrics().lineSpacing()); // or the table would change its height with the row
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    enable_ = buttons->addButton(tr("Turn on"), QDialogButtonBox::ActionRole);
    disable_ = buttons->addButton(tr("Turn off"), QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(enable_, &QPushButton::clicked, this, [this] { turn(true); });
    connect(disable_, &QPushButton::clicked, this, [this] { turn(false); });
    connect(table_, &QTableWidget::currentCellChanged, this, &PluginDialog::showCurrent);

    auto* column = new QVBoxLayout(this);
    column->addWidget(table_, 1);
    column->addWidget(details_);
    column->addWidget(buttons);
    fill();
}

void PluginDialog::fill()
{
    const auto rows = host_.rows();
    table_->setRowCount(static_cast<int>(rows.size()));
    const PluginLedger ledger;
    for (int i = 0; i < table_->rowCount(); ++i) {
        const PluginRow& row = rows[std::size_t(i)];
        const auto last = ledger.lastFailure(row.id);
        const auto put = [&](int at, const QString& text) { table_->setItem(i, at, new QTableWidgetItem(text)); };
        put(state, stateText(row.state));
        put(name, row.id.isEmpty() ? row.name : row.id); // a library without metadata has no id
        put(kind, row.kind);
        put(lastFailure, last ? last->code : QString());
        put(file, row.path);
        table_->item(i, file)->setToolTip(row.path);
    }
    table_->resizeColumnsToContents();
    if (table_->rowCount() > 0) table_->selectRow(0);
    showCurrent();
}

void PluginDialog::showCurrent()
{
    const int current = table_->currentRow();
    const bool any = current >= 0 && std::size_t(current) < host_.rows().size();
    if (!any) {
        details_->setText(tr("No plug-in was found."));
        enable_->setEnabled(false);
        disable_->setEnabled(false);
        return;
    }
    const PluginRow& row = host_.rows()[std::size_t(current)];
    const auto last = PluginLedger().lastFailure(row.id);
    QStringList lines{row.description};
    if (!row.reason.isEmpty()) lines << tr("Not used: %1. %2").arg(row.reason, row.remedy);
    if (last) lines << tr("Its last run failed (%1): %2").arg(last->code, last->message);
    lines.removeAll(QString());
    details_->setText(lines.join(u'\n'));
    enable_->setEnabled(row.state == PluginState::disabled || row.state == PluginState::suspended ||
                        row.state == PluginState::unconfirmed);
    disable_->setEnabled(row.state == PluginState::usable || row.state == PluginState::suspended);
}

void PluginDialog::turn(bool on)
{
    const int current = table_->currentRow();
    if (current < 0 || !host_.setEnabled(host_.rows()[std::size_t(current)].id, on)) return;
    details_->setText(on ? tr("It is on from the next start.") : tr("It is off from the next start."));
    enable_->setEnabled(!on);
    disable_->setEnabled(on);
}

} // namespace stowage
