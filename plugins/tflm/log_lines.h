// A log line by line, and numbers and fixed texts inside a line.
#pragma once

#include "core/ir/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage::tflm {

/// Walks over the lines of a text; a carriage return before the line feed is no part of a line.
class LogLines {
public:
    explicit LogLines(std::string_view text) : text_(text) {}

    /// The next line, nothing at the end.
    std::optional<std::string_view> next();
    [[nodiscard]] std::int32_t number() const { return number_; } ///< of the line that `next` gave last, from 1

private:
    std::string_view text_;
    std::int32_t number_ = 0;
};

/// Reads one line from left to right. After the first thing that is not there it stays failed.
class LineReader {
public:
    explicit LineReader(std::string_view line) : rest_(line) {}

    LineReader& skipBlanks();
    /// A fixed text.
    LineReader& text(std::string_view expected);
    /// A decimal number, or a hexadecimal one after "0x"; blanks before it are skipped. Fails beyond 64 bits.
    LineReader& number(std::int64_t& to);
    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] std::string_view rest() const { return rest_; }

private:
    std::string_view rest_;
    bool ok_ = true;
};

} // namespace stowage::tflm
