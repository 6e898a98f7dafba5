#include "app/desktop/views/fit_view.h"

#include "app/desktop/look/look.h"
#include "app/desktop/widgets/canvas.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/open_dialog.h"
#include "app/desktop/widgets/state_page.h"
#include "app/desktop/workspace.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int cardEdge = 12;
constexpr int buttonGap = 6;
constexpr int copyButtonsAbove = 620; ///< width of the view from which there is room for them
constexpr int writeButtonAbove = 420;

bool isForTflm(const Fit& fit)
{
    return fit.runtime == Runtime::tflm;
}

/// "constexpr int kTensorArenaSize = 81760;". A minimum says so: the runtime cannot start with it.
QString arenaLine(const Fit& fit)
{
    QString line = QStringLiteral("constexpr int kTensorArenaSize = %1;").arg(fit.best().arena);
    if (!isMinimum(fit, fit.best())) return line;
    return line + QStringLiteral(" // a minimum: without %1").arg(QString::fromStdString(missingParts(fit, fit.best())));
}

} // namespace

bool FitView::applies(const Workspace& workspace)
{
    return FitDesk::applies(workspace);
}

FitView::FitView(Workspace& workspace, const Look& look, QWidget* parent)
    : View(workspace.selection(), parent), look_(look), workspace_(workspace), desk_(workspace)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto picture = std::make_unique<FitPicture>();
    picture_ = picture.get();
    canvas_ = new Canvas(selection_, std::move(picture), tr("Fit"));
    canvas_->setObjectName(QStringLiteral("fitCanvas"));
    canvas_->setTheme(look.theme());
    column->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    page_ = new StatePage;
    connect(page_, &StatePage::pressed, &workspace_, &Workspace::openWanted);
    column->addWidget(page_);
    makeBar();
    makeButtons();
    connect(&desk_, &FitDesk::changed, this, &FitView::refresh);
    connect(&workspace_, &Workspace::runtimeLogChanged, this, &FitView::compute);
    connect(&workspace_, &Workspace::modelChanged, this, &FitView::compute);
    connect(&workspace_, &Workspace::targetChanged, this, &FitView::compute);
    refresh();
}

FitView::~FitView()
{
    if (bar_ && !bar_->parent()) delete bar_; // never shown
}

void FitView::makeBar()
{
    bar_ = new QWidget;
    auto* row = new QHBoxLayout(bar_);
    row->setContentsMargins(12, 0, 12, 0);
    row->setSpacing(10);
    row->addWidget(makeLabel(tr("Scratch"), Tone::secondary));
    scratch_ = new SegmentedControl({tr("from the log"), tr("left out")}, true);
    scratch_->setObjectName(QStringLiteral("fitScratch"));
    scratch_->setAccessibleName(tr("Scratch"));
    scratch_->setToolTip(
        tr("Scratch of the kernels, and the tail that the interpreter keeps: only a log of the runtime has them"));
    connect(scratch_, &SegmentedControl::chosen, this, [this](int index) { desk_.setUsesLog(index == 0); });
    row->addWidget(scratch_);
    openLog_ = makeButton(tr("Open log…"), QStringLiteral("open"), ButtonKind::normal, true);
    openLog_->setObjectName(QStringLiteral("fitOpenLog"));
    openLog_->setToolTip(
        tr("Opens the output of a runtime built with TF_LITE_SHOW_MEMORY_USE. A file can also be dropped here."));
    connect(openLog_, &QPushButton::clicked, this, &FitView::chooseLog);
    row->addWidget(openLog_);
    log_ = new ElidedLabel;
    log_->setObjectName(QStringLiteral("fitLog"));
    row->addWidget(log_, 1);
    closeLog_ = makeIconButton(QStringLiteral("cross"), tr("Close the log"), true);
    connect(closeLog_, &QToolButton::clicked, this, [this] { workspace_.beside().setRuntimeLog(nullptr); });
    row->addWidget(closeLog_);
    row->addStretch();
    matches_ = makeLabel({}, Tone::ok);
    matches_->setObjectName(QStringLiteral("fitMatches"));
    row->addWidget(matches_);
}

