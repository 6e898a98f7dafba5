#include "app/canvas/kit/picture.h"

#include <algorithm>

namespace stowage {

std::optional<Error> whyNoRun(const PictureSource& source)
{
    if (source.run) return std::nullopt;
    return failure(Code::noRun, "Nothing is planned yet.", {}, "plan the model first");
}

std::size_t PictureParts::stripAt(QPointF at) const
{
    return std::size_t(std::ranges::find_if(strips, [&](const QRectF& strip) { return strip.contains(at); }) - strips.begin());
}

std::size_t PictureParts::scrollAt(QPointF at) const
{
    return std::size_t(std::ranges::find_if(scrolls, [&](const PictureScroll& part) { return part.box.contains(at); }) -
                       scrolls.begin());
}

void paintScrollBar(DrawList& list, const Theme& theme, const PictureScroll& part)
{
    constexpr double least = 20, wide = 5; // pixels of the bar
    if (part.overhang() <= 1) return;
    const double track = part.box.height() - 4;
    const double length = std::max(least, track * part.box.height() / part.content);
    const double top = part.box.top() + 2 + (track - length) * part.at / part.overhang();
    list.fill({part.box.right() - 7, part.box.top() + 2, wide, track}, theme.raised, wide / 2);
    list.fill({part.box.right() - 7, top, wide, length}, theme.edge, wide / 2);
}

bool Picture::stillOf(const PictureScene&, const PictureSource&) const
{
    return false;
}

PictureChange Picture::set(const QString&, const QString&)
{
    return PictureChange::unknown;
}

void Picture::scrollTo(std::size_t, double) {}

QSizeF Picture::readableSize(QSizeF size, double) const
{
    return size;
}

void Picture::paintLegend(DrawList&, double, double, double) const {}

bool Picture::hover(const PictureHit&)
{
    return false;
}

PictureChange Picture::press(const PictureHit&, Qt::KeyboardModifiers)
{
    return PictureChange::nothing;
}

std::optional<std::vector<BufferId>> Picture::areaTo(QPointF, QPointF)
{
    return std::nullopt;
}

std::optional<std::vector<BufferId>> Picture::areaOfView()
{
    const PictureParts at = parts();
    if (!at.zooms() || at.strips.empty()) return std::nullopt;
    const QRectF& strip = at.strips.front();
    // Half a pixel below the edge, which another part may share.
    return areaTo({at.plotLeft, strip.top() + 0.5}, {at.plotRight, strip.bottom()});
}

std::optional<std::vector<BufferId>> Picture::endArea()
{
    return std::nullopt;
}

bool Picture::takeHold(QPointF)
{
    return false;
}

bool Picture::refusesHold(QPointF) const
{
    return false;
}

void Picture::moveTo(QPointF) {}

bool Picture::drop()
{
    return false;
}

std::optional<PictureAim> Picture::neighbourAim(Direction, const BufferTest&) const
{
    return std::nullopt;
}

} // namespace stowage
