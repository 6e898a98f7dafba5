#include "app/desktop/shell/tour.h"

#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

constexpr int tourWidth = 340;
constexpr int tourGap = 14; ///< between the part and the card

/// The line round a part; the pointer goes through it.
class TourFrame : public QWidget {
public:
    TourFrame(const Look& look, QWidget* window) : QWidget(window), look_(look)
    {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setProperty("floating", true);
        setFocusPolicy(Qt::NoFocus);
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(look_.theme().accent, 2));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), metrics::cardRadius, metrics::cardRadius);
    }

private:
    const Look& look_;
};

} // namespace

Tour::Tour(std::vector<TourStop> stops, const Look& look, QWidget* window)
    : QFrame(window), stops_(std::move(stops)), look_(look), window_(window), frame_(new TourFrame(look, window))
{
    setObjectName(QStringLiteral("tour"));
    setSpokenRole(*this, QAccessible::HelpBalloon);
    setProperty("floating", true);
    setFocusPolicy(Qt::StrongFocus);
    setFixedWidth(tourWidth);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    title_ = makeLabel({}, Tone::main, metrics::section, QFont::DemiBold);
    text_ = makeLabel({}, Tone::secondary);
    text_->setWordWrap(true);
    column->addWidget(title_);
    column->addWidget(text_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 6, 0, 0);
    row->setSpacing(8);
    at_ = makeLabel({}, Tone::caption, metrics::caption);
    row->addWidget(at_);
    row->addStretch();
    auto* leave = makeButton(tr("End the tour"), {}, ButtonKind::link);
    leave->setObjectName(QStringLiteral("tourEnd"));
    back_ = makeButton(tr("Back"), {});
    back_->setObjectName(QStringLiteral("tourBack"));
    next_ = makeButton(tr("Next"), {}, ButtonKind::primary);
    next_->setObjectName(QStringLiteral("tourNext"));
    row->addWidget(leave);
    row->addWidget(back_);
    row->addWidget(next_);
    column->addLayout(row);
    connect(leave, &QPushButton::clicked, this, &Tour::end);
    connect(back_, &QPushButton::clicked, this, [this] { go(stop_ - 1); });
    connect(next_, &QPushButton::clicked, this, [this] {
        if (stop_ + 1 < count())
            go(stop_ + 1);
        else
            end();
    });
    connect(&look, &Look::themeChanged, this, qOverload<>(&QWidget::update));
    window->installEventFilter(this);
    hide();
    frame_->hide();
}

Tour::~Tour()
{
    delete frame_.data();
}

void Tour::start()
{
    before_.remember(*this);
    show();
    go(0);
    setFocus(Qt::OtherFocusReason);
}

void Tour::go(int stop)
{
    if (stop < 0 || stop >= count()) return;
    stop_ = stop;
    const TourStop& at = stops_[std::size_t(stop)];
    title_->setText(at.title);
    text_->setText(at.text);
    const QString position = tr("%1 of %2").arg(stop + 1).arg(count());
    at_->setText(position);
    setAccessibleName(at.title);
    setAccessibleDescription(tr("%1: %2").arg(position, at.text));
    // Says the new stop also while a button has the focus.
    QAccessibleEvent told(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&told);
    back_->setEnabled(stop > 0);
    next_->setText(stop + 1 < count() ? tr("Next") : tr("Done"));
    if (at.enter) at.enter();
    // A panel that was opened takes its place when the event loop runs next.
    QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    place();
}

void Tour::place()
{
    if (isHidden()) return;
    layout()->activate();
    const int height = layout()->totalHeightForWidth(tourWidth);
    resize(tourWidth, height > 0 ? height : sizeHint().height());
    QWidget* part = stops_[std::size_t(stop_)].part ? stops_[std::size_t(stop_)].part() : nullptr;
    const QRect all = window_->rect().adjusted(8, 8, -8, -8);
    if (!part || !part->isVisible()) {
        frame_->hide();
        move(all.center() - QPoint(width() / 2, this->height() / 2));
        raise();
        return;
    }
    const QRect box = QRect(part->mapTo(window_, QPoint()), part->size()).adjusted(-2, -2, 2, 2) & window_->rect();
    frame_->setGeometry(box);
    frame_->show();
    frame_->raise();
    // Beside the part where there is room, else inside its lower right corner.
    QPoint at(box.right() + tourGap, box.top() + tourGap);
    if (box.right() + tourGap + width() > all.right()) at.setX(box.left() - tourGap - width());
    if (at.x() < all.left()) {
        at.setX(box.left() + tourGap);
        at.setY(box.bottom() + tourGap);
        if (at.y() + this->height() > all.bottom()) at.setY(box.top() - tourGap - this->height());
        if (at.y() < all.top()) at = box.bottomRight() - QPoint(width() + tourGap, this->height() + tourGap);
    }
    at.setX(std::clamp(at.x(), all.left(), std::max(all.left(), all.right() - width())));
    at.setY(std::clamp(at.y(), all.top(), std::max(all.top(), all.bottom() - this->height())));
    move(at);
    raise();
}

void Tour::end()
{
    before_.giveBack(*this);
    hide();
    frame_->hide();
    Q_EMIT ended();
}

bool Tour::eventFilter(QObject* object, QEvent* event)
{
    if (object == window_ && event->type() == QEvent::Resize) QMetaObject::invokeMethod(this, &Tour::place, Qt::QueuedConnection);
    return QFrame::eventFilter(object, event);
}

bool Tour::event(QEvent* event)
{
    return claimsKey(*event, {Qt::Key_Escape}) || QFrame::event(event);
}

void Tour::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    auto* const button = qobject_cast<QPushButton*>(window_->focusWidget()); // leaves Enter to the card
    if (event->key() == Qt::Key_Escape)
        end();
    else if (enter && button && isAncestorOf(button))
        button->click();
    else if (enter || event->key() == Qt::Key_Right)
        next_->click();
    else if (event->key() == Qt::Key_Left)
        back_->click();
    else
        QFrame::keyPressEvent(event);
}

void Tour::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = look_.theme();
    const double line = hasFocus() ? 2 : 1, half = line / 2;
    painter.setPen(QPen(theme.accent, line));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), metrics::cardRadius, metrics::cardRadius);
}

} // namespace stowage