void FitView::makeButtons()
{
    write_ = makeButton(tr("Write offline plan…"), QStringLiteral("export"), ButtonKind::primary);
    write_->setObjectName(QStringLiteral("fitWrite"));
    connect(write_, &QPushButton::clicked, this, &FitView::chooseFile);
    const auto copy = [this](const QString& text, const char* name, auto make) {
        QPushButton* button = makeButton(text, QStringLiteral("copy"), ButtonKind::normal, true);
        button->setObjectName(QLatin1String(name));
        connect(button, &QPushButton::clicked, this, [this, make] {
            if (fit()) QGuiApplication::clipboard()->setText(make(*fit()));
        });
        return button;
    };
    copySize_ = copy(tr("Copy size"), "fitCopySize", [](const Fit& made) { return QString::number(made.best().arena); });
    copyLine_ = copy(tr("Copy C line"), "fitCopyLine", arenaLine);
    for (QPushButton* button : {write_, copySize_, copyLine_}) {
        button->setParent(this);
        button->setProperty("floating", true); // on the card that the picture draws
        button->hide();
    }
}

void FitView::setContext(const ViewContext& context)
{
    canvas_->setNumbers(context.numbers);
    compute();
}

void FitView::compute()
{
    if (isVisible()) desk_.compute(); // else when it is shown
}

QString FitView::message() const
{
    return fit() ? QString() : page_->sentence();
}

// --- what is shown -------------------------------------------------------------------------------------------------------

void FitView::refresh()
{
    const auto log = workspace_.runtimeLog();
    const auto& made = desk_.made();
    const bool tflm = workspace_.model() && runtimeOf(*workspace_.model(), workspace_.target()) == Runtime::tflm;
    if (bar_) {
        scratch_->setEnabled(log != nullptr);
        scratch_->setCurrent(log && desk_.usesLog() ? 0 : 1);
        openLog_->setVisible(tflm && !log);
        closeLog_->setVisible(log != nullptr);
        QString text = log ? log->name : tflm ? tr("Without a log: scratch of kernels and the tail are not known") : QString();
        const FitLog* told = fit() && fit()->log ? &*fit()->log : nullptr;
        if (told && told->tensors > 0)
            text += tr("  matched: %1 tensors, %2 scratch requests").arg(told->tensors).arg(told->scratch);
        else if (told)
            text += tr("  totals only");
        log_->setFullText(text);
        const bool greedy = told && told->matchesGreedy;
        matches_->setText(greedy ? tr("✓ Matches the file") : QString());
        matches_->setToolTip(tr("The runtime's greedy planner, computed here, gives the same head as the log"));
    }
    page_->standIn(*canvas_, !made);
    if (!made)
        page_->say(QStringLiteral("ruler"),
                   desk_.why()            ? QString::fromStdString(desk_.why()->message)
                   : !workspace_.model()  ? tr("Open a model to see how big its arena must be.")
                   : !applies(workspace_) ? tr("This is for models of TensorFlow Lite Micro and of ExecuTorch.")
                                          : tr("Planning with each planner of the runtime…"),
                   desk_.why() || !applies(workspace_) ? tr("Open another file…") : QString());
    else {
        const bool writes = made->fit.plan != nullptr && !made->model.path.isEmpty();
        write_->setText(isForTflm(made->fit) ? tr("Write offline plan…") : tr("Write plan table…"));
        write_->setToolTip(isForTflm(made->fit)
                               ? tr("A copy of the model with the plan as metadata; no byte of the model itself changes")
                               : tr("Memory id, offset and bytes of each tensor, as JSON"));
        write_->setEnabled(writes && !desk_.writing());
        const QString missing = QString::fromStdString(missingParts(made->fit, made->fit.best()));
        copySize_->setToolTip(missing.isEmpty() ? tr("The arena in bytes")
                                                : tr("A minimum of the arena in bytes: without %1").arg(missing));
        copyLine_->setToolTip(arenaLine(made->fit));
    }
    PictureSource source;
    source.scenes = workspace_.scenes();
    if (made) {
        auto subject = std::make_shared<FitSubject>();
        subject->fit = {made, &made->fit};
        source.subject = std::move(subject);
    }
    if (std::exchange(drawn_, made) != made) canvas_->setSource(std::move(source));
    place();
}

