// Reads and writes problems as tables in the format of MiniMalloc.
#include "core/io/csv_reader.h"
#include "core/io/problem_columns.h"
#include "core/io/text.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>

namespace stowage::io {

namespace {

/// A gap as written: "a-b", or "a-b@low:high" with the bytes that stay occupied.
struct Gap {
    Interval steps;
    std::optional<std::pair<Bytes, Bytes>> bytes;
};

/// Reads "a-b" or "a-b@low:high" from the begin of `text`; no value for other text.
std::optional<Gap> parseGap(std::string_view text)
{
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&](std::int64_t& value) {
        const auto [next, code] = std::from_chars(at, end, value);
        at = next;
        return code == std::errc{} && value >= 0 && value <= maxBytes;
    };
    const auto symbol = [&](char c) { return at < end && *at++ == c; };
    Gap gap;
    if (!number(gap.steps.begin) || !symbol('-') || !number(gap.steps.end)) return std::nullopt;
    if (at == end) return gap;
    std::pair<Bytes, Bytes> bytes;
    if (!symbol('@') || !number(bytes.first) || !symbol(':') || !number(bytes.second) || at != end) return std::nullopt;
    gap.bytes = bytes;
    return gap;
}

class ProblemCsvReader {
public:
    ProblemCsvReader(std::string_view text, const std::string& file) : text_(text), table_(text, file), file_(file) {}

    Expected<Read<Problem>> run()
    {
        if (!table_.ok()) return table_.error();
        auto columns = ProblemColumns::ofProblem(table_);
        if (!columns) return std::move(columns).error();
        columns_ = *columns;
        result_.value.pools.push_back({.name = "arena"});
        while (table_.next()) {
            lines_.push_back(table_.line());
            readBuffer(result_.value.buffers.emplace_back());
            if (!table_.ok()) break;
            if (lines_.size() == 1) reserveRows();
        }
        if (!table_.ok()) return table_.error();
        for (Diagnostic& told : checkAndRepair(result_.value, [&](BufferId b) {
                 return Position{.file = file_, .line = lines_[static_cast<std::size_t>(b)]};
             })) {
            if (told.severity == Severity::error) return told;
            result_.diagnostics.push_back(std::move(told));
        }
        note(Code::pinned, pins_, "buffer is", "buffers are", "pinned by the column 'offset'");
        note(Code::hintsUnused, hints_, "hint is", "hints are", "not used");
        note(Code::partialEdge, edges_, "buffer has", "buffers have",
             "a gap with bytes at an end of the live range, where it counts as fully live");
        return std::move(result_);
    }

private:
    /// Reserves memory for all rows. Called after the first row, so that a file of another format reserves nothing. Without it,
    /// the last growth of the list may leave half of its memory unused.
    void reserveRows()
    {
        constexpr std::size_t shortestRow = 8; // four fields of one character each
        const auto lines = static_cast<std::size_t>(std::count(text_.begin(), text_.end(), '\n'));
        const std::size_t rows = std::min(lines, text_.size() / shortestRow) + 1;
        result_.value.buffers.reserve(rows);
        lines_.reserve(rows);
    }
    void note(Code code, std::size_t count, std::string_view one, std::string_view many, std::string_view what)
    {
        if (count == 0) return;
        const Severity severity = code == Code::partialEdge ? Severity::warning : Severity::note;
        result_.diagnostics.push_back(
            {severity, code, fmt::format("{} {} {}", count, count == 1 ? one : many, what), {.file = file_}, {}});
    }

    void readBuffer(Buffer& buffer)
    {
        buffer.name = table_.field(columns_.id);
        if (buffer.name.empty())
            table_.fail(Code::missingField, fmt::format("{}: this buffer has no name", table_.header()[columns_.id]),
                        table_.position(columns_.id));
        const std::int64_t lower = table_.integer(*columns_.lower, 0, maxBytes);
        const std::int64_t upper = table_.integer(*columns_.upper, 0, maxBytes - 1) + (columns_.inclusive ? 1 : 0);
        buffer.size = table_.integer(*columns_.size, 0, maxBytes);
        if (table_.ok() && lower >= upper)
            table_.fail(Code::badLiveRange, fmt::format("'{}' is live over [{}, {}), which is empty", buffer.name, lower, upper),
                        table_.position(*columns_.upper),
                        columns_.inclusive ? ""
                        : upper < lower    ? "the lower end is the first step, the upper end the step after the last"
                                           : "the upper end is exclusive; name the column 'end' if it is not");
        if (columns_.alignment) buffer.alignment = table_.integer(*columns_.alignment, 1, maxBytes);
        if (columns_.offset)
            if (const std::int64_t offset = table_.integer(*columns_.offset, -1, maxBytes); offset >= 0) {
                buffer.pin = offset;
                ++pins_;
            }
        if (columns_.hint && table_.integer(*columns_.hint, -1, maxBytes) >= 0) ++hints_;
        if (!table_.ok()) return;
        buffer.live = {{lower, upper}};
        if (columns_.gaps && !table_.field(*columns_.gaps).empty()) cutGaps(buffer);
    }

