#include "app/desktop/panels/reorder_card.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/workspace.h"

#include <QCheckBox>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>
#include <QVBoxLayout>
#include <QtConcurrentRun>

#include <algorithm>

namespace stowage {

namespace {

/// The peak before, after, and what no order has less than, to one scale.
class PeakBars : public QWidget {
public:
    PeakBars(const ReorderCard& card, const Workspace& workspace, const Look& look)
        : card_(card), workspace_(workspace), look_(look)
    {
        setFixedHeight(3 * rowHeight);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const auto& found = card_.found();
        if (!found) return;
        QPainter painter(this);
        const Theme& theme = look_.theme();
        const double most = double(std::max<Bytes>({1, found->before, found->after}));
        int y = 0;
        const auto row = [&](const QString& name, Bytes bytes, const QColor& colour) {
            painter.setFont(uiFont(metrics::body));
            painter.setPen(theme.text2);
            painter.drawText(QRect(0, y, 60, rowHeight), Qt::AlignLeft | Qt::AlignVCenter, name);
            painter.setFont(monoFont(metrics::body));
            painter.setPen(theme.text);
            painter.drawText(QRect(width() - 110, y, 110, rowHeight), Qt::AlignRight | Qt::AlignVCenter,
                             bytesText(bytes, workspace_.numbers()));
            const QRectF track(64, y + 6, width() - 64 - 118, rowHeight - 12);
            painter.fillRect(track, theme.hover);
            painter.fillRect(QRectF(track.left(), track.top(), track.width() * double(bytes) / most, track.height()), colour);
            y += rowHeight;
        };
        row(ReorderCard::tr("before"), found->before, theme.text3);
        row(ReorderCard::tr("after"), found->after, theme.accent);
        if (found->bound > 0) row(ReorderCard::tr("bound"), found->bound, theme.ok);
    }

private:
    static constexpr int rowHeight = 21;
    const ReorderCard& card_;
    const Workspace& workspace_;
    const Look& look_;
};

} // namespace

ReorderCard::ReorderCard(Workspace& workspace, const Look& look, QWidget* parent)
    : QFrame(parent), workspace_(workspace), look_(look)
{
    setObjectName(QStringLiteral("reorderCard"));
    setFixedWidth(380);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 14);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Reorder ops"), Tone::main, metrics::title, QFont::DemiBold));
    head->addStretch();
    auto* close = makeIconButton(QStringLiteral("cross"), tr("Close"), true);
    connect(close, &QToolButton::clicked, this, &ReorderCard::closed);
    head->addWidget(close);
    column->addLayout(head);
    inPlace_ = new QCheckBox(tr("results may overwrite their inputs where the model permits it"));
    inPlace_->setObjectName(QStringLiteral("reorderInPlace"));
    views_ = new QCheckBox(tr("views share the bytes of their tensors"));
    views_->setObjectName(QStringLiteral("reorderViews"));
    column->addWidget(inPlace_);
    column->addWidget(views_);
    for (QCheckBox* box : {inPlace_, views_}) connect(box, &QCheckBox::toggled, this, [this] { forget(); });
    text_ = makeLabel({}, Tone::secondary);
    text_->setObjectName(QStringLiteral("reorderText"));
    text_->setWordWrap(true);
    column->addWidget(text_);
    bars_ = new PeakBars(*this, workspace_, look_);
    column->addWidget(bars_);
    auto* row = new QHBoxLayout;
    row->addStretch();
    look_button_ = makeButton({}, {}, ButtonKind::normal);
    look_button_->setObjectName(QStringLiteral("reorderLook"));
    connect(look_button_, &QPushButton::clicked, this, [this] {
        if (busy_)
            cancel();
        else
            start();
    });
    row->addWidget(look_button_);
    apply_ = makeButton(tr("Apply"), {}, ButtonKind::primary);
    apply_->setObjectName(QStringLiteral("reorderApply"));
    connect(apply_, &QPushButton::clicked, this, &ReorderCard::apply);
    row->addWidget(apply_);
    column->addLayout(row);
    ticker_ = new QTimer(this);
    ticker_->setInterval(100);
    connect(ticker_, &QTimer::timeout, this, &ReorderCard::showState);
    connect(&workspace_, &Workspace::modelChanged, this, &ReorderCard::forget);
    // As the model is being planned.
    for (const auto& [key, value] : workspace_.lowering()) {
        if (key == "inplace") inPlace_->setChecked(value == "allowed");
        if (key == "views") views_->setChecked(value == "merged");
    }
    showState();
}

ReorderCard::~ReorderCard()
{
    stop_.request_stop();
}

