// Painting of the fold picture: columns of ops, links between them, and the panels below.
#include "app/canvas/pictures/fold/fold_picture.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

using FoldAlign = draw::Text::Align;

constexpr double foldSummary = 26; ///< height of the line above the heads of the columns
constexpr double foldBadge = 14;
constexpr int fewMoved = 24; ///< so many links are always shown, more of them under the pointer only
constexpr int foldRuns = 4;  ///< that the panel of runs shows
constexpr double readableBox = 24, oneLineBox = 12;

struct LevelLook {
    QColor edge, fill;
    QString letter;
};

LevelLook lookOf(const Theme& theme, ConstLevel level)
{
    switch (level) {
    case ConstLevel::compileTime: return {theme.ok, theme.okSoft, QStringLiteral("C")};
    case ConstLevel::runTime: return {theme.accent, theme.accentSoft, QStringLiteral("R")};
    case ConstLevel::notConstant: return {theme.text3, theme.base, QStringLiteral("N")};
    case ConstLevel::unknown: break;
    }
    return {theme.line2, theme.well, QStringLiteral("?")};
}

QColor faint(QColor colour, float alpha)
{
    colour.setAlphaF(alpha);
    return colour;
}

QString wordsOf(const std::string& words)
{
    return QString::fromStdString(words);
}

QPolygonF flattened(const GraphCurve& curve, const auto& place)
{
    constexpr int pieces = 8;
    QPolygonF line;
    const auto& points = curve.points;
    if (points.empty()) return line;
    line << place(points.front().x, points.front().y);
    for (std::size_t i = 0; i + 3 < points.size(); i += 3)
        for (int k = 1; k <= pieces; ++k) {
            const double t = double(k) / pieces, s = 1 - t;
            const auto mixOf = [&](auto member) {
                return points[i].*member * s * s * s + points[i + 1].*member * 3 * s * s * t +
                       points[i + 2].*member * 3 * s * t * t + points[i + 3].*member * t * t * t;
            };
            line << place(mixOf(&GraphPoint::x), mixOf(&GraphPoint::y));
        }
    return line;
}

} // namespace

bool FoldPicture::paint(DrawList& list, BodyMode)
{
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const FoldCosts& costs = sheet.split().costs;
    list.fill(QRectF(QPointF(0, 0), size_), t.well);
    list.clip(canvas());
    paintLinks(list); // below the boxes
    paintColumn(list, sheet.before, true);
    paintColumn(list, sheet.once, false);
    paintColumn(list, sheet.after, false);
    list.unclip();

    list.fill({0, 0, size_.width(), canvas().top()}, t.panel);
    list.horizontal(0, size_.width(), foldSummary, t.line);
    list.horizontal(0, size_.width(), canvas().top() - 1, t.line);
    const QString saves =
        sheet.split().fold.any()
            ? QStringLiteral("Each run saves %1 and %2 moved; %3 are kept between runs; %4")
                  .arg(countedText(costs.savedOps(), QStringLiteral("op")), bytesText(costs.savedBytes(), numbers()),
                       bytesText(sheet.split().fold.persistentBytes, numbers()),
                       costs.breakEvenRuns
                           ? QStringLiteral("break-even after %1").arg(countedText(*costs.breakEvenRuns, QStringLiteral("run")))
                           : QStringLiteral("no break-even"))
            : QStringLiteral("Nothing is folded at this threshold");
    const QString left = sheet.leftOut > 0 ? QStringLiteral(" · %1 that folding does not concern are not drawn")
                                                 .arg(countedText(std::int64_t(sheet.leftOut), QStringLiteral("op")))
                                           : QString();
    list.text(Face::bodyStrong, 16, foldSummary / 2, list.elided(Face::bodyStrong, saves + left, size_.width() - 32), t.text);

    const auto head = [&](const FoldColumn& column, const FoldColumn* next, const QString& title, const QString& note) {
        const double from = std::max(16.0, place(column.left, 0).x());
        const double to = next ? place(next->left, 0).x() - 12 : size_.width() - 16;
        if (to - from < 30) return;
        const double y = (foldSummary + canvas().top()) / 2;
        const QString name = list.elided(Face::labelStrong, title, to - from);
        list.text(Face::labelStrong, from, y, name, t.text);
        const double after = from + list.width(Face::labelStrong, name) + 10;
        if (list.width(Face::label, note) <= to - after) list.text(Face::label, after, y, note, t.text2); // never a cut number
    };
    const auto noteOf = [&](std::int64_t ops, Bytes moved) {
        return QStringLiteral("%1, %2 moved in a run").arg(countedText(ops, QStringLiteral("op")), bytesText(moved, numbers()));
    };
    head(sheet.before, &sheet.once, QStringLiteral("Before"), noteOf(costs.opsBefore, costs.movedBefore));
    head(sheet.once, &sheet.after, QStringLiteral("Once"),
         QStringLiteral("%1 moved").arg(bytesText(costs.movedByFold, numbers())));
    head(sheet.after, nullptr, QStringLiteral("After"), noteOf(costs.opsAfter, costs.movedAfter));
    if (panelHeight() > 0) {
        paintThresholds(list);
        paintMemory(list);
        paintRuns(list);
    }
    return false;
}

