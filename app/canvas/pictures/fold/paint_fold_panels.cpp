// Painting of the fold picture: the panels below the graphs, and the list of roots beside them.
#include "app/canvas/pictures/fold/fold_picture.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace stowage {

namespace {

using PanelAlign = draw::Text::Align;

constexpr double rootBadge = 14;
constexpr double rowHeight = 18;

QColor fainter(QColor colour, float alpha)
{
    colour.setAlphaF(alpha);
    return colour;
}

QString wordsIn(const std::string& words)
{
    return QString::fromStdString(words);
}

/// "32×4×32×32"
QString shapeText(const std::vector<std::int64_t>& shape)
{
    QStringList parts;
    for (const std::int64_t extent : shape) parts << QString::number(extent);
    return parts.isEmpty() ? QStringLiteral("scalar") : parts.join(QStringLiteral("×"));
}

} // namespace

QRectF FoldPicture::paintPanel(DrawList& list, const QRectF& area, const QString& title, const QStringList& notes) const
{
    const Theme& t = theme();
    list.fill(area, t.well);
    list.horizontal(area.left(), area.right(), area.top(), t.line2);
    if (area.left() > 0) list.vertical(area.left(), area.top(), area.bottom(), t.line2);
    list.text(Face::bodyStrong, area.left() + 16, area.top() + 15, title, t.text);
    const double from = area.left() + 16 + list.width(Face::bodyStrong, title) + 10;
    for (const QString& note : notes) // the longest that fits: half a note says nothing
        if (list.width(Face::label, note) <= area.right() - 10 - from) {
            list.text(Face::label, from, area.top() + 15, note, t.text2);
            break;
        }
    return area.adjusted(16, 30, -16, -8);
}

