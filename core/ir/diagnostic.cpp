#include "core/ir/diagnostic.h"

#include "core/ir/shown_text.h"

#include <fmt/format.h>

namespace stowage {

namespace {

constexpr std::size_t maxShownPath = 4'096; ///< the longest path of Linux is shown completely

} // namespace

Diagnostic warning(Code code, std::string message, Position where, std::string remedy)
{
    return {Severity::warning, code, std::move(message), std::move(where), std::move(remedy)};
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

std::string_view codeText(const Diagnostic& diagnostic)
{
    return diagnostic.code == Code::foreign ? std::string_view(diagnostic.foreign.name) : toText(diagnostic.code);
}

std::string placedText(const Diagnostic& diagnostic)
{
    std::string place = shownName(diagnostic.where.file, maxShownPath);
    if (diagnostic.where.line > 0) {
        place += fmt::format("{}{}", place.empty() ? "line " : ":", diagnostic.where.line);
        if (diagnostic.where.column > 0) place += fmt::format(":{}", diagnostic.where.column);
    }
    if (diagnostic.where.byte >= 0) place += fmt::format("{}byte 0x{:x}", place.empty() ? "" : ": ", diagnostic.where.byte);
    std::string text = fmt::format("{}{}{}", place, place.empty() ? "" : ": ", shownMessage(diagnostic.message));
    if (!diagnostic.remedy.empty()) text += fmt::format(" ({})", shownMessage(diagnostic.remedy));
    return text;
}

std::string toText(const Diagnostic& diagnostic)
{
    return fmt::format("{}: {}", toText(diagnostic.severity), placedText(diagnostic));
}

} // namespace stowage
