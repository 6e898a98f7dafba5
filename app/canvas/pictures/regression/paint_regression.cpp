#include "app/canvas/pictures/regression/regression_picture.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <limits>

namespace stowage {

namespace {

using Align = draw::Text::Align;

constexpr double detailsMargin = 12;
constexpr double detailsLine = 18;
constexpr std::size_t peakRows = 6;
constexpr std::size_t sparkPoints = 8; ///< runs that the list shows

QString signedBytes(Bytes by, const NumberFormat& numbers)
{
    if (by == 0) return QStringLiteral("0");
    return (by > 0 ? QStringLiteral("+") : QStringLiteral("-")) + bytesNumber(std::abs(by), numbers);
}

QString verdictName(RowVerdict verdict)
{
    QString word = QString::fromUtf8(toText(verdict).data(), qsizetype(toText(verdict).size()));
    word[0] = word[0].toUpper();
    return word;
}

QString modelName(const RowResult& result)
{
    return result.model.empty() ? nameText(result.key)
                                : nameText(QFileInfo(QString::fromStdString(result.model)).fileName().toStdString());
}

/// The model with the settings that tell its rows apart.
QString rowName(const RowResult& result)
{
    return result.settings.empty() ? modelName(result)
                                   : QStringLiteral("%1, %2").arg(modelName(result), nameText(result.settings));
}

QString causeText(const RowResult& result)
{
    QString text = QString::fromStdString(sentence(result));
    if (result.verdict != RowVerdict::added) return text;
    return QStringLiteral("not in the baseline") + (text.isEmpty() ? QString() : QStringLiteral("; ") + text);
}

} // namespace

QColor RegressionPicture::inkOf(RowVerdict verdict) const
{
    switch (verdict) {
    case RowVerdict::failed:
    case RowVerdict::worse:
    case RowVerdict::gone: return theme().bad;
    case RowVerdict::better: return theme().ok;
    case RowVerdict::changed:
    case RowVerdict::added: return theme().accent;
    case RowVerdict::same: break;
    }
    return theme().text2;
}

QColor RegressionPicture::softOf(RowVerdict verdict) const
{
    switch (verdict) {
    case RowVerdict::failed:
    case RowVerdict::worse:
    case RowVerdict::gone: return theme().badSoft;
    case RowVerdict::better: return theme().okSoft;
    case RowVerdict::changed:
    case RowVerdict::added: return theme().accentSoft;
    case RowVerdict::same: break;
    }
    return theme().raised;
}

double RegressionPicture::paintTag(DrawList& list, RowVerdict verdict, double left, double middle) const
{
    const QString word = verdictName(verdict);
    const QRectF box = list.snapped({left, middle - 8, std::ceil(list.width(Face::label, word)) + 26, 16});
    const QColor ink = inkOf(verdict);
    list.fill(box, softOf(verdict), 3);
    const double x = box.left() + 10, y = box.center().y();
    const auto stroke = [&](QPolygonF points) { list.add(draw::Line{std::move(points), ink, 1.4, Dash::solid}); };
    switch (verdict) {
    case RowVerdict::worse: stroke({QPointF(x - 3.5, y + 1.8), QPointF(x, y - 1.8), QPointF(x + 3.5, y + 1.8)}); break;
    case RowVerdict::better: stroke({QPointF(x - 3.5, y - 1.8), QPointF(x, y + 1.8), QPointF(x + 3.5, y - 1.8)}); break;
    case RowVerdict::failed:
        stroke({QPointF(x - 3, y - 3), QPointF(x + 3, y + 3)});
        stroke({QPointF(x + 3, y - 3), QPointF(x - 3, y + 3)});
        break;
    case RowVerdict::gone: stroke({QPointF(x - 3.5, y), QPointF(x + 3.5, y)}); break;
    case RowVerdict::added:
        stroke({QPointF(x - 3.5, y), QPointF(x + 3.5, y)});
        stroke({QPointF(x, y - 3.5), QPointF(x, y + 3.5)});
        break;
    case RowVerdict::changed:
        stroke({QPointF(x - 3.5, y - 1.5), QPointF(x + 3.5, y - 1.5)});
        stroke({QPointF(x - 3.5, y + 1.5), QPointF(x + 3.5, y + 1.5)});
        break;
    case RowVerdict::same: stroke({QPointF(x - 3.6, y + 0.2), QPointF(x - 1.1, y + 2.8), QPointF(x + 3.8, y - 2.8)}); break;
    }
    list.text(Face::label, box.left() + 19, y, word, ink);
    return box.right();
}

void RegressionPicture::paintHistory(DrawList& list, const RegressionRow& row, const QRectF& box) const
{
    std::vector<std::optional<Bytes>> sizes;
    for (const HistoryPoint& point : row.history) sizes.push_back(point.size);
    sizes.push_back(row.result.current ? std::optional(row.result.current->size) : std::nullopt);
    if (sizes.size() > sparkPoints && box.height() < 30) sizes.erase(sizes.begin(), sizes.end() - std::ptrdiff_t(sparkPoints));
    const auto baseline = row.result.baseline ? std::optional(row.result.baseline->size) : std::nullopt;
    Bytes low = baseline.value_or(std::numeric_limits<Bytes>::max()), high = baseline.value_or(0);
    for (const auto& size : sizes)
        if (size) low = std::min(low, *size), high = std::max(high, *size);
    const auto x = [&](std::size_t i) {
        return sizes.size() < 2 ? box.right() - 4 : box.left() + 4 + (box.width() - 8) * double(i) / double(sizes.size() - 1);
    };
    const auto y = [&](Bytes size) {
        if (high <= low) return box.center().y();
        return box.bottom() - 4 - (box.height() - 8) * (double(size - low) / double(high - low));
    };
    const QColor ink = inkOf(row.result.verdict);
    if (baseline && high > low) {
        const QPolygonF level{QPointF(box.left() + 4, y(*baseline)), QPointF(box.right() - 4, y(*baseline))};
        list.add(draw::Line{level, theme().text3, 1, Dash::stall});
    }
    QPolygonF line;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (!sizes[i]) {
            if (line.size() > 1) list.add(draw::Line{line, theme().text2, 1, Dash::solid});
            line.clear();
            continue;
        }
        if (!line.isEmpty()) line << QPointF(x(i), line.back().y()); // steps: a size holds until the next run
        line << QPointF(x(i), y(*sizes[i]));
    }
    if (line.size() > 1) list.add(draw::Line{line, ink, 1, Dash::solid});
    const double end = x(sizes.size() - 1);
    if (sizes.back()) {
        list.add(draw::Disc{{end, y(*sizes.back())}, 2.4, ink, {}, 0});
        return;
    }
    const double middle = box.center().y();
    for (const double way : {-1.0, 1.0})
        list.add(draw::Line{QPolygonF{QPointF(end - 2.5, middle - 2.5 * way), QPointF(end + 2.5, middle + 2.5 * way)}, ink, 1.2,
                            Dash::solid});
}

