// Messages to the user about an input or a plan.
#pragma once

#include "core/ir/code.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// A place in an input. Unknown parts are empty (file), 0 (line, column) or -1 (byte).
struct Position {
    std::string file;
    std::int32_t line = 0;   ///< from 1
    std::int32_t column = 0; ///< from 1, in bytes
    std::int64_t byte = -1;  ///< from 0; for binary formats

    friend bool operator==(const Position&, const Position&) = default;
    [[nodiscard]] bool known() const { return line > 0 || byte >= 0 || !file.empty(); }
};

enum class Severity : std::uint8_t { note, warning, error };

/// One message: what is wrong, where, and what to do about it.
struct Diagnostic {
    Severity severity = Severity::error;
    Code code = Code::foreign;
    std::string message; ///< one sentence that names the objects involved
    Position where;
    std::string remedy;       ///< what the user can do; may be empty
    ForeignCode foreign = {}; ///< only with `Code::foreign`

    friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// A diagnostic of severity `warning`.
[[nodiscard]] Diagnostic warning(Code code, std::string message, Position where = {}, std::string remedy = {});

/// "file:line:column: message" (or "file: byte 0x1f: message"), followed by the remedy. For logs and the command line.
std::string toText(const Diagnostic&);
/// The same without the severity.
std::string placedText(const Diagnostic&);
std::string_view toText(Severity);

/// The text of a diagnostic's code, also of a foreign one: "overflow".
[[nodiscard]] std::string_view codeText(const Diagnostic& diagnostic);

} // namespace stowage
