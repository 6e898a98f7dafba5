#include "app/desktop/widgets/loop_canvas.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>

namespace stowage {

LoopCanvas::LoopCanvas(SelectionModel& selection, const Theme& theme, QWidget* parent)
    : QWidget(parent), selection_(selection), theme_(&theme)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Unrolled loop, and what lies where in one iteration"));
    card_ = new HoverCard(this);
    card_->setTheme(theme);
    for (const auto signal : {&SelectionModel::selectionChanged, &SelectionModel::hoverChanged, &SelectionModel::cursorChanged,
                              &SelectionModel::maskChanged})
        connect(&selection_, signal, this, qOverload<>(&QWidget::update));
}

void LoopCanvas::setTheme(const Theme& theme)
{
    theme_ = &theme;
    card_->setTheme(theme);
    update();
}

void LoopCanvas::setNumbers(const NumberFormat& numbers)
{
    numbers_ = numbers;
    update();
}

void LoopCanvas::setPicture(std::shared_ptr<const RunScene> scene, std::optional<LoopPicture> picture)
{
    scene_ = std::move(scene);
    picture_ = std::move(picture);
    scroll_ = 0;
    card_->dismiss();
    hold();
}

void LoopCanvas::setIteration(std::int64_t iteration)
{
    iteration_ = iteration;
    card_->dismiss();
    hold();
}

void LoopCanvas::setClose(bool close)
{
    close_ = close;
    card_->dismiss();
    update();
}

void LoopCanvas::hold()
{
    holds_.clear();
    if (picture_) holds_ = loopHolds(scene_->run->problem(), scene_->run->plan, picture_->story.views.loop, iteration_);
    update();
}

LoopState LoopCanvas::state() const
{
    LoopState state;
    state.scene = scene_.get();
    state.picture = &*picture_;
    state.theme = theme_;
    state.numbers = numbers_;
    state.iteration = iteration_;
    state.holds = holds_;
    state.scroll = scroll_;
    state.close = close_;
    state.selected = selection_.buffer();
    state.hovered = selection_.hovered();
    state.shown = selection_.mask() ? &selection_.mask()->shown : nullptr;
    state.cursor = selection_.cursor();
    return state;
}

void LoopCanvas::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!picture_) {
        painter.fillRect(rect(), theme_->well);
        return;
    }
    DrawList list(shaper_, devicePixelRatioF());
    const LoopState now = state();
    paintLoop(list, now, layOut(now, QSizeF(size())));
    replay(list, painter);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme_->accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

std::vector<HoverLine> LoopCanvas::linesOf(const LoopHit& hit) const
{
    const LoopStory& story = picture_->story;
    const Problem& problem = scene_->run->problem();
    std::vector<HoverLine> lines;
    if (hit.kind == LoopHit::Kind::bar) {
        const LoopRow& row = picture_->rows[hit.row];
        const auto& [pool, offset] = picture_->places[std::size_t(row.places[std::size_t(story.like(hit.iteration))])];
        lines.push_back({{}, QString::fromStdString(row.name)});
        lines.push_back({tr("iteration"), countText(hit.iteration)});
        lines.push_back(
            {tr("lies"),
             tr("%1 in %2").arg(addressText(offset, numbers_), QString::fromStdString(problem.pools[std::size_t(pool)].name))});
        lines.push_back({tr("view"),
                         row.type == ViewType::fixed ? tr("fixed")
                         : row.type == ViewType::chosen
                             ? tr("chosen when it runs")
                             : tr("type %1, one of %2")
                                   .arg(row.type == ViewType::typeI ? QStringLiteral("I") : QStringLiteral("II"))
                                   .arg(picture_->viewsOf(hit.row)),
                         false});
        if (row.carriedTo >= 0)
            lines.push_back({tr("then"),
                             (row.moved ? tr("copied to %1") : tr("%1 of the next, in place"))
                                 .arg(QString::fromStdString(picture_->rows[std::size_t(row.carriedTo)].name)),
                             false});
        else if (row.carriedIn)
            lines.push_back({tr("size"), bytesText(row.bytes, numbers_)});
    } else if (hit.kind == LoopHit::Kind::hold) {
        const LoopHold& hold = holds_[hit.hold];
        const Buffer& buffer = problem.buffers[std::size_t(hold.buffer)];
        lines.push_back({{}, QString::fromStdString(buffer.name)});
        lines.push_back({tr("size"), bytesText(buffer.size, numbers_)});
        lines.push_back({tr("lies"), tr("%1 in %2")
                                         .arg(addressText(hold.offset, numbers_),
                                              QString::fromStdString(problem.pools[std::size_t(hold.pool)].name))});
        lines.push_back({tr("live"), QStringLiteral("[%1, %2)").arg(hold.live.begin).arg(hold.live.end)});
        if (hold.made < iteration_)
            lines.push_back({tr("made"), tr("in iteration %1").arg(countText(hold.made)), false});
        else if (const auto rules = rotationRules(problem, scene_->run->plan.placements[std::size_t(hold.buffer)]);
                 !rules.empty())
            lines.push_back({tr("rotates"), QString::fromStdString(rules.back()), false});
    }
    return lines;
}

void LoopCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!picture_) return;
    const LoopState now = state();
    const LoopHit hit = loopHit(now, layOut(now, QSizeF(size())), event->position());
    selection_.hover(hit.buffer);
    if (hit.kind != LoopHit::Kind::bar && hit.kind != LoopHit::Kind::hold) {
        card_->dismiss();
        return;
    }
    const std::int32_t place = hit.kind == LoopHit::Kind::bar
                                   ? picture_->rows[hit.row].places[std::size_t(picture_->story.like(hit.iteration))]
                                   : picture_->placeAt(holds_[hit.hold].pool, holds_[hit.hold].offset);
    const QColor swatch = place >= 0 ? theme_->buffers[std::min(std::size_t(place), theme_->buffers.size() - 1)] : theme_->press;
    card_->announce(linesOf(hit), swatch, event->position(), hit.box);
}

void LoopCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!picture_ || event->button() != Qt::LeftButton) return;
    const LoopState now = state();
    const LoopHit hit = loopHit(now, layOut(now, QSizeF(size())), event->position());
    selection_.select(hit.buffer);
    if (hit.kind == LoopHit::Kind::bar || hit.kind == LoopHit::Kind::column) Q_EMIT sought(hit.iteration);
}

void LoopCanvas::wheelEvent(QWheelEvent* event)
{
    event->accept();
    if (!picture_) return;
    const LoopLayout layout = arranged();
    const double most = std::max(0.0, layout.contentHeight - layout.rows.height());
    scroll_ = std::clamp(scroll_ - event->angleDelta().y() / 2.0, 0.0, most);
    update();
}

void LoopCanvas::leaveEvent(QEvent*)
{
    card_->dismiss();
    selection_.hover(none);
}

} // namespace stowage
