#include "app/desktop/shell/status_strip.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/chip.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/widgets/spoken_role.h"
#include "app/desktop/workspace.h"

#include <QEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>

#include <algorithm>

namespace stowage {

namespace {

constexpr int cursorRest = 250; ///< milliseconds

} // namespace

StatusStrip::StatusStrip(Workspace& workspace, const Look& look, QWidget* parent)
    : QWidget(parent), workspace_(workspace), look_(look)
{
    setFixedHeight(metrics::statusBar);
    setSpokenRole(*this, QAccessible::StaticText);
    setAccessibleName(tr("Status"));
    const auto renew = [this] {
        setAccessibleDescription(parts().join(QStringLiteral(", ")));
        update();
    };
    const auto sumAnew = [this, renew] {
        selected_.reset();
        renew();
    };
    connect(&workspace_, &Workspace::contextChanged, this, sumAnew);
    connect(&workspace_, &Workspace::modelsChanged, this, renew);
    connect(&workspace_, &Workspace::modelChanged, this, renew);
    connect(&workspace_, &Workspace::jobsChanged, this, renew);
    connect(&workspace_.selection(), &SelectionModel::selectionChanged, this, sumAnew);
    // The cursor moves many times a second: what screen readers are told follows when it rests.
    auto* resting = new QTimer(this);
    resting->setSingleShot(true);
    resting->setInterval(cursorRest);
    connect(resting, &QTimer::timeout, this, renew);
    connect(&workspace_.selection(), &SelectionModel::cursorChanged, this, [this, resting] {
        update();
        resting->start();
    });
    connect(&workspace_.selection(), &SelectionModel::maskChanged, this, renew);
}

std::vector<StatusStrip::Part> StatusStrip::left() const
{
    using Kind = Word::Kind;
    const NumberFormat& numbers = workspace_.numbers();
    const auto run = workspace_.run();
    std::vector<Part> parts;
    if (!run) {
        const QString text = !workspace_.modelId()
                                 ? (workspace_.models().opening().empty() ? tr("No model open") : tr("Opening…"))
                             : workspace_.busy() ? tr("Planning…")
                                                 : tr("Nothing planned yet");
        parts.push_back({QStringLiteral("dot"), {{text, Kind::caption}}});
        return parts;
    }
    const Report& report = run->report;
    const VerdictKind kind = verdictKind(*run);
    const VerdictLook verdict = verdictLook(kind, look_.theme());
    const bool open = isOpen(kind);
    if (workspace_.showsPart()) { // its size and bound say nothing yet
        const auto& placements = run->plan.placements;
        const auto placed = std::ranges::count_if(placements, [](const Placement& placement) { return placement.placed(); });
        parts.push_back({QStringLiteral("dot"),
                         {{tr("Planning…"), Kind::open},
                          {tr("%1 of %2 placed so far, checked independently")
                               .arg(QString::number(placed), countedText(std::int64_t(placements.size()), tr("buffer"))),
                           Kind::caption}}});
        return parts;
    }
    Part lead{verdict.icon, {{verdict.word, open ? Kind::open : isYes(kind) ? Kind::ok : Kind::bad}}};
    if (kind == VerdictKind::partial)
        lead.words.push_back(
            {tr("%1 of unknown size left out")
                 .arg(countedText(std::int64_t(unknownSizeNames(*run).size()), run->program ? tr("tensor") : tr("buffer"))),
             Kind::caption});
    else if (kind == VerdictKind::invalid && !report.verdict.violations.empty())
        lead.words.push_back(
            {QString::fromStdString(describe(run->problem(), report.verdict.violations.front())), Kind::caption});
    else if (report.totalSize() > 0 && report.verdict.pairsChecked == 0 &&
             std::ranges::all_of(report.pools, [](const PoolReport& pool) { return pool.buffers == 0; }))
        lead.words.push_back({tr("only its size is known, no offsets"), Kind::caption});
    else if (workspace_.shown().showsIncumbent())
        lead.words.push_back({tr("best so far, checked independently"), Kind::caption});
    else
        lead.words.push_back(
            {tr("checked independently, %1").arg(countedText(std::int64_t(report.verdict.pairsChecked), tr("pair"))),
             Kind::caption});
    parts.push_back(std::move(lead));

    const bool partial = kind == VerdictKind::partial; // what is left out adds to the sizes
    const auto sizeText = [&](Bytes bytes) {
        return partial ? tr("at least %1").arg(bytesText(bytes, numbers)) : bytesText(bytes, numbers);
    };
    const auto used = std::ranges::count_if(report.pools, [](const PoolReport& pool) { return pool.size > 0; });
    if (used > 1) {
        for (const PoolReport& pool : report.pools)
            if (pool.size > 0)
                parts.push_back({{},
                                 {{nameText(run->problem().pools[std::size_t(pool.pool)].name), Kind::caption},
                                  {sizeText(pool.size), Kind::number}}});
    } else {
        parts.push_back({{}, {{tr("pool"), Kind::caption}, {sizeText(report.totalSize()), Kind::number}}});
    }
    const Bytes bound = report.totalBound(), size = report.totalSize();
    parts.push_back({{}, {{tr("bound"), Kind::caption}, {bytesText(bound, numbers), Kind::number}}});
    if (size > bound) {
        parts.push_back(
            {{},
             {{tr("gap"), Kind::caption}, {bytesText(size - bound, numbers) + u' ' + shareText(totalGap(report)), Kind::warn}}});
    } else if (report.verdict.valid() && report.status != Status::infeasible) {
        // Where nothing fits, or bytes are lost, that the size is no larger than it must be is no comfort.
        parts.push_back({{}, {{tr("equals the bound"), partial ? Kind::caption : Kind::ok}}});
    }

    Bytes spare = 0;
    bool bounded = false;
    for (const PoolReport& pool : report.pools) {
        if (pool.capacity && pool.size > 0) {
            spare = bounded ? std::min(spare, *pool.capacity - pool.size) : *pool.capacity - pool.size;
            bounded = true;
        }
    }
    if (const Bytes excess = report.totalExcess(); excess > 0)
        parts.push_back({{}, {{tr("over capacity by"), Kind::caption}, {bytesText(excess, numbers), Kind::bad}}});
    else if (bounded)
        parts.push_back(
            {{},
             {{tr("fits with"), Kind::caption},
              {(partial ? tr("at most %1 to spare") : tr("%1 to spare")).arg(bytesText(spare, numbers)), Kind::number}}});

    if (const Selected& chosen = selected(); chosen.count > 0) {
        QString text = bytesText(chosen.bytes, numbers);
        if (chosen.count == 1)
            text += u' ' + countedText(lifetime(run->problem().buffers[std::size_t(chosen.first)]), tr("step"));
        parts.push_back({{},
                         {{tr("selected"), Kind::caption},
                          {countedText(std::int64_t(chosen.count), tr("buffer")), Kind::strong},
                          {text, Kind::number}}});
    }
    if (const auto& mask = workspace_.selection().mask())
        parts.push_back({{},
                         {{tr("shown"), Kind::caption},
                          {tr("%1 of %2").arg(countText(std::int64_t(mask->count)), countText(std::int64_t(mask->shown.size()))),
                           Kind::number},
                          {tr("buffers"), Kind::caption}}});
    return parts;
}

/// Kept, because the strip is painted at each move of the cursor, and a selection may be of a million buffers. Requires a run.
const StatusStrip::Selected& StatusStrip::selected() const
{
    if (selected_) return *selected_;
    ++sumsMade_;
    Selected& sums = selected_.emplace(Selected{}); // clang does not take the nested struct's defaults otherwise
    const auto run = workspace_.run();
    const auto& buffers = run->problem().buffers;
    for (const BufferId id : workspace_.selection().buffers()) {
        if (id < 0 || std::size_t(id) >= buffers.size()) continue;
        if (sums.count++ == 0) sums.first = id;
        sums.bytes += buffers[std::size_t(id)].size;
    }
    return sums;
}

std::vector<StatusStrip::Part> StatusStrip::right() const
{
    using Kind = Word::Kind;
    std::vector<Part> parts;
    if (workspace_.run()) {
        if (const auto cursor = workspace_.selection().cursor())
            parts.push_back({{}, {{tr("step"), Kind::caption}, {countText(*cursor), Kind::number}}});
    } else {
        parts.push_back({{},
                         {{tr("%1, %2, %3")
                               .arg(countedText(std::int64_t(workspace_.session().planners().all().size()), tr("planner")),
                                    countedText(std::int64_t(workspace_.session().importers().size()), tr("importer")),
                                    countedText(std::int64_t(workspace_.session().targets().size()), tr("target"))),
                           Kind::caption}}});
    }
    const NumberFormat& numbers = workspace_.numbers();
    parts.push_back(
        {{}, {{unitText(numbers) + (numbers.hexAddresses ? QStringLiteral(", hex") : QStringLiteral(", dec")), Kind::number}}});
    return parts;
}

QStringList StatusStrip::parts() const
{
    QStringList texts;
    for (const auto& side : {left(), right()})
        for (const Part& part : side) {
            QStringList words;
            for (const Word& word : part.words) words << word.text;
            texts << words.join(u' ');
        }
    return texts;
}

void StatusStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = look_.theme();
    painter.fillRect(rect(), theme.base);
    painter.fillRect(QRect(0, 0, width(), 1), theme.line);

