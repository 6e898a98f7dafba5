// A table that is printed in the formats of the command line.
#pragma once

#include "core/io/json_writer.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace stowage::cli {

enum class Format { text, json, csv, markdown };

/// Empty, text, integer, ratio, or boolean.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

/// How the cells of a column are shown to users. In JSON and CSV a cell is always its plain value.
enum class CellKind {
    text,
    prose,        ///< a sentence, broken into lines if the table is too wide
    number,       ///< 1,234
    address,      ///< 0x4d2
    ratio,        ///< 0.167 as "16.7 %"
    milliseconds, ///< 0.123
};

struct Column {
    std::string key;   ///< for JSON and CSV
    std::string title; ///< for users, with the unit
    CellKind kind = CellKind::text;
};

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
};

/// Text and Markdown leave out columns that are empty in every row. Each line ends with a line feed. `room`: width of the
/// terminal in characters; prose is broken and names are shortened to fit, if possible; 0: unlimited.
std::string toText(const Table& table, std::size_t room = 0);
std::string toMarkdown(const Table& table);
std::string toCsv(const Table& table);
/// Writes the rows as objects into the current array.
void writeRows(io::JsonWriter& out, const Table& table);
/// The table in a format. JSON: a document with an array of objects.
std::string print(const Table& table, Format format, std::size_t room = 0);

} // namespace stowage::cli
