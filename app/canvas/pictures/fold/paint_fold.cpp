// Painting of the fold picture: columns of ops, links between them, and the panels below.
#include "app/canvas/kit/legend.h"
#include "app/canvas/pictures/fold/fold_picture.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

using FoldAlign = draw::Text::Align;

constexpr double foldSummary = 26; ///< height of the line above the heads of the columns
constexpr double foldBadge = 14;
constexpr int fewMoved = 24; ///< up to this number, all links are shown; beyond, those under the pointer
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
    paintColumn(list, columns_.before, true);
    paintColumn(list, columns_.once, false);
    paintColumn(list, columns_.after, false);
    list.unclip();

    list.fill({0, 0, size_.width(), canvas().top()}, t.panel);
    list.horizontal(0, size_.width(), foldSummary, t.line);
    list.horizontal(0, size_.width(), canvas().top() - 1, t.line);
    // Clause by clause, as many as there is room for.
    QStringList clauses{QStringLiteral("Nothing is folded at this threshold")};
    if (sheet.split().fold.any())
        clauses = {QStringLiteral("Each run saves %1 and %2 moved")
                       .arg(countedText(costs.savedOps(), QStringLiteral("op")), bytesText(costs.savedBytes(), numbers())),
                   QStringLiteral("; %1 are kept between runs").arg(bytesText(sheet.split().fold.persistentBytes, numbers())),
                   costs.breakEvenRuns
                       ? QStringLiteral("; break-even after %1").arg(countedText(*costs.breakEvenRuns, QStringLiteral("run")))
                       : QStringLiteral("; no break-even")};
    if (sheet.leftOut > 0)
        clauses << QStringLiteral(" · %1 that folding does not concern are not drawn")
                       .arg(countedText(std::int64_t(sheet.leftOut), QStringLiteral("op")));
    double summaryRoom = size_.width() - 32;
    if (const std::size_t hidden = rowsOutOfView(); hidden > 0) {
        const QString rest = u'+' + countedText(std::int64_t(hidden), QStringLiteral("row"));
        list.text(Face::label, size_.width() - 16, foldSummary / 2, rest, t.text3, FoldAlign::right);
        summaryRoom -= list.width(Face::label, rest) + 16;
    }
    while (clauses.size() > 1 && list.width(Face::bodyStrong, clauses.join(QString())) > summaryRoom) clauses.removeLast();
    list.text(Face::bodyStrong, 16, foldSummary / 2, list.elided(Face::bodyStrong, clauses.join(QString()), summaryRoom), t.text);

    const auto head = [&](const FoldColumn& column, const FoldColumn* next, const QString& title, const QStringList& notes) {
        const double from = std::max(canvas().left() + 16, place(column.left, 0).x());
        const double to = next ? place(next->left, 0).x() - 12 : size_.width() - 16;
        if (to - from < 30) return;
        const double y = (foldSummary + canvas().top()) / 2;
        const QString name = list.elided(Face::labelStrong, title, to - from);
        list.text(Face::labelStrong, from, y, name, t.text);
        const double after = from + list.width(Face::labelStrong, name) + 10;
        for (const QString& note : notes) // the longest that fits: never a cut number
            if (list.width(Face::label, note) <= to - after) return list.text(Face::label, after, y, note, t.text2);
    };
    const auto notesOf = [&](std::int64_t ops, Bytes moved) {
        const QString count = countedText(ops, QStringLiteral("op")), bytes = bytesText(moved, numbers());
        return QStringList{QStringLiteral("%1, %2 moved in a run").arg(count, bytes),
                           QStringLiteral("%1, %2 moved").arg(count, bytes), count};
    };
    const QString once = bytesText(costs.movedByFold, numbers());
    head(columns_.before, &columns_.once, QStringLiteral("Before"), notesOf(costs.opsBefore, costs.movedBefore));
    head(columns_.once, &columns_.after, QStringLiteral("Once"),
         {QStringLiteral("%1 moved, arena %2").arg(once, bytesText(sheet.arenaOnce, numbers())),
          QStringLiteral("%1 moved").arg(once)});
    head(columns_.after, nullptr, QStringLiteral("After"), notesOf(costs.opsAfter, costs.movedAfter));
    if (panelHeight() > 0) {
        paintThresholds(list);
        paintMemory(list);
        paintRuns(list);
        paintTensors(list);
        paintRoots(list);
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
    const double inset = area.width() < 80 ? 6 : 8;
    if (node.op == none) {
        const FoldedTensor& tensor = sheet.split().fold.folded[std::size_t(node.kept)];
        list.fill(area, t.well, area.height() / 2);
        list.outline(area.adjusted(0.5, 0.5, -0.5, -0.5), t.accent, 1, area.height() / 2);
        if (area.height() < oneLineBox) return;
        const QString id = QStringLiteral("id %1").arg(tensor.id);
        const double room = area.width() - 20;
        if (list.width(Face::number, id) > room) return; // no number is cut
        list.text(Face::number, area.left() + 10, area.center().y(), id, t.text2);
        const double from = area.left() + 10 + list.width(Face::number, id) + 10;
        if (area.right() - 10 - from > 16)
            list.text(Face::label, area.right() - 10, area.center().y(),
                      apart(list, scene_->valueNames, Face::label, tensor.name, area.right() - 10 - from), t.text,
                      FoldAlign::right);
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
        const bool inRows = columns_.inRows;
        const bool two = !inRows && area.height() >= 31;
        const double sign = inRows ? std::min(foldBadge, area.height() - 2) : area.height() >= readableBox ? foldBadge : 0;
        const double y = two ? area.center().y() - 7 : area.center().y();
        double right = area.right() - (sign > 0 ? sign + 7 : 4);
        const QString figure = fold.view ? QStringLiteral("view") : bytesText(bytes, numbers());
        // In one line the name comes first, then the reason, then the bytes: what has no room beside those before is left out.
        if (inRows && node.tagged) {
            right = paintReasonInside(list, area, right, wordsOf(shortReason(fold)));
        } else if (inRows) {
            const double after = right - list.width(Face::number, figure) - 8;
            if (list.width(Face::labelStrong, wordsOf(op.name)) <= after - area.left() - inset) {
                list.text(Face::number, right - 2, y, figure, t.text2, FoldAlign::right);
                right = after;
            }
        }
        list.text(Face::labelStrong, area.left() + inset, y,
                  apart(list, scene_->names, Face::labelStrong, op.name, right - area.left() - inset), t.text);
        if (two && list.width(Face::number, figure) <= area.width() - 2 * inset)
            list.text(Face::number, area.left() + inset, area.center().y() + 8, figure, t.text2);
        if (sign > 0)
            paintBadge(list, {area.right() - sign - 3, inRows ? area.center().y() - sign / 2 : area.top() + 3, sign, sign},
                       fold.level);
    }
    if (!node.tagged || columns_.inRows) return;
    // Edges begin at the lower edge of the tag, which is a bar where its words have no room.
    const QRectF tag = list.snapped({area.left(), area.bottom() + 1, area.width(), foldTagHeight * scale() - 1});
    const bool says = tag.height() >= 13;
    list.fill(tag, says ? t.warnSoft : t.warn, 2);
    if (!says) return;
    list.outline(tag.adjusted(0.5, 0.5, -0.5, -0.5), t.warn, 1, 2);
    list.text(Face::label, tag.center().x(), tag.center().y(),
              list.elided(Face::label, wordsOf(shortReason(fold)), tag.width() - 8), t.warn, FoldAlign::centre);
}