void RegressionPicture::paintRow(DrawList& list, const RegressionRow& row, const QRectF& box) const
{
    const RowResult& result = row.result;
    const bool chosen = result.key == chosen_;
    if (chosen) list.fill(box, theme().accentSoft);
    list.horizontal(box.left(), box.right(), box.bottom() - 1, theme().line);
    const double y = box.center().y() - 0.5;
    const auto words = [&](Columns column, const QString& text, const QColor& colour, Face face = Face::body) {
        const Column& at = columns_[column];
        if (at.width <= 0) return;
        list.text(face, at.left, y, list.elidedInside(face, text, at.width), colour);
    };
    const auto number = [&](Columns column, const QString& text, const QColor& colour, Face face = Face::bodyNumber) {
        const Column& at = columns_[column];
        if (at.width > 0) list.text(face, at.left + at.width, y, text, colour, Align::right);
    };
    paintTag(list, result.verdict, columns_[verdictColumn].left, y);
    words(modelColumn, rowName(result), theme().text, chosen ? Face::bodyStrong : Face::body);
    if (const Column& at = columns_[plannerColumn]; at.width > 0)
        list.text(Face::body, at.left, y, list.toldApart(Face::body, QString::fromStdString(result.planner), at.width, planners_),
                  theme().text2);
    words(targetColumn,
          result.model.empty()    ? QString()
          : result.target.empty() ? QStringLiteral("own")
                                  : QString::fromStdString(result.target),
          theme().text2);
    const QString dash = QStringLiteral("–");
    number(baselineColumn, result.baseline ? bytesNumber(result.baseline->size, numbers()) : dash, theme().text2);
    number(currentColumn, result.current ? bytesNumber(result.current->size, numbers()) : dash, theme().text);
    if (result.current && result.baseline) {
        const Bytes by = result.current->size - result.baseline->size;
        number(changeColumn, signedBytes(by, numbers()), by > 0 ? theme().bad : by < 0 ? theme().ok : theme().text3);
    } else {
        number(changeColumn, dash, theme().text3);
    }
    if (columns_[runsColumn].width > 0)
        paintHistory(list, row, {columns_[runsColumn].left, box.top() + 2, columns_[runsColumn].width, box.height() - 4});
    if (const Column& at = columns_[causeColumn]; at.width > 0)
        list.text(Face::body, at.left, y, list.elided(Face::body, causeText(result), at.width), theme().text2);
}