double FitView::buttonRoom() const
{
    if (width() < writeButtonAbove) return 0;
    const int copies = copySize_->sizeHint().width() + buttonGap + copyLine_->sizeHint().width();
    return cardEdge + (width() >= copyButtonsAbove ? std::max(write_->sizeHint().width(), copies) : write_->sizeHint().width());
}

void FitView::place()
{
    const bool roomForOne = fit() && width() >= writeButtonAbove;
    const bool roomForAll = fit() && width() >= copyButtonsAbove;
    write_->setVisible(roomForOne);
    copySize_->setVisible(roomForAll);
    copyLine_->setVisible(roomForAll);
    canvas_->apply(picture_->setCardRoom(buttonRoom()));
    if (!roomForOne) return;
    const QRect card = fitCardBox(size()).toRect();
    const int room = int(buttonRoom()) - cardEdge;
    const int left = card.right() + 1 - cardEdge - room;
    const int content = write_->sizeHint().height() + (roomForAll ? buttonGap + copySize_->sizeHint().height() : 0);
    int top = card.top() + (card.height() - content) / 2;
    write_->setGeometry(left, top, room, write_->sizeHint().height());
    if (!roomForAll) return;
    top += write_->sizeHint().height() + buttonGap;
    // Each has the room that its text wants, and half of what is left over.
    const int extra = room - buttonGap - copySize_->sizeHint().width() - copyLine_->sizeHint().width();
    const int first = copySize_->sizeHint().width() + extra / 2;
    copySize_->setGeometry(left, top, first, copySize_->sizeHint().height());
    copyLine_->setGeometry(left + first + buttonGap, top, room - first - buttonGap, copyLine_->sizeHint().height());
}

void FitView::setTheme(const Theme& theme)
{
    canvas_->setTheme(theme);
    page_->update();
}

std::size_t FitView::shownRow() const
{
    return picture_->shownRow();
}

void FitView::showRow(std::size_t row)
{
    canvas_->apply(picture_->showRow(row));
}

void FitView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    place();
}

void FitView::showEvent(QShowEvent* event)
{
    View::showEvent(event);
    compute();
}

// --- files ---------------------------------------------------------------------------------------------------------------

void FitView::chooseLog()
{
    const Model* model = workspace_.model();
    const QString folder = model ? QFileInfo(model->path).absolutePath() : QString();
    OpenDialog dialog(workspace_.session().importers(), tr("Open a log of the runtime"),
                      {tr("Logs (*.log *.txt)"), tr("All files (*)")}, QStringLiteral("tflite-micro"), folder, window());
    if (const QString file = dialog.ask(); !file.isEmpty()) workspace_.beside().openRuntimeLog(file);
}

void FitView::chooseFile()
{
    if (!fit()) return;
    const QFileInfo model(desk_.made()->model.path);
    const bool tflm = isForTflm(*fit());
    const QString proposed = model.dir().filePath(
        model.completeBaseName() + (tflm ? QStringLiteral(".planned.") + model.suffix() : QStringLiteral(".plan.json")));
    const QString filter = tflm ? tr("TensorFlow Lite models (*.tflite *.lite)") : tr("JSON (*.json)");
    const QString file = askFileToWrite(write_->text(), proposed, filter, QStringLiteral("tflite-micro"), window());
    if (!file.isEmpty()) desk_.write(file);
}

} // namespace stowage
