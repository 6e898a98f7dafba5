// What can be changed in a map by hand: the place of a buffer, and notes.
#include "app/desktop/widgets/map_widget.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/pictures/map/stack_parts.h"
#include "app/desktop/look/metrics.h"

#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace stowage {

namespace {

constexpr double snapPixels = 8;
constexpr double noteReach = 6;
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

// --- moving a buffer -----------------------------------------------------------------------------------------------------

bool MapWidget::takeHold()
{
    if (!editable_ || pressedSpot_.place != Place::strip || selection_.buffers().size() != 1) return false;
    const BufferId buffer = bufferAt(pressed_);
    if (buffer == none || buffer != selection_.buffer()) return false;
    const StackState& state = view_->state();
    const MapData& map = view_->scene().pools[std::size_t(state.strips[pressedSpot_.strip])].map;
    const Run& run = *view_->scene().run;
    Move move{buffer, pressedSpot_.strip, 0, MoveCheck(run, buffer, map.pool), {}};
    if (!move.check.movable()) return false;
    const double pixel = (layout_.strips[move.strip].bottom() - pressed_.y()) * state.ratio;
    move.grab = state.viewport.addresses[move.strip].at(pixel).minus({run.plan.placements[std::size_t(buffer)].offset, 0.0});
    move_ = std::move(move);
    card_->dismiss();
    setCursor(Qt::ClosedHandCursor);
    return true;
}

void MapWidget::moveTo(const QPointF& point)
{
    if (!move_) return;
    const StackState& state = view_->state();
    const Run& run = *view_->scene().run;
    // Another memory, when the pointer is over one that the buffer may lie in.
    if (const Spot spot = spotAt(point); spot.place == Place::strip && spot.strip != move_->strip) {
        MoveCheck other(run, move_->buffer, view_->scene().pools[std::size_t(state.strips[spot.strip])].map.pool);
        if (other.movable()) {
            move_->check = std::move(other);
            move_->strip = spot.strip;
        }
    }
    const PixelAxis& axis = state.viewport.addresses[move_->strip];
    const double pixel = (layout_.strips[move_->strip].bottom() - point.y()) * state.ratio;
    const AxisPoint held = axis.at(pixel).plus(-move_->grab);
    const Bytes wanted = std::max<Bytes>(0, held.whole + (held.part >= 0.5 ? 1 : 0));
    move_->verdict = move_->check.at(move_->check.snapped(wanted, Bytes(snapPixels * state.ratio / axis.scale())));
}

void MapWidget::paintMove(DrawList& list) const
{
    const StackGeometry g = geometry();
    const Buffer& buffer = view_->scene().run->problem().buffers[std::size_t(move_->buffer)];
    const MoveVerdict& verdict = move_->verdict;
    const QRectF& band = layout_.strips[move_->strip];
    const QRectF plot(layout_.plotLeft + 1, band.top(), layout_.plotWidth(), band.height());
    const bool displaces = verdict.kind == MoveVerdict::Kind::displaces;
    const QColor colour = !verdict.legal() ? theme_->bad : displaces ? theme_->warn : theme_->ok;
    const double top = g.y(move_->strip, verdict.offset + buffer.size);
    const double bottom = g.y(move_->strip, verdict.offset);
    list.clip(plot);
    std::vector<Interval> live = buffer.live;
    if (live.empty()) live.push_back({0, view_->scene().steps});
    for (const Interval& range : live) {
        const QRectF box = list.snapped(QRectF(
            QPointF(g.x(range.begin), top), QPointF(std::max(g.x(range.begin) + 2, g.x(range.end)), std::max(top + 2, bottom))));
        list.fill(box, stack::withAlpha(colour, 0.28), 1.5);
        if (!verdict.legal()) list.add(draw::Hatch{box & plot, colour, 5, true, plot.bottomLeft()});
        list.outline(box.adjusted(1, 1, -1, -1), colour, 2, 1.5);
    }
    // What is in the way.
    const MapData& map = view_->scene().pools[std::size_t(view_->state().strips[move_->strip])].map;
    for (const BufferId other : verdict.inTheWay)
        for (const std::uint32_t rect : map.rectsOf(other))
            list.outline(g.rectOf(move_->strip, rect, 4).adjusted(0.5, 0.5, -0.5, -0.5), colour, 1.5, 1.5, Dash::chain);
    QString text = addressText(verdict.offset, numbers_);
    switch (verdict.kind) {
    case MoveVerdict::Kind::free: text += tr("  free"); break;
    case MoveVerdict::Kind::displaces:
        text += tr("  displaces %1").arg(countedText(std::int64_t(verdict.inTheWay.size()), tr("buffer")));
        break;
    case MoveVerdict::Kind::collides: text += tr("  collides with a pinned buffer"); break;
    case MoveVerdict::Kind::outside: text += tr("  above the capacity"); break;
    }
    const double width = list.chipWidth(text);
    const double left = std::clamp(g.x(live.front().begin), plot.left() + 2, std::max(plot.left() + 2, plot.right() - width - 2));
    const double y = top - DrawList::chipHeight - 4 < plot.top() ? std::min(bottom + 4, plot.bottom() - DrawList::chipHeight - 2)
                                                                 : top - DrawList::chipHeight - 4;
    list.chip(left + width, y, text, colour, theme_->well);
    list.unclip();
}

// --- notes ---------------------------------------------------------------------------------------------------------------

void MapWidget::setNotes(std::vector<MapNote> notes)
{
    notes_ = std::move(notes);
    if (view_) view_->state().notes = notes_;
    update();
}

const MapNote* MapWidget::noteAt(const QPointF& point) const
{
    if (!view_ || !editable_) return nullptr;
    // The last one is drawn on top.
    for (auto note = notes_.rbegin(); note != notes_.rend(); ++note)
        if (noteBox(view_->state(), layout_, *note).contains(point)) return &*note;
    return nullptr;
}

void MapWidget::noteAtPointer()
{
    if (!editable_) return;
    const QPointF at = pointer();
    for (const double dx : {0.0, -noteReach, noteReach})
        if (const MapNote* there = noteAt(at + QPointF(dx, 0))) {
            editNote(*there);
            return;
        }
    MapNote note;
    const StackState& state = view_->state();
    note.step =
        stepAt(at).value_or(selection_.cursor().value_or(state.viewport.steps.unitAt(state.viewport.steps.pixels() / 2.0)));
    if (const Spot spot = spotAt(at); spot.place == Place::strip) {
        note.pool = view_->scene().pools[std::size_t(state.strips[spot.strip])].map.poolName;
        note.address = state.viewport.addresses[spot.strip].unitAt((layout_.strips[spot.strip].bottom() - at.y()) * state.ratio);
    }
    editNote(std::move(note));
}

void MapWidget::editNote(MapNote note)
{
    if (noteEdit_) closeNote(true);
    card_->dismiss();
    edited_ = std::move(note);
    const QRectF box = noteBox(view_->state(), layout_, edited_);
    auto* edit = new NoteEdit(this);
    noteEdit_ = edit;
    edit->givenUp = [this] { closeNote(false); };
    edit->setObjectName(QStringLiteral("noteEdit"));
    edit->setAccessibleName(tr("Note"));
    edit->setPlaceholderText(tr("Note, Enter keeps it"));
    edit->setFont(uiFont(metrics::body));
    edit->setText(edited_.text);
    edit->setMaxLength(2000);
    const int height = metrics::button;
    const QPointF at = box.isNull() ? pointer() : box.topRight();
    edit->setGeometry(int(std::clamp(at.x() + 4, gutterWidth + 4, std::max(gutterWidth + 4, double(width() - noteWidth - 6)))),
                      int(std::clamp(at.y() - 4, 4.0, std::max(4.0, double(this->height() - height - 4)))), noteWidth, height);
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
