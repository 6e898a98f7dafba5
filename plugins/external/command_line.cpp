#include "plugins/external/command_line.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace stowage::external {

namespace {

constexpr std::array<std::string_view, 8> ofPlanners{"in",        "out",  "dir",          "capacity",
                                                     "alignment", "seed", "time_limit_s", "threads"};
constexpr std::array<std::string_view, 2> ofImporters{"in", "dir"};
constexpr std::array<std::string_view, 4> ofExporters{"plan", "problem", "out", "dir"};
constexpr std::string_view optionPrefix = "option:";

std::span<const std::string_view> namesOf(ManifestKind kind)
{
    switch (kind) {
    case ManifestKind::importer: return ofImporters;
    case ManifestKind::exporter: return ofExporters;
    case ManifestKind::planner: break;
    }
    return ofPlanners;
}

/// Goes through a word: calls `literal(char)` and `placeholder(name)`. A brace that is not closed is literal.
template <typename Literal, typename Placeholder>
void scan(std::string_view word, Literal&& literal, Placeholder&& placeholder)
{
    for (std::size_t i = 0; i < word.size(); ++i) {
        if (word.substr(i, 2) == "{{" || word.substr(i, 2) == "}}") {
            literal(word[i++]);
            continue;
        }
        const std::size_t end = word[i] == '{' ? word.find('}', i) : std::string_view::npos;
        if (end == std::string_view::npos) {
            literal(word[i]);
            continue;
        }
        placeholder(word.substr(i + 1, end - i - 1));
        i = end;
    }
}

} // namespace

std::vector<std::string> placeholders(std::string_view word)
{
    std::vector<std::string> names;
    scan(
        word, [](char) {}, [&](std::string_view name) { names.emplace_back(name); });
    return names;
}

bool knownPlaceholder(const Manifest& manifest, std::string_view name)
{
    const auto names = namesOf(manifest.kind);
    if (std::find(names.begin(), names.end(), name) != names.end()) return true;
    if (!name.starts_with(optionPrefix)) return false;
    return std::any_of(manifest.options.begin(), manifest.options.end(),
                       [&](const OptionSpec& option) { return option.name == name.substr(optionPrefix.size()); });
}

std::string placeholderNames(const Manifest& manifest)
{
    std::string text;
    for (const std::string_view name : namesOf(manifest.kind)) text.append("{").append(name).append("}, ");
    return text + "{option:NAME} of its own options";
}

bool uses(const Manifest& manifest, std::string_view name)
{
    for (const auto& words : manifest.argv)
        for (const std::string& word : words)
            for (const std::string& used : placeholders(word))
                if (used == name) return true;
    return false;
}

std::vector<std::string> commandLine(const Manifest& manifest, const PlaceholderValues& values)
{
    const auto valueOf = [&](std::string_view name) -> std::string_view {
        const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == name; });
        return found == values.end() ? std::string_view() : std::string_view(found->second);
    };
    std::vector<std::string> filled;
    for (const auto& words : manifest.argv) {
        const std::size_t before = filled.size();
        bool empty = false;
        for (const std::string& word : words) {
            std::string& text = filled.emplace_back();
            scan(
                word, [&](char c) { text.push_back(c); },
                [&](std::string_view name) {
                    const std::string_view value = valueOf(name);
                    empty |= value.empty();
                    text += value;
                });
        }
        if (empty) filled.resize(before);
    }
    return filled;
}

} // namespace stowage::external
