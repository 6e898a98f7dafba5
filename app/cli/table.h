// A table that is printed in any of the formats that the command line has.
#pragma once

#include "core/io/json_writer.h"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace stowage::cli {

enum class Format { text, json, csv, markdown };

/// Nothing, words, a whole number, a ratio, a yes or no.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

/// How the cells of a column are written for people. For programs (JSON, CSV) a cell is always its bare value.
enum class CellKind {
    text,
    prose,        ///< a sentence, broken into lines where the table would be too wide
    number,       ///< 1,234
    address,      ///< 0x4d2
    ratio,        ///< 0.167 as "16.7 %"
    milliseconds, ///< 0.123
};

struct Column {
    std::string key;   ///< for JSON and CSV
    std::string title; ///< for people, with the unit
    CellKind kind = CellKind::text;
};

struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
};

/// Text and Markdown leave out columns that are empty in every row. A line feed ends each line. `room`: columns of the terminal,
/// into which prose is broken and names are shortened to what differs, as far as can be; 0: as many as it takes.
std::string toText(const Table& table, std::size_t room = 0);
std::string toMarkdown(const Table& table);
std::string toCsv(const Table& table);
/// The rows as objects, into an array that is open.
void writeRows(io::JsonWriter& out, const Table& table);
/// A document of its own for JSON: an array of objects.
std::string print(const Table& table, Format format, std::size_t room = 0);

} // namespace stowage::cli
