#include "app/canvas/axis/names_apart.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

/// Names on either side of one, in order of first and of last letters, that it is compared with: whatever begins or ends as it
/// does stands there.
constexpr std::size_t compared = 32;
constexpr std::size_t maxParts = 12; ///< of longer names the parts in the middle are one

bool numeral(char letter)
{
    return letter >= '0' && letter <= '9';
}

/// Whether a character begins at `at`, or the name ends there.
bool startsCharacter(std::string_view name, std::size_t at)
{
    return at >= name.size() || (static_cast<unsigned char>(name[at]) & 0xC0) != 0x80;
}

bool lessFromEnd(std::string_view a, std::string_view b)
{
    return std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(), b.rend());
}

/// A short form: bytes kept at the beginning and at the end.
struct Form {
    std::size_t head = 0;
    std::size_t tail = 0;
};

std::string textOf(std::string_view name, Form form)
{
    std::string text(name.substr(0, form.head));
    std::string_view tail = name.substr(name.size() - form.tail);
    // Full stops beside an ellipsis look like a longer one.
    if (text.ends_with('.')) text.pop_back();
    if (tail.starts_with('.')) tail.remove_prefix(1);
    text += ellipsis;
    text += tail;
    return text;
}

/// The ends of the heads that hold whole parts, 0 first: each with its separator. The point of "0.25" is none.
std::vector<std::size_t> cutsOf(std::string_view name)
{
    std::vector<std::size_t> cuts{0};
    for (const char separator : {'/', '.', ':'}) {
        for (std::size_t at = name.find(separator, 1); at != std::string_view::npos && at + 1 < name.size();
             at = name.find(separator, at + 1))
            if (separator != '.' || !numeral(name[at - 1]) || !numeral(name[at + 1])) cuts.push_back(at + 1);
        if (cuts.size() > 1) break;
    }
    if (cuts.size() > maxParts) cuts.erase(cuts.begin() + maxParts / 2, cuts.end() - maxParts / 2);
    return cuts;
}

/// Whether the name can be cut at `at`. A number that differs is not cut: "layer1…" might be layer 12.
bool isWhole(std::string_view name, std::size_t at)
{
    return at == 0 || at >= name.size() || (startsCharacter(name, at) && !(numeral(name[at - 1]) && numeral(name[at])));
}

std::size_t wholeHead(std::string_view name, std::size_t head)
{
    while (!isWhole(name, head)) ++head;
    return head;
}

/// Likewise of an end, which does not begin with a number: it would read as one that is cut.
bool isWholeTail(std::string_view name, std::size_t tail)
{
    const std::size_t at = name.size() - tail;
    return isWhole(name, at) && (at == 0 || at >= name.size() || !numeral(name[at]));
}

std::size_t wholeTail(std::string_view name, std::size_t tail)
{
    while (!isWholeTail(name, tail)) ++tail;
    return tail;
}

/// A short form and how many of the names compared have it, too.
struct Best {
    std::string text;
    std::ptrdiff_t alike = 0;
    bool cut = true; ///< inside a part of the name
};

/// Bytes of whole parts that at least four in five of the names most like this one end with, too.
std::size_t commonEnd(std::string_view name, std::span<const NameNeighbour> others)
{
    if (others.empty()) return 0;
    std::vector<std::size_t> ends;
    for (const NameNeighbour& other : others) ends.push_back(other.end);
    const auto fifth = ends.begin() + static_cast<std::ptrdiff_t>(ends.size() / 5);
    std::nth_element(ends.begin(), fifth, ends.end());
    std::size_t common = std::min(*fifth, name.size() - 1);
    const auto separates = [](char letter) { return letter == '/' || letter == '.' || letter == ':'; };
    while (common > 0 && !separates(name[name.size() - common])) --common;
    return common;
}

