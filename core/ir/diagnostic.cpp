#include "core/ir/diagnostic.h"

#include <fmt/format.h>

namespace stowage {

Diagnostic warning(std::string code, std::string message, Position where, std::string remedy)
{
    return {Severity::warning, std::move(code), std::move(message), std::move(where), std::move(remedy)};
}

std::string_view toText(Severity severity)
{
    switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: break;
    }
    return "error";
}

std::string toText(const Diagnostic& diagnostic)
{
    std::string text = diagnostic.where.file;
    if (diagnostic.where.line > 0) {
        text += fmt::format("{}{}", text.empty() ? "line " : ":", diagnostic.where.line);
        if (diagnostic.where.column > 0) text += fmt::format(":{}", diagnostic.where.column);
    }
    if (diagnostic.where.byte >= 0) text += fmt::format("{}byte 0x{:x}", text.empty() ? "" : ": ", diagnostic.where.byte);
    if (!text.empty()) text += ": ";
    text += fmt::format("{}: {}", toText(diagnostic.severity), diagnostic.message);
    if (!diagnostic.remedy.empty()) text += fmt::format(" ({})", diagnostic.remedy);
    return text;
}

} // namespace stowage
