#include "core/io/problem_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace stowage::io {

namespace {

enum Column : std::size_t { id, lower, upper, size, alignment, gaps, offset, hint, count };

struct Name {
    std::string_view text;
    Column column;
    bool inclusive = false;
};

/// The names of each column. Messages use the first one.
constexpr std::array columnNames{
    Name{"id", id},       Name{"buffer", id},     Name{"buffer_id", id},    Name{"lower", lower}, Name{"start", lower},
    Name{"begin", lower}, Name{"upper", upper},   Name{"end", upper, true}, Name{"size", size},   Name{"alignment", alignment},
    Name{"gaps", gaps},   Name{"offset", offset}, Name{"hint", hint},
};

std::string spellings(Column column)
{
    std::string text;
    for (const Name& name : columnNames)
        if (name.column == column) text += fmt::format("{}{}", text.empty() ? "" : " or ", name.text);
    return text;
}

Expected<ProblemColumns> find(const CsvReader& table, std::initializer_list<Column> needed)
{
    std::array<std::optional<std::size_t>, count> found;
    ProblemColumns columns;
    const std::vector<std::string>& header = table.header();
    for (std::size_t i = 0; i < header.size(); ++i) {
        if (header[i].starts_with("x-")) continue;
        const auto known =
            std::find_if(columnNames.begin(), columnNames.end(), [&](const Name& name) { return name.text == header[i]; });
        if (known == columnNames.end())
            return failure(Code::unknownColumn, fmt::format("there is no column '{}'", header[i]), table.position(i),
                           "known are id, lower, upper, size, alignment, gaps, offset, hint; columns of your own begin with x-");
        if (const auto other = found[known->column])
            return failure(Code::duplicateColumn,
                           fmt::format("the columns '{}' and '{}' mean the same", header[*other], header[i]), table.position(i));
        found[known->column] = i;
        columns.inclusive |= known->inclusive;
    }
    for (const Column column : needed)
        if (!found[column])
            return failure(Code::missingColumn, fmt::format("there is no column {}", spellings(column)), table.position(),
                           "the first line has to name the columns");
    columns.id = *found[id];
    columns.lower = found[lower];
    columns.upper = found[upper];
    columns.size = found[size];
    columns.alignment = found[alignment];
    columns.gaps = found[gaps];
    columns.offset = found[offset];
    columns.hint = found[hint];
    return columns;
}

} // namespace

Expected<ProblemColumns> ProblemColumns::ofProblem(const CsvReader& table)
{
    return find(table, {Column::id, Column::lower, Column::upper, Column::size});
}

Expected<ProblemColumns> ProblemColumns::ofPlan(const CsvReader& table)
{
    return find(table, {Column::id, Column::offset});
}

} // namespace stowage::io
