#include "app/desktop/widgets/section.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

namespace stowage {

namespace {

ElidedLabel* makeCaption()
{
    auto* caption = new ElidedLabel;
    caption->setFont(uiFont(metrics::body));
    caption->setProperty("tone", "caption");
    caption->setFitter(captionWhole);
    return caption;
}

} // namespace

Section::Section(const QString& title, const Look& look, QWidget* parent) : QWidget(parent), look_(look)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    setSpokenRole(*this, QAccessible::Grouping);
    setAccessibleName(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 1);
    column->setSpacing(0);
    head_ = new QWidget;
    head_->setFixedHeight(metrics::dockTitle);
    head_->installEventFilter(this);
    header_ = new QHBoxLayout(head_);
    header_->setContentsMargins(6, 0, 6, 0);
    header_->setSpacing(6);
    chevron_ = makeIconButton(QStringLiteral("chevron-down"), tr("Fold %1").arg(title), true);
    chevron_->setIconSize({12, 12});
    connect(chevron_, &QToolButton::clicked, this, [this] { setFolded(!folded()); });
    header_->addWidget(chevron_);
    header_->addWidget(makeLabel(title, Tone::main, metrics::title, QFont::DemiBold));
    caption_ = makeCaption();
    header_->addWidget(caption_, 1);
    column->addWidget(head_);
    content_ = new QWidget;
    body_ = new QVBoxLayout(content_);
    body_->setContentsMargins(0, 0, 0, 0);
    body_->setSpacing(0);
    column->addWidget(content_);
}

void Section::setCaption(const QString& text)
{
    caption_->setFullText(text);
}

void Section::addHeaderWidget(QWidget* widget)
{
    header_->addWidget(widget);
}

bool Section::folded() const
{
    return content_->isHidden();
}

void Section::setFolded(bool folded)
{
    content_->setVisible(!folded);
    chevron_->setIcon(themedIcon(folded ? QStringLiteral("chevron-right") : QStringLiteral("chevron-down")));
}

bool Section::eventFilter(QObject* object, QEvent* event)
{
    if (object == head_ && event->type() == QEvent::MouseButtonRelease &&
        static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton)
        setFolded(!folded());
    return QWidget::eventFilter(object, event);
}

void Section::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(QRect(0, height() - 1, width(), 1), look_.theme().line);
    if (!folded()) painter.fillRect(QRect(0, metrics::dockTitle - 1, width(), 1), look_.theme().line);
}

DockTitle::DockTitle(const QString& iconName, const QString& title, const Look& look, QDockWidget* dock)
    : QWidget(dock), icon_(iconName), look_(look)
{
    setFixedHeight(metrics::dockTitle);
    row_ = new QHBoxLayout(this);
    row_->setContentsMargins(34, 0, 6, 1);
    row_->setSpacing(8);
    row_->addWidget(makeLabel(title, Tone::main, metrics::title, QFont::DemiBold));
    caption_ = makeCaption();
    row_->addWidget(caption_, 1);
    auto* close = makeIconButton(QStringLiteral("cross"), tr("Close %1").arg(title), true);
    close->setIconSize({12, 12});
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    row_->addWidget(close);
}

void DockTitle::setCaption(const QString& text)
{
    caption_->setFullText(text);
}

void DockTitle::addWidget(QWidget* widget)
{
    row_->insertWidget(row_->count() - 1, widget);
}

QSize DockTitle::sizeHint() const
{
    return {160, metrics::dockTitle};
}

QSize DockTitle::minimumSizeHint() const
{
    return {80, metrics::dockTitle};
}

void DockTitle::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), look_.theme().panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), look_.theme().line);
    paintIcon(painter, QRectF(10, 0, 16, height()), icon_, look_.theme().text2);
}

} // namespace stowage