void FoldPicture::paintColumn(DrawList& list, const FoldColumn& column, bool before) const
{
    const auto at = [this](double x, double y) { return place(x, y); };
    const QColor colour = faint(theme().text3, 0.7F);
    for (const GraphCurve& curve : column.curves) {
        const QPolygonF line = flattened(curve, at);
        if (line.size() < 2 || !line.boundingRect().adjusted(-2, -2, 2, 2).intersects(canvas())) continue;
        list.add(draw::Line{line, colour, 1, Dash::solid});
        const QPointF end = line.back(), way = end - line[line.size() - 2];
        const double angle = std::atan2(way.y(), way.x()), tip = 6 * std::clamp(scale() * 1.3, 0.4, 1.0);
        const auto corner = [&](double turn) { return end - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * tip; };
        list.add(draw::Area{QPolygonF{end, corner(0.5), corner(-0.5)}, colour});
    }
    for (const FoldNode& node : column.nodes)
        if (box(node).adjusted(-4, -4, 4, foldTagHeight + 4).intersects(canvas())) paintNode(list, node, before);
}

void FoldPicture::paintNode(DrawList& list, const FoldNode& node, bool before) const
{
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const QRectF area = list.snapped(box(node));
    const double inset = 8;
    if (node.op == none) {
        const FoldedTensor& tensor = sheet.split().fold.folded[std::size_t(node.kept)];
        list.fill(area, t.well, area.height() / 2);
        list.outline(area.adjusted(0.5, 0.5, -0.5, -0.5), t.accent, 1, area.height() / 2);
        if (area.height() < oneLineBox) return;
        const QString id = QStringLiteral("id %1").arg(tensor.id);
        list.text(Face::number, area.left() + 10, area.center().y(), id, t.text2);
        const double from = area.left() + 10 + list.width(Face::number, id) + 10;
        if (area.right() - 10 - from > 16)
            list.text(Face::label, area.right() - 10, area.center().y(),
                      list.elidedInside(Face::label, wordsOf(tensor.name), area.right() - 10 - from), t.text, FoldAlign::right);
        return;
    }
    const Op& op = sheet.function().ops[std::size_t(node.op)];
    const OpFold& fold = sheet.split().fold.ops[std::size_t(node.op)];
    Bytes bytes = fold.resultBytes;
    for (const TensorId made : op.outputs) bytes = std::max(bytes, sheet.function().tensors[std::size_t(made)].bytes.value_or(0));
    if (fold.chained() && !before) bytes = fold.resultBytes; // at the small size
    const LevelLook look = lookOf(t, fold.level);
    const bool moved = before && fold.folded();
    const std::vector<BufferId> buffers = buffersOf(node.op);
    const bool selected = std::ranges::any_of(
        buffers, [&](BufferId buffer) { return std::ranges::find(marks_.selection, buffer) != marks_.selection.end(); });
    if (selected) list.outline(area.adjusted(-3, -3, 3, 3), t.sel, 2, 4);
    list.fill(area, look.fill, 2);
    if (moved) list.add(draw::Hatch{area.adjusted(4, 1, -1, -1), faint(look.edge, 0.22F), 6, false, canvas().topLeft()});
    list.outline(area.adjusted(0.5, 0.5, -0.5, -0.5), look.edge, 1, 2, moved ? Dash::stall : Dash::solid);
    list.fill({area.left(), area.top(), 3, area.height()}, look.edge);
    if (area.height() >= oneLineBox && area.width() > 40) {
        const bool two = area.height() >= 31;
        const bool badge = area.height() >= readableBox;
        const double room = area.width() - 2 * inset - (badge ? foldBadge + 4 : 0);
        const double y = two ? area.center().y() - 7 : area.center().y();
        list.text(Face::labelStrong, area.left() + inset, y, list.elidedInside(Face::labelStrong, wordsOf(op.name), room),
                  t.text);
        if (two)
            list.text(Face::number, area.left() + inset, area.center().y() + 8,
                      list.elided(Face::number, fold.view ? QStringLiteral("view") : bytesText(bytes, numbers()),
                                  area.width() - 2 * inset),
                      t.text2);
        if (badge) {
            const QRectF sign(area.right() - foldBadge - 3, area.top() + 3, foldBadge, foldBadge);
            list.fill(sign, fold.level == ConstLevel::unknown ? t.raised : look.edge, 2);
            list.text(Face::code, sign.center().x(), sign.center().y(), look.letter,
                      fold.level == ConstLevel::unknown ? t.text2 : t.inkOn(look.edge), FoldAlign::centre);
        }
    }
    if (!node.tagged || foldTagHeight * scale() < 13) return;
    const QRectF tag(area.left(), area.bottom() + 2, area.width(), 16);
    list.fill(tag, t.warnSoft, 2);
    list.outline(tag.adjusted(0.5, 0.5, -0.5, -0.5), t.warn, 1, 2);
    list.text(Face::label, tag.center().x(), tag.center().y(),
              list.elided(Face::label, wordsOf(shortReason(fold)), tag.width() - 8), t.warn, FoldAlign::centre);
}