/// The best form of `name`, after which the names have `dropped` bytes that are left out.
Best bestForm(std::string_view name, NameCuts cutsOfForm, std::size_t dropped, std::span<const NameNeighbour> others,
              double width, const MeasureText& measure)
{
    const auto alike = [&](Form form) {
        return std::count_if(others.begin(), others.end(), [&](const NameNeighbour& other) {
            return form.head <= other.begin && (form.tail == 0 || form.tail + dropped <= other.end);
        });
    };
    std::optional<Form> best;
    std::ptrdiff_t bestAlike = std::ptrdiff_t(others.size()) + 1;
    const auto fits = [&](Form form) {
        return form.head + form.tail <= maxLabelBytes && measure(textOf(name, form), false) <= width;
    };
    // Fewest alike, then most letters, then both ends as long as each other.
    const auto offer = [&](Form form) {
        if (form.head + form.tail == 0 || form.head + form.tail >= name.size()) return;
        const std::ptrdiff_t count = alike(form);
        const auto key = [](std::ptrdiff_t same, Form f) { return std::tuple(-same, f.head + f.tail, std::min(f.head, f.tail)); };
        if (best && key(count, form) <= key(bestAlike, *best)) return;
        if (!fits(form)) return;
        best = form;
        bestAlike = count;
    };

    const std::vector<std::size_t> cuts = cutsOfForm == NameCuts::parts ? cutsOf(name) : std::vector<std::size_t>();
    for (std::size_t head = 0; head < cuts.size(); ++head) {
        // The end begins with the separator before it, as in "first/…/last".
        for (std::size_t tail = head + 1; tail < cuts.size(); ++tail) offer({cuts[head], name.size() - cuts[tail] + 1});
        offer({cuts[head], 0});
    }
    if (best && bestAlike == 0) return {textOf(name, *best), 0, false};

    // The longest tail with a head, and the longest head with a tail; whole characters and numbers.
    const auto longest = [&](std::size_t kept, const auto& formOf) {
        std::size_t low = 0, high = name.size() - std::min(name.size(), kept);
        while (low < high) {
            const std::size_t middle = (low + high + 1) / 2;
            if (fits(formOf(middle)))
                low = middle;
            else
                high = middle - 1;
        }
        return low;
    };
    const auto withHead = [&](std::size_t least) {
        const std::size_t head = wholeHead(name, least);
        std::size_t tail = longest(head, [head](std::size_t size) { return Form{head, size}; });
        while (!isWholeTail(name, tail)) --tail;
        offer({head, tail});
    };
    const auto withTail = [&](std::size_t least) {
        const std::size_t tail = wholeTail(name, least);
        std::size_t head = longest(tail, [tail](std::size_t size) { return Form{size, tail}; });
        while (!isWhole(name, head)) --head;
        offer({head, tail});
    };
    std::vector<std::size_t> heads{0}, tails{0};
    for (const NameNeighbour& other : others) {
        heads.push_back(std::min(name.size(), other.begin + 1));
        tails.push_back(std::min(name.size(), other.end - std::min(other.end, dropped) + 1));
    }
    for (std::vector<std::size_t>* needed : {&heads, &tails}) {
        std::sort(needed->begin(), needed->end());
        needed->erase(std::unique(needed->begin(), needed->end()), needed->end());
    }
    for (const std::size_t head : heads) withHead(head);
    for (const std::size_t tail : tails) withTail(tail);
    // Where nothing tells more, as much of the beginning as of the end.
    std::size_t half = 0;
    while (half < name.size() / 2 && fits({half + 1, half + 1})) ++half;
    withHead(half);
    return best ? Best{textOf(name, *best), bestAlike} : Best{{}, std::ptrdiff_t(others.size()) + 1};
}

} // namespace

NamesApart::NamesApart(std::span<const std::string_view> names, NameCuts cuts) : cuts_(cuts), names_(names.begin(), names.end())
{
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    byEnd_.resize(names_.size());
    std::iota(byEnd_.begin(), byEnd_.end(), std::size_t{0});
    std::sort(byEnd_.begin(), byEnd_.end(), [this](std::size_t a, std::size_t b) { return lessFromEnd(names_[a], names_[b]); });
}

