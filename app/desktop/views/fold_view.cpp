#include "app/desktop/views/fold_view.h"

#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/open_dialog.h"
#include "app/desktop/workspace.h"
#include "app/session/folding.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

namespace stowage {

FoldView::FoldView(Workspace& workspace, const Look& look, QWidget* parent)
    : PictureView(*pictureEntry(QStringLiteral("fold")), workspace, look, parent), writer_(workspace)
{
    row_ = new QWidget;
    row_->setFixedHeight(38);
    row_->setProperty("surface", "panel");
    row_->setProperty("edge", "top");
    row_->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(row_);
    row->setContentsMargins(12, 6, 12, 6);
    row->setSpacing(10);
    slider_ = new QSlider(Qt::Horizontal);
    slider_->setObjectName(QStringLiteral("foldThreshold"));
    slider_->setAccessibleName(tr("Threshold"));
    slider_->setRange(0, int(foldThresholds.size()) - 1);
    slider_->setPageStep(1);
    gives_ = makeNumber({}, Tone::secondary);
    row->addWidget(slider_, 1);
    row->addWidget(gives_);
    column().addWidget(row_);
    connect(slider_, &QSlider::valueChanged, this, [this](int at) {
        say(at);
        canvas()->setOption(QStringLiteral("threshold"), QString::number(foldThresholds[std::size_t(at)]));
    });
    write_ = makeButton(tr("Write…"), QStringLiteral("export"), ButtonKind::normal, true);
    write_->setObjectName(QStringLiteral("foldWrite"));
    write_->setToolTip(tr("Writes the folded model: MLIR as MLIR, other models as program JSON"));
    connect(write_, &QPushButton::clicked, this, &FoldView::write);
    barRow().addWidget(write_);
    connect(canvas(), &Canvas::optionsChanged, &workspace, &Workspace::questionsChanged);
    connect(&writer_, &FoldWriter::begun, this, [this] { write_->setEnabled(false); });
    connect(&writer_, &FoldWriter::written, this, [this] { write_->setEnabled(true); });
    refresh();
}

void FoldView::write()
{
    const Model* model = workspace().model();
    if (!model) return;
    const QFileInfo input(model->path);
    const QString suffix = foldsInOwnForm(workspace().session(), *model) ? input.suffix() : QStringLiteral("json");
    const QString name =
        (input.completeBaseName().isEmpty() ? model->name : input.completeBaseName()) + QStringLiteral("_folded.") + suffix;
    const QString file = askFileToWrite(tr("Write the folded model"), input.absoluteDir().filePath(name),
                                        tr("Folded model (*.%1)").arg(suffix), QStringLiteral("constant-folding"), window());
    if (!file.isEmpty()) writeTo(file);
}

void FoldView::writeTo(const QString& file)
{
    if (!run()) return;
    const FoldOptions& options = foldPicture().asked().options;
    writer_.write(file, *run(), options,
                  [view = QPointer(this), options] { return view && view->foldPicture().asked().options == options; });
}

void FoldView::say(int at)
{
    const FoldSheet* sheet = canvas()->scene() ? foldPicture().sheet() : nullptr;
    const QString threshold = tr("threshold %1").arg(foldThresholds[std::size_t(at)]);
    if (!sheet || sheet->samples.empty()) return gives_->setText(threshold);
    const FoldSample& sample = sheet->samples[std::size_t(at)];
    const NumberFormat& numbers = foldPicture().numbers();
    gives_->setText(tr("%1: saves %2 a run, keeps %3")
                        .arg(threshold, bytesText(sample.saved, numbers), bytesText(sample.persistent, numbers)));
}

void FoldView::refresh()
{
    PictureView::refresh();
    if (!row_) return; // still being made
    row_->setVisible(canvas()->scene() != nullptr);
    for (const PictureOption& option : foldPicture().options()) {
        const qsizetype at = option.id == u"threshold" ? option.values.indexOf(option.value) : -1;
        if (at < 0) continue;
        const QSignalBlocker quiet(slider_);
        slider_->setValue(int(at));
        say(int(at));
    }
}

} // namespace stowage
