#include "app/desktop/panels/reorder_card.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/workspace.h"
#include "app/session/planning.h"
#include "app/session/reordering.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QSignalBlocker>
#include <QStringList>
#include <QTimer>
#include <QVBoxLayout>

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
        setSpokenRole(*this, QAccessible::Canvas);
        setAccessibleName(ReorderCard::tr("Peak"));
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
    setSpokenRole(*this, QAccessible::Grouping);
    setAccessibleName(tr("Reorder ops"));
    setProperty("floating", true); // lies over the window by design
    setFixedWidth(380);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(14, 12, 14, 14);
    column->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Reorder ops"), Tone::main, metrics::title, QFont::DemiBold));
    head->addStretch();
    auto* close = makeIconButton(QStringLiteral("cross"), tr("Close"), true);
    connect(close, &QToolButton::clicked, this, &ReorderCard::leave);
    head->addWidget(close);
    column->addLayout(head);
    inPlace_ = new QCheckBox(tr("results may overwrite their inputs where permitted"));
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
        if (busy())
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
    for (const auto changed : {&Workspace::modelChanged, &Workspace::targetChanged})
        connect(&workspace_, changed, this, [this] {
            showLowering();
            forget();
        });
    connect(&workspace_, &Workspace::contextChanged, this, &ReorderCard::describeBars); // other units
    showLowering();
    showState();
}

void ReorderCard::open()
{
    before_.remember(*this);
    show();
    look_button_->setFocus(Qt::OtherFocusReason);
}

void ReorderCard::leave()
{
    before_.giveBack(*this);
    Q_EMIT closed();
}

bool ReorderCard::event(QEvent* event)
{
    return claimsKey(*event, {Qt::Key_Escape}) || QFrame::event(event);
}

void ReorderCard::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape)
        leave();
    else
        QFrame::keyPressEvent(event);
}

LowerOptions ReorderCard::lowering() const
{
    const Model* model = workspace_.model();
    if (!model || !model->program) return {};
    const auto options = lowerOptions(nullptr, workspace_.plannings().request({}), model->program.get());
    return options ? *options : LowerOptions{};
}

void ReorderCard::showLowering()
{
    const LowerOptions planned = lowering();
    const QSignalBlocker inPlaceQuiet(inPlace_), viewsQuiet(views_);
    inPlace_->setChecked(planned.inPlace == InPlaceMode::allowed);
    views_->setChecked(planned.views == ViewMode::merged);
}

OptionValues ReorderCard::chosen() const
{
    const LowerOptions planned = lowering();
    OptionValues values;
    if (inPlace_->isChecked() != (planned.inPlace == InPlaceMode::allowed))
        values.emplace_back("inplace", inPlace_->isChecked() ? "allowed" : "off");
    if (views_->isChecked() != (planned.views == ViewMode::merged))
        values.emplace_back("views", views_->isChecked() ? "merged" : "separate");
    return values;
}

void ReorderCard::forget()
{
    job_.drop();
    ticker_->stop();
    found_.reset();
    problem_.clear();
    showState();
}

void ReorderCard::cancel()
{
    job_.stop();
}

void ReorderCard::start()
{
    const Model* model = workspace_.model();
    if (!model || !model->program) return;
    forget();
    of_ = model->program;
    progress_ = std::make_shared<Progress>();
    PlanRequest request = workspace_.plannings().request({});
    for (const auto& option : chosen()) {
        std::erase_if(request.lowering, [&](const auto& old) { return old.first == option.first; });
        request.lowering.push_back(option);
    }
    job_.start(
        [program = of_, request = std::move(request), progress = progress_](const std::stop_token& token) {
            OrderLimits limits;
            limits.stop = [token] { return token.stop_requested(); };
            return reorderFunction(*program, request, limits, [progress](std::size_t done, std::size_t all) {
                progress->done = done;
                progress->all = all;
            });
        },
        [this](Expected<Reordered> answer) {
            ticker_->stop();
            if (answer)
                found_ = *std::move(answer);
            else
                problem_ = QString::fromStdString(answer.error().message);
            showState();
        });
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
    const OptionValues lowered = chosen(); // asked first: each edit below sets the boxes anew
    workspace_.undoStack().beginMacro(text);
    workspace_.edits().setProgram(std::move(program), text);
    for (const auto& [key, value] : lowered) workspace_.edits().setLowering(key, value);
    workspace_.undoStack().endMacro();
    leave();
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
    } else if (busy()) {
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
                   : tr("No better order was found%1.").arg(found_->stopped ? tr(" before the search was stopped") : QString());
    }
    text_->setText(text);
    setTone(text_, tone);
    bars_->setVisible(found_.has_value());
    describeBars();
    bars_->update();
    look_button_->setText(busy() ? tr("Cancel") : found_ ? tr("Search again") : tr("Search for an order"));
    look_button_->setEnabled(program);
    const bool applies = found_ && found_->after < found_->before;
    if (!applies && apply_->hasFocus()) look_button_->setFocus(Qt::OtherFocusReason); // else it would go anywhere in the window
    apply_->setEnabled(applies);
    inPlace_->setEnabled(program && !busy());
    views_->setEnabled(program && !busy());
    adjustSize();
    Q_EMIT resized();
}

void ReorderCard::describeBars()
{
    QStringList told;
    if (found_) {
        const auto bar = [&](const QString& name, Bytes bytes) {
            told << QStringLiteral("%1 %2").arg(name, bytesText(bytes, workspace_.numbers()));
        };
        bar(tr("before"), found_->before);
        bar(tr("after"), found_->after);
        if (found_->bound > 0) bar(tr("bound"), found_->bound);
    }
    bars_->setAccessibleDescription(told.join(QStringLiteral(", ")));
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