void ReorderCard::forget()
{
    stop_.request_stop();
    ++generation_;
    busy_ = false;
    ticker_->stop();
    found_.reset();
    problem_.clear();
    showState();
}

void ReorderCard::cancel()
{
    stop_.request_stop();
}

void ReorderCard::start()
{
    const Model* model = workspace_.model();
    if (!model || !model->program) return;
    forget();
    busy_ = true;
    stop_ = std::stop_source();
    of_ = model->program;
    progress_ = std::make_shared<Progress>();
    const std::uint64_t generation = ++generation_;
    ReorderOptions options;
    options.lower.inPlace = inPlace_->isChecked() ? InPlaceMode::allowed : InPlaceMode::off;
    options.lower.views = views_->isChecked() ? ViewMode::merged : ViewMode::separate;
    options.lower.pools = workspace_.target().pools;
    options.lower.alignment = workspace_.alignment();
    options.limits.stop = [token = stop_.get_token()] { return token.stop_requested(); };
    options.progress = [progress = progress_](std::size_t done, std::size_t all) {
        progress->done = done;
        progress->all = all;
    };
    using Answer = std::shared_ptr<const Expected<Reordered>>;
    auto* watcher = new QFutureWatcher<Answer>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, generation] {
        watcher->deleteLater();
        if (generation != generation_) return;
        busy_ = false;
        ticker_->stop();
        const Answer answer = watcher->result();
        if (*answer)
            found_ = **answer;
        else
            problem_ = QString::fromStdString(answer->error().message);
        showState();
    });
    watcher->setFuture(QtConcurrent::run([program = of_, options = std::move(options)]() -> Answer {
        return std::make_shared<const Expected<Reordered>>(reorder(*program, options));
    }));
    ticker_->start();
    showState();
}

void ReorderCard::apply()
{
    const Model* model = workspace_.model();
    if (!found_ || !model || model->program != of_ || found_->after >= found_->before) return;
    // The order was judged with these: planned otherwise, it would not be what was shown.
    auto program = std::make_shared<const Program>(std::move(found_->program));
    const QString text =
        tr("Reorder ops: peak %1 to %2")
            .arg(bytesText(found_->before, workspace_.numbers()), bytesText(found_->after, workspace_.numbers()));
    found_.reset();
    workspace_.undoStack().beginMacro(text);
    workspace_.setProgram(std::move(program), text);
    if (inPlace_->isChecked()) workspace_.setLowering("inplace", "allowed");
    if (views_->isChecked()) workspace_.setLowering("views", "merged");
    workspace_.undoStack().endMacro();
    Q_EMIT closed();
}

QString ReorderCard::message() const
{
    return text_->text();
}

void ReorderCard::showState()
{
    const Model* model = workspace_.model();
    const bool program = model && model->program;
    QString text;
    Tone tone = Tone::secondary;
    if (!program) {
        text = tr("The model is a list of buffers without ops: there is nothing to reorder.");
    } else if (busy_) {
        text = progress_->all > 0
                   ? tr("Searching for an order, %1 of %2 regions…").arg(progress_->done.load()).arg(progress_->all.load())
                   : tr("Searching for an order…");
    } else if (!problem_.isEmpty()) {
        text = problem_;
        tone = Tone::bad;
    } else if (!found_) {
        text = tr("Searches for the order of ops with the fewest bytes live at once. The model's results do not change.");
    } else if (found_->after < found_->before) {
        text = tr("%1 less at the peak%2.")
                   .arg(bytesText(found_->before - found_->after, workspace_.numbers()),
                        found_->proved ? tr(", proved to be the smallest of all orders") : tr("; a smaller one may exist"));
        tone = Tone::ok;
    } else {
        text = found_->proved
                   ? tr("Proved: no order has a smaller peak than this one.")
                   : tr("No better order was found%1.").arg(found_->stopped ? tr(" before it was stopped") : QString());
    }
    text_->setText(text);
    setTone(text_, tone);
    bars_->setVisible(found_.has_value());
    bars_->update();
    look_button_->setText(busy_ ? tr("Cancel") : found_ ? tr("Look again") : tr("Look for an order"));
    look_button_->setEnabled(program);
    apply_->setEnabled(found_ && found_->after < found_->before);
    inPlace_->setEnabled(program && !busy_);
    views_->setEnabled(program && !busy_);
    adjustSize();
    Q_EMIT resized();
}

void ReorderCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(look_.theme().line2);
    painter.setBrush(look_.theme().raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::cardRadius, metrics::cardRadius);
}

} // namespace stowage