void FoldPicture::paintLinks(DrawList& list) const
{
    const FoldSheet& sheet = scene_->sheet;
    const Theme& t = theme();
    std::size_t moved = 0;
    for (const FoldNode& node : sheet.once.nodes) moved += sheet.split().fold.ops[std::size_t(node.op)].folded();
    const auto link = [&](const FoldNode& from, const FoldNode& to) {
        const QRectF a = box(from), b = box(to);
        const QPointF start(a.right(), a.center().y()), end(b.left(), b.center().y());
        const double bend = std::max(16.0, (end.x() - start.x()) / 2);
        QPolygonF line;
        for (int k = 0; k <= 16; ++k) {
            const double u = k / 16.0, v = 1 - u;
            line << start * (v * v * v) + (start + QPointF(bend, 0)) * (3 * v * v * u) +
                        (end - QPointF(bend, 0)) * (3 * v * u * u) + end * (u * u * u);
        }
        list.add(draw::Line{line, faint(t.accent, 0.75F), 1, Dash::stall});
        list.add(draw::Disc{start, 2, t.accent, {}, 0});
        list.add(draw::Disc{end, 2, t.accent, {}, 0});
    };
    for (const FoldNode& node : sheet.once.nodes) {
        if (moved > fewMoved) break;
        if (!sheet.split().fold.ops[std::size_t(node.op)].folded()) continue;
        for (const FoldNode& from : sheet.before.nodes)
            if (from.op == node.op) link(from, node);
        for (const FoldNode& to : sheet.after.nodes) {
            if (to.op != none) continue;
            const auto& made = sheet.function().ops[std::size_t(node.op)].outputs;
            if (std::ranges::find(made, sheet.split().fold.folded[std::size_t(to.kept)].tensor) != made.end()) link(node, to);
        }
    }
}

