#include "app/desktop/widgets/map_widget.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/metrics.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <functional>
#include <utility>

namespace stowage {

namespace {

constexpr int noteWidth = 260;

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

MapWidget::MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, unsigned bands, QWidget* parent)
    : MapWidget(selection, std::move(scenes), std::make_unique<StackPicture>(bands),
                bands & bandMap ? tr("Memory map") : tr("Liveness timeline"), parent)
{
}

MapWidget::MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, std::unique_ptr<StackPicture> picture,
                     const QString& name, QWidget* parent)
    : Canvas(selection, std::move(picture), name, parent),
      scenes_(std::move(scenes)),
      stack_(static_cast<StackPicture&>(this->picture()))
{
    connect(this, &Canvas::dropped, this, [this] {
        if (const auto& drop = stack_.dropped()) Q_EMIT moveRequested(drop->buffer, drop->pool, drop->offset);
    });
    connect(this, &Canvas::clicked, this, [this](const PictureHit& hit) {
        if (noteEdit_) closeNote(true);
        if (hit.kind == StackPicture::note && std::size_t(hit.item) < stack_.notes().size())
            editNote(stack_.notes()[std::size_t(hit.item)]);
    });
}

void MapWidget::setRun(std::shared_ptr<const Run> run)
{
    if (run) setWaitingText(tr("preparing the picture of %1").arg(QString::fromStdString(run->plan.planner)));
    PictureSource source;
    source.run = std::move(run);
    source.scenes = scenes_;
    setSource(std::move(source));
}

void MapWidget::setPool(PoolId pool)
{
    const PictureChange change = stack_.setPool(pool);
    if (change == PictureChange::paint) forgetHistory();
    apply(change);
}

void MapWidget::setToggle(const char* id, bool on)
{
    setOption(QLatin1String(id), on ? QStringLiteral("on") : QStringLiteral("off"));
}

// --- notes ---------------------------------------------------------------------------------------------------------------

void MapWidget::setNotes(std::vector<MapNote> notes)
{
    stack_.setNotes(std::move(notes));
    update();
}

void MapWidget::noteAtPointer()
{
    if (state()) editNote(stack_.newNote(pointer()));
}

void MapWidget::editNote(MapNote note)
{
    if (noteEdit_) closeNote(true);
    hideCard();
    edited_ = std::move(note);
    const QRectF box = noteBox(state()->state(), bands(), edited_);
    auto* edit = new NoteEdit(this);
    noteEdit_ = edit;
    edit->givenUp = [this] { closeNote(false); };
    edit->setObjectName(QStringLiteral("noteEdit"));
    edit->setAccessibleName(tr("Note"));
    edit->setPlaceholderText(tr("Note, Enter keeps it"));
    edit->setFont(uiFont(metrics::body));
    edit->setText(edited_.text);
    edit->setMaxLength(2000);
    const int high = metrics::button;
    const QPointF at = box.isNull() ? pointer() : box.topRight();
    edit->setGeometry(int(std::clamp(at.x() + 4, gutterWidth + 4, std::max(gutterWidth + 4, double(width() - noteWidth - 6)))),
                      int(std::clamp(at.y() - 4, 4.0, std::max(4.0, double(height() - high - 4)))), noteWidth, high);
    edit->selectAll();
    edit->show();
    edit->setFocus(Qt::OtherFocusReason);
    connect(edit, &QLineEdit::editingFinished, this, [this] { closeNote(true); }); // Enter, or the focus goes
}

void MapWidget::closeNote(bool keep)
{
    if (!noteEdit_) return;
    QLineEdit* edit = std::exchange(noteEdit_, nullptr); // hiding it ends the editing once more
    const QString text = edit->text().trimmed();
    edit->hide();
    edit->deleteLater();
    setFocus(Qt::OtherFocusReason);
    if (!keep || text == edited_.text) return;
    edited_.text = text;
    Q_EMIT noteEdited(edited_);
}

} // namespace stowage
