#include "app/desktop/widgets/overflow_card.h"

#include "app/canvas/kit/fonts.h"
#include "app/canvas/kit/number_text.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/controls.h"
#include "app/desktop/widgets/name_fit.h"
#include "app/desktop/workspace.h"
#include "app/session/planning.h"
#include "core/ir/checked.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>
#include <variant>

namespace stowage {

QString sizeInBits(Bytes bytes)
{
    const auto bits = checkedMultiply(bytes, 8);
    return bits ? OverflowCard::tr("%1 bits").arg(countText(*bits)) : QString();
}

void OverflowCard::addLine(QWidget* left, QWidget* right)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(left);
    row->addStretch();
    row->addWidget(right);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
}

OverflowCard::OverflowCard(const Look& look, const ScopeOverflow& scope, const NumberFormat& numbers, QWidget* parent)
    : QFrame(parent), look_(look), size_(scope.required), capacity_(scope.capacity)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 9, 12, 11);
    column->setSpacing(4);
    QLabel* head = makeLabel(tr("%1 does not fit").arg(scope.name), Tone::main, metrics::title, QFont::DemiBold);
    head->setContentsMargins(24, 0, 0, 0);
    addLine(head, makeNumber(tr("%1 over").arg(bytesText(scope.required - scope.capacity, numbers)), Tone::bad));
    const auto both = [&](const QString& what, Bytes bytes) {
        auto* pair = new QWidget;
        auto* row = new QHBoxLayout(pair);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(10);
        row->addWidget(makeNumber(sizeInBits(bytes), Tone::secondary));
        QLabel* size = makeNumber(bytesText(bytes, numbers));
        size->setMinimumWidth(64);
        size->setAlignment(Qt::AlignRight);
        row->addWidget(size);
        addLine(makeLabel(what, Tone::secondary), pair);
    };
    both(tr("required"), scope.required);
    both(tr("available"), scope.capacity);
    bar_ = new QWidget;
    bar_->setFixedHeight(10);
    column->addWidget(bar_);
    for (const QString* text : {&scope.why, &scope.words}) {
        if (text->isEmpty()) continue;
        if (text == &scope.words) {
            column->addSpacing(3);
            column->addWidget(makeLabel(tr("The compiler's words"), Tone::main, metrics::caption, QFont::DemiBold));
        }
        QLabel* label = makeLabel(*text, Tone::secondary, text == &scope.words ? metrics::caption : metrics::body);
        label->setWordWrap(true);
        if (text == &scope.words) {
            label->setObjectName(QStringLiteral("compilersWords"));
            label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        }
        column->addWidget(label);
    }
}