    void cutGaps(Buffer& buffer)
    {
        std::vector<Gap> gaps;
        const Interval whole = buffer.live.front();
        std::string_view rest = table_.field(*columns_.gaps);
        const auto bad = [&](std::string_view message) {
            table_.fail(Code::badGap, fmt::format("gaps: {}", message), table_.position(*columns_.gaps));
        };
        while (!rest.empty()) {
            const std::string_view word = rest.substr(0, std::min(rest.find(' '), rest.size()));
            rest.remove_prefix(std::min(word.size() + 1, rest.size()));
            if (word.empty()) continue;
            auto gap = parseGap(word);
            if (!gap) return bad(fmt::format("expected a-b or a-b@low:high, found '{}'", word.substr(0, 60)));
            if (columns_.inclusive) ++gap->steps.end;
            if (gap->steps.empty() || gap->steps.begin < whole.begin || gap->steps.end > whole.end)
                return bad(fmt::format("[{}, {}) is not inside the live range [{}, {})", gap->steps.begin, gap->steps.end,
                                       whole.begin, whole.end));
            if (gap->bytes && (gap->bytes->first >= gap->bytes->second || gap->bytes->second > buffer.size))
                return bad(fmt::format("the bytes {}:{} are not inside the buffer's {}", gap->bytes->first, gap->bytes->second,
                                       buffer.size));
            gaps.push_back(*gap);
        }
        std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) { return a.steps.begin < b.steps.begin; });
        for (std::size_t i = 1; i < gaps.size(); ++i)
            if (gaps[i].steps.begin < gaps[i - 1].steps.end)
                return bad(fmt::format("two of them overlap at step {}", gaps[i].steps.begin));

        // A window needs a live range on both sides. A window at an end of the whole range becomes live with all bytes, which is
        // safe; so do windows that are adjacent to it.
        std::size_t first = 0, last = gaps.size();
        Interval live = whole;
        for (; first < last && gaps[first].steps.begin == live.begin && !gaps[first].bytes; ++first)
            live.begin = gaps[first].steps.end;
        for (; first < last && gaps[last - 1].steps.end == live.end && !gaps[last - 1].bytes; --last)
            live.end = gaps[last - 1].steps.begin;
        const bool edge = first < last && ((gaps[first].steps.begin == live.begin && gaps[first].bytes) ||
                                           (gaps[last - 1].steps.end == live.end && gaps[last - 1].bytes));
        if (edge) ++edges_;
        buffer.live.clear();
        Step begin = live.begin;
        for (std::size_t i = first; i < last; ++i) {
            const Interval& steps = gaps[i].steps;
            if (gaps[i].bytes && (steps.begin == live.begin || steps.end == live.end)) continue;
            if (begin < steps.begin) buffer.live.push_back({begin, steps.begin});
            begin = steps.end;
            if (gaps[i].bytes) buffer.windows.push_back({steps, gaps[i].bytes->first, gaps[i].bytes->second});
        }
        if (begin < live.end) buffer.live.push_back({begin, live.end});
    }

    std::string_view text_;
    CsvReader table_;
    const std::string& file_;
    ProblemColumns columns_;
    Read<Problem> result_;
    std::vector<std::int32_t> lines_;
    std::size_t pins_ = 0, hints_ = 0, edges_ = 0;
};

void appendInteger(std::string& out, std::int64_t value)
{
    const fmt::format_int digits(value);
    out.append(digits.data(), digits.size());
}

