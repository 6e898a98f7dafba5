#include "app/desktop/shell/export_dialog.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/open_dialog.h"
#include "app/desktop/widgets/table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <utility>

namespace stowage {

namespace {

enum ExportRole { ItemRole = Qt::UserRole, SuffixRole }; ///< `ItemRole`: index of the item; -1 for a heading

class ExportDelegate : public QStyledItemDelegate {
public:
    ExportDelegate(const Look& look, QObject* parent) : QStyledItemDelegate(parent), look_(look) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = look_.theme();
        const bool heading = index.data(ItemRole).toInt() < 0;
        if (!heading && (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)))
            painter->fillRect(option.rect, option.state & QStyle::State_Selected ? theme.accentSoft : theme.hover);
        if (!heading) paintRowFocus(*painter, option, theme);
        const QRect line = option.rect.adjusted(10, 0, -10, 0);
        painter->setFont(monoFont(metrics::caption));
        painter->setPen(theme.text2);
        const QString suffix = index.data(SuffixRole).toString();
        painter->drawText(line, Qt::AlignRight | Qt::AlignVCenter, suffix);
        const int taken = suffix.isEmpty() ? 0 : painter->fontMetrics().horizontalAdvance(suffix) + 12;
        painter->setFont(heading ? uiFont(metrics::caption, QFont::DemiBold) : uiFont(metrics::body));
        painter->setPen(heading ? theme.text2 : theme.text);
        painter->drawText(
            line.adjusted(heading ? 0 : 8, 0, -taken, 0), int(Qt::AlignLeft) | (heading ? Qt::AlignBottom : Qt::AlignVCenter),
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, line.width() - taken - (heading ? 0 : 8)));
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return {100, metrics::listRow};
    }

private:
    const Look& look_;
};

} // namespace

ExportDialog::ExportDialog(std::vector<ExportItem> items, const QDir& folder, QSize picture, bool onlyPng,
                           std::function<bool(const QString& file)> isOfModel, const Look& look, QWidget* parent)
    : QDialog(parent), items_(std::move(items)), folder_(folder), onlyPng_(onlyPng), isOfModel_(std::move(isOfModel))
{
    setWindowTitle(tr("Export"));
    setObjectName(QStringLiteral("exportDialog"));
    constexpr int width = 640, rows = 15;
    setMinimumWidth(width);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(12);
    list_ = new QListWidget;
    list_->setObjectName(QStringLiteral("exportList"));
    list_->setAccessibleName(tr("What to export"));
    list_->setItemDelegate(new ExportDelegate(look, list_));
    list_->setUniformItemSizes(true);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setMinimumHeight(rows * metrics::listRow);
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (i == 0 || items_[i].group != items_[i - 1].group) {
            auto* heading = new QListWidgetItem(items_[i].group, list_);
            heading->setData(ItemRole, -1);
            heading->setFlags(Qt::NoItemFlags);
        }
        auto* row = new QListWidgetItem(items_[i].title, list_);
        row->setData(ItemRole, int(i));
        row->setData(SuffixRole, items_[i].folder ? tr("folder") : items_[i].suffix);
        row->setToolTip(items_[i].title);
    }
    column->addWidget(list_, 1);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->addWidget(makeLabel(tr("Write to"), Tone::secondary), 0, 0);
    file_ = new QLineEdit;
    file_->setObjectName(QStringLiteral("exportFile"));
    file_->setAccessibleName(tr("Write to"));
    grid->addWidget(file_, 0, 1);
    auto* other = makeButton(tr("Choose…"), {}, ButtonKind::normal);
    connect(other, &QPushButton::clicked, this, &ExportDialog::browse);
    grid->addWidget(other, 0, 2);
    scaleLabel_ = makeLabel(tr("Scale"), Tone::secondary);
    grid->addWidget(scaleLabel_, 1, 0);
    scale_ = new QComboBox;
    scale_->setObjectName(QStringLiteral("pictureScale"));
    scale_->setAccessibleName(tr("Scale"));
    for (int times = 1; times <= 4; ++times)
        scale_->addItem(tr("%1x, %2 × %3 pixels").arg(times).arg(picture.width() * times).arg(picture.height() * times), times);
    grid->addWidget(scale_, 1, 1);
    column->addLayout(grid);
    note_ = makeLabel({}, Tone::secondary);
    note_->setMinimumHeight(16);
    column->addWidget(note_);
    replace_ = new QCheckBox(tr("Replace the file of the open model"));
    replace_->setObjectName(QStringLiteral("exportReplace"));
    column->addWidget(replace_);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    auto* cancel = makeButton(tr("Cancel"), {}, ButtonKind::normal);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    buttons->addWidget(cancel);
    save_ = makeButton(tr("Export"), QStringLiteral("export"), ButtonKind::primary);
    save_->setObjectName(QStringLiteral("exportButton"));
    save_->setDefault(true);
    connect(save_, &QPushButton::clicked, this, &ExportDialog::accept);
    buttons->addWidget(save_);
    column->addLayout(buttons);

    connect(list_, &QListWidget::currentRowChanged, this, &ExportDialog::propose);
    connect(file_, &QLineEdit::textChanged, this, [this] {
        const QSignalBlocker quiet(replace_);
        replace_->setChecked(false); // it was for another name
        refresh();
    });
    connect(replace_, &QCheckBox::toggled, this, &ExportDialog::refresh);
    if (!items_.empty()) this->choose(items_.front().id);
    refresh();
}