void RegressionPicture::paintRows(DrawList& list) const
{
    const Regression& all = *regression();
    const QRectF header(rowsBox_.left(), 0, rowsBox_.width(), rowsBox_.top());
    list.fill(header, theme().base);
    list.horizontal(header.left(), header.right(), header.bottom() - 1, theme().line2);
    const QString unit = unitText(numbers());
    const std::array<QString, columnCount> titles{QStringLiteral("verdict"),
                                                  QStringLiteral("model"),
                                                  QStringLiteral("planner"),
                                                  QStringLiteral("target"),
                                                  QStringLiteral("baseline, ") + unit,
                                                  QStringLiteral("current, ") + unit,
                                                  QStringLiteral("change"),
                                                  QStringLiteral("runs"),
                                                  QStringLiteral("cause")};
    for (std::size_t i = 0; i < titles.size(); ++i) {
        const Column& at = columns_[i];
        if (at.width <= 0) continue;
        const bool right = i == baselineColumn || i == currentColumn || i == changeColumn;
        list.text(Face::label, right ? at.left + at.width : at.left, header.center().y(), titles[i], theme().text2,
                  right ? Align::right : Align::left);
    }
    list.fill(rowsBox_, theme().well);
    list.clip(rowsBox_);
    for (std::size_t place = 0; place < listed_.size(); ++place) {
        const QRectF box = rowBox(place);
        if (box.bottom() <= rowsBox_.top() || box.top() >= rowsBox_.bottom()) continue;
        paintRow(list, all.rows[listed_[place]], box);
    }
    if (listed_.empty()) {
        const QString text = all.rows.empty()                 ? QStringLiteral("The suite has no rows.")
                             : filter_ == Filter::regressions ? QStringLiteral("No row is worse, gone or failed.")
                                                              : QStringLiteral("Every row is as in the baseline.");
        list.text(Face::body, rowsBox_.center().x(), rowsBox_.center().y(), text, theme().text2, Align::centre);
    }
    list.unclip();
    // A bar where there is more than fits.
    const double content = double(listed_.size()) * (rowBox(0).height());
    if (content > rowsBox_.height()) {
        const double height = std::max(18.0, rowsBox_.height() * rowsBox_.height() / content);
        const double top = rowsBox_.top() + (rowsBox_.height() - height) * scroll_ / (content - rowsBox_.height());
        list.fill({rowsBox_.right() - 7, top, 4, height}, theme().line2, 2);
    }
}

