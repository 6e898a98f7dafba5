#include "app/desktop/buffer_filter.h"

#include "app/canvas/kit/number_text.h"
#include "app/desktop/background_job.h"
#include "app/desktop/name_regex.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace stowage {

namespace {

bool isRegex(const QString& text)
{
    return text.size() >= 2 && text.startsWith(u'/') && text.endsWith(u'/');
}

QString pattern(const QString& regex)
{
    return regex.mid(1, regex.size() - 2);
}

/// Whether names match the text of a filter. Nearly all names are ASCII: these are not made into strings of Qt, which would take
/// longer than to match them.
class NameTest {
public:
    explicit NameTest(const QString& text)
    {
        if (isRegex(text)) {
            regex_.emplace(pattern(text));
            return;
        }
        for (const QString& word : text.split(u' ', Qt::SkipEmptyParts))
            words_.push_back({word, isAscii(word.toStdString()) ? word.toLower().toStdString() : std::string()});
    }
    [[nodiscard]] bool matches(const std::string& name) const
    {
        if (regex_) return regex_->matches(name);
        if (words_.empty()) return true;
        const bool ascii = isAscii(name);
        return std::ranges::all_of(words_, [&](const Word& word) {
            return ascii && !word.lower.empty() ? contains(name, word.lower)
                                                : QString::fromStdString(name).contains(word.text, Qt::CaseInsensitive);
        });
    }

private:
    struct Word {
        QString text;
        std::string lower; ///< in small letters; empty where the text is not ASCII
    };

    static bool contains(const std::string& name, const std::string& lower)
    {
        const auto alike = [](char letter, char small) {
            return (letter >= 'A' && letter <= 'Z' ? char(letter - 'A' + 'a') : letter) == small;
        };
        return std::search(name.begin(), name.end(), lower.begin(), lower.end(), alike) != name.end();
    }
    /// Eight letters at a time: this is asked of each name, and as long as the search for a text in it otherwise.
    static bool isAscii(const std::string& text)
    {
        constexpr std::uint64_t highBits = 0x8080'8080'8080'8080U;
        std::size_t at = 0;
        for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
            std::uint64_t letters = 0;
            std::memcpy(&letters, text.data() + at, sizeof letters);
            if (letters & highBits) return false;
        }
        return std::all_of(text.begin() + std::ptrdiff_t(at), text.end(),
                           [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    }

    std::optional<NameRegex> regex_;
    std::vector<Word> words_;
};

/// Why `regex` is none; empty if it is one.
QString regexError(const QString& regex)
{
    const NameRegex expression(pattern(regex));
    return expression.valid() ? QString() : QStringLiteral("Not a regular expression: %1.").arg(expression.error());
}

/// Whether the byte at `address` belongs to a buffer of `size` bytes, in any of its slots.
bool covers(const Placement& placement, Bytes size, Bytes address)
{
    const auto begins = [&](Bytes offset) { return offset <= address && address < offset + size; };
    return placement.placed() &&
           (begins(placement.offset) || std::any_of(placement.offsets.begin(), placement.offsets.end(), begins));
}

/// Buffers of a share: below two of them one thread is as fast.
constexpr std::size_t shareSize = 50'000;

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
    const auto matchesSteps = [&](const Buffer& buffer) {
        if (!filter.steps) return true;
        return std::ranges::any_of(buffer.live, [&](const Interval& range) { return range.overlaps(*filter.steps); });
    };

    const auto passes = [&](const Buffer& buffer, const NameTest& name) {
        if (filter.minimumSize && buffer.size < *filter.minimumSize) return false;
        if (filter.maximumSize && buffer.size > *filter.maximumSize) return false;
        if (filter.minimumLifetime || filter.maximumLifetime) {
            const Step steps = lifetime(buffer);
            if (filter.minimumLifetime && steps < *filter.minimumLifetime) return false;
            if (filter.maximumLifetime && steps > *filter.maximumLifetime) return false;
        }
        return matchesSteps(buffer) && name.matches(buffer.name);
    };

    const std::size_t count = problem.buffers.size();
    std::vector<std::uint8_t> passed(count); // bytes: threads may write neighbours
    std::vector<std::size_t> shares;
    for (std::size_t begin = 0; begin < count; begin += shareSize) shares.push_back(begin);
    const auto work = [&](std::size_t begin) {
        const NameTest name(filter.text); // its own: see NameRegex
        for (std::size_t i = begin; i < std::min(count, begin + shareSize); ++i) passed[i] = passes(problem.buffers[i], name);
    };
    if (shares.size() > 1)
        onAllCores(shares, work);
    else
        std::ranges::for_each(shares, work);
    BufferMask mask;
    mask.shown.assign(passed.begin(), passed.end());
    mask.count = std::size_t(std::ranges::count(passed, std::uint8_t{1}));
    return mask;
}

SearchHits findBuffers(const Run& run, const SearchQuery& query, std::size_t limit)
{
    SearchHits hits;
    if (query.empty() || !query.error.isEmpty()) return hits;
    const Problem& problem = run.problem();
    const BufferMask mask = applyFilter(problem, query.filter);
    for (std::size_t i = 0; i < problem.buffers.size(); ++i) {
        if (!mask.shown[i]) continue;
        if (query.address && !covers(run.plan.placements[i], problem.buffers[i].size, *query.address)) continue;
        ++hits.count;
        if (hits.buffers.size() < limit) hits.buffers.push_back(BufferId(i));
    }
    return hits;
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
        query.error = regexError(trimmed);
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
            if (const QString error = regexError(word); !error.isEmpty()) query.error = error;
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
