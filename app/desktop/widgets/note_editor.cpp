#include "app/desktop/widgets/note_editor.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <functional>
#include <utility>

namespace stowage {

namespace {

/// Gives up on Escape, and takes no part in the window's shortcuts while one writes.
class NoteEdit : public QLineEdit {
public:
    using QLineEdit::QLineEdit;
    std::function<void()> givenUp;

protected:
    bool event(QEvent* event) override
    {
        if (event->type() == QEvent::ShortcutOverride) {
            event->accept();
            return true;
        }
        return QLineEdit::event(event);
    }
    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Escape)
            givenUp();
        else
            QLineEdit::keyPressEvent(event);
    }
};

} // namespace

NoteEditor::NoteEditor(QWidget& over) : QObject(&over), over_(over) {}

int NoteEditor::height()
{
    return metrics::button;
}

void NoteEditor::open(MapNote note, QPoint at)
{
    close(true);
    note_ = std::move(note);
    auto* edit = new NoteEdit(&over_);
    edit_ = edit;
    edit->givenUp = [this] { close(false); };
    edit->setObjectName(QStringLiteral("noteEdit"));
    edit->setAccessibleName(tr("Note"));
    edit->setPlaceholderText(tr("Note, Enter keeps it"));
    edit->setFont(uiFont(metrics::body));
    edit->setText(note_.text);
    edit->setMaxLength(2000);
    edit->setGeometry(QRect(at, QSize(width, height())));
    edit->selectAll();
    edit->show();
    edit->setFocus(Qt::OtherFocusReason);
    connect(edit, &QLineEdit::editingFinished, this, [this] { close(true); }); // Enter, or the focus goes
}

void NoteEditor::close(bool keep)
{
    if (!edit_) return;
    QLineEdit* edit = std::exchange(edit_, nullptr); // hiding it ends the editing once more
    const QString text = edit->text().trimmed();
    edit->hide();
    edit->deleteLater();
    over_.setFocus(Qt::OtherFocusReason);
    if (!keep || text == note_.text) return;
    note_.text = text;
    Q_EMIT edited(note_);
}

} // namespace stowage
