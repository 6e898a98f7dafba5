// A reader for CSV tables with a header: RFC 4180's quotes, both line ends, positions for every complaint.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::io {

/// Goes through the rows of a text that outlives it. Blank lines are skipped; spaces around a field that is not quoted do not
/// count. The first row is the header; every other one must have as many fields. The first error ends the table and sticks.
class CsvReader {
public:
    CsvReader(std::string_view text, std::string file);

    /// The names in the header, in lower case.
    [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
    /// Goes to the next row; false at the end, and after an error.
    bool next();
    /// Fields of the current row; valid until the next call of `next`.
    [[nodiscard]] std::string_view field(std::size_t column) const { return fields_[column].text; }
    /// A field as an integer, in [minimum, maximum]; an error that names the column otherwise, and 0.
    std::int64_t integer(std::size_t column, std::int64_t minimum, std::int64_t maximum);

    /// Of the current row; `column` 0: of the row as a whole.
    [[nodiscard]] Position position() const { return {.file = file_, .line = line_}; }
    [[nodiscard]] Position position(std::size_t column) const;
    [[nodiscard]] std::int32_t line() const { return line_; }

    [[nodiscard]] bool ok() const { return !error_; }
    [[nodiscard]] const Error& error() const { return *error_; }
    void fail(Code code, std::string message, Position where, std::string remedy = {});

private:
    struct Field {
        std::string_view text;
        const char* begin = nullptr; ///< in the source, for positions
    };

    bool readRow();
    bool readQuoted();

    std::string_view text_;
    std::string file_;
    std::size_t at_ = 0;        ///< next byte
    std::int32_t nextLine_ = 1; ///< line of `at_`
    std::int32_t line_ = 1;     ///< line that the current row begins in
    const char* rowBegin_ = nullptr;
    std::vector<std::string> header_;
    std::vector<Field> fields_;
    std::deque<std::string> unescaped_; ///< fields with doubled quotes; a deque keeps their addresses
    std::optional<Error> error_;
};

} // namespace stowage::io
