#include "app/canvas/axis/label_fit.h"

#include <algorithm>
#include <unordered_set>

namespace stowage {

namespace {

constexpr double gapToSize = 12;  ///< between a name and the size at the end of its line
constexpr double numberInset = 3; ///< around a size in the middle, which needs no margin to read along

/// Calls visit(name, head, tail) for each short form of a name: the first `head` bytes and the last `tail` ones, both of whole
/// parts, with one ellipsis between them; `name` is without a separator at its end. Not those of more than `maxLabelBytes`.
template <typename Visit>
void forEachShortForm(std::string_view name, Visit visitAny)
{
    constexpr std::size_t maxParts = 16, maxHead = 3;
    const auto visit = [&](std::string_view whole, std::size_t head, std::size_t tail) {
        if (head + tail <= maxLabelBytes) visitAny(whole, head, tail);
    };
    for (const char separator : {'/', '.', ':'}) {
        if (const auto first = name.find(separator, 1); first == std::string_view::npos || first + 1 >= name.size()) continue;
        if (name.back() == separator) name.remove_suffix(1);
        std::size_t parts = 0, cuts[maxParts + 1] = {};
        for (std::size_t at = name.find(separator, 1); at != std::string_view::npos && parts + 1 < maxParts;
             at = name.find(separator, at + 1))
            cuts[++parts] = at + 1; // where the next part begins
        if (parts == 0) return;
        for (std::size_t i = parts; i > 0; --i) visit(name, std::size_t(0), name.size() - cuts[i] + 1);
        for (std::size_t i = parts; i > 0; --i) visit(name, cuts[i], std::size_t(0));
        // Of a long name the parts in the middle are in no form with both ends: there are as many of those as parts, squared.
        for (std::size_t i = 1; i < parts && i <= maxHead; ++i)
            for (std::size_t j = i + 1; j <= parts; ++j) visit(name, cuts[i], name.size() - cuts[j] + 1);
        return;
    }
}

std::string shortForm(std::string_view name, std::size_t head, std::size_t tail)
{
    std::string text(name.substr(0, head));
    text += ellipsis;
    return text.append(name.substr(name.size() - tail));
}

/// What `nextPart` answers for at least four fifths of at least four names, or nothing. O(n), twice: the majority vote of Boyer
/// and Moore finds the only answer that can be common enough, and a second pass counts it.
template <typename NextPart>
std::string_view commonPart(std::span<const std::string_view> names, const NextPart& nextPart)
{
    if (names.size() < 4) return {};
    std::string_view part;
    std::size_t lead = 0;
    for (const std::string_view name : names) {
        const std::string_view next = nextPart(name);
        if (lead == 0) part = next;
        if (next == part)
            ++lead;
        else
            --lead;
    }
    const auto having = static_cast<std::size_t>(std::count_if(
        names.begin(), names.end(), [&](std::string_view name) { return !part.empty() && nextPart(name) == part; }));
    return having < names.size() - names.size() / 5 ? std::string_view() : part;
}

} // namespace

void ShortForms::add(std::string_view name)
{
    ++names_;
    forEachShortForm(name, [&](std::string_view whole, std::size_t head, std::size_t tail) {
        ++counts_[std::hash<std::string>()(shortForm(whole, head, tail))];
    });
}

std::string ShortForms::bestOf(std::string_view name, double width, const MeasureText& measure) const
{
    std::string best;
    std::size_t fewest = names_ + 1;
    forEachShortForm(name, [&](std::string_view whole, std::size_t head, std::size_t tail) {
        std::string form = shortForm(whole, head, tail);
        const auto found = counts_.find(std::hash<std::string>()(form));
        const std::size_t count = found == counts_.end() ? 0 : found->second;
        if (count > fewest || (count == fewest && form.size() <= best.size()) || measure(form, false) > width) return;
        fewest = count;
        best = std::move(form);
    });
    if (names_ >= 4 && fewest > std::max<std::size_t>(1, names_ / 8)) return {};
    return best;
}

std::string commonPrefix(std::span<const std::string_view> names)
{
    std::string prefix;
    for (;;) {
        const std::string_view part = commonPart(names, [&](std::string_view name) {
            if (!name.starts_with(prefix)) return std::string_view();
            const std::size_t slash = name.find('/', prefix.size());
            return slash == std::string_view::npos || slash + 1 == name.size()
                       ? std::string_view()
                       : name.substr(prefix.size(), slash + 1 - prefix.size());
        });
        if (part.empty()) return prefix;
        prefix += part;
    }
}

std::string commonSuffix(std::span<const std::string_view> names)
{
    std::string suffix;
    for (;;) {
        const std::string_view part = commonPart(names, [&](std::string_view name) {
            if (!name.ends_with(suffix)) return std::string_view();
            name.remove_suffix(suffix.size());
            const std::size_t slash = name.rfind('/');
            return slash == std::string_view::npos || slash == 0 ? std::string_view() : name.substr(slash);
        });
        if (part.empty()) return suffix;
        suffix.insert(0, part);
    }
}

std::string_view withoutSuffix(std::string_view name, std::string_view suffix)
{
    return name.size() > suffix.size() && name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : name;
}

bool endsTellApart(std::span<const std::string_view> names)
{
    constexpr std::size_t enough = 4096; // to know
    std::unordered_set<std::string_view> starts, ends;
    for (const std::string_view name : names.first(std::min(names.size(), enough))) {
        const auto first = name.find('/', 1);
        if (first == std::string_view::npos) continue;
        starts.insert(name.substr(0, first));
        ends.insert(name.substr(name.rfind('/')));
    }
    return ends.size() > starts.size();
}

std::string_view withoutPrefix(std::string_view name, std::string_view prefix)
{
    return name.size() > prefix.size() && name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

std::string shortenedName(std::string_view name, double width, const MeasureText& measure, bool endTells, std::string_view suffix,
                          const ShortForms* others)
{
    const auto fits = [&](std::string_view text) { return text.size() <= maxLabelBytes && measure(text, false) <= width; };
    if (fits(name)) return std::string(name);
    if (const std::string_view core = withoutSuffix(name, suffix); core.size() < name.size())
        return shortenedName(core, width, measure, endTells, {}, others);
    if (others) return others->bestOf(name, width, measure);
    for (const char separator : {'/', '.', ':'}) {
        const auto first = name.find(separator, 1);
        if (first == std::string_view::npos || first + 1 >= name.size()) continue;
        const auto last = name.rfind(separator);
        const std::string head(name.substr(0, first + 1));
        std::string end = last + 1 < name.size() ? std::string(ellipsis) + std::string(name.substr(last)) : std::string();
        if (std::string both = head + end; last > first && !end.empty() && fits(both)) return both;
        std::string start = head + std::string(ellipsis);
        const bool startFits = fits(start);
        const bool endFits = !end.empty() && fits(end);
        // A last part that others have too says less than the size, which stands where no name does.
        if (endFits && endTells) return end;
        if (startFits) return start;
        return {};
    }
    return {};
}

LabelFit fitLabel(std::string_view name, std::string_view sizeText, std::string_view sizeNumber, double width, double height,
                  const MeasureText& measure, bool endTells, std::string_view suffix, const ShortForms* others)
{
    LabelFit fit;
    if (width >= labelMinimumWidth && height >= labelMinimumHeight) {
        const double room = width - 2 * labelInset;
        fit.name = shortenedName(name, room, measure, endTells, suffix, others);
        if (!fit.name.empty()) {
            fit.place = LabelFit::Place::topLeft;
            fit.sizeOnLine2 = height >= labelTwoLines;
            const double sizeWidth = measure(sizeText, true);
            const double left = fit.sizeOnLine2 ? room : room - measure(fit.name, false) - gapToSize;
            if (sizeWidth <= left) fit.size = sizeText;
            return fit;
        }
        if (measure(sizeNumber, true) <= width - 2 * numberInset) {
            fit.place = LabelFit::Place::centre;
            fit.size = sizeNumber;
            return fit;
        }
    }
    if (width >= labelMinimumHeight && height >= labelRotatedHeight) {
        const double room = height - 2 * labelInset;
        fit.name = shortenedName(name, room, measure, endTells, suffix, others);
        if (fit.name.empty() && measure(sizeNumber, true) <= room) fit.size = sizeNumber;
        if (!fit.name.empty() || !fit.size.empty()) fit.place = LabelFit::Place::rotated;
    }
    return fit;
}

} // namespace stowage
