// Reads a log line by line, and numbers and fixed texts in a line.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage::tflm {

/// Visits the lines of a text. A line ends with "\n" or "\r\n".
class LogLines {
public:
    explicit LogLines(std::string_view text) : text_(text) {}

    /// The next line; no value at the end.
    std::optional<std::string_view> next();
    [[nodiscard]] std::int32_t number() const { return number_; } ///< of the last line that `next` returned, from 1

private:
    std::string_view text_;
    std::int32_t number_ = 0;
};

/// Reads one line from left to right. After the first mismatch all further calls fail.
class LineReader {
public:
    explicit LineReader(std::string_view line) : rest_(line) {}

    LineReader& skipBlanks();
    /// Skips this text; fails if the line does not continue with it.
    LineReader& text(std::string_view expected);
    /// Reads a decimal number, or a hexadecimal one after "0x"; skips blanks before it. Fails beyond 64 bits.
    LineReader& number(std::int64_t& to);
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
    bool ok_ = true;
};

} // namespace stowage::tflm
