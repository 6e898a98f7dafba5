#include "app/desktop/widgets/state_page.h"

#include "app/desktop/look/icons.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "core/plan/run.h"

#include <QPainter>
#include <QVBoxLayout>

namespace stowage {

QString whyNothingToPlace(const Run& run)
{
    if (!run.problem().buffers.empty()) return {};
    if (unknownSizeNames(run).empty()) return StatePage::tr("The model has no buffers, so there is nothing to place.");
    return StatePage::tr("The sizes of all its tensors are unknown, so there is nothing to place.");
}

StatePage::StatePage(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(40, 40, 40, 40);
    column->setSpacing(14);
    column->addStretch(1);
    column->addSpacing(40); // the icon is painted here
    text_ = makeLabel({}, Tone::secondary, metrics::title);
    text_->setAlignment(Qt::AlignCenter);
    text_->setWordWrap(true);
    column->addWidget(text_);
    button_ = makeButton({}, {}, ButtonKind::primary);
    button_->setObjectName(QStringLiteral("stateButton"));
    connect(button_, &QPushButton::clicked, this, &StatePage::pressed);
    column->addWidget(button_, 0, Qt::AlignHCenter);
    column->addStretch(1);
}

void StatePage::say(const QString& iconName, const QString& sentence, const QString& button)
{
    icon_ = iconName;
    text_->setText(sentence);
    button_->setText(button);
    button_->setVisible(!button.isEmpty());
    update();
}

QString StatePage::sentence() const
{
    return text_->text();
}

void StatePage::standIn(QWidget& picture, bool needed)
{
    picture.setVisible(!needed);
    setVisible(needed);
    // At once: else the picture is painted first in the half that it had beside the page.
    if (parentWidget() && parentWidget()->layout()) parentWidget()->layout()->activate();
}

void StatePage::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), palette().color(QPalette::Base));
    constexpr int size = 28;
    paintIcon(painter, QRectF((width() - size) / 2.0, text_->geometry().top() - size - 14, size, size), icon_,
              palette().color(QPalette::PlaceholderText), size);
}

} // namespace stowage
