#include "app/desktop/widgets/name_fit.h"

#include "app/canvas/axis/label_fit.h"
#include "core/ir/problem.h"

#include <QFontMetrics>

#include <algorithm>
#include <string_view>
#include <vector>

namespace stowage {

QString elidedWhole(const QString& text, const QFontMetrics& letters, int width)
{
    QString shown = letters.elidedText(text, Qt::ElideRight, width);
    const QChar ellipsis(0x2026);
    if (shown == text || !shown.endsWith(ellipsis)) return shown;
    shown.chop(1);
    const auto ofNumber = [](QChar letter) { return letter.isDigit() || letter == u',' || letter == u'.'; };
    qsizetype end = shown.size();
    while (end > 0 && ofNumber(shown[end - 1])) --end;
    // What is a part of a name ("conv12") stays.
    const bool number = end < shown.size() && (end == 0 || !shown[end - 1].isLetter()) && shown.mid(end).front().isDigit();
    return (number ? shown.left(end) : shown) + ellipsis;
}

NameFit::NameFit(const Problem& problem)
{
    constexpr std::size_t enough = 4096; // to know
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < std::min(problem.buffers.size(), enough); ++i) names.emplace_back(problem.buffers[i].name);
    prefix_ = commonPrefix(names);
    suffix_ = commonSuffix(names);
}

QString NameFit::fit(const QString& name, const QFontMetrics& letters, int width) const
{
    const auto fits = [&](const QString& text) { return letters.horizontalAdvance(text) <= width; };
    if (fits(name)) return name;
    const std::string whole = name.toStdString();
    const std::string_view rest = withoutPrefix(whole, prefix_);
    const std::string_view core = withoutSuffix(rest, suffix_);
    const auto text = [](std::string_view part) { return QString::fromUtf8(part.data(), qsizetype(part.size())); };
    const QChar ellipsis(0x2026);
    if (rest.size() < whole.size())
        if (QString shown = ellipsis + text(rest); fits(shown)) return shown;
    if (core.size() < whole.size()) {
        QString shown = text(core);
        if (rest.size() < whole.size()) shown.prepend(ellipsis);
        if (core.size() < rest.size()) shown.append(ellipsis);
        if (fits(shown)) return shown;
        if (fits(text(core))) return text(core);
    }
    return letters.elidedText(text(core), Qt::ElideMiddle, width);
}

} // namespace stowage