    const auto font = [](Word::Kind kind) {
        switch (kind) {
        case Word::Kind::ok:
        case Word::Kind::open:
        case Word::Kind::bad: return uiFont(metrics::body, QFont::DemiBold);
        case Word::Kind::strong: return uiFont(metrics::body, QFont::Medium);
        case Word::Kind::number:
        case Word::Kind::warn: return monoFont(metrics::body);
        case Word::Kind::caption: break;
        }
        return uiFont(metrics::body);
    };
    const auto colour = [&](Word::Kind kind) {
        switch (kind) {
        case Word::Kind::ok: return theme.ok;
        case Word::Kind::bad: return theme.bad;
        case Word::Kind::open:
        case Word::Kind::warn: return theme.warn;
        case Word::Kind::strong:
        case Word::Kind::number: return theme.text;
        case Word::Kind::caption: break;
        }
        return theme.text2;
    };
    const auto width_ = [&](const Part& part) {
        double sum = part.icon.isEmpty() ? 0 : 22;
        for (const Word& word : part.words) sum += QFontMetricsF(font(word.kind)).horizontalAdvance(word.text) + 7;
        return sum - 7;
    };
    const auto draw = [&](const Part& part, double x, double room) {
        if (!part.icon.isEmpty()) {
            paintIcon(painter, QRectF(x, 0, 16, height()), part.icon, colour(part.words.front().kind), 14);
            x += 22;
            room -= 22;
        }
        for (const Word& word : part.words) {
            painter.setFont(font(word.kind));
            painter.setPen(colour(word.kind));
            const QFontMetricsF metrics(painter.font());
            // A number of one digit is narrower than an ellipsis: what has room is drawn as it is.
            const bool fits = metrics.horizontalAdvance(word.text) <= room + 0.5;
            if (!fits && room < 12) return;
            const QString text = fits ? word.text : elidedWhole(word.text, painter.fontMetrics(), int(room));
            painter.drawText(QRectF(x, 0, room, height()), Qt::AlignLeft | Qt::AlignVCenter, text);
            x += metrics.horizontalAdvance(text) + 7;
            room -= metrics.horizontalAdvance(text) + 7;
        }
    };

    double end = width() - 12;
    const auto rightParts = right();
    for (auto part = rightParts.rbegin(); part != rightParts.rend(); ++part) {
        const double wide = width_(*part);
        draw(*part, end - wide, wide + 1);
        end -= wide + 12;
        painter.fillRect(QRectF(end, 6, 1, height() - 12), theme.line2);
        end -= 12;
    }
    double x = 12;
    for (const Part& part : left()) {
        const double room = end - x;
        if (room < 40) break; // numbers are not cut: what has no room is in the tool tip
        const double wide = width_(part);
        const bool first = x == 12.0;
        if (wide > room && !first) break;
        if (!first)
            painter.fillRect(QRectF(x - 14, 6, 1, height() - 12), theme.line2); // between two parts, not after the last one
        draw(part, x, std::min(wide + 1, room));
        x += wide + 28;
    }
}

bool StatusStrip::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) setToolTip(parts().join(QStringLiteral("\n")));
    return QWidget::event(event);
}

} // namespace stowage
