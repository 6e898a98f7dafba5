// TVMScript as tokens: Python's rules for lines, indentation, brackets, strings and comments, as far as TIR uses them.
#pragma once

#include "core/ir/expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::tvm {

enum class TokenKind : std::uint8_t { name, number, string, symbol, newline, indent, dedent, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text; ///< refers to the input; a string has its quotes
    std::int32_t line = 1;
    std::int32_t column = 1; ///< in bytes
};

/// Errors, with line and column: a string or bracket that does not end, an indentation that matches no outer one, a character
/// that Python does not have. O(bytes).
Expected<std::vector<Token>> tokenize(std::string_view text, const std::string& file);

/// The value of a string token: without prefix and quotes, simple escapes resolved.
std::string unquoted(std::string_view token);

} // namespace stowage::tvm
