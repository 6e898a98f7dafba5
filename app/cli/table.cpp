#include "app/cli/table.h"

#include "app/session/csv.h"

#include "app/session/number_words.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>

namespace stowage::cli {

namespace {

template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <typename... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

bool empty(const Cell& cell)
{
    const auto* words = std::get_if<std::string>(&cell);
    return std::holds_alternative<std::monostate>(cell) || (words && words->empty());
}

bool rightAligned(const Column& column)
{
    return column.kind != CellKind::text && column.kind != CellKind::prose;
}

/// A cell for users. `whole`: names are escaped, but not shortened.
std::string shown(const Cell& cell, CellKind kind, bool whole = false)
{
    return std::visit(
        Overloaded{
            [](std::monostate) { return std::string(); },
            [&](const std::string& words) {
                return shownName(words, whole ? words.size() : kind == CellKind::prose ? maxShownMessage : maxShownName);
            },
            [&](std::int64_t value) { return kind == CellKind::address ? hex(value) : grouped(value); },
            [&](double value) {
                if (kind == CellKind::ratio) return percent(value);
                return fmt::format("{:.{}f}", value, value < 10 ? 3 : value < 1000 ? 1 : 0);
            },
            [](bool value) { return std::string(value ? "yes" : "no"); },
        },
        cell);
}

/// `words` in a cell of a Markdown table: a backslash stands before each character that would end the cell or change what is
/// shown. Characters that mark text in pairs are left alone if there is only one, and an underscore if it is inside a word.
std::string markdownText(std::string_view words)
{
    const auto at = [&](std::size_t i) { return i < words.size() ? words[i] : ' '; };
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto inWord = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
    const auto punctuation = [&](char c) { return c > ' ' && c < '\x7f' && !inWord(c); };
    const auto means = [&](std::size_t i) {
        const char next = at(i + 1);
        switch (words[i]) {
        case '|': return true;
        case '\\': return punctuation(next) || next == ' ';
        case '<': return letter(next) || next == '/' || next == '!' || next == '?';
        case '&': return letter(next) || next == '#';
        case ']': return next == '(';
        case '_':
            if (i > 0 && inWord(words[i - 1]) && inWord(next)) return false;
            [[fallthrough]];
        case '*':
        case '`':
        case '~': return std::count(words.begin(), words.end(), words[i]) > 1;
        default: return false;
        }
    };
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (means(i)) text += '\\';
        text += words[i];
    }
    return text;
}

/// A cell for programs.
std::string bare(const Cell& cell)
{
    return std::visit(Overloaded{
                          [](std::monostate) { return std::string(); },
                          [](const std::string& words) { return words; },
                          [](std::int64_t value) { return fmt::format("{}", value); },
                          [](double value) { return fmt::format("{}", value); },
                          [](bool value) { return std::string(value ? "true" : "false"); },
                      },
                      cell);
}

std::vector<std::size_t> usedColumns(const Table& table)
{
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (std::any_of(table.rows.begin(), table.rows.end(), [i](const auto& row) { return !empty(row[i]); })) used.push_back(i);
    return used;
}

std::string padded(const std::string& words, std::size_t columns, bool right)
{
    const std::string space(columns > width(words) ? columns - width(words) : 0, ' ');
    return right ? space + words : words + space;
}

void trimEnd(std::string& line)
{
    line.erase(line.find_last_not_of(' ') + 1);
}

/// Breaks words into lines of at most `columns`, at spaces; a longer word has a line of its own.
std::vector<std::string> wrapped(const std::string& words, std::size_t columns)
{
    std::vector<std::string> lines;
    std::string line;
    for (std::size_t from = 0; from <= words.size();) {
        const std::size_t to = std::min(words.find(' ', from), words.size());
        const std::string word = words.substr(from, to - from);
        if (!line.empty() && width(line) + 1 + width(word) > columns) {
            lines.push_back(std::move(line));
            line.clear();
        }
        line += (line.empty() ? "" : " ") + word;
        from = to + 1;
    }
    lines.push_back(std::move(line));
    return lines;
}

/// Narrows the columns of prose, the widest first, until the table fits into `room` or they have their minimum width.
void narrow(std::vector<std::size_t>& widths, const std::vector<bool>& prose, std::size_t room)
{
    constexpr std::size_t least = 24;
    std::size_t total = 0;
    for (const std::size_t one : widths) total += one + 2;
    while (total > room) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (prose[i] && widths[i] > least && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
        if (widest == widths.size()) return;
        --widths[widest];
        --total;
    }
}

/// Number of bytes of the first `count` UTF-8 characters.
std::size_t bytesOf(std::string_view text, std::size_t count)
{
    std::size_t at = 0;
    for (; at < text.size(); ++at)
        if ((static_cast<unsigned char>(text[at]) & 0xC0U) != 0x80U && count-- == 0) break;
    return at;
}

/// Length, in characters, of the common prefix of two texts.
std::size_t sameBeginning(std::string_view a, std::string_view b)
{
    const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return width(a.substr(0, static_cast<std::size_t>(end - a.begin())));
}

/// `name` shortened to at most `columns` characters: its beginning, the part from where it differs from similar names, and its
/// end if that is near. Requires columns >= 8.
std::string shortened(const std::string& name, std::size_t differs, std::size_t columns)
{
    const std::size_t all = width(name);
    if (all <= columns) return name;
    const std::size_t head = columns / 4;
    const auto part = [&](std::size_t from, std::size_t count) {
        const std::size_t begin = bytesOf(name, from);
        return name.substr(begin, bytesOf(std::string_view(name).substr(begin), count));
    };
    const std::size_t tail = columns - head - 1; // without one "…"
    constexpr std::size_t context = 8;           // characters before the first that differs
    if (differs + tail >= all + context || differs < head) return part(0, head) + "…" + part(all - tail, tail);
    const std::size_t from = std::max(head, differs - std::min(differs, context));
    if (from + tail >= all) return part(0, head) + "…" + part(all - tail, tail);
    return part(0, head) + "…" + part(from, tail - 1) + "…";
}

/// Shortens the names of one column to `columns` characters if different names stay different; otherwise they stay long.
void shortenNames(std::vector<std::vector<std::string>>& cells, std::size_t column, std::size_t columns)
{
    std::vector<std::string> names;
    for (std::size_t row = 1; row < cells.size(); ++row) names.push_back(cells[row][column]);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    std::map<std::string, std::string> shown;
    std::map<std::string, std::size_t> uses;
    for (std::size_t i = 0; i < names.size(); ++i) {
        // The most similar name is adjacent in alphabetical order.
        std::size_t differs = 0;
        if (i > 0) differs = std::max(differs, sameBeginning(names[i], names[i - 1]));
        if (i + 1 < names.size()) differs = std::max(differs, sameBeginning(names[i], names[i + 1]));
        ++uses[shown[names[i]] = shortened(names[i], differs, columns)];
    }
    for (std::size_t row = 1; row < cells.size(); ++row) {
        std::string& cell = cells[row][column];
        if (const std::string& brief = shown[cell]; uses[brief] == 1) cell = brief;
    }
}

/// Shortens columns of names, the widest first, until the table fits into `room` or no column is wide any more.
void giveWay(std::vector<std::vector<std::string>>& cells, const std::vector<bool>& names, std::vector<std::size_t>& widths,
             std::size_t room)
{
    constexpr std::size_t least = 24;
    std::vector<std::size_t> wanted = widths;
    std::size_t total = 0;
    for (const std::size_t one : wanted) total += one + 2;
    while (total > room) {
        std::size_t widest = wanted.size();
        for (std::size_t i = 0; i < wanted.size(); ++i)
            if (names[i] && wanted[i] > least && (widest == wanted.size() || wanted[i] > wanted[widest])) widest = i;
        if (widest == wanted.size()) break;
        --wanted[widest];
        --total;
    }
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == widths[i]) continue;
        shortenNames(cells, i, wanted[i]);
        widths[i] = 0;
        for (const auto& line : cells) widths[i] = std::max(widths[i], width(line[i]));
    }
}

} // namespace

