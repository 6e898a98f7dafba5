#include "app/desktop/widgets/form.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>

#include <utility>

namespace stowage {

namespace {

constexpr int editorWidth = 96;

void name(QWidget* editor, const QString& name)
{
    editor->setAccessibleName(name);
    editor->setObjectName(QStringLiteral("option:") + name);
}

} // namespace

QGridLayout* addForm(QVBoxLayout& column)
{
    auto* form = new QGridLayout;
    form->setContentsMargins(metrics::dockPadding, 8, metrics::dockPadding, 8);
    form->setHorizontalSpacing(8);
    form->setVerticalSpacing(6);
    form->setColumnStretch(0, 1);
    column.addLayout(form);
    return form;
}

void addFormRow(QGridLayout& form, const QString& label, const QString& tip, QWidget* editor)
{
    const int row = form.rowCount();
    QLabel* caption = makeLabel(label, Tone::secondary);
    // A long name takes a second line rather than widen the panel.
    caption->setWordWrap(true);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    caption->setSizePolicy(policy);
    caption->setToolTip(tip);
    caption->setBuddy(editor);
    editor->setAccessibleName(label); // the words, not the key
    caption->setWordWrap(true); // "disable tightly coupled buffer reuse": a long one must not make the sidebar wider than it is
    if (editor->toolTip().isEmpty()) editor->setToolTip(tip);
    form.addWidget(caption, row, 0);
    if (!qobject_cast<QCheckBox*>(editor)) editor->setFixedWidth(editorWidth);
    form.addWidget(editor, row, 1, Qt::AlignRight);
}

QLineEdit* makeValueEdit(const QString& label, std::function<QString(const QString&)> accept)
{
    auto* edit = new QLineEdit;
    edit->setFont(monoFont(metrics::body));
    name(edit, label);
    QObject::connect(edit, &QLineEdit::editingFinished, edit, [edit, accept = std::move(accept)] {
        const QString problem = accept(edit->text().trimmed());
        setLook(edit, "invalid", !problem.isEmpty());
        edit->setToolTip(problem);
    });
    return edit;
}

QComboBox* makeChoiceEdit(const QString& label, const QStringList& choices, std::function<void(const QString&)> chosen)
{
    auto* combo = new QComboBox;
    combo->setFont(monoFont(metrics::body));
    name(combo, label);
    combo->addItems(choices);
    QObject::connect(combo, &QComboBox::textActivated, combo, std::move(chosen));
    return combo;
}

} // namespace stowage
