#include "app/canvas/kit/number_text.h"

#include "core/ir/byte_count.h"
#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "core/ir/figures.h"
#include "core/ir/shown_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace stowage {

namespace {

constexpr double bytesPerWord = 4;

/// At most `decimals` of them, without trailing zeros, thousands by comma.
QString decimal(double value, int decimals)
{
    QString text = QString::number(value, 'f', decimals);
    if (decimals > 0) {
        while (text.endsWith(u'0')) text.chop(1);
        if (text.endsWith(u'.')) text.chop(1);
    }
    qsizetype point = text.indexOf(u'.');
    if (point < 0) point = text.size();
    const qsizetype first = text.startsWith(u'-') ? 1 : 0;
    for (qsizetype at = point - 3; at > first; at -= 3) text.insert(at, u',');
    return text;
}

/// Decimals of KiB with which sizes that differ by `apart` bytes have different texts: at least two, four for one byte.
int kibibyteDecimals(Bytes apart)
{
    const double difference = double(std::max<Bytes>(1, apart)) / 1024.0;
    int decimals = 2;
    for (double last = 0.01; last > difference; last /= 10) ++decimals;
    return decimals;
}

} // namespace

QString countText(std::int64_t count)
{
    return QString::fromStdString(grouped(count));
}

QString nameText(std::string_view name)
{
    return QString::fromStdString(shownName(name));
}

QString bytesNumber(Bytes bytes, const NumberFormat& format)
{
    return bytesTick(bytes, std::llabs(bytes), format); // apart from zero
}

QString bytesTick(Bytes bytes, Bytes spacing, const NumberFormat& format)
{
    switch (format.unit) {
    case NumberFormat::Unit::bytes: return countText(bytes);
    case NumberFormat::Unit::kibibytes: return decimal(double(bytes) / 1024.0, kibibyteDecimals(spacing));
    case NumberFormat::Unit::words: return decimal(double(bytes) / bytesPerWord, 2);
    }
    return {};
}

QString unitText(const NumberFormat& format)
{
    switch (format.unit) {
    case NumberFormat::Unit::bytes: return QStringLiteral("B");
    case NumberFormat::Unit::kibibytes: return QStringLiteral("KiB");
    case NumberFormat::Unit::words: return QStringLiteral("words");
    }
    return {};
}

QString bytesText(Bytes bytes, const NumberFormat& format)
{
    return bytesNumber(bytes, format) + u' ' + unitText(format);
}

std::optional<Bytes> parseBytes(const QString& text)
{
    static const QRegularExpression form(QStringLiteral("^(\\d[\\d,]*(?:\\.\\d+)?) ?([KMG]?)(?:I?B)?$"),
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text.trimmed());
    if (!match.hasMatch()) return std::nullopt;
    const QString unit = match.captured(2).toUpper();
    return parseBytes((match.captured(1).remove(u',') + unit + (unit.isEmpty() ? "" : "iB")).toStdString());
}

QString addressText(Bytes address, const NumberFormat& format)
{
    if (!format.hexAddresses) return countText(address);
    QString digits = QString::number(std::llabs(address), 16).toUpper();
    const qsizetype width = std::max<qsizetype>(4, digits.size() + digits.size() % 2);
    return (address < 0 ? QStringLiteral("-0x") : QStringLiteral("0x")) + digits.rightJustified(width, u'0');
}

QString axisAddressText(Bytes address, const NumberFormat& format)
{
    const QString text = addressText(address, format);
    return format.unit == NumberFormat::Unit::bytes ? text : text + QStringLiteral(" B");
}

QString shortBytes(Bytes bytes, const NumberFormat& format)
{
    const bool words = format.unit == NumberFormat::Unit::words;
    const double count = words ? double(bytes) / bytesPerWord : double(bytes);
    if (std::abs(count) < 1024.0) return words ? bytesNumber(bytes, format) : QString::number(bytes);
    static constexpr const char16_t* units[] = {u" K", u" M", u" G", u" T", u" P", u" E"};
    double value = count / 1024.0;
    int unit = 0;
    // 1023.95 would be written as "1024.0": it belongs to the next unit.
    while (std::abs(value) >= 1023.95 && unit < 5) value /= 1024.0, ++unit;
    return decimal(value, std::abs(value) < 99.95 ? 1 : 0) + QString::fromUtf16(units[unit]);
}

QString roughBytes(Bytes bytes, const NumberFormat& format)
{
    if (format.unit == NumberFormat::Unit::words) return shortBytes(bytes, format) + u' ' + unitText(format);
    return shortBytes(bytes, format) + (std::llabs(bytes) < 1024 ? QStringLiteral(" B") : QStringLiteral("iB"));
}

QString percentText(double fraction)
{
    const double percent = fraction * 100.0;
    if (fraction == 0.0) return QStringLiteral("0");
    if (std::abs(percent) < 0.05) return percent > 0 ? QStringLiteral("<0.1 %") : QStringLiteral("> -0.1 %"); // "0" is exact
    return (percent > 0 ? QStringLiteral("+") : QString()) + decimal(percent, std::abs(percent) < 99.95 ? 1 : 0) +
           QStringLiteral(" %");
}

QString shareText(double fraction)
{
    return QString::fromStdString(percent(fraction));
}

QString durationText(double milliseconds)
{
    return QString::fromStdString(duration(milliseconds));
}

QString planningTimeText(double milliseconds)
{
    return milliseconds > 0 ? durationText(milliseconds) : QStringLiteral("–");
}

QString planningTimeNumber(double milliseconds)
{
    return milliseconds > 0 ? QString::number(milliseconds, 'f', 3) : QString();
}

QString countedText(std::int64_t count, const QString& noun)
{
    return QString::fromStdString(counted(count, noun.toStdString()));
}

QString withoutCutNumber(const QString& begin)
{
    static const QRegularExpression number(QStringLiteral("(?<![\\p{L}\\d,.])(0x[0-9a-fA-F]*|\\d[\\d,.]*)$"));
    const QRegularExpressionMatch found = number.match(begin);
    return found.hasMatch() ? begin.left(found.capturedStart()) : begin;
}

} // namespace stowage