std::string toText(const Table& table, std::size_t room)
{
    const auto used = usedColumns(table);
    std::vector<std::vector<std::string>> cells;
    cells.reserve(table.rows.size() + 1);
    auto& head = cells.emplace_back();
    for (const std::size_t i : used) head.push_back(table.columns[i].title);
    for (const auto& row : table.rows) {
        auto& line = cells.emplace_back();
        for (const std::size_t i : used)
            line.push_back(shown(row[i], table.columns[i].kind, table.columns[i].kind == CellKind::text));
    }
    for (std::size_t i = 0; i < used.size(); ++i)
        if (table.columns[used[i]].kind == CellKind::text) shortenNames(cells, i, maxShownName);
    std::vector<std::size_t> widths(used.size());
    for (const auto& line : cells)
        for (std::size_t i = 0; i < used.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));

    std::vector<bool> prose;
    for (const std::size_t i : used) prose.push_back(table.columns[i].kind == CellKind::prose);
    if (room > 0) {
        narrow(widths, prose, room);
        std::vector<bool> names;
        for (const std::size_t i : used) names.push_back(table.columns[i].kind == CellKind::text);
        giveWay(cells, names, widths, room);
    }

    std::string out;
    for (const auto& row : cells) {
        std::vector<std::vector<std::string>> lines(used.size());
        std::size_t height = 1;
        for (std::size_t i = 0; i < used.size(); ++i) {
            lines[i] = prose[i] ? wrapped(row[i], widths[i]) : std::vector{row[i]};
            height = std::max(height, lines[i].size());
        }
        for (std::size_t at = 0; at < height; ++at) {
            std::string text;
            for (std::size_t i = 0; i < used.size(); ++i)
                text += "  " + padded(at < lines[i].size() ? lines[i][at] : std::string(), widths[i],
                                      rightAligned(table.columns[used[i]]));
            trimEnd(text);
            out += text + '\n';
        }
    }
    return out;
}

