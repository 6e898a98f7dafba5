#include "app/cli/table.h"

#include "app/session/number_words.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

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

/// For people.
std::string shown(const Cell& cell, CellKind kind)
{
    return std::visit(
        Overloaded{
            [](std::monostate) { return std::string(); },
            [&](const std::string& words) { return shownName(words, kind == CellKind::prose ? maxShownMessage : maxShownName); },
            [&](std::int64_t value) { return kind == CellKind::address ? hex(value) : grouped(value); },
            [&](double value) {
                if (kind == CellKind::ratio) return percent(value);
                return fmt::format("{:.{}f}", value, value < 10 ? 3 : value < 1000 ? 1 : 0);
            },
            [](bool value) { return std::string(value ? "yes" : "no"); },
        },
        cell);
}

/// For programs.
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

/// Narrows the columns of prose, the widest first, until `room` is enough or they have reached their least width.
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
        for (const std::size_t i : used) line.push_back(shown(row[i], table.columns[i].kind));
    }
    std::vector<std::size_t> widths(used.size());
    for (const auto& line : cells)
        for (std::size_t i = 0; i < used.size(); ++i) widths[i] = std::max(widths[i], width(line[i]));

    std::vector<bool> prose;
    for (const std::size_t i : used) prose.push_back(table.columns[i].kind == CellKind::prose);
    if (room > 0) narrow(widths, prose, room);

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
    const auto escaped = [](std::string words) {
        for (std::size_t at = 0; (at = words.find('|', at)) != std::string::npos; at += 2) words.insert(at, 1, '\\');
        return words;
    };
    std::string out = line([&](std::size_t i) { return table.columns[i].title; });
    out += line([&](std::size_t i) { return std::string(rightAligned(table.columns[i]) ? "---:" : "---"); });
    for (const auto& row : table.rows) out += line([&](std::size_t i) { return escaped(shown(row[i], table.columns[i].kind)); });
    return out;
}

std::string toCsv(const Table& table)
{
    const auto quoted = [](const std::string& words) {
        if (words.find_first_of(",\"\r\n") == std::string::npos) return words;
        std::string text = "\"";
        for (const char c : words) text += c == '"' ? std::string("\"\"") : std::string(1, c);
        return text + '"';
    };
    std::string out;
    const auto line = [&](const std::function<std::string(std::size_t)>& cell) {
        for (std::size_t i = 0; i < table.columns.size(); ++i) out += (i > 0 ? "," : "") + quoted(cell(i));
        out += '\n';
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