void RegressionPicture::paintFoot(DrawList& list) const
{
    const Regression& all = *regression();
    list.fill(footBox_, theme().base);
    list.horizontal(footBox_.left(), footBox_.right(), footBox_.top(), theme().line);
    list.horizontal(footBox_.left(), footBox_.right(), footBox_.bottom() - 1, theme().line2);
    const double y = footBox_.center().y();
    double x = footBox_.left() + 12;
    bool regressed = false;
    for (std::size_t i = 0; i < all.counts.size(); ++i) {
        if (all.counts[i] == 0) continue;
        const auto kind = RowVerdict(i);
        regressed |= isRegression(kind);
        const QString text = QStringLiteral("%1 %2").arg(countText(std::int64_t(all.counts[i])), verdictName(kind).toLower());
        list.text(Face::body, x, y, text, inkOf(kind));
        x += list.width(Face::body, text) + 14;
    }
    const QString status = all.baselineRows == 0 ? QStringLiteral("no baseline yet")
                           : regressed           ? QStringLiteral("exit status 1")
                                                 : QStringLiteral("exit status 0: no regression");
    if (x + list.width(Face::bodyStrong, status) + 12 < footBox_.right())
        list.text(Face::bodyStrong, footBox_.right() - 12, y, status,
                  all.baselineRows == 0 ? theme().text2
                  : regressed           ? theme().bad
                                        : theme().ok,
                  Align::right);
}

void RegressionPicture::paintStory(DrawList& list) const
{
    list.fill(storyBox_, theme().panel);
    list.horizontal(storyBox_.left(), storyBox_.right(), storyBox_.bottom() - 1, theme().line);
    const RegressionRow* chosen = row();
    if (!chosen) return;
    const RowResult& result = chosen->result;
    const double left = paintTag(list, result.verdict, storyBox_.left() + 12, storyBox_.center().y()) + 12;
    const double room = storyBox_.right() - 12 - left;
    QString first = causeText(result);
    if (result.verdict == RowVerdict::same) {
        first = QStringLiteral("as in the baseline");
        if (const std::string more = remarks(result); !more.empty()) first += QStringLiteral("; ") + QString::fromStdString(more);
    }
    if (!first.isEmpty()) first[0] = first[0].toUpper();
    // A sentence with a reason is two lines: the change, and what moved.
    QString second;
    if (const qsizetype colon = first.indexOf(QStringLiteral(": ")); colon > 0 && !result.error) {
        second = first.mid(colon + 2);
        first = first.left(colon);
        second[0] = second[0].toUpper();
    } else if (result.error && !result.error->remedy.empty()) {
        second = QString::fromStdString(result.error->remedy);
    } else {
        second = nameText(result.key);
    }
    list.text(Face::bodyStrong, left, storyBox_.top() + 15, list.elided(Face::bodyStrong, first, room), theme().text);
    list.text(Face::body, left, storyBox_.top() + 31, list.elided(Face::body, second, room), theme().text2);
}

