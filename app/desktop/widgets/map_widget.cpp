#include "app/desktop/widgets/map_widget.h"

#include "app/desktop/widgets/note_editor.h"

#include <algorithm>
#include <utility>

namespace stowage {

MapWidget::MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, unsigned bands, QWidget* parent)
    : MapWidget(selection, std::move(scenes), std::make_unique<StackPicture>(bands),
                bands & bandMap ? tr("Memory map") : tr("Liveness timeline"), parent)
{
}

MapWidget::MapWidget(SelectionModel& selection, std::shared_ptr<SceneCache> scenes, std::unique_ptr<StackPicture> picture,
                     const QString& name, QWidget* parent)
    : Canvas(selection, std::move(picture), name, parent),
      scenes_(std::move(scenes)),
      stack_(static_cast<StackPicture&>(this->picture())),
      notes_(new NoteEditor(*this))
{
    connect(notes_, &NoteEditor::edited, this, &MapWidget::noteEdited);
    connect(this, &Canvas::dropped, this, [this] {
        if (const auto& drop = stack_.dropped()) Q_EMIT moveRequested(drop->buffer, drop->pool, drop->offset);
    });
    connect(this, &Canvas::clicked, this, [this](const PictureHit& hit) {
        notes_->close(true);
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

void MapWidget::widenGutter(double by)
{
    if (!state()) return;
    stack_.dragGutter(stack_.gutter() + by);
    apply(PictureChange::paint);
}

void MapWidget::editNote(MapNote note)
{
    notes_->close(true);
    hideCard();
    const QRectF box = noteBox(state()->state(), bands(), note);
    const QPointF at = box.isNull() ? pointer() : box.topRight();
    const double right = std::max(gutterWidth + 4, double(width() - NoteEditor::width - 6));
    const double bottom = std::max(4.0, double(height() - NoteEditor::height() - 4));
    notes_->open(std::move(note),
                 QPoint(int(std::clamp(at.x() + 4, gutterWidth + 4, right)), int(std::clamp(at.y() - 4, 4.0, bottom))));
}

} // namespace stowage
