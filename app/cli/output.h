// Writes results to standard output, or to the file of -o.
#pragma once

#include "app/cli/command.h"
#include "app/cli/table.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::cli {

class OutputOptions {
public:
    /// `formats`: names of the formats that the command can write; empty: declares only -o.
    void declare(Arguments& app, const std::vector<std::string>& formats);

    /// The format; `text` for a format that only the command knows.
    [[nodiscard]] Format format() const;
    [[nodiscard]] const std::string& formatName() const { return format_; } ///< one of the declared names
    [[nodiscard]] const std::string& file() const { return file_; }         ///< empty: standard output

    /// Writes `text`; a file is written completely or not at all. In formats for users (text, Markdown), names are shortened and
    /// escaped, so that a name from a file cannot control the terminal. Returns an exit status.
    int write(const Environment& environment, std::string_view text) const;

private:
    std::string format_ = "text";
    bool hasFormats_ = false;
    std::string file_;
};

/// Writes `text` to a file, completely or not at all, or to standard output for "-". Returns an exit status.
int writeFile(const Environment& environment, const std::string& path, std::string_view text);

/// A file to write, by its path.
struct WrittenFile {
    std::string path;
    std::string_view text;
};
/// Writes files that belong together: all are complete before the first replaces an old one, in this order. Returns an exit
/// status.
int writeFiles(const Environment& environment, std::span<const WrittenFile> files);

/// Number of columns of the terminal; 0 if standard output is not a terminal, or if `output` goes to a file.
std::size_t roomFor(const OutputOptions& output);

/// Adds colour to `text` if the output is a terminal and NO_COLOR is not set.
enum class Tone { good, bad, open, strong, faint }; ///< `open`: neither a success nor a failure
std::string toned(std::string_view text, Tone tone, const OutputOptions& output);

} // namespace stowage::cli
