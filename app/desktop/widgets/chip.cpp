#include "app/desktop/widgets/chip.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr double chipHeight = 18;

QFont chipFont()
{
    return uiFont(metrics::caption, QFont::Medium);
}

} // namespace

VerdictWord checkerVerdict(const Report& report)
{
    if (!report.verdict.valid()) {
        const bool overlap = std::ranges::any_of(
            report.verdict.violations, [](const Violation& violation) { return violation.kind == ViolationKind::overlap; });
        return overlap ? VerdictWord::overlap : VerdictWord::invalid;
    }
    return report.verdict.overCapacity ? VerdictWord::doesNotFit : VerdictWord::valid;
}

VerdictWord fitVerdict(const Report& report)
{
    const VerdictWord word = checkerVerdict(report);
    if (word != VerdictWord::valid) return word;
    bool any = false;
    for (const PoolReport& pool : report.pools) {
        if (pool.size == 0) continue;
        if (!pool.capacity) return word;
        any = true;
    }
    return any ? VerdictWord::fits : word;
}

VerdictLook verdictLook(VerdictWord word, const Theme& theme)
{
    switch (word) {
    case VerdictWord::valid: return {QStringLiteral("Valid"), QStringLiteral("check"), theme.ok, theme.okSoft};
    case VerdictWord::fits: return {QStringLiteral("Fits"), QStringLiteral("check"), theme.ok, theme.okSoft};
    case VerdictWord::doesNotFit: return {QStringLiteral("Does not fit"), QStringLiteral("cross"), theme.bad, theme.badSoft};
    case VerdictWord::overlap: return {QStringLiteral("Overlap"), QStringLiteral("warning"), theme.bad, theme.badSoft};
    case VerdictWord::invalid: return {QStringLiteral("Not valid"), QStringLiteral("warning"), theme.bad, theme.badSoft};
    case VerdictWord::absent: break;
    }
    return {QString(), QStringLiteral("dot"), theme.text3, theme.hover};
}

int chipWidth(const QString& word)
{
    return int(std::ceil(QFontMetricsF(chipFont()).horizontalAdvance(word))) + 28;
}

double paintChip(QPainter& painter, double left, double middle, const QString& iconName, const QString& word, const QColor& ink,
                 const QColor& soft)
{
    const QRectF box(left, std::round(middle - chipHeight / 2), chipWidth(word), chipHeight);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(soft);
    painter.drawRoundedRect(box, metrics::chipRadius, metrics::chipRadius);
    paintIcon(painter, QRectF(box.left() + 5, box.top(), 12, chipHeight), iconName, ink, 12);
    painter.setPen(ink);
    painter.setFont(chipFont());
    painter.drawText(box.adjusted(21, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, word);
    painter.restore();
    return box.width();
}

Chip::Chip(const Look& look, QWidget* parent) : QWidget(parent), look_(look)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void Chip::setVerdict(VerdictWord word)
{
    verdict_ = word;
    word_ = verdictLook(word, look_.theme()).word;
    setAccessibleName(word_);
    setVisible(!word_.isEmpty());
    updateGeometry();
    update();
}

QSize Chip::sizeHint() const
{
    return {chipWidth(word_), int(chipHeight)};
}

void Chip::paintEvent(QPaintEvent*)
{
    if (verdict_ == VerdictWord::absent) return;
    QPainter painter(this);
    const VerdictLook shown = verdictLook(verdict_, look_.theme());
    paintChip(painter, 0, height() / 2.0, shown.icon, shown.word, shown.ink, shown.soft);
}

} // namespace stowage
