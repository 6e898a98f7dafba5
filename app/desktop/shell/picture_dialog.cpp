#include "app/desktop/shell/picture_dialog.h"

#include "app/desktop/widgets/controls.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace stowage {

PictureDialog::PictureDialog(const QString& file, QSize size, bool onlyPng, QWidget* parent)
    : QDialog(parent), size_(size), onlyPng_(onlyPng)
{
    setWindowTitle(tr("Export picture"));
    setMinimumWidth(460);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(12);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->addWidget(makeLabel(tr("File"), Tone::secondary), 0, 0);
    file_ = new QLineEdit(file);
    file_->setObjectName(QStringLiteral("pictureFile"));
    file_->setAccessibleName(tr("File"));
    grid->addWidget(file_, 0, 1);
    auto* browse = makeButton(tr("Choose…"), {}, ButtonKind::normal);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getSaveFileName(
            this, tr("Export picture"), this->file(), onlyPng_ ? tr("Pictures (*.png)") : tr("Pictures (*.png *.svg *.pdf)"));
        if (!chosen.isEmpty()) file_->setText(chosen);
    });
    grid->addWidget(browse, 0, 2);
    grid->addWidget(makeLabel(tr("Scale"), Tone::secondary), 1, 0);
    scale_ = new QComboBox;
    scale_->setObjectName(QStringLiteral("pictureScale"));
    scale_->setAccessibleName(tr("Scale"));
    for (int times = 1; times <= 4; ++times)
        scale_->addItem(tr("%1x, %2 × %3 pixels").arg(times).arg(size.width() * times).arg(size.height() * times), times);
    grid->addWidget(scale_, 1, 1);
    column->addLayout(grid);
    note_ = makeLabel({}, Tone::caption);
    column->addWidget(note_);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    auto* cancel = makeButton(tr("Cancel"), {}, ButtonKind::normal);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    buttons->addWidget(cancel);
    save_ = makeButton(tr("Export"), QStringLiteral("export"), ButtonKind::primary);
    save_->setObjectName(QStringLiteral("savePicture"));
    save_->setDefault(true);
    connect(save_, &QPushButton::clicked, this, &QDialog::accept);
    buttons->addWidget(save_);
    column->addLayout(buttons);
    connect(file_, &QLineEdit::textChanged, this, &PictureDialog::refresh);
    refresh();
}

QString PictureDialog::file() const
{
    return file_->text().trimmed();
}

double PictureDialog::scale() const
{
    return scale_->isEnabled() ? scale_->currentData().toDouble() : 1;
}

void PictureDialog::refresh()
{
    const QString suffix = QFileInfo(file()).suffix().toLower();
    const bool png = suffix == u"png", vector = suffix == u"svg" || suffix == u"pdf";
    scale_->setEnabled(png);
    save_->setEnabled(png || (vector && !onlyPng_));
    note_->setText(png                  ? QString()
                   : vector && onlyPng_ ? tr("This view is exported as PNG only.")
                   : vector             ? tr("A vector picture has no pixels.")
                                        : tr("A name ending in .png, .svg or .pdf."));
}

} // namespace stowage
