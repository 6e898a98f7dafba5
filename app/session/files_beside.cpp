#include "app/session/files_beside.h"

#include "app/session/pipeline_files.h"
#include "core/io/input_file.h"
#include "core/io/json_reader.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace stowage {

namespace {

namespace fs = std::filesystem;

constexpr Bytes maxReadForNames = Bytes{1} << 30;
constexpr std::size_t headForNames = std::size_t{64} << 10; ///< as importers see of a file when they claim it
constexpr std::string_view xlaAssignment = "-buffer-assignment.txt";
constexpr std::string_view xlaRanges = "-live-range.txt";
/// Ends of names that say more than the part after the last dot.
constexpr std::array<std::string_view, 5> longEndings{xlaAssignment, xlaRanges, "-memory-usage-report.txt", ".pkl.gz",
                                                      ".pickle.gz"};

/// The kernel that a memory_info.json names first, in "source_location": "loc(\"kernel.mlir\":13:12)"; empty: none. A text with
/// mistakes may give none: its importer refuses it whatever lies beside it.
std::string kernelNamedIn(std::string_view text)
{
    std::string kernel;
    io::JsonReader in(text, {});
    const auto readLocation = [&](std::string_view field) {
        if (field != "source_location" || !kernel.empty()) return in.skip();
        const std::string_view location = in.string();
        const auto open = location.find('"');
        const auto close = location.rfind('"');
        if (open == std::string_view::npos || close <= open) return;
        kernel = fs::path(location.substr(open + 1, close - open - 1)).filename().string();
    };
    in.object([&](std::string_view key) {
        if (key != "Record") return in.skip();
        in.array([&] {
            in.object([&](std::string_view field) {
                if (field != "memory_info_array") return in.skip();
                in.array([&] { in.object(readLocation); });
            });
        });
    });
    return kernel;
}

/// The programs that a configuration names, without those that lie outside of its folder, which are not read.
std::vector<std::string> programsNamedIn(std::string_view text, const std::string& path)
{
    std::vector<std::string> programs;
    const auto read = io::readPipelineConfig(text, path);
    if (!read) return programs;
    for (const auto& each : read->config.modules) {
        const fs::path clean = fs::path(each.stage.program).lexically_normal();
        if (!clean.empty() && !clean.is_absolute() && *clean.begin() != "..") programs.push_back(each.stage.program);
    }
    return programs;
}

} // namespace

std::vector<std::string> filesBeside(const std::string& path)
{
    for (const auto& [own, other] : {std::pair(xlaAssignment, xlaRanges), std::pair(xlaRanges, xlaAssignment)})
        if (path.ends_with(own)) return {path.substr(0, path.size() - own.size()) + std::string(other)};

    const auto file = io::InputFile::open(path);
    if (!file) return {};
    const auto head = file->head(headForNames);
    if (!head) return {};
    const bool memoryInfo = head->find("\"memory_info_array\"") != std::string::npos;
    const bool configuration = isPipelineText(*head);
    if (!memoryInfo && !configuration) return {};
    const auto text = io::readFile(path, {maxReadForNames, maxReadForNames});
    if (!text) return {};
    std::vector<std::string> names;
    if (configuration) names = programsNamedIn(*text, path);
    if (memoryInfo)
        if (std::string kernel = kernelNamedIn(*text); !kernel.empty()) names.push_back(std::move(kernel));
    const std::string folder = path.substr(0, path.rfind('/') + 1); // without a slash: none
    for (std::string& name : names) name.insert(0, folder);
    return names;
}

std::string_view formatInName(std::string_view path)
{
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const auto ending = std::ranges::find_if(longEndings, [name](std::string_view each) { return name.ends_with(each); });
    if (ending != longEndings.end()) return *ending;
    const auto dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(dot);
}

} // namespace stowage
