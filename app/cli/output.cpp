#include "app/cli/output.h"

#include "core/io/output_file.h"
#include "core/ir/shown_text.h"

#include <QtGlobal>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace stowage::cli {

namespace {

io::StopWriting stopOf(const Environment& environment)
{
    return [stop = environment.interrupt] { return stop.stop_requested(); };
}

/// The escape sequences of `toned`, in the order of `Tone`, and the one that ends them. They are kept; all others are escaped.
constexpr std::array<std::string_view, 6> colours{"\x1b[32m", "\x1b[31m", "\x1b[33m", "\x1b[1m", "\x1b[2m", "\x1b[0m"};

std::string forPeople(std::string_view text)
{
    std::string out;
    std::size_t from = 0;
    for (std::size_t at = text.find('\x1b'); at != std::string_view::npos; at = text.find('\x1b', at + 1)) {
        const auto colour =
            std::ranges::find_if(colours, [&](std::string_view code) { return text.substr(at).starts_with(code); });
        if (colour == colours.end()) continue;
        out += shownText(text.substr(from, at - from));
        out += *colour;
        from = at + colour->size();
    }
    return out + shownText(text.substr(from));
}

} // namespace

void OutputOptions::declare(Arguments& app, const std::vector<std::string>& formats)
{
    hasFormats_ = !formats.empty();
    if (hasFormats_) app.option("--format", format_, "format of the result").oneOf(formats).showDefault("text");
    app.option("-o,--output", file_, "write the result to this file instead of standard output").typeName("FILE").notEmpty();
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
    std::string shown;
    if (hasFormats_ && (format_ == "text" || format_ == "markdown")) { // not "html" and "junit", which escape names themselves
        shown = forPeople(text);
        text = shown;
    }
    return writeFile(environment, file_.empty() ? "-" : file_, text);
}

int writeFile(const Environment& environment, const std::string& path, std::string_view text)
{
    const auto error =
        path == "-" ? io::writeStandardOutput(text, stopOf(environment)) : io::writeFile(path, text, stopOf(environment));
    if (error) return environment.fail(*error);
    return done;
}

int writeFiles(const Environment& environment, std::span<const WrittenFile> files)
{
    // All are open at a time, which may be more than a shell allows by default.
    constexpr rlim_t others = 64;
    if (rlimit open{}; getrlimit(RLIMIT_NOFILE, &open) == 0 && open.rlim_cur < files.size() + others) {
        open.rlim_cur = std::min<rlim_t>(open.rlim_max, files.size() + others);
        setrlimit(RLIMIT_NOFILE, &open);
    }
    std::vector<io::OutputFile> opened;
    opened.reserve(files.size());
    for (const WrittenFile& each : files) {
        auto file = io::OutputFile::open(each.path, stopOf(environment));
        if (!file) return environment.fail(file.error());
        if (const auto error = file->write(each.text)) return environment.fail(*error);
        opened.push_back(*std::move(file));
    }
    for (io::OutputFile& file : opened)
        if (const auto error = file.commit()) return environment.fail(*error);
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
    return fmt::format("{}{}{}", colours[static_cast<std::size_t>(tone)], text, colours.back());
}

} // namespace stowage::cli