void FoldPicture::paintThresholds(DrawList& list) const
{
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const QRectF body = paintPanel(list, panel(thresholds), QStringLiteral("Threshold"),
                                   {QStringLiteral("result bytes / root bytes"), QStringLiteral("result / root")});
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
    list.add(draw::Area{under, fainter(t.accentSoft, 0.6F)});
    list.horizontal(curve.left(), curve.right(), curve.bottom(), t.line2);
    list.add(draw::Line{kept, t.ok, 1.5, Dash::bound});
    list.add(draw::Line{saved, t.accent, 1.5, Dash::solid});
    // Every threshold has its number, or every second one, or fewer: the chosen one always.
    const auto isChosen = [&](std::size_t i) { return sheet.samples[i].threshold == sheet.asked.options.threshold; };
    const auto tickOf = [&](std::size_t i) {
        const double wide = list.width(isChosen(i) ? Face::tickStrong : Face::tick, QString::number(sheet.samples[i].threshold));
        return std::pair(x(i) - wide / 2, x(i) + wide / 2);
    };
    std::size_t firstTick = 0, stride = 1;
    for (; stride < sheet.samples.size(); ++stride) {
        constexpr double apart = 6;
        firstTick = 0;
        for (std::size_t i = 0; i < sheet.samples.size(); ++i)
            if (isChosen(i)) firstTick = i % stride;
        bool clear = true;
        for (std::size_t i = firstTick; i + stride < sheet.samples.size(); i += stride)
            clear = clear && tickOf(i).second + apart <= tickOf(i + stride).first;
        if (clear) break;
    }
    for (std::size_t i = 0; i < sheet.samples.size(); ++i) {
        const FoldSample& sample = sheet.samples[i];
        const bool chosen = isChosen(i);
        if (i % stride == firstTick)
            list.text(chosen ? Face::tickStrong : Face::tick, x(i), curve.bottom() + 12, QString::number(sample.threshold),
                      chosen ? t.accent : t.text3, PanelAlign::centre);
        if (!chosen) continue;
        list.vertical(x(i), curve.top(), curve.bottom(), t.accent);
        list.add(draw::Disc{{x(i), y(sample.saved)}, 3.5, t.accent, t.well, 1});
        list.add(draw::Disc{{x(i), y(sample.persistent)}, 3.5, t.ok, t.well, 1});
        QString first = QStringLiteral("saves %1 a run").arg(bytesText(sample.saved, numbers()));
        if (list.width(Face::number, first) > curve.width())
            first = QStringLiteral("saves %1").arg(shortBytes(sample.saved, numbers())); // no number is cut
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
        paintPanel(list, panel(memory), QStringLiteral("Memory"),
                   {QStringLiteral("arenas by %1, views merged and in place; one scale").arg(wordsIn(sheet.planner)),
                    QStringLiteral("arenas by %1, one scale").arg(wordsIn(sheet.planner)),
                    QStringLiteral("arenas by %1").arg(wordsIn(sheet.planner)), QStringLiteral("one scale")});
    Bytes most = std::max<Bytes>(1, fold.persistentBytes);
    for (const auto* arena : {&sheet.arenaBefore, &sheet.arenaAfter})
        if (*arena) most = std::max(most, (*arena)->size);
    const double gap = 12, each = (body.width() - 2 * gap) / 3;
    const auto strip = [&](int index, const QStringList& names, const std::optional<FoldArena>& arena) {
        const QRectF all(body.left() + index * (each + gap), body.top(), each, body.height());
        for (const QString& name : names) // the longest that fits
            if (list.width(Face::label, name) <= each) {
                list.text(Face::label, all.left(), all.top() + 7, name, t.text2);
                break;
            }
        QString size = arena ? bytesText(arena->size, numbers()) : QStringLiteral("not planned");
        if (arena && list.width(Face::numberStrong, size) > each) size = shortBytes(arena->size, numbers()); // no number is cut
        list.text(Face::numberStrong, all.left(), all.top() + 22, list.elided(Face::numberStrong, size, each), t.text);
        const QRectF place = all.adjusted(0, 34, 0, 0);
        list.fill(place, t.free);
        list.horizontal(place.left(), place.right(), place.bottom() - 1, t.line2);
        if (!arena) return;
        for (const FoldPlaceBox& box : arena->boxes) {
            const double steps = double(std::max<Step>(1, arena->steps));
            const double top = place.bottom() - place.height() * double(box.offset + box.size) / double(most);
            const double high = std::max(1.0, place.height() * double(box.size) / double(most));
            const double from = place.left() + place.width() * double(box.live.begin) / steps;
            const double wide = std::max(1.0, place.width() * double(box.live.end - box.live.begin) / steps);
            const QRectF area = list.snapped({from, top, wide, high}).adjusted(0, 0, wide > 3 ? -1 : 0, high > 3 ? -1 : 0);
            const QColor fill = index != 2 ? t.buffers[box.colour] : box.kept ? t.accent : t.warn;
            list.fill(area, fill);
            if (area.height() < 13 || area.width() < 24) continue;
            // A folded tensor has its number, and its name where there is room for all of it.
            const QString says = wordsIn(box.name);
            const bool whole = list.width(Face::label, says) <= area.width() - 8;
            const QString shown = index != 2 ? apart(list, scene_->valueNames, Face::label, box.name, area.width() - 8)
                                  : whole    ? says
                                             : says.section(QStringLiteral("  "), 0, 0);
            // A short form of a few letters tells nothing.
            constexpr double minForm = 48;
            if (list.width(Face::label, shown) <= area.width() - 8 && (index == 2 || whole || area.width() - 8 >= minForm))
                list.text(Face::label, area.left() + 4, area.top() + std::min(9.0, area.height() / 2), shown,
                          index == 2 ? t.inkOn(fill) : t.bufferInks[box.colour]);
        }
    };
    strip(0, {QStringLiteral("before")}, sheet.arenaBefore);
    strip(1, {QStringLiteral("after")}, sheet.arenaAfter);
    FoldArena block;
    block.size = fold.persistentBytes;
    block.steps = 1;
    for (const FoldedTensor& tensor : fold.folded)
        if (tensor.madeIn != FoldPlace::evaluated)
            block.boxes.push_back({{0, 1},
                                   tensor.offset,
                                   tensor.size,
                                   "id " + std::to_string(tensor.id) + "  " + tensor.name,
                                   sheet.keeps[std::size_t(tensor.id)]});
    strip(2, {QStringLiteral("persistent"), QStringLiteral("kept")}, block);
}

void FoldPicture::paintRuns(DrawList& list) const
{
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const FoldCosts& costs = sheet.split().costs;
    QStringList notes{QStringLiteral("by bytes moved")};
    if (sheet.cacheCapacity)
        notes.prepend(QStringLiteral("by bytes moved; the cache holds %1").arg(bytesText(*sheet.cacheCapacity, numbers())));
    const QRectF body = paintPanel(list, panel(runs), QStringLiteral("First run, later runs"), notes);
    const auto count = double(sheet.runs.size());
    double folding = 0;
    for (const FoldRunShown& run : sheet.runs) folding += double(run.folding);
    const double most = std::max({1.0, double(costs.movedBefore) * count, folding + double(costs.movedAfter) * count});
    const double barHeight = std::clamp((body.height() - 66) / 2, 14.0, 26.0);
    double x = 0, top = body.top();
    const auto head = [&](const QString& name) {
        list.text(Face::label, body.left(), top + 7, list.elided(Face::label, name, body.width()), t.text2);
        x = body.left();
    };
    const auto part = [&](Bytes bytes, const QString& label, const QColor& fill) {
        const double wide = body.width() * double(bytes) / most;
        const QRectF area = list.snapped({x, top + 16, wide, barHeight}).adjusted(0, 0, wide > 3 ? -1 : 0, 0);
        x += wide;
        if (area.width() < 1) return;
        list.fill(area, fill);
        if (list.width(Face::label, label) + 8 <= area.width())
            list.text(Face::label, area.left() + 4, area.center().y(), label, t.inkOn(fill));
    };
    head(QStringLiteral("not folded: %1 a run").arg(bytesText(costs.movedBefore, numbers())));
    for (std::size_t run = 0; run < sheet.runs.size(); ++run)
        part(costs.movedBefore, QStringLiteral("run %1").arg(run + 1), t.buffers[9]);
    top += 22 + barHeight;
    const Bytes first = sheet.runs.empty() ? 0 : sheet.runs.front().folding;
    const Bytes later = sheet.runs.empty() ? 0 : sheet.runs.back().folding;
    const auto sentence = [&](const auto& text, bool shortly) {
        if (shortly)
            return later > 0
                       ? QStringLiteral("folded: %1, later %2, then %3").arg(text(first), text(later), text(costs.movedAfter))
                       : QStringLiteral("folded: %1, then %2").arg(text(first), text(costs.movedAfter));
        return later > 0 ? QStringLiteral("folded: %1 in run 1, %2 again in each later one, then %3 a run")
                               .arg(text(first), text(later), text(costs.movedAfter))
                         : QStringLiteral("folded: %1 once, then %2 a run").arg(text(first), text(costs.movedAfter));
    };
    const auto fits = [&](Face face, const QString& text) { return list.width(face, text) <= body.width(); };
    const auto whole = [&](Bytes bytes) { return bytesText(bytes, numbers()); };
    const auto rough = [&](Bytes bytes) { return shortBytes(bytes, numbers()); };
    // No number is cut.
    QString folded = sentence(whole, false);
    if (!fits(Face::label, folded)) folded = sentence(rough, false);
    if (!fits(Face::label, folded)) folded = sentence(rough, true);
    head(folded);
    for (std::size_t run = 0; run < sheet.runs.size(); ++run) {
        if (sheet.runs[run].folding > 0)
            part(sheet.runs[run].folding, run == 0 ? QStringLiteral("fold") : QStringLiteral("again"),
                 run == 0 ? t.accent : t.warn);
        part(costs.movedAfter, QStringLiteral("run %1").arg(run + 1), t.buffers[9]);
    }
    top += 22 + barHeight;
    const double y = top + 9;
    if (y + 6 > panel(runs).bottom()) return;
    const double saved = double(costs.savedBytes()) * count - folding;
    std::int64_t again = 0;
    if (!sheet.runs.empty() && sheet.runs.size() > 1) again = std::int64_t(sheet.runs.back().what.foldedNow.size());
    const auto after = [&](const QString& words, const QString& bytes) {
        return words.arg(sheet.runs.size())
            .arg(saved > 0   ? QStringLiteral("-")
                 : saved < 0 ? QStringLiteral("+")
                             : QString(),
                 bytes);
    };
    const auto difference = Bytes(std::abs(saved));
    QString text = after(QStringLiteral("after %1 runs: %2%3 moved"), whole(difference));
    if (!fits(Face::number, text)) text = after(QStringLiteral("after %1 runs: %2%3"), whole(difference));
    if (!fits(Face::number, text)) text = after(QStringLiteral("after %1 runs: %2%3"), rough(difference));
    if (again > 0) {
        const QString more = text + QStringLiteral("; %1 of %2 folded again in each run").arg(again).arg(sheet.hits.size());
        if (fits(Face::number, more)) text = more;
    }
    list.text(Face::number, body.left(), y, list.elided(Face::number, text, body.width()), saved >= 0 ? t.ok : t.warn);
}

void FoldPicture::paintTensors(DrawList& list) const
{
    const QRectF area = panel(tensors);
    if (area.isEmpty()) return;
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const FunctionFold& fold = sheet.split().fold;
    const Function& function = sheet.function();
    const QRectF body = paintPanel(list, area, QStringLiteral("Folded tensors"),
                                   {QStringLiteral("places of 64 B, kept between runs"), QStringLiteral("places of 64 B")});
    if (fold.folded.empty()) {
        list.text(Face::label, body.left(), body.top() + 10, QStringLiteral("Nothing is folded at this threshold"), t.text2);
        return;
    }
    // Right edges of the columns of numbers, as wide as what stands in them; names and shapes share what is left. Shapes go where
    // one would be cut.
    constexpr std::size_t looked = 64; // more rows than the panel has room for
    const auto seen = std::span(fold.folded).first(std::min(looked, fold.folded.size()));
    const auto widest = [&](Face face, const QString& title, const auto& textOf) {
        double wide = list.width(Face::label, title);
        for (const FoldedTensor& tensor : seen) wide = std::max(wide, list.width(face, textOf(tensor)));
        return std::ceil(wide) + 14;
    };
    const bool wide = body.width() > 480;
    const double state = wide ? body.right() : 0, hitsEdge = wide ? body.right() - 78 : body.right();
    const double bytesEdge = hitsEdge - widest(Face::number, QStringLiteral("hits"), [&](const FoldedTensor& tensor) {
                                 return countText(sheet.hits[std::size_t(tensor.id)]);
                             });
    const double placeEdge = bytesEdge - std::max(list.width(Face::numberStrong, countText(fold.persistentBytes)) + 14,
                                                  widest(Face::number, QStringLiteral("bytes"),
                                                         [](const FoldedTensor& tensor) { return countText(tensor.size); }));
    const double placesFrom = placeEdge - std::max(list.width(Face::number, addressText(fold.persistentBytes, numbers())) + 14,
                                                   widest(Face::number, QStringLiteral("place"), [&](const FoldedTensor& tensor) {
                                                       return addressText(tensor.offset, numbers());
                                                   }));
    const double names = body.left() + 26, room = std::max(40.0, placesFrom - names);
    const double widestShape =
        widest(Face::number, QStringLiteral("shape"), [](const FoldedTensor& tensor) { return shapeText(tensor.shape); });
    constexpr double minName = 44;
    const bool shaped = widestShape + minName <= room;
    // Names get what they need, shapes stand beside them.
    const double nameRoom = shaped ? std::max(minName, std::min(room - widestShape, room * 0.6)) - 14 : room - 8;
    const double shapes = names + nameRoom + 14;
    double y = body.top() + 6;
    const auto cell = [&](Face face, double edge, const QString& text, const QColor& colour) {
        list.text(face, edge, y, text, colour, PanelAlign::right);
    };
    list.text(Face::label, body.left(), y, QStringLiteral("id"), t.text3);
    list.text(Face::label, names, y, QStringLiteral("from"), t.text3);
    if (shaped) list.text(Face::label, shapes, y, QStringLiteral("shape"), t.text3);
    cell(Face::label, placeEdge, QStringLiteral("place"), t.text3);
    cell(Face::label, bytesEdge, QStringLiteral("bytes"), t.text3);
    cell(Face::label, hitsEdge, QStringLiteral("hits"), t.text3);
    if (wide) cell(Face::label, state, QStringLiteral("after run %1").arg(sheet.runs.size()), t.text3);
    const auto fitting =
        std::max<std::int64_t>(1, std::int64_t((body.bottom() - y - rowHeight * 0.5) / rowHeight) - 1); // the last row is the sum
    const auto shown = std::min<std::int64_t>(fitting, std::int64_t(fold.folded.size()));
    std::vector<OpId> makers(function.tensors.size(), none);
    for (std::size_t i = 0; i < function.ops.size(); ++i)
        for (const TensorId made : function.ops[i].outputs) makers[std::size_t(made)] = OpId(i);
    for (std::int64_t i = 0; i < shown; ++i) {
        const FoldedTensor& tensor = fold.folded[std::size_t(i)];
        const bool literal = tensor.madeIn == FoldPlace::evaluated, kept = sheet.keeps[std::size_t(i)];
        const OpId maker = makers[std::size_t(tensor.tensor)];
        y += rowHeight;
        list.horizontal(body.left(), body.right(), y - rowHeight / 2, t.line);
        list.text(Face::number, body.left(), y, QString::number(tensor.id), t.text2);
        list.text(Face::label, names, y,
                  maker == none ? apart(list, scene_->valueNames, Face::label, tensor.name, nameRoom)
                                : apart(list, scene_->names, Face::label, function.ops[std::size_t(maker)].name, nameRoom),
                  t.text);
        if (shaped) list.text(Face::number, shapes, y, shapeText(tensor.shape), t.text2);
        cell(Face::number, placeEdge, literal ? QStringLiteral("–") : addressText(tensor.offset, numbers()), t.text2);
        cell(Face::number, bytesEdge, countText(tensor.size), t.text);
        cell(Face::number, hitsEdge, literal ? QStringLiteral("–") : countText(sheet.hits[std::size_t(i)]), t.text2);
        if (wide)
            cell(Face::label, state,
                 literal ? QStringLiteral("literal")
                 : kept  ? QStringLiteral("cached")
                         : QStringLiteral("not kept"),
                 literal ? t.text2
                 : kept  ? t.ok
                         : t.warn);
    }
    y += rowHeight;
    if (y > area.bottom() - 4) return;
    list.horizontal(body.left(), body.right(), y - rowHeight / 2, t.line2);
    const auto left = std::int64_t(fold.folded.size()) - shown;
    std::int64_t evictions = 0, notKept = 0;
    for (const FoldRunShown& run : sheet.runs) evictions += run.what.evictions;
    if (!sheet.runs.empty()) notKept = std::int64_t(sheet.runs.back().what.notKept.size());
    QString sum = countedText(std::int64_t(fold.folded.size()), QStringLiteral("tensor"));
    const auto more = [&](const QString& clause) { // as many clauses as there is room for
        if (list.width(Face::label, sum + clause) <= room) sum += clause;
    };
    if (left > 0) more(QStringLiteral(", %1 not shown").arg(left));
    more(notKept > 0     ? QStringLiteral(", %1 not kept").arg(notKept)
         : evictions > 0 ? QStringLiteral(", %1").arg(countedText(evictions, QStringLiteral("eviction")))
                         : QStringLiteral(", no eviction"));
    list.text(Face::label, names, y, sum, t.text2);
    cell(Face::number, placeEdge, addressText(fold.persistentBytes, numbers()), t.text2);
    cell(Face::numberStrong, bytesEdge, countText(fold.persistentBytes), t.text);
}

void FoldPicture::paintRoots(DrawList& list) const
{
    const double wide = rootsWidth();
    if (wide <= 0) return;
    const Theme& t = theme();
    const FoldSheet& sheet = scene_->sheet;
    const QRectF area(0, canvas().top(), wide, canvas().height());
    list.fill(area, t.panel);
    list.vertical(wide - 1, area.top(), area.bottom(), t.line);
    const auto isConstant = [](const FoldRoot& root) {
        return root.level == ConstLevel::compileTime || root.level == ConstLevel::runTime;
    };
    const auto constant = std::ranges::count_if(sheet.roots, isConstant);
    const auto others = std::ranges::count_if(sheet.roots, [](const FoldRoot& root) { return !root.argument; });
    const double head = canvas().top() - 13;
    list.text(Face::labelStrong, 16, head, QStringLiteral("Roots"), t.text);
    const QString note = QStringLiteral("%1 of %2 constant").arg(constant).arg(sheet.roots.size());
    const double from = 16 + list.width(Face::labelStrong, QStringLiteral("Roots")) + 8;
    if (from + list.width(Face::label, note) <= wide - 8) list.text(Face::label, from, head, note, t.text2);
    const auto fitting = std::int64_t((area.height() - 14) / rowHeight);
    const auto all = std::int64_t(sheet.roots.size());
    const std::int64_t shown = all <= fitting ? all : std::max<std::int64_t>(0, fitting - 1);
    double y = area.top() + 14;
    for (std::int64_t i = 0; i < shown; ++i, y += rowHeight) {
        const FoldRoot& root = sheet.roots[std::size_t(i)];
        paintBadge(list, {16, y - rootBadge / 2, rootBadge, rootBadge}, root.level);
        const QString bytes = countText(root.bytes);
        const double edge = wide - 12, room = edge - list.width(Face::number, bytes) - 8 - 36;
        list.text(Face::label, 36, y, apart(list, scene_->valueNames, Face::label, root.name, room), t.text);
        list.text(Face::number, edge, y, bytes, t.text2, PanelAlign::right);
    }
    if (shown < all)
        list.text(Face::label, 36, y, QStringLiteral("and %1 more").arg(all - shown), t.text2);
    else if (others > 0 && y < area.bottom() - 6) {
        const QString words = QStringLiteral("arguments, then %1 with data").arg(countedText(others, QStringLiteral("tensor")));
        if (list.width(Face::label, words) <= wide - 24) list.text(Face::label, 16, y, words, t.text3);
    }
}

} // namespace stowage