void FoldPicture::paintOverlay(DrawList& list) const
{
    if (area_) {
        const QRectF area =
            list.snapped(QRectF(place(area_->left(), area_->top()), place(area_->right(), area_->bottom())) & canvas());
        list.fill(area, faint(theme().accent, 0.14F));
        list.outline(area.adjusted(0.5, 0.5, -0.5, -0.5), theme().accent, 1);
    }
    if (hovered_ == none) return;
    // The op wherever it stands, joined.
    const FoldSheet& sheet = scene_->sheet;
    list.clip(canvas());
    std::optional<QPointF> last;
    const auto& made = sheet.function().ops[std::size_t(hovered_)].outputs;
    for (const FoldColumn* column : {&sheet.before, &sheet.once, &sheet.after})
        for (const FoldNode& node : column->nodes) {
            const bool same = node.op == hovered_ ||
                              (node.op == none &&
                               std::ranges::find(made, sheet.split().fold.folded[std::size_t(node.kept)].tensor) != made.end());
            if (!same) continue;
            const QRectF area = list.snapped(box(node));
            list.outline(area.adjusted(-1.5, -1.5, 1.5, 1.5), theme().sel, 2, 4);
            if (last)
                list.add(draw::Line{QPolygonF{*last, QPointF(area.left(), area.center().y())}, theme().sel, 1, Dash::solid});
            last = QPointF(area.right(), area.center().y());
        }
    list.unclip();
}

void FoldPicture::paintLegend(DrawList& list, double left, double right, double y) const
{
    const Theme& t = theme();
    std::array<std::int64_t, 4> counts{};
    for (const OpFold& op : scene_->sheet.split().fold.ops) ++counts[std::size_t(op.level)];
    for (const auto& [level, name] :
         {std::pair(ConstLevel::unknown, "unknown"), std::pair(ConstLevel::notConstant, "not constant"),
          std::pair(ConstLevel::runTime, "run-time constant"), std::pair(ConstLevel::compileTime, "compile-time constant")}) {
        const QString text = QStringLiteral("%1 %2").arg(QLatin1String(name), countText(counts[std::size_t(level)]));
        const double width = foldBadge + 6 + list.width(Face::label, text);
        if (right - width < left) return;
        const LevelLook look = lookOf(t, level);
        const QRectF sign(right - width, y - foldBadge / 2, foldBadge, foldBadge);
        list.fill(sign, level == ConstLevel::unknown ? t.raised : look.edge, 2);
        list.text(Face::code, sign.center().x(), y, look.letter, level == ConstLevel::unknown ? t.text2 : t.inkOn(look.edge),
                  FoldAlign::centre);
        list.text(Face::label, sign.right() + 6, y, text, t.text2);
        right -= width + 16;
    }
}

// --- panels --------------------------------------------------------------------------------------------------------------

QRectF FoldPicture::paintPanel(DrawList& list, const QRectF& area, const QString& title, const QString& note) const
{
    const Theme& t = theme();
    list.fill(area, t.well);
    list.horizontal(area.left(), area.right(), area.top(), t.line2);
    if (area.left() > 0) list.vertical(area.left(), area.top(), area.bottom(), t.line2);
    list.text(Face::bodyStrong, area.left() + 16, area.top() + 15, title, t.text);
    const double from = area.left() + 16 + list.width(Face::bodyStrong, title) + 10;
    list.text(Face::label, from, area.top() + 15, list.elided(Face::label, note, area.right() - 10 - from), t.text2);
    return area.adjusted(16, 30, -16, -8);
}

