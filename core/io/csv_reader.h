// A reader for CSV tables with a header row: quotes as in RFC 4180, line ends LF or CRLF, positions for all errors.
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

/// Reads a text row by row; the text must outlive the reader. Blank lines are skipped, and spaces around unquoted fields are
/// removed. The first row is the header; all other rows must have the same number of fields. Reading stops at the first error,
/// which is kept.
class CsvReader {
public:
    CsvReader(std::string_view text, std::string file);

    /// The names in the header, in lower case.
    [[nodiscard]] const std::vector<std::string>& header() const { return header_; }
    /// Goes to the next row; false at the end, and after an error.
    bool next();
    /// Fields of the current row; valid until the next call of `next`.
    [[nodiscard]] std::string_view field(std::size_t column) const { return fields_[column].text; }
    /// A field as an integer in [minimum, maximum]. Otherwise 0, with an error that names the column.
    std::int64_t integer(std::size_t column, std::int64_t minimum, std::int64_t maximum);

    /// The position of the current row, or of one of its fields.
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
    std::int32_t line_ = 1;     ///< first line of the current row
    const char* rowBegin_ = nullptr;
    std::vector<std::string> header_;
    std::vector<Field> fields_;
    std::deque<std::string> unescaped_; ///< fields with doubled quotes; a deque keeps their addresses
    std::optional<Error> error_;
};

} // namespace stowage::io