const ExportItem* ExportDialog::item() const
{
    const QListWidgetItem* row = list_->currentItem();
    const int index = row ? row->data(ItemRole).toInt() : -1;
    return index < 0 ? nullptr : &items_[std::size_t(index)];
}

void ExportDialog::choose(const QString& id)
{
    for (int row = 0; row < list_->count(); ++row)
        if (const int index = list_->item(row)->data(ItemRole).toInt(); index >= 0 && items_[std::size_t(index)].id == id) {
            list_->setCurrentRow(row);
            list_->scrollToItem(list_->item(row), QAbstractItemView::PositionAtCenter);
            return;
        }
}

QString ExportDialog::chosen() const
{
    const ExportItem* const chosen = item();
    return chosen ? chosen->id : QString();
}

QString ExportDialog::file() const
{
    return file_->text().trimmed();
}

double ExportDialog::scale() const
{
    return scale_->isEnabled() && !scale_->isHidden() ? scale_->currentData().toDouble() : 1;
}

ExportDialog::Existing ExportDialog::existing() const
{
    const ExportItem* const chosen = item();
    const QFileInfo place(file());
    if (!chosen || file().isEmpty()) return Existing::nothing;
    if (chosen->folder) return place.isDir() && !QDir(file()).isEmpty() ? Existing::folder : Existing::nothing;
    if (!place.isFile()) return Existing::nothing;
    return isOfModel_(file()) ? Existing::openModel : Existing::file;
}

void ExportDialog::accept()
{
    const Existing told = told_;
    refresh(); // a file may have been made since the name was entered
    if (told_ == told && save_->isEnabled()) QDialog::accept();
}

void ExportDialog::browse()
{
    const ExportItem* const chosen = item();
    if (!chosen) return;
    const QString page = QStringLiteral("compare-planners");
    const QString to = chosen->folder ? askFolder(chosen->title, QFileInfo(file()).path(), page, parentWidget())
                                      : askFileToWrite(chosen->title, file(), chosen->patterns, page, parentWidget());
    if (!to.isEmpty()) file_->setText(to);
}

void ExportDialog::propose()
{
    const ExportItem* const chosen = item();
    if (!chosen) return;
    const QDir folder = file().isEmpty() ? folder_ : QFileInfo(file()).dir();
    QString name = chosen->name;
    while (isOfModel_(folder.filePath(name))) name.insert(name.size() - chosen->suffix.size(), QStringLiteral(".planned"));
    file_->setText(folder.filePath(name));
    refresh();
}

void ExportDialog::refresh()
{
    const ExportItem* const chosen = item();
    const bool picture = chosen && chosen->id == u"picture";
    const QString suffix = QFileInfo(file()).suffix().toLower();
    const bool png = suffix == u"png", vector = suffix == u"svg" || suffix == u"pdf";
    scaleLabel_->setVisible(picture);
    scale_->setVisible(picture);
    scale_->setEnabled(png);
    const bool named = !QFileInfo(file()).fileName().isEmpty();
    const bool fits = !picture || png || (vector && !onlyPng_); // the suffix fits the item
    told_ = existing();
    const bool ofModel = told_ == Existing::openModel;
    replace_->setVisible(ofModel);
    save_->setText(told_ == Existing::nothing ? tr("Export") : tr("Replace"));
    save_->setEnabled(chosen && named && fits && (!ofModel || replace_->isChecked()));
    note_->setText(!chosen || !named           ? tr("Enter the name of the file.")
                   : !fits && vector           ? tr("This view is exported as PNG only.")
                   : !fits                     ? tr("The name must end in .png, .svg or .pdf.")
                   : ofModel                   ? tr("This is the file of an open model. What it holds is lost.")
                   : told_ == Existing::file   ? tr("This file exists, and is replaced.")
                   : told_ == Existing::folder ? tr("This folder exists. Its files of the same names are replaced.")
                   : chosen->folder            ? tr("The name of a folder, which is made if it does not exist.")
                   : picture && vector         ? tr("A vector picture has no scale.")
                                               : QString());
}

} // namespace stowage