std::vector<NameNeighbour> NamesApart::neighbours(std::string_view name) const
{
    std::vector<std::size_t> near;
    const auto around = [&](std::size_t at, auto idOf) {
        const std::size_t end = std::min(names_.size(), at + compared + 1);
        for (std::size_t i = at > compared ? at - compared : 0; i < end; ++i) near.push_back(idOf(i));
    };
    const auto byBegin = std::lower_bound(names_.begin(), names_.end(), name);
    around(static_cast<std::size_t>(byBegin - names_.begin()), [](std::size_t i) { return i; });
    const auto byEnd = std::lower_bound(byEnd_.begin(), byEnd_.end(), name, [this](std::size_t id, std::string_view value) {
        return lessFromEnd(names_[id], value);
    });
    around(static_cast<std::size_t>(byEnd - byEnd_.begin()), [this](std::size_t i) { return byEnd_[i]; });
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    std::vector<NameNeighbour> found;
    for (const std::size_t id : near) {
        const std::string& other = names_[id];
        if (other == name) continue;
        const auto begin = std::mismatch(name.begin(), name.end(), other.begin(), other.end()).first - name.begin();
        const auto end = std::mismatch(name.rbegin(), name.rend(), other.rbegin(), other.rend()).first - name.rbegin();
        found.push_back({static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
    }
    return found;
}

std::string NamesApart::fit(std::string_view name, double width, const MeasureText& measure) const
{
    const auto fits = [&](std::string_view text) { return text.size() <= maxLabelBytes && measure(text, false) <= width; };
    if (fits(name)) return std::string(name);
    const std::vector<NameNeighbour> others = neighbours(name);
    const Best whole = bestForm(name, cuts_, 0, others, width, measure);
    const std::size_t common = cuts_ == NameCuts::parts ? commonEnd(name, others) : 0;
    if ((whole.alike == 0 && !whole.cut) || common == 0) return whole.text;
    // What nearly all end with goes without a sign, so that the one ellipsis is left for the part before it.
    const std::string_view core = name.substr(0, name.size() - common);
    if (fits(core)) return std::string(core);
    const Best rest = bestForm(core, cuts_, common, others, width, measure);
    return std::pair(rest.alike, rest.cut) < std::pair(whole.alike, whole.cut) ? rest.text : whole.text;
}

std::string NamesApart::fitSentence(std::string_view sentence, std::span<const std::string> quoted, double width,
                                    const MeasureText& measure) const
{
    if (measure(sentence, false) <= width) return std::string(sentence);
    struct Place {
        std::size_t at, size;
    };
    std::vector<Place> places;
    std::size_t from = 0;
    double room = width - measure(sentence, false);
    for (const std::string& name : quoted) {
        const std::size_t at = sentence.find(name, from);
        if (name.empty() || at == std::string_view::npos) continue;
        places.push_back({at, name.size()});
        from = at + name.size();
        room += measure(name, false);
    }
    std::string text;
    from = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const std::string_view name = sentence.substr(places[i].at, places[i].size);
        // A name that needs less than its share leaves the rest to those after it.
        double share = room / static_cast<double>(places.size() - i);
        if (i + 1 < places.size()) {
            double after = 0;
            for (std::size_t j = i + 1; j < places.size(); ++j)
                after += measure(sentence.substr(places[j].at, places[j].size), false);
            share = std::max(share, room - after);
        }
        std::string form = fit(name, share, measure);
        if (form.empty()) form = ellipsis;
        room -= measure(form, false);
        text += sentence.substr(from, places[i].at - from);
        text += form;
        from = places[i].at + places[i].size;
    }
    return text.append(sentence.substr(from));
}

} // namespace stowage