double FoldPicture::paintReasonInside(DrawList& list, const QRectF& area, double right, const QString& reason) const
{
    constexpr double minName = 56, bar = 4;
    const Theme& t = theme();
    const double wide = std::ceil(list.width(Face::label, reason)) + 10;
    const bool says = right - wide - area.left() - 8 >= minName && area.height() >= oneLineBox;
    const QRectF tag = list.snapped({right - (says ? wide : bar), area.top() + 1, says ? wide : bar, area.height() - 2});
    list.fill(tag, says ? t.warnSoft : t.warn, 2);
    if (!says) return tag.left() - 4;
    if (area.height() >= 16) list.outline(tag.adjusted(0.5, 0.5, -0.5, -0.5), t.warn, 1, 2);
    list.text(Face::label, tag.center().x(), tag.center().y(), reason, t.warn, FoldAlign::centre);
    return tag.left() - 6;
}

QString FoldPicture::apart(const DrawList& list, const NamesApart& names, Face face, const std::string& name, double room) const
{
    return QString::fromStdString(names.fit(name, room, [&](std::string_view text, bool) {
        return list.width(face, QString::fromUtf8(text.data(), qsizetype(text.size())));
    }));
}

void FoldPicture::paintBadge(DrawList& list, const QRectF& sign, ConstLevel level) const
{
    const LevelLook look = lookOf(theme(), level);
    const bool unknown = level == ConstLevel::unknown;
    list.fill(sign, unknown ? theme().raised : look.edge, 2);
    list.text(Face::code, sign.center().x(), sign.center().y(), look.letter, unknown ? theme().text2 : theme().inkOn(look.edge),
              FoldAlign::centre);
}

void FoldPicture::paintLinks(DrawList& list) const
{
    const FoldSheet& sheet = scene_->sheet;
    const Theme& t = theme();
    std::size_t moved = 0;
    for (const FoldNode& node : columns_.once.nodes) moved += sheet.split().fold.ops[std::size_t(node.op)].folded();
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
    for (const FoldNode& node : columns_.once.nodes) {
        if (moved > fewMoved) break;
        if (!sheet.split().fold.ops[std::size_t(node.op)].folded()) continue;
        for (const FoldNode& from : columns_.before.nodes)
            if (from.op == node.op) link(from, node);
        for (const FoldNode& to : columns_.after.nodes) {
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
    if (scrolled_) paintScrollBar(list, theme(), rows());
    if (hovered_ == none) return;
    // The op wherever it stands, joined.
    const FoldSheet& sheet = scene_->sheet;
    list.clip(canvas());
    std::optional<QPointF> last;
    const auto& made = sheet.function().ops[std::size_t(hovered_)].outputs;
    for (const FoldColumn* column : {&columns_.before, &columns_.once, &columns_.after})
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
    std::array<std::int64_t, 4> counts{};
    for (const OpFold& op : scene_->sheet.split().fold.ops) ++counts[std::size_t(op.level)];
    std::vector<QString> names;
    std::vector<ConstLevel> levels; // those that occur
    for (const auto& [level, name] :
         {std::pair(ConstLevel::compileTime, "compile-time constant"), std::pair(ConstLevel::runTime, "run-time constant"),
          std::pair(ConstLevel::notConstant, "not constant"), std::pair(ConstLevel::unknown, "unknown")}) {
        if (counts[std::size_t(level)] == 0) continue;
        names.push_back(QStringLiteral("%1 %2").arg(QLatin1String(name), countText(counts[std::size_t(level)])));
        levels.push_back(level);
    }
    paintLegendEntries(list, theme(), names, foldBadge, left, right, y,
                       [&](std::size_t i, const QRectF& box) { paintBadge(list, box, levels[i]); });
}

} // namespace stowage