void FoldPicture::paintThresholds(DrawList& list) const
{
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const QRectF body = paintPanel(list, panel(0), QStringLiteral("Threshold"), QStringLiteral("result bytes / root bytes"));
    if (sheet.samples.empty()) {
        list.text(Face::label, body.left(), body.top() + 10, QStringLiteral("Not sampled: too many ops"), t.text2);
        return;
    }
    const QRectF curve = curveBox();
    Bytes most = 1;
    for (const FoldSample& sample : sheet.samples) most = std::max({most, sample.saved, sample.persistent});
    const auto x = [&](std::size_t i) { return curve.left() + curve.width() * double(i) / double(foldThresholds.size() - 1); };
    const auto y = [&](Bytes bytes) {
        return curve.bottom() - curve.height() * double(std::max<Bytes>(0, bytes)) / double(most);
    };
    QPolygonF saved, kept;
    for (std::size_t i = 0; i < sheet.samples.size(); ++i) {
        if (i > 0) {
            saved << QPointF(x(i), y(sheet.samples[i - 1].saved));
            kept << QPointF(x(i), y(sheet.samples[i - 1].persistent));
        }
        saved << QPointF(x(i), y(sheet.samples[i].saved));
        kept << QPointF(x(i), y(sheet.samples[i].persistent));
    }
    QPolygonF under = saved;
    under << curve.bottomRight() << curve.bottomLeft();
    list.add(draw::Area{under, faint(t.accentSoft, 0.6F)});
    list.horizontal(curve.left(), curve.right(), curve.bottom(), t.line2);
    list.add(draw::Line{kept, t.ok, 1.5, Dash::bound});
    list.add(draw::Line{saved, t.accent, 1.5, Dash::solid});
    for (std::size_t i = 0; i < sheet.samples.size(); ++i) {
        const FoldSample& sample = sheet.samples[i];
        const bool chosen = sample.threshold == sheet.options.threshold;
        const auto align = i == 0 ? FoldAlign::left : i + 1 == sheet.samples.size() ? FoldAlign::right : FoldAlign::centre;
        list.text(chosen ? Face::tickStrong : Face::tick, x(i), curve.bottom() + 12, QString::number(sample.threshold),
                  chosen ? t.accent : t.text3, align);
        if (!chosen) continue;
        list.vertical(x(i), curve.top(), curve.bottom(), t.accent);
        list.add(draw::Disc{{x(i), y(sample.saved)}, 3.5, t.accent, t.well, 1});
        list.add(draw::Disc{{x(i), y(sample.persistent)}, 3.5, t.ok, t.well, 1});
        const QString first = QStringLiteral("saves %1 a run").arg(bytesText(sample.saved, numbers()));
        const QString second = QStringLiteral("keeps %1").arg(bytesText(sample.persistent, numbers()));
        const double top = curve.top() - 14;
        list.text(Face::number, curve.left(), top, list.elided(Face::number, first, curve.width()), t.accent);
        const double from = curve.left() + list.width(Face::number, first) + 16;
        if (from + list.width(Face::number, second) <= curve.right()) list.text(Face::number, from, top, second, t.ok);
    }
}

void FoldPicture::paintMemory(DrawList& list) const
{
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const FunctionFold& fold = sheet.split().fold;
    const QRectF body =
        paintPanel(list, panel(1), QStringLiteral("Memory"), QStringLiteral("arenas and persistent block, one scale"));
    Bytes most = std::max<Bytes>(1, fold.persistentBytes);
    for (const auto* arena : {&sheet.arenaBefore, &sheet.arenaAfter})
        if (*arena) most = std::max(most, (*arena)->size);
    const double gap = 12, each = (body.width() - 2 * gap) / 3;
    const auto strip = [&](int index, const QString& name, const std::optional<FoldArena>& arena) {
        const QRectF all(body.left() + index * (each + gap), body.top(), each, body.height());
        list.text(Face::label, all.left(), all.top() + 7, list.elided(Face::label, name, each), t.text2);
        QString size = arena ? bytesText(arena->size, numbers()) : QStringLiteral("not planned");
        if (arena && list.width(Face::numberStrong, size) > each) size = shortBytes(arena->size); // no number is cut
        list.text(Face::numberStrong, all.left(), all.top() + 22, list.elided(Face::numberStrong, size, each), t.text);
        const QRectF place = all.adjusted(0, 34, 0, 0);
        list.fill(place, t.free);
        list.horizontal(place.left(), place.right(), place.bottom() - 1, t.line2);
        if (!arena) return;
        std::size_t hue = 0;
        for (const FoldPlaceBox& box : arena->boxes) {
            const double steps = double(std::max<Step>(1, arena->steps));
            const double top = place.bottom() - place.height() * double(box.offset + box.size) / double(most);
            const double high = std::max(1.0, place.height() * double(box.size) / double(most));
            const double from = place.left() + place.width() * double(box.live.begin) / steps;
            const double wide = std::max(1.0, place.width() * double(box.live.end - box.live.begin) / steps);
            const QRectF area = list.snapped({from, top, wide, high}).adjusted(0, 0, wide > 3 ? -1 : 0, high > 3 ? -1 : 0);
            const std::size_t colour = hue++ % 9;
            const QColor fill = index == 2 ? t.accent : t.buffers[colour];
            list.fill(area, fill);
            if (area.height() < 13 || area.width() < 24) continue;
            list.text(Face::label, area.left() + 4, area.top() + std::min(9.0, area.height() / 2),
                      list.elidedInside(Face::label, wordsOf(box.name), area.width() - 8),
                      index == 2 ? t.inkOn(fill) : t.bufferInks[colour]);
        }
    };
    strip(0, QStringLiteral("before"), sheet.arenaBefore);
    strip(1, QStringLiteral("after"), sheet.arenaAfter);
    FoldArena block;
    block.size = fold.persistentBytes;
    block.steps = 1;
    for (const FoldedTensor& tensor : fold.folded)
        if (tensor.madeIn != FoldPlace::evaluated)
            block.boxes.push_back({{0, 1}, tensor.offset, tensor.size, "id " + std::to_string(tensor.id) + "  " + tensor.name});
    strip(2, QStringLiteral("persistent"), block);
}

