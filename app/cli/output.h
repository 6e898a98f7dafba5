// Where results go: standard output, or the file of -o.
#pragma once

#include "app/cli/command.h"
#include "app/cli/table.h"

#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli {

class OutputOptions {
public:
    /// `formats`: names of those that the command can write; none: only -o.
    void declare(Arguments& app, const std::vector<std::string>& formats);

    /// `text` for a format of the command's own.
    [[nodiscard]] Format format() const;
    [[nodiscard]] const std::string& formatName() const { return format_; } ///< as declared
    [[nodiscard]] const std::string& file() const { return file_; }         ///< empty: standard output

    /// Writes all of `text`, to the file whole or not at all. Where it is for people (text, Markdown), names in it are shortened
    /// and escaped: a name from a file must not act on a terminal. Returns an exit status.
    int write(const Environment& environment, std::string_view text) const;

private:
    std::string format_ = "text";
    bool hasFormats_ = false;
    std::string file_;
};

/// Writes all of `text` to a file, whole or not at all, or to standard output for "-". Returns an exit status.
int writeFile(const Environment& environment, const std::string& path, std::string_view text);

/// Columns of the terminal that standard output is; 0 when it is none, or `output` goes elsewhere.
std::size_t roomFor(const OutputOptions& output);

/// Colour where people read: a terminal, and NO_COLOR is not set.
enum class Tone { good, bad, strong, faint };
std::string toned(std::string_view text, Tone tone, const OutputOptions& output);

} // namespace stowage::cli