OverflowCard::OverflowCard(Workspace& workspace, const Look& look, std::shared_ptr<const Run> run, PoolId id, QWidget* parent)
    : QFrame(parent), look_(look)
{
    const PoolReport& report = *std::ranges::find(run->report.pools, id, &PoolReport::pool);
    const QString pool = nameText(run->problem().pools[std::size_t(id)].name);
    const NumberFormat numbers = workspace.numbers();
    size_ = report.size;
    capacity_ = report.capacity.value_or(0);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 9, 12, 11);
    column->setSpacing(4);
    const auto line = [&](QWidget* left, QWidget* right) {
        auto* row = new QHBoxLayout;
        row->setSpacing(6);
        row->addWidget(left);
        row->addStretch();
        row->addWidget(right);
        column->addLayout(row);
    };
    QLabel* head = makeLabel(tr("%1 does not fit").arg(pool), Tone::main, metrics::title, QFont::DemiBold);
    head->setContentsMargins(24, 0, 0, 0);
    line(head, makeNumber(tr("%1 over").arg(bytesText(report.excess, numbers)), Tone::bad));
    line(makeLabel(tr("required"), Tone::secondary), makeNumber(bytesText(report.size, numbers)));
    line(makeLabel(tr("available"), Tone::secondary), makeNumber(bytesText(capacity_, numbers)));
    bar_ = new QWidget;
    bar_->setFixedHeight(10);
    column->addWidget(bar_);

    // Only the bound decides whether another planner can help.
    const bool hopeless = report.lowerBound > capacity_;
    QLabel* why = makeLabel(
        hopeless
            ? tr("At step %1 alone %2 are live, so no placement of these buffers fits. Change the model or the target.")
                  .arg(countText(report.peakStep), bytesText(report.lowerBound, numbers))
            : tr("The bound is %1, so a better plan may fit: tick more planners.").arg(bytesText(report.lowerBound, numbers)),
        Tone::secondary);
    why->setWordWrap(true);
    column->addWidget(why);

    // Buffers that cannot fit together, however they are placed.
    for (const Certificate& claim : run->plan.claims) {
        const auto* search = std::get_if<SearchCertificate>(&claim);
        if (!search || !search->infeasible || search->core.empty() || (search->pool != none && search->pool != id)) continue;
        column->addSpacing(4);
        auto* light = makeButton(tr("Light up"), {}, ButtonKind::link);
        light->setObjectName(QStringLiteral("lightCore"));
        connect(light, &QPushButton::clicked, this,
                [&workspace, core = search->core] { workspace.selection().selectMany(core); });
        line(makeLabel(search->irreducible ? tr("Irreducible set") : tr("Set that does not fit"), Tone::main, metrics::body,
                       QFont::DemiBold),
             light);
        Bytes sum = 0;
        for (const BufferId buffer : search->core) sum += run->problem().buffers[std::size_t(buffer)].size;
        const bool all = search->pool == none && run->problem().pools.size() > 1;
        const QString room = all ? tr("all pools together, whichever pool each buffer takes") : bytesText(capacity_, numbers);
        QString sentence =
            search->core.size() == 1
                ? tr("1 buffer of %1 cannot be placed in %2, whatever lies beside it.").arg(bytesText(sum, numbers), room)
                : tr("%1, %2 together, cannot be placed in %3.")
                      .arg(countedText(std::int64_t(search->core.size()), tr("buffer")), bytesText(sum, numbers), room);
        if (search->irreducible && search->core.size() > 1)
            sentence += u' ' + tr("Without any one of them the others of the set can.");
        QLabel* text = makeLabel(sentence, Tone::secondary);
        text->setWordWrap(true);
        column->addWidget(text);
        break;
    }

    // The smallest capacity reached says how far away it is.
    if (const Diagnostic* told = noteOfCapacity(*run, id)) {
        QString sentence = QString::fromStdString(told->message) + u'.';
        sentence[0] = sentence[0].toUpper();
        QLabel* text = makeLabel(sentence, Tone::secondary);
        text->setWordWrap(true);
        column->addWidget(text);
    }

    std::vector<BufferId> live = report.certificate.buffers;
    if (live.empty() && report.peakStep >= 0) {
        for (std::size_t i = 0; i < run->problem().buffers.size(); ++i)
            if (run->plan.placements[i].pool == id &&
                std::ranges::any_of(run->problem().buffers[i].live,
                                    [&](const Interval& range) { return range.contains(report.peakStep); }))
                live.push_back(BufferId(i));
    }
    std::ranges::sort(live, [&](BufferId a, BufferId b) {
        return std::pair(-run->problem().buffers[std::size_t(a)].size, a) <
               std::pair(-run->problem().buffers[std::size_t(b)].size, b);
    });
    if (live.empty()) return;
    column->addSpacing(4);
    auto* lightUp = makeButton(tr("Light up"), {}, ButtonKind::link);
    connect(lightUp, &QPushButton::clicked, this, [&workspace, live, step = report.peakStep] {
        workspace.selection().selectMany(live);
        if (step >= 0) workspace.selection().setCursor(step);
    });
    line(makeLabel(report.peakStep >= 0 ? tr("Live at step %1").arg(countText(report.peakStep)) : tr("Conflict with each other"),
                   Tone::main, metrics::body, QFont::DemiBold),
         lightUp);
    const auto nameOf = [&run](BufferId buffer) { return nameText(run->problem().buffers[std::size_t(buffer)].name); };
    QStringList names;
    for (std::size_t i = 0; i < live.size() && i < 4; ++i) names << nameOf(live[i]);
    const NameFit apart(names);
    for (std::size_t i = 0; i < live.size() && i < 4; ++i) {
        const Buffer& buffer = run->problem().buffers[std::size_t(live[i])];
        auto* name = new ElidedLabel;
        name->setFitter(
            [apart](const QString& full, const QFontMetrics& letters, int room) { return apart.fit(full, letters, room); });
        name->setFullText(nameText(buffer.name));
        auto* row = new QHBoxLayout;
        row->addWidget(name, 1);
        row->addWidget(makeNumber(bytesText(buffer.size, numbers), Tone::secondary));
        column->addLayout(row);
    }
    if (live.size() > 4) column->addWidget(makeLabel(tr("and %1 more").arg(live.size() - 4), Tone::secondary));
}

void OverflowCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = look_.theme();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.bad);
    painter.setBrush(theme.badSoft);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), metrics::cardRadius, metrics::cardRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintIcon(painter, QRectF(12, 10, 16, 18), QStringLiteral("warning"), theme.bad);
    const QRectF track = QRectF(bar_->geometry()).adjusted(0, 2, 0, -2);
    const double share = size_ > 0 ? double(capacity_) / double(size_) : 1;
    painter.fillRect(track, theme.bad);
    painter.fillRect(QRectF(track.left(), track.top(), track.width() * share, track.height()), theme.text3);
}

} // namespace stowage