void appendName(std::string& out, std::string_view name)
{
    const bool plain = name.find_first_of(",\"\r\n") == std::string_view::npos && !name.empty() && name.front() != ' ' &&
                       name.back() != ' ' && name.front() != '\t' && name.back() != '\t';
    if (plain) {
        out += name;
        return;
    }
    out += '"';
    for (const char c : name) {
        if (c == '"') out += '"';
        out += c;
    }
    out += '"';
}

/// Writes the gaps between live ranges. A gap that windows cover only in part is written in parts.
void appendGaps(std::string& out, const Buffer& buffer)
{
    bool any = false;
    const auto append = [&](Step begin, Step end, const Window* window) {
        if (begin >= end) return;
        fmt::format_to(std::back_inserter(out), "{}{}-{}", any ? " " : "", begin, end);
        if (window) fmt::format_to(std::back_inserter(out), "@{}:{}", window->low, window->high);
        any = true;
    };
    auto window = buffer.windows.begin();
    for (std::size_t i = 1; i < buffer.live.size(); ++i) {
        Step at = buffer.live[i - 1].end;
        const Step end = buffer.live[i].begin;
        for (; window != buffer.windows.end() && window->live.begin < end; ++window) {
            append(at, window->live.begin, nullptr);
            append(window->live.begin, window->live.end, &*window);
            at = window->live.end;
        }
        append(at, end, nullptr);
    }
}

/// Why a table cannot represent a buffer; `no`: it can.
enum class NotTabular : std::uint8_t { no, timeless, conflicts, carried, slots, unique, shares };

NotTabular notTabular(const Problem& problem, const Buffer& buffer)
{
    if (problem.axis == Axis::dag || buffer.live.empty()) return NotTabular::timeless;
    if (!buffer.conflicts.empty()) return NotTabular::conflicts;
    if (!buffer.carried.empty()) return NotTabular::carried;
    if (buffer.slots > 1) return NotTabular::slots;
    if (buffer.unique) return NotTabular::unique;
    return buffer.mayShare.empty() ? NotTabular::no : NotTabular::shares;
}

std::string_view toText(NotTabular obstacle)
{
    constexpr std::array<std::string_view, 7> texts{
        "",          "has no live range on a time axis", "has explicit conflicts", "is carried round a loop", "has several slots",
        "is unique", "may share its bytes with others"};
    return texts[static_cast<std::size_t>(obstacle)];
}

} // namespace

Expected<Read<Problem>> readProblemCsv(std::string_view text, const std::string& file)
{
    return ProblemCsvReader(text, file).run();
}

Expected<std::string> writeProblemCsv(const Problem& problem, const Plan* plan)
{
    const auto refuse = [](std::string what) { return failure(Code::notTabular, std::move(what), {}, "write JSON instead"); };
    if (problem.pools.size() != 1) return refuse(fmt::format("a table has one pool, the problem has {}", problem.pools.size()));
    bool aligned = false, gaps = false, offsets = plan != nullptr;
    for (const Buffer& buffer : problem.buffers) {
        if (const NotTabular obstacle = notTabular(problem, buffer); obstacle != NotTabular::no)
            return refuse(fmt::format("a table cannot hold that '{}' {}", buffer.name, toText(obstacle)));
        aligned |= problem.effectiveAlignment(buffer, 0) != 1;
        gaps |= buffer.live.size() > 1;
        offsets |= buffer.pin.has_value();
    }
    std::string out = "id,lower,upper,size";
    if (aligned) out += ",alignment";
    if (gaps) out += ",gaps";
    if (offsets) out += ",offset";
    out += '\n';
    for (std::size_t b = 0; b < problem.buffers.size(); ++b) {
        const Buffer& buffer = problem.buffers[b];
        const Placement* at =
            plan && b < plan->placements.size() && plan->placements[b].placed() ? &plan->placements[b] : nullptr;
        if (at && at->rotating()) return refuse(fmt::format("a table cannot hold that '{}' rotates", buffer.name));
        appendName(out, buffer.name);
        for (const std::int64_t value : {buffer.hull().begin, buffer.hull().end, buffer.size}) {
            out += ',';
            appendInteger(out, value);
        }
        if (aligned) {
            out += ',';
            appendInteger(out, problem.effectiveAlignment(buffer, 0));
        }
        if (gaps) {
            out += ',';
            appendGaps(out, buffer);
        }
        if (offsets) {
            out += ',';
            appendInteger(out, at ? at->offset : plan ? -1 : buffer.pin.value_or(-1));
        }
        out += '\n';
    }
    return out;
}

} // namespace stowage::io
