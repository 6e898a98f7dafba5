#include "app/desktop/widgets/chip.h"

#include "app/canvas/kit/fonts.h"
#include "app/desktop/look/icons.h"
#include "app/desktop/look/look.h"
#include "app/desktop/look/metrics.h"
#include "app/desktop/widgets/spoken_role.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace stowage {

namespace {

constexpr double chipHeight = 18;

QFont chipFont()
{
    return uiFont(metrics::caption, QFont::Medium);
}

} // namespace

VerdictLook verdictLook(std::optional<VerdictKind> verdict, const Theme& theme)
{
    if (!verdict) return {QString(), QStringLiteral("dot"), theme.text3, theme.hover};
    const std::string_view word = verdictWord(*verdict);
    const auto look = [&](const char* icon, const QColor& ink, const QColor& soft) {
        return VerdictLook{QString::fromUtf8(word.data(), qsizetype(word.size())), QString::fromLatin1(icon), ink, soft};
    };
    switch (*verdict) {
    case VerdictKind::optimal:
    case VerdictKind::asPreferred:
    case VerdictKind::fits:
    case VerdictKind::valid: return look("check", theme.ok, theme.okSoft);
    case VerdictKind::partial:
    case VerdictKind::undecided: return look("warning", theme.warn, theme.warnSoft);
    case VerdictKind::doesNotFit:
    case VerdictKind::infeasible: return look("cross", theme.bad, theme.badSoft);
    case VerdictKind::invalid: break;
    }
    return look("warning", theme.bad, theme.badSoft);
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
    setSpokenRole(*this, QAccessible::StaticText);
}

void Chip::setVerdict(VerdictKind verdict, const QString& word)
{
    verdict_ = verdict;
    word_ = word.isEmpty() ? verdictLook(verdict, look_.theme()).word : word;
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
    if (!verdict_) return;
    QPainter painter(this);
    const VerdictLook shown = verdictLook(verdict_, look_.theme());
    paintChip(painter, 0, height() / 2.0, shown.icon, word_, shown.ink, shown.soft);
}

} // namespace stowage
