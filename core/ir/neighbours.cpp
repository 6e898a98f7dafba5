#include "core/ir/neighbours.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace stowage {

namespace {

constexpr std::size_t longestWord = 100; ///< bytes; longer words are not typing errors
constexpr std::size_t maxSuggested = 3;

std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

/// Optimal string alignment distance. O(|a| |b|).
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> last(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            next[j] = std::min({next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) next[j] = std::min(next[j], last[j - 2] + 1);
        }
        std::swap(last, row);
        std::swap(row, next);
    }
    return row.back();
}

} // namespace

std::vector<std::string> neighbours(std::string_view typed, std::span<const std::string> names)
{
    if (typed.empty() || typed.size() > longestWord) return {};
    const std::string wanted = lowered(typed);
    const std::size_t allowed = std::max<std::size_t>(1, wanted.size() / 3);
    std::vector<std::pair<std::size_t, std::size_t>> found; // distance, index
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].size() > longestWord) continue;
        const std::string name = lowered(names[i]);
        const std::size_t d = distance(wanted, name);
        const bool begins = (name.starts_with(wanted) && wanted.size() >= 2) || (wanted.starts_with(name) && name.size() >= 3);
        if (d <= allowed || begins) found.emplace_back(std::min(d, allowed + 1), i);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (found.size() > maxSuggested) found.resize(maxSuggested);
    std::vector<std::string> near;
    for (const auto& [d, i] : found) near.push_back(names[i]);
    return near;
}

std::string suggestion(std::string_view typed, std::span<const std::string> names, std::string_view noun)
{
    std::string text;
    for (const std::string& name : neighbours(typed, names))
        text += fmt::format("{}'{}'", text.empty() ? "did you mean " : " or ", name);
    if (!text.empty()) text += "? ";
    return text + fmt::format("the {} are: {}", noun, fmt::join(names, ", "));
}

} // namespace stowage
