#include "app/desktop/shell/plugin_dialog.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/table.h"
#include "plugins/host/plugin_host.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace stowage {

namespace {

enum Column { state, name, kind, lastFailure, file, columnCount };

constexpr int stateRole = Qt::UserRole;

QString stateText(PluginState state)
{
    const std::string_view text = toText(state);
    return QString::fromLatin1(text.data(), static_cast<qsizetype>(text.size()));
}

struct StateLook {
    const char* icon;
    QColor ink;
};

StateLook stateLook(PluginState state, const Theme& theme)
{
    switch (state) {
    case PluginState::usable: return {"check", theme.ok};
    case PluginState::refused: return {"cross", theme.bad};
    case PluginState::suspended:
    case PluginState::unconfirmed: return {"warning", theme.warn};
    case PluginState::disabled:
    case PluginState::skipped: break;
    }
    return {"minus", theme.text2};
}

class PluginDelegate : public QStyledItemDelegate {
public:
    PluginDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), look_(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = look_.theme();
        paintRowGround(*painter, option, theme);
        QRect text = option.rect.adjusted(8, 0, -8, -1);
        painter->setPen(index.column() == name ? theme.text : theme.text2);
        if (index.column() == state) {
            const StateLook found = stateLook(PluginState(index.data(stateRole).toInt()), theme);
            paintIcon(*painter, QRectF(text.left(), text.top(), 14, text.height()), QLatin1String(found.icon), found.ink, 14);
            painter->setPen(found.ink);
            text.setLeft(text.left() + 20);
        }
        painter->setFont(index.column() == file || index.column() == lastFailure ? monoFont(metrics::caption)
                                                                                 : uiFont(metrics::body));
        painter->drawText(text, Qt::AlignLeft | Qt::AlignVCenter, // of a path both ends matter
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideMiddle, text.width()));
    }

private:
    const Look& look_;
};

} // namespace

PluginDialog::PluginDialog(const PluginHost& host, const Look& look, QWidget* parent) : QDialog(parent), host_(host)
{
    setWindowTitle(tr("Plug-ins"));
    resize(900, 480);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);

    table_ = new Table(look);
    table_->setObjectName(QStringLiteral("plugins"));
    table_->setAccessibleName(tr("Plug-ins"));
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    model_ = new QStandardItemModel(0, columnCount, table_);
    model_->setHorizontalHeaderLabels({tr("state"), tr("plug-in"), tr("kind"), tr("last run"), tr("file")});
    table_->setModel(model_);
    table_->setItemDelegate(new PluginDelegate(look, table_));
    table_->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(table_, 1);

    auto* foot = new QWidget;
    foot->setProperty("surface", "base");
    foot->setProperty("edge", "top");
    foot->setAttribute(Qt::WA_StyledBackground);
    auto* below = new QVBoxLayout(foot);
    below->setContentsMargins(16, 12, 16, 14);
    below->setSpacing(4);
    name_ = makeLabel({}, Tone::main, metrics::title, QFont::DemiBold);
    below->addWidget(name_);
    details_ = makeLabel({}, Tone::secondary);
    details_->setObjectName(QStringLiteral("plugin-details"));
    details_->setWordWrap(true);
    details_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    details_->setMinimumHeight(4 * details_->fontMetrics().lineSpacing()); // or the table would change its height with the row
    details_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    below->addWidget(details_);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 6, 0, 0);
    buttons->setSpacing(8);
    enable_ = makeButton(tr("Turn on"), {});
    disable_ = makeButton(tr("Turn off"), {});
    auto* close = makeButton(tr("Close"), {}, ButtonKind::primary);
    buttons->addWidget(enable_);
    buttons->addWidget(disable_);
    buttons->addStretch();
    buttons->addWidget(close);
    below->addLayout(buttons);
    column->addWidget(foot);

    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(enable_, &QPushButton::clicked, this, [this] { turn(true); });
    connect(disable_, &QPushButton::clicked, this, [this] { turn(false); });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &PluginDialog::showCurrent);
    fill();
}

int PluginDialog::current() const
{
    const int row = table_->currentIndex().row();
    return std::size_t(row) < host_.rows().size() ? row : -1;
}

void PluginDialog::fill()
{
    const PluginLedger ledger;
    for (const PluginRow& row : host_.rows()) {
        const auto last = ledger.lastFailure(row.id);
        const QString texts[columnCount] = {stateText(row.state), row.id.isEmpty() ? row.name : row.id, // no metadata
                                            row.kind, last ? last->code : QString(), row.path};
        QList<QStandardItem*> items;
        for (const QString& text : texts) {
            items << new QStandardItem(text);
            items.back()->setToolTip(text);
        }
        items[state]->setData(int(row.state), stateRole);
        model_->appendRow(items);
    }
    table_->fitTexts({110, 300, 120, 160});
    if (model_->rowCount() > 0) table_->selectRow(0);
    showCurrent();
}

void PluginDialog::showCurrent()
{
    const int at = current();
    enable_->setEnabled(false);
    disable_->setEnabled(false);
    name_->setVisible(at >= 0);
    if (at < 0) return details_->setText(tr("No plug-in was found."));
    const PluginRow& row = host_.rows()[std::size_t(at)];
    const auto last = PluginLedger().lastFailure(row.id);
    QStringList title{nameText((row.name.isEmpty() ? row.id : row.name).toStdString())};
    if (!row.version.isEmpty()) title << row.version;
    name_->setText(title.join(u' '));
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
    const int at = current();
    if (at < 0) return;
    if (const auto error = host_.setEnabled(host_.rows()[std::size_t(at)].id, on)) {
        details_->setText(QString::fromStdString(placedText(*error)));
        return;
    }
    details_->setText(on ? tr("It is on from the next start.") : tr("It is off from the next start."));
    enable_->setEnabled(!on);
    disable_->setEnabled(on);
}

} // namespace stowage
