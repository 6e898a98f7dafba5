#include "app/session/native_importers.h"

#include "app/session/pipeline_files.h"
#include "core/io/text.h"
#include "core/pipeline/join.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace stowage {

namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\r\n";
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const auto first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// JSON with "format": "stowage.KIND/…" is certain; an object with KIND's main field, but without a format, is likely.
int claimsJson(std::string_view head, std::string_view format, std::string_view field)
{
    head = trimmed(head);
    if (!head.starts_with('{')) return 0;
    if (head.find(format) != std::string_view::npos) return 100;
    if (head.find("\"stowage.") != std::string_view::npos) return 0;
    return head.find(field) != std::string_view::npos ? 30 : 0;
}

template <typename T>
Expected<Imported> imported(Expected<io::Read<T>>&& read)
{
    if (!read) return std::move(read).error();
    return Imported{std::move(read->value), {}, std::move(read->diagnostics)};
}

class ProgramJsonImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view) const override
    {
        return claimsJson(head, "stowage.program/", "\"functions\"");
    }
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override
    {
        return imported(io::readProgramJson(request.bytes, request.path));
    }

private:
    ImporterInfo info_{"program", "Stowage program (JSON)", {"json"}, {}};
};

class ProblemJsonImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view) const override
    {
        return claimsJson(head, "stowage.problem/", "\"buffers\"");
    }
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override
    {
        return imported(io::readProblemJson(request.bytes, request.path));
    }

private:
    ImporterInfo info_{"problem", "Stowage problem (JSON)", {"json"}, {}};
};

class CsvImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    /// By the names in the first line: some column for each of name, begin, end and size.
    [[nodiscard]] int claims(std::string_view head, std::string_view path) const override
    {
        head = trimmed(head);
        std::array<bool, 4> has{};
        std::string line(head.substr(0, head.find_first_of("\r\n")));
        std::transform(line.begin(), line.end(), line.begin(), [](unsigned char c) { return std::tolower(c); });
        for (std::string_view rest = line; !rest.empty();) {
            const auto comma = std::min(rest.find(','), rest.size());
            const std::string_view column = trimmed(rest.substr(0, comma));
            has[0] |= column == "id" || column == "buffer" || column == "buffer_id";
            has[1] |= column == "lower" || column == "start" || column == "begin";
            has[2] |= column == "upper" || column == "end";
            has[3] |= column == "size";
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
        const auto found = std::count(has.begin(), has.end(), true);
        if (found == 4) return 100;
        return (found >= 2 || path.ends_with(".csv")) && !head.starts_with('{') ? 20 : 0; // its reader says what is missing
    }
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override
    {
        return imported(io::readProblemCsv(request.bytes, request.path));
    }

private:
    ImporterInfo info_{"csv", "MiniMalloc problem (CSV)", {"csv"}, {}};
};

/// A configuration of a pipeline: the programs of its stages, put together again.
class PipelineImporter final : public Importer {
public:
    [[nodiscard]] const ImporterInfo& info() const override { return info_; }
    [[nodiscard]] int claims(std::string_view head, std::string_view) const override
    {
        return trimmed(head).starts_with('{') && isPipelineText(head) ? 100 : 0;
    }
    [[nodiscard]] Expected<Imported> import(const ImportRequest& request) const override
    {
        auto file = readPipelineText(request.bytes, QString::fromStdString(request.path));
        if (!file) return std::move(file).error();
        if (!file->faults.empty()) {
            const pipeline::Fault& first = file->faults.front();
            std::string text = describe(first, file->config.form);
            if (file->faults.size() > 1) text += fmt::format(" ({} more)", file->faults.size() - 1);
            return failure(Code::faultyConfiguration, text, {request.path, first.place.line, first.place.column, -1},
                           "correct the lines that are listed; 'stowage-cli pipeline config check' lists them too");
        }
        auto joined = joinStages(file->config, file->programs);
        if (!joined) {
            Error error = std::move(joined).error();
            if (error.where.file.empty()) error.where.file = request.path;
            return error;
        }
        return Imported{std::move(joined->program), {}, std::move(file->diagnostics)};
    }

private:
    ImporterInfo info_{"pipeline", "Configuration of a pipeline (JSON)", {"json"}, {}};
};

} // namespace

std::vector<std::unique_ptr<const Importer>> nativeImporters()
{
    std::vector<std::unique_ptr<const Importer>> importers;
    importers.push_back(std::make_unique<ProgramJsonImporter>());
    importers.push_back(std::make_unique<ProblemJsonImporter>());
    importers.push_back(std::make_unique<CsvImporter>());
    importers.push_back(std::make_unique<PipelineImporter>());
    return importers;
}

} // namespace stowage
