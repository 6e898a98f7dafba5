#include "app/desktop/shell/ask_dialog.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <utility>

namespace stowage {

AskDialog::AskDialog(Question question, QWidget* parent) : QDialog(parent), question_(std::move(question))
{
    constexpr int minWidth = 360;
    setWindowTitle(question_.title);
    setObjectName(QStringLiteral("askDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setMinimumWidth(minWidth);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 14, 16, 14);
    column->setSpacing(8);
    const auto add = [column](const QString& text, const char* id, QWidget* editor) {
        QLabel* label = makeLabel(text, Tone::secondary);
        label->setBuddy(editor);
        editor->setObjectName(QLatin1String(id));
        editor->setAccessibleName(text);
        column->addWidget(label);
        column->addWidget(editor);
    };
    if (question_.choices.size() > 1) {
        choices_ = new QComboBox;
        choices_->addItems(question_.choices);
        choices_->setCurrentIndex(question_.choice);
        add(question_.choiceLabel, "askChoice", choices_);
    }
    edit_ = new QLineEdit(question_.text);
    edit_->setFont(monoFont(metrics::body));
    edit_->selectAll();
    add(question_.label, "askField", edit_);
    reason_ = makeLabel({}, Tone::bad);
    reason_->setObjectName(QStringLiteral("askReason"));
    reason_->setWordWrap(true);
    reason_->hide();
    column->addWidget(reason_);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    auto* cancel = makeButton(tr("Cancel"), {});
    cancel->setAutoDefault(false);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    buttons->addWidget(cancel);
    auto* take = makeButton(question_.button, {}, ButtonKind::primary);
    take->setDefault(true); // Enter in the field
    connect(take, &QPushButton::clicked, this, &AskDialog::accept);
    buttons->addWidget(take);
    column->addLayout(buttons);
    edit_->setFocus(Qt::OtherFocusReason);
}

QString AskDialog::reason() const
{
    return reason_->text();
}

void AskDialog::accept()
{
    const QString why = question_.take(edit_->text().trimmed(), choices_ ? choices_->currentIndex() : 0);
    if (why.isEmpty()) return QDialog::accept();
    reason_->setText(why);
    reason_->show();
    setLook(edit_, "invalid", true);
    edit_->setAccessibleDescription(why);
    edit_->selectAll();
    edit_->setFocus(Qt::OtherFocusReason);
}

} // namespace stowage
