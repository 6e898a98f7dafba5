#include "plugins/hivm/hivm_importer.h"

#include "core/io/op_kinds.h"
#include "core/ir/verify.h"
#include "plugins/hivm/memory_info.h"
#include "plugins/hivm/program_builder.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace stowage::hivm {

namespace {

constexpr std::uintmax_t maxBeside = std::uintmax_t{64} << 20; ///< bytes of a file that is read because it lies beside another

/// Text outside comments and strings.
bool mentions(std::string_view text, std::string_view word)
{
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"' || c == '\n')
                quoted = false;
            continue;
        }
        if (c == '"')
            quoted = true;
        else if (c == '/' && i + 1 < text.size() && text[i + 1] == '/')
            i = std::min(text.find('\n', i), text.size());
        else if (c == word.front() && text.substr(i).starts_with(word)) {
            const char before = i == 0 ? ' ' : text[i - 1];
            const bool inside = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') || before == '_' ||
                                before == '.' || (before >= '0' && before <= '9');
            if (!inside) return true;
        }
    }
    return false;
}

std::optional<std::string> readBeside(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > maxBeside || error)
        return std::nullopt;
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
}

std::optional<Error> refuseOptions(const ImportRequest& request)
{
    if (request.options.empty()) return std::nullopt;
    return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", request.options.front().first),
                   {request.path, 0, 0, -1}, "it has none");
}

/// Plans that lie beside the kernel.
void addPlansBeside(const std::string& path, Imported& imported)
{
    if (path.empty() || path == "-") return;
    const std::filesystem::path kernel(path);
    for (const std::string& name : {kernel.stem().string() + ".memory_info.json", std::string("memory_info.json")}) {
        const std::filesystem::path file = kernel.parent_path() / name;
        const auto text = readBeside(file);
        if (!text) continue;
        const auto info = readMemoryInfo(*text, file.string());
        if (!info) {
            Diagnostic told = info.error();
            told.severity = Severity::warning;
            imported.diagnostics.push_back(std::move(told));
            continue;
        }
        if (auto plan = planFor(*info, std::get<Program>(imported.content))) imported.plans.push_back(*std::move(plan));
    }
}

} // namespace

Expected<Imported> importKernel(std::string_view text, const std::string& path)
{
    const auto chunks = parseSyntax(text, path);
    if (!chunks) return chunks.error();
    auto built = buildProgram(text, path, *chunks);
    if (!built) return std::move(built).error();
    built->program.name = std::filesystem::path(path).stem().string();
    for (Diagnostic& finding : verify(built->program))
        if (finding.severity == Severity::error) return std::move(finding);
    Imported imported;
    io::stateTraits(built->program);
    imported.content = std::move(built->program);
    imported.plans = std::move(built->plans);
    imported.diagnostics = std::move(built->diagnostics);
    return imported;
}

HivmImporter::HivmImporter() : info_{"hivm", "Ascend HIVM kernel", {"mlir"}, {}} {}

int HivmImporter::claims(std::string_view head, std::string_view) const
{
    return mentions(head, "hivm.") || mentions(head, "memref_ext.") ? 95 : 0;
}

Expected<Imported> HivmImporter::import(const ImportRequest& request) const
{
    if (auto error = refuseOptions(request)) return *std::move(error);
    auto imported = importKernel(request.bytes, request.path);
    if (imported) addPlansBeside(request.path, *imported);
    return imported;
}

MemoryInfoImporter::MemoryInfoImporter() : info_{"hivm-memory-info", "memory_info.json of Ascend's compiler", {"json"}, {}} {}

int MemoryInfoImporter::claims(std::string_view head, std::string_view) const
{
    return head.find("\"memory_info_array\"") != std::string_view::npos && head.find("\"Record\"") != std::string_view::npos ? 95
                                                                                                                             : 0;
}

Expected<Imported> MemoryInfoImporter::import(const ImportRequest& request) const
{
    if (auto error = refuseOptions(request)) return *std::move(error);
    const auto info = readMemoryInfo(request.bytes, request.path);
    if (!info) return info.error();
    for (const MemoryInfoEntry& entry : info->entries) {
        if (entry.file.empty() || request.path.empty() || request.path == "-") break;
        const std::filesystem::path file =
            std::filesystem::path(request.path).parent_path() / std::filesystem::path(entry.file).filename();
        const auto text = readBeside(file);
        if (!text) break;
        auto kernel = importKernel(*text, file.string());
        if (!kernel) break;
        auto plan = planFor(*info, std::get<Program>(kernel->content));
        if (!plan) break;
        kernel->plans.push_back(*std::move(plan));
        for (const std::string& error : info->errors)
            kernel->diagnostics.push_back(warning(Code::compilerError, error, {request.path, 0, 0, -1}));
        return kernel;
    }
    return programOf(*info, request.path);
}

} // namespace stowage::hivm
