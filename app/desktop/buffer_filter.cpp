#include "app/desktop/buffer_filter.h"

#include "app/canvas/kit/number_text.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>

namespace stowage {

namespace {

bool isRegex(const QString& text)
{
    return text.size() >= 2 && text.startsWith(u'/') && text.endsWith(u'/');
}

QRegularExpression nameRegex(const QString& text)
{
    return QRegularExpression(text.mid(1, text.size() - 2), QRegularExpression::CaseInsensitiveOption);
}

/// Sets the inclusive limits that `comparison value` means on whole numbers.
void limit(std::optional<std::int64_t>& minimum, std::optional<std::int64_t>& maximum, const QString& comparison,
           std::int64_t value)
{
    if (comparison == u">")
        minimum = value + 1;
    else if (comparison == u">=")
        minimum = value;
    else if (comparison == u"<")
        maximum = value - 1;
    else if (comparison == u"<=")
        maximum = value;
    else
        minimum = value, maximum = value;
}

} // namespace

Step lifetime(const Buffer& buffer)
{
    Step steps = 0;
    for (const Interval& range : buffer.live) steps += range.length();
    return steps;
}

BufferMask applyFilter(const Problem& problem, const BufferFilter& filter)
{
    const bool regex = isRegex(filter.text);
    QRegularExpression expression;
    if (regex) {
        expression = nameRegex(filter.text);
        expression.optimize();
    }
    const auto matchesText = [&](const Buffer& buffer) {
        if (filter.text.isEmpty()) return true;
        const QString name = QString::fromStdString(buffer.name);
        return regex ? expression.isValid() && expression.match(name).hasMatch()
                     : name.contains(filter.text, Qt::CaseInsensitive);
    };
    const auto matchesSteps = [&](const Buffer& buffer) {
        if (!filter.steps) return true;
        return std::ranges::any_of(buffer.live, [&](const Interval& range) { return range.overlaps(*filter.steps); });
    };

    BufferMask mask;
    mask.shown.resize(problem.buffers.size());
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        const Buffer& buffer = problem.buffers[i];
        if (filter.minimumSize && buffer.size < *filter.minimumSize) continue;
        if (filter.maximumSize && buffer.size > *filter.maximumSize) continue;
        if (filter.minimumLifetime || filter.maximumLifetime) {
            const Step steps = lifetime(buffer);
            if (filter.minimumLifetime && steps < *filter.minimumLifetime) continue;
            if (filter.maximumLifetime && steps > *filter.maximumLifetime) continue;
        }
        if (!matchesSteps(buffer) || !matchesText(buffer)) continue;
        mask.shown[i] = true;
        ++mask.count;
    }
    return mask;
}

SearchQuery parseSearch(const QString& text)
{
    static const QRegularExpression comparison(QStringLiteral("^(size|life)(>=|<=|>|<|=)(.*)$"),
                                               QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression step(QStringLiteral("^step:(\\d{1,18})(?:-(\\d{1,18}))?$"),
                                         QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression address(QStringLiteral("^0x([0-9a-f]{1,15})$"), QRegularExpression::CaseInsensitiveOption);

    SearchQuery query;
    const QString trimmed = text.trimmed();
    if (isRegex(trimmed)) {
        // A regular expression may hold blanks, so it is recognised before the text is cut into words.
        query.filter.text = trimmed;
        if (const auto expression = nameRegex(trimmed); !expression.isValid())
            query.error = QStringLiteral("Not a regular expression: %1.").arg(expression.errorString());
        return query;
    }
    QStringList name;
    for (const QString& word : trimmed.split(u' ', Qt::SkipEmptyParts)) {
        if (const auto match = comparison.match(word); match.hasMatch()) {
            const bool size = match.captured(1).compare(u"size", Qt::CaseInsensitive) == 0;
            const auto value = parseBytes(match.captured(3));
            if (!value) {
                query.error = size ? QStringLiteral("'%1' needs a size, such as 512, 4K or 1.5M.").arg(word)
                                   : QStringLiteral("'%1' needs a number of steps.").arg(word);
                continue;
            }
            if (size)
                limit(query.filter.minimumSize, query.filter.maximumSize, match.captured(2), *value);
            else
                limit(query.filter.minimumLifetime, query.filter.maximumLifetime, match.captured(2), *value);
        } else if (const auto steps = step.match(word); steps.hasMatch()) {
            const Step first = steps.captured(1).toLongLong();
            const Step last = steps.captured(2).isEmpty() ? first : steps.captured(2).toLongLong();
            query.filter.steps = Interval{std::min(first, last), std::max(first, last) + 1};
        } else if (const auto hex = address.match(word); hex.hasMatch()) {
            query.address = hex.captured(1).toLongLong(nullptr, 16);
        } else if (isRegex(word)) {
            query.filter.text = word;
            if (const auto expression = nameRegex(word); !expression.isValid())
                query.error = QStringLiteral("Not a regular expression: %1.").arg(expression.errorString());
        } else {
            name << word;
        }
    }
    if (!name.isEmpty()) query.filter.text = name.join(u' ');
    return query;
}

QString toSearchText(const BufferFilter& filter)
{
    QStringList words;
    const auto range = [&](const QString& key, const std::optional<std::int64_t>& minimum,
                           const std::optional<std::int64_t>& maximum) {
        if (minimum && maximum && *minimum == *maximum) {
            words << QStringLiteral("%1=%2").arg(key).arg(*minimum);
            return;
        }
        if (minimum) words << QStringLiteral("%1>=%2").arg(key).arg(*minimum);
        if (maximum) words << QStringLiteral("%1<=%2").arg(key).arg(*maximum);
    };
    if (!filter.text.isEmpty()) words << filter.text;
    range(QStringLiteral("size"), filter.minimumSize, filter.maximumSize);
    range(QStringLiteral("life"), filter.minimumLifetime, filter.maximumLifetime);
    if (filter.steps) {
        words << (filter.steps->length() == 1 ? QStringLiteral("step:%1").arg(filter.steps->begin)
                                              : QStringLiteral("step:%1-%2").arg(filter.steps->begin).arg(filter.steps->end - 1));
    }
    return words.join(u' ');
}

} // namespace stowage