double RegressionPicture::paintPeak(DrawList& list, const RegressionRow& row, double top) const
{
    const SuiteFigures* figures = row.result.current    ? &*row.result.current
                                  : row.result.baseline ? &*row.result.baseline
                                                        : nullptr;
    if (!figures || figures->peak.empty()) return top;
    const double left = detailsBox_.left() + detailsMargin, right = detailsBox_.right() - detailsMargin;
    list.horizontal(detailsBox_.left(), detailsBox_.right(), top, theme().line);
    list.text(Face::bodyStrong, left, top + 16, QStringLiteral("What holds the bound"), theme().text);
    const double titleY = top + 16;
    top += 30;
    // Those that changed come first.
    std::vector<std::pair<std::string, Bytes>> rows;
    for (const PeakChange& change : row.result.cause.peak) rows.emplace_back(change.buffer, change.after);
    for (const auto& peak : figures->peak)
        if (std::ranges::none_of(rows, [&](const auto& other) { return other.first == peak.first; })) rows.push_back(peak);
    const QString count = countedText(std::int64_t(figures->peak.size()), QStringLiteral("buffer"));
    const auto gone = std::ranges::count(rows, Bytes{0}, &std::pair<std::string, Bytes>::second);
    list.text(Face::label, right, titleY, gone == 0 ? count : QStringLiteral("%1, %2 gone").arg(count, countText(gone)),
              theme().text2, Align::right);
    Bytes most = 1;
    for (const auto& [name, bytes] : rows) most = std::max(most, bytes);
    const auto changeOf = [&](const std::string& name) {
        const auto changed = std::ranges::find(row.result.cause.peak, name, &PeakChange::buffer);
        return changed == row.result.cause.peak.end() ? Bytes{0} : changed->after - changed->before;
    };
    double changes = 58;
    for (std::size_t i = 0; i < std::min(rows.size(), peakRows); ++i)
        changes = std::max(changes, std::ceil(list.width(Face::number, signedBytes(changeOf(rows[i].first), numbers()))));
    const double sizes = right - changes - 8;
    for (std::size_t i = 0; i < std::min(rows.size(), peakRows); ++i) {
        const auto& [name, bytes] = rows[i];
        const Bytes by = changeOf(name);
        const QString change = signedBytes(by, numbers());
        const QString size = bytesNumber(bytes, numbers());
        list.text(Face::number, right, top + 6, change, by > 0 ? theme().bad : by < 0 ? theme().ok : theme().text3, Align::right);
        list.text(Face::number, sizes, top + 6, size, theme().text, Align::right);
        const double room = sizes - list.width(Face::number, size) - 8 - left;
        list.text(name == marked_ ? Face::labelStrong : Face::label, left, top + 6,
                  list.elidedInside(Face::label, nameText(name), room), theme().text);
        const QRectF track(left, top + 14, right - left, 3);
        list.fill(track, theme().raised);
        list.fill({track.left(), track.top(), track.width() * double(bytes) / double(most), 3}, theme().accent);
        if (by > 0)
            list.fill({track.left() + track.width() * double(bytes - by) / double(most), track.top(),
                       track.width() * double(by) / double(most), 3},
                      theme().bad);
        top += 23;
    }
    if (rows.size() > peakRows) {
        list.text(Face::label, left, top + 6, QStringLiteral("%1 more").arg(rows.size() - peakRows), theme().text2);
        top += detailsLine;
    }
    return top + 8;
}

