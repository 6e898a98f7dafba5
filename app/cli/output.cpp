#include "app/cli/output.h"

#include "core/io/output_file.h"

#include <QtGlobal>

#include <fmt/format.h>

#include <array>
#include <sys/ioctl.h>
#include <unistd.h>

namespace stowage::cli {

namespace {

io::StopWriting stopOf(const Environment& environment)
{
    return [stop = environment.interrupt] { return stop.stop_requested(); };
}

} // namespace

void OutputOptions::declare(Arguments& app, const std::vector<std::string>& formats)
{
    if (!formats.empty()) app.option("--format", format_, "how the result is written").oneOf(formats).showDefault("text");
    app.option("-o,--output", file_, "write it to this file instead of standard output").typeName("FILE");
}

Format OutputOptions::format() const
{
    if (format_ == "json") return Format::json;
    if (format_ == "csv") return Format::csv;
    if (format_ == "markdown") return Format::markdown;
    return Format::text;
}

int OutputOptions::write(const Environment& environment, std::string_view text) const
{
    if (file_.empty() || file_ == "-") {
        if (const auto error = io::writeStandardOutput(text, stopOf(environment))) return environment.fail(*error);
        return done;
    }
    return writeFile(environment, file_, text);
}

int writeFile(const Environment& environment, const std::string& path, std::string_view text)
{
    if (const auto error = io::writeFile(path, text, stopOf(environment))) return environment.fail(*error);
    return done;
}

std::size_t roomFor(const OutputOptions& output)
{
    winsize size{};
    if (!output.file().empty() || isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

std::string toned(std::string_view text, Tone tone, const OutputOptions& output)
{
    static const bool colour = isatty(STDOUT_FILENO) != 0 && qEnvironmentVariableIsEmpty("NO_COLOR");
    if (!colour || !output.file().empty()) return std::string(text);
    constexpr std::array codes{"32", "31", "1", "2"};
    return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(tone)], text);
}

} // namespace stowage::cli