void FoldPicture::paintRuns(DrawList& list) const
{
    const Theme& t = theme();
    const FoldCosts& costs = scene_->sheet.split().costs;
    const QRectF body = paintPanel(list, panel(2), QStringLiteral("First run, later runs"), QStringLiteral("by bytes moved"));
    const double most =
        std::max({1.0, double(costs.movedBefore) * foldRuns, double(costs.movedByFold) + double(costs.movedAfter) * foldRuns});
    const double barHeight = std::clamp((body.height() - 60) / 2, 14.0, 26.0);
    const auto row = [&](double top, const QString& name, Bytes first, Bytes each) {
        list.text(Face::label, body.left(), top + 7, name, t.text2);
        double x = body.left();
        const auto part = [&](Bytes bytes, const QString& label, const QColor& fill) {
            const double wide = body.width() * double(bytes) / most;
            const QRectF area = list.snapped({x, top + 16, wide, barHeight}).adjusted(0, 0, wide > 3 ? -1 : 0, 0);
            x += wide;
            if (area.width() < 1) return;
            list.fill(area, fill);
            if (list.width(Face::label, label) + 8 <= area.width())
                list.text(Face::label, area.left() + 4, area.center().y(), label, t.inkOn(fill));
        };
        if (first > 0) part(first, QStringLiteral("fold"), t.accent);
        for (int run = 1; run <= foldRuns; ++run) part(each, QStringLiteral("run %1").arg(run), t.buffers[9]);
    };
    const QString sentence = QStringLiteral("folded: %1 once, then %2 a run");
    QString folded = sentence.arg(bytesText(costs.movedByFold, numbers()), bytesText(costs.movedAfter, numbers()));
    if (list.width(Face::label, folded) > body.width()) // no number is cut
        folded = sentence.arg(shortBytes(costs.movedByFold), shortBytes(costs.movedAfter));
    row(body.top(), QStringLiteral("not folded: %1 a run").arg(bytesText(costs.movedBefore, numbers())), 0, costs.movedBefore);
    row(body.top() + 22 + barHeight, folded, costs.movedByFold, costs.movedAfter);
    const Bytes saved = costs.savedBytes() * foldRuns - costs.movedByFold;
    const double y = body.top() + 2 * (22 + barHeight) + 9;
    if (y + 6 > panel(2).bottom()) return;
    const QString text = QStringLiteral("after %1 runs: %2%3 moved")
                             .arg(foldRuns)
                             .arg(saved > 0   ? QStringLiteral("-")
                                  : saved < 0 ? QStringLiteral("+")
                                              : QString(),
                                  bytesText(std::abs(saved), numbers()));
    list.text(Face::number, body.left(), y, list.elided(Face::number, text, body.width()), saved >= 0 ? t.ok : t.warn);
}

} // namespace stowage
