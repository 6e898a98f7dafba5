#include "plugins/tflm/vela_log.h"

#include "core/ir/checked.h"
#include "core/ir/parsed_number.h"
#include "plugins/tflm/log_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace stowage::tflm {

namespace {

constexpr std::string_view tableMark = "Tensor Allocation for mem_area ";
constexpr std::string_view peakMark = "Allocation Peak Memory Usage:";
constexpr std::string_view totalSuffix = "_memory_used";
constexpr Step velaTimes = Step{1} << 24; ///< as many steps as a problem may have
constexpr double bytesOfKibibyte = 1024;
constexpr auto velaRemedy = "Run Vela again with --verbose-allocation, and keep all that it prints.";

std::string_view trimmed(std::string_view text)
{
    const auto first = text.find_first_not_of(" \t\"");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

class VelaReader {
public:
    VelaReader(std::string_view text, const std::string& file) : lines_(text), file_(file) {}

    Expected<std::vector<VelaTable>> run()
    {
        while (const auto line = lines_.next()) {
            if (const auto mark = line->find(tableMark); mark != std::string_view::npos)
                begin(line->substr(mark + tableMark.size()));
            else if (const auto peak = line->find(peakMark); peak != std::string_view::npos && !tables_.empty()) {
                std::int64_t bytes = 0;
                if (LineReader(line->substr(peak)).text(peakMark).number(bytes).ok() && bytes >= 0 && bytes <= maxBytes)
                    tables_.back().peak = bytes;
            } else if (!tables_.empty()) {
                if (auto error = row(*line)) return *std::move(error);
            }
        }
        std::erase_if(tables_, [](const VelaTable& table) { return table.buffers.empty(); });
        if (tables_.empty())
            return failure(Code::nothingToPlan, "the text has no table of Vela's allocation with a tensor in it", {file_},
                           velaRemedy);
        return std::move(tables_);
    }

private:
    /// "Sram, of mem_type_set (Scratch), using allocator HillClimb, in NPU subgraph:"
    void begin(std::string_view text)
    {
        VelaTable table;
        const auto after = [&](std::string_view mark, std::string_view end) {
            const auto at = text.find(mark);
            if (at == std::string_view::npos) return std::string();
            const std::string_view rest = text.substr(at + mark.size());
            return std::string(rest.substr(0, rest.find(end)));
        };
        table.memory = std::string(trimmed(text.substr(0, text.find(','))));
        while (table.memory.ends_with(':')) table.memory.pop_back();
        table.allocator = after("using allocator ", ",");
        table.name = table.memory;
        if (const std::string kinds = after("of mem_type_set (", ")"); !kinds.empty()) table.name += fmt::format(" ({})", kinds);
        if (const std::string graph = after(" in ", " subgraph"); !graph.empty()) table.name += fmt::format(", {}", graph);
        const auto same =
            std::ranges::count_if(tables_, [&](const VelaTable& other) { return other.name.starts_with(table.name); });
        if (same > 0) table.name += fmt::format(" #{}", same + 1);
        tables_.push_back(std::move(table));
        rows_.clear();
    }

    /// "         0 -          4:        0x0 -      0x400:        1024:         1536: FeatureMap  : conv:0"
    std::optional<Error> row(std::string_view line)
    {
        LineReader in(line);
        VelaBuffer buffer;
        std::int64_t end = 0, live = 0;
        // What begins with two numbers joined by a dash is a row; titles and rulers are not.
        if (!in.number(buffer.first).skipBlanks().text("-").number(buffer.last).skipBlanks().text(":").ok()) return std::nullopt;
        buffer.line = lines_.number();
        const auto wrong = [&](Code code, const char* what) {
            return failure(code, fmt::format("the row {}", what), {file_, lines_.number(), 0, -1}, velaRemedy);
        };
        in.number(buffer.address).skipBlanks().text("-").number(end).skipBlanks().text(":");
        if (!in.number(buffer.size).skipBlanks().text(":").number(live).skipBlanks().text(":").ok())
            return wrong(Code::malformed, "is cut off or damaged");
        if (buffer.first < 0 || buffer.last < buffer.first || buffer.last >= velaTimes)
            return wrong(Code::badLiveRange, "has times that make no sense");
        if (buffer.address < 0 || end > maxBytes || end - buffer.address != buffer.size || buffer.size < 0)
            return wrong(Code::badSize, "has addresses that do not agree with its size");
        const std::string_view rest = in.rest();
        const auto colon = rest.find(':');
        buffer.name = std::string(trimmed(colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1)));
        if (buffer.name.empty()) buffer.name = std::string(trimmed(rest.substr(0, colon)));
        auto& rows = tables_.back().buffers;
        const auto [known, isNew] = rows_.try_emplace({buffer.first, buffer.last, buffer.address}, rows.size());
        if (isNew)
            rows.push_back(std::move(buffer));
        else if (buffer.size > rows[known->second].size)
            rows[known->second].size = buffer.size;
        return std::nullopt;
    }

    LogLines lines_;
    const std::string& file_;
    std::vector<VelaTable> tables_;
    std::map<std::tuple<Step, Step, Bytes>, std::size_t> rows_; ///< of the table that is read
};

std::vector<std::string_view> cells(std::string_view line)
{
    std::vector<std::string_view> found;
    for (std::size_t begin = 0; begin <= line.size();) {
        const auto end = std::min(line.find(',', begin), line.size());
        found.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
    return found;
}

} // namespace

Expected<std::vector<VelaTable>> readVelaLog(std::string_view text, const std::string& file)
{
    return VelaReader(text, file).run();
}

Expected<std::vector<std::pair<std::string, Bytes>>> readVelaSummary(std::string_view text, const std::string& file)
{
    LogLines lines(text);
    const auto title = lines.next();
    const std::vector<std::string_view> columns = cells(title.value_or(std::string_view()));
    std::vector<std::pair<std::string, Bytes>> totals;
    while (const auto line = lines.next()) {
        if (trimmed(*line).empty()) continue;
        const std::vector<std::string_view> values = cells(*line);
        totals.clear();
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (!columns[c].ends_with(totalSuffix)) continue;
            const std::string_view value = c < values.size() ? values[c] : std::string_view();
            const double kibibytes = parsedNumber<double>(value).value_or(-1);
            // The negation also refuses "nan".
            if (!(kibibytes >= 0 && kibibytes <= static_cast<double>(maxBytes) / bytesOfKibibyte))
                return failure(Code::badNumber, fmt::format("column '{}' holds '{}', which is no size", columns[c], value),
                               {file, lines.number(), 0, -1}, "Run Vela again.");
            std::string_view memory = columns[c];
            memory.remove_suffix(totalSuffix.size());
            totals.emplace_back(std::string(memory), static_cast<Bytes>(kibibytes * bytesOfKibibyte + 0.5));
        }
    }
    std::erase_if(totals, [](const auto& total) { return total.second == 0; });
    if (totals.empty())
        return failure(Code::nothingToPlan, "the summary has no memory that is used", {file},
                       "Vela's summary has columns such as sram_memory_used, and a row below them.");
    return totals;
}

int claimsVelaLog(std::string_view head)
{
    return head.find(tableMark) != std::string_view::npos || isVelaSummary(head) ? 95 : 0;
}

bool isVelaSummary(std::string_view head)
{
    const std::string_view title = head.substr(0, head.find('\n'));
    return title.find("accelerator_configuration") != std::string_view::npos && title.find(totalSuffix) != std::string_view::npos;
}

} // namespace stowage::tflm
