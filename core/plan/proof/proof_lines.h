// Reads the lines of a log, for the checkers of all kinds of logs. Shares no code with the search.
#pragma once

#include "core/ir/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stowage {

/// The input of a checker. The log must outlive it.
class ProofLines {
protected:
    explicit ProofLines(std::string_view log) : rest_(log) {}

    /// An error at the last line read.
    [[nodiscard]] Error wrong(std::string_view what) const
    {
        return failure(Code::badProof, fmt::format("line {}: {}", number_, what), {},
                       "the log does not prove anything; make it anew");
    }
    /// The next line without its line feed; empty after the last line.
    std::string_view next()
    {
        ++number_;
        const std::size_t end = std::min(rest_.find('\n'), rest_.size());
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return line;
    }
    /// Removes leading blanks and a number from the text; no value if there is no number.
    static std::optional<std::int64_t> integer(std::string_view& text)
    {
        while (text.starts_with(' ')) text.remove_prefix(1);
        std::int64_t value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (code != std::errc{}) return std::nullopt;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return value;
    }

    std::string_view rest_;    ///< the text that is not read yet
    std::uint64_t number_ = 0; ///< number of the current line
};

} // namespace stowage
