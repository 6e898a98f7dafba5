// Lines of comma-separated tables, as the command line, the window and reports write them.
#pragma once

#include <string>
#include <vector>

namespace stowage {

/// The cells as one line with its line feed (RFC 4180). A cell with a comma, a quote or a line end is quoted.
[[nodiscard]] inline std::string csvLine(const std::vector<std::string>& cells)
{
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += ',';
        if (cells[i].find_first_of(",\"\r\n") == std::string::npos) {
            line += cells[i];
            continue;
        }
        line += '"';
        for (const char c : cells[i]) line += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += '"';
    }
    return line + '\n';
}

} // namespace stowage