std::string toMarkdown(const Table& table)
{
    const auto used = usedColumns(table);
    const auto line = [&](const std::function<std::string(std::size_t)>& cell) {
        std::string text = "|";
        for (const std::size_t i : used) text += ' ' + cell(i) + " |";
        return text + '\n';
    };
    std::string out = line([&](std::size_t i) { return table.columns[i].title; });
    out += line([&](std::size_t i) { return std::string(rightAligned(table.columns[i]) ? "---:" : "---"); });
    for (const auto& row : table.rows)
        out += line([&](std::size_t i) { return markdownText(shown(row[i], table.columns[i].kind)); });
    return out;
}

std::string toCsv(const Table& table)
{
    std::string out;
    const auto line = [&](const std::function<std::string(std::size_t)>& cell) {
        std::vector<std::string> cells;
        for (std::size_t i = 0; i < table.columns.size(); ++i) cells.push_back(cell(i));
        out += csvLine(cells);
    };
    line([&](std::size_t i) { return table.columns[i].key; });
    for (const auto& row : table.rows) line([&](std::size_t i) { return bare(row[i]); });
    return out;
}

void writeRows(io::JsonWriter& out, const Table& table)
{
    for (const auto& row : table.rows)
        out.object(io::JsonWriter::compact, [&] {
            for (std::size_t i = 0; i < table.columns.size(); ++i) {
                out.key(table.columns[i].key);
                std::visit(Overloaded{
                               [&](std::monostate) { out.null(); },
                               [&](const auto& value) { out.value(value); },
                           },
                           row[i]);
            }
        });
}

std::string print(const Table& table, Format format, std::size_t room)
{
    switch (format) {
    case Format::markdown: return toMarkdown(table);
    case Format::csv: return toCsv(table);
    case Format::json: {
        io::JsonWriter out;
        out.array([&] { writeRows(out, table); });
        return std::move(out).text();
    }
    case Format::text: break;
    }
    return toText(table, room);
}

} // namespace stowage::cli