void RegressionPicture::paintDetails(DrawList& list) const
{
    if (detailsBox_.isEmpty()) return;
    const Regression& all = *regression();
    list.fill(detailsBox_, theme().panel);
    list.fill({detailsBox_.left(), detailsBox_.top(), 1, detailsBox_.height()}, theme().line2);
    list.clip(detailsBox_);
    const double left = detailsBox_.left() + detailsMargin, right = detailsBox_.right() - detailsMargin;
    double y = detailsBox_.top() + 18;
    const auto fact = [&](const QString& label, const QString& value, const QColor& colour, Face face = Face::number) {
        list.text(Face::label, left, y, label, theme().text2);
        list.text(face, left + 76, y, list.elided(face, value, right - left - 76), colour);
        y += detailsLine;
    };
    if (const RegressionRow* chosen = row()) {
        const RowResult& result = chosen->result;
        list.text(Face::title, left, y, list.elidedInside(Face::title, rowName(result), right - left), theme().text);
        y += 18;
        if (!result.planner.empty()) {
            const QString how =
                QStringLiteral("%1 on %2")
                    .arg(QString::fromStdString(result.planner),
                         result.target.empty() ? QStringLiteral("its own pools") : QString::fromStdString(result.target));
            list.text(Face::label, left, y, list.elided(Face::label, how, right - left), theme().text2);
            y += 20;
        }
        const auto state = [&](const SuiteFigures& figures) {
            return bytesText(figures.size, numbers()) + QStringLiteral("  ") +
                   QString::fromUtf8(toText(figures.status).data(), qsizetype(toText(figures.status).size()));
        };
        if (result.current) fact(QStringLiteral("current"), state(*result.current), theme().text, Face::numberStrong);
        if (result.baseline) fact(QStringLiteral("baseline"), state(*result.baseline), theme().text);
        if (result.current && result.baseline) {
            const Bytes by = result.current->size - result.baseline->size;
            const double share = result.baseline->size > 0 ? double(by) / double(result.baseline->size) : 0;
            fact(QStringLiteral("change"),
                 by == 0 ? QStringLiteral("0") : signedBytes(by, numbers()) + QStringLiteral("  ") + percentText(share),
                 by > 0   ? theme().bad
                 : by < 0 ? theme().ok
                          : theme().text);
        }
        if (!result.model.empty()) {
            QString allowed = bytesText(result.tolerance.size, numbers());
            if (result.tolerance.sizePercent > 0) allowed += QStringLiteral(" or %1 %").arg(result.tolerance.sizePercent);
            fact(QStringLiteral("tolerance"), allowed, theme().text);
        }
        if (result.current) {
            const QString now = bytesText(result.current->bound, numbers());
            const bool moved = result.baseline && result.baseline->bound != result.current->bound;
            fact(QStringLiteral("bound"),
                 moved ? bytesNumber(result.baseline->bound, numbers()) + QStringLiteral(" → ") + now : now, theme().text);
            fact(QStringLiteral("gap"), percentText(result.current->gap()), theme().text);
            if (result.current->stalls) fact(QStringLiteral("pipes wait"), countText(*result.current->stalls), theme().text);
        }
        y = paintPeak(list, *chosen, y + 2);
        if (!marked_.empty() && maps_ && y + 90 < detailsBox_.bottom()) {
            if (const auto told = maps_->card(marked_)) {
                list.horizontal(detailsBox_.left(), detailsBox_.right(), y, theme().line);
                y += 16;
                list.text(Face::bodyStrong, left, y, list.elidedInside(Face::bodyStrong, told->title, right - left),
                          theme().text);
                y += detailsLine;
                for (const CardText::Line& line : told->lines)
                    fact(line.text, line.value, line.strong ? theme().bad : theme().text);
                y += 4;
            }
        }
        if (!chosen->history.empty() && y + 90 < detailsBox_.bottom()) {
            list.horizontal(detailsBox_.left(), detailsBox_.right(), y, theme().line);
            list.text(Face::bodyStrong, left, y + 16, QStringLiteral("History"), theme().text);
            list.text(Face::label, right, y + 16, countedText(std::int64_t(chosen->history.size()) + 1, QStringLiteral("run")),
                      theme().text2, Align::right);
            const QRectF box(left, y + 28, right - left, 48);
            list.fill(box, theme().well);
            paintHistory(list, *chosen, box);
            y = box.bottom() + 12;
        }
    }
    // What it is compared with, at the lower end.
    if (y + 4 * detailsLine + 20 < detailsBox_.bottom()) {
        y = detailsBox_.bottom() - 4 * detailsLine - 12;
        list.horizontal(detailsBox_.left(), detailsBox_.right(), y - 2, theme().line);
        y += 16;
        list.text(Face::bodyStrong, left, y, QStringLiteral("Baseline"), theme().text);
        y += detailsLine;
        fact(QStringLiteral("rows"), countText(std::int64_t(all.baselineRows)), theme().text);
        fact(QStringLiteral("written"), all.written.empty() ? QStringLiteral("not yet") : QString::fromStdString(all.written),
             theme().text);
        fact(QStringLiteral("version"),
             all.baselineVersion.empty() ? QStringLiteral("–") : QString::fromStdString(all.baselineVersion), theme().text);
    }
    list.unclip();
}

bool RegressionPicture::paint(DrawList& list, BodyMode mode)
{
    list.fill({0, 0, size_.width(), size_.height()}, theme().well);
    paintRows(list);
    paintFoot(list);
    paintStory(list);
    const bool fellBack = maps_ && maps_->paint(list, mode);
    if (!maps_)
        list.text(Face::body, mapsBox_.center().x(), mapsBox_.center().y(),
                  row() ? QStringLiteral("Preparing the maps…") : QStringLiteral("No row is chosen."), theme().text2,
                  Align::centre);
    paintDetails(list);
    return fellBack;
}

void RegressionPicture::paintOverlay(DrawList& list) const
{
    if (hoveredRow_ != none) {
        list.clip(rowsBox_);
        list.outline(rowBox(std::size_t(hoveredRow_)).adjusted(0.5, 0.5, -0.5, -1.5), theme().line2);
        list.unclip();
    }
    if (!maps_) return;
    maps_->paintMark(list, marked_);
    if (hovered_ != marked_) maps_->paintMark(list, hovered_);
}

} // namespace stowage
