#include "plugins/dumps/xla.h"

#include "core/io/input_file.h"
#include "core/ir/checked.h"
#include "plugins/dumps/lines.h"
#include "plugins/dumps/problem_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <unordered_map>

namespace stowage::dumps {

namespace {

constexpr std::string_view assignmentHead = "BufferAssignment:";
constexpr std::string_view rangesHead = "HloLiveRange";
constexpr std::string_view assignmentSuffix = "-buffer-assignment.txt";
constexpr std::string_view rangesSuffix = "-live-range.txt";
constexpr std::string_view totalsSuffix = "-memory-usage-report.txt";
constexpr Bytes maxAlignment = 64; ///< bytes that XLA aligns buffers of a CPU to; the file does not tell
constexpr std::size_t maxAliasesNamed = 3;
constexpr auto flagsRemedy = "Dump it with --xla_dump_to=DIR --xla_dump_hlo_as_text and "
                             "--xla_dump_hlo_pass_re=.* of a version that has xla_dump_buffer_assignment_analysis.";

struct Value {
    std::string name; ///< with braces: "fusion{1}", "dot{}"
    Bytes size = 0;
    Bytes offset = 0;
    std::int32_t line = 0;
};

struct Allocation {
    std::int64_t number = 0;
    Bytes size = 0;
    bool temporary = false;
    std::vector<Value> values;
};

struct Dump {
    std::vector<Allocation> allocations;
    std::unordered_map<std::string, Interval> live; ///< by name with braces
    Step instructions = 0;
    Bytes total = -1; ///< "Total bytes used"; -1: not told
};

class Parser {
public:
    Parser(Dump& dump, const std::string& file) : dump_(dump), file_(file) {}

    std::optional<Error> parse(std::string_view text)
    {
        enum class Section { other, allocations, ranges } section = Section::other;
        for (Lines lines(text); lines.next();) {
            line_ = lines.number();
            const std::string_view line = lines.line();
            const std::string_view words = trimmed(line);
            if (words == assignmentHead) {
                section = Section::allocations;
            } else if (words.starts_with(rangesHead)) {
                section = Section::other;
                std::string_view rest = words.substr(rangesHead.size());
                if (const auto count = takeNumber(rest, " (max ")) dump_.instructions = *count;
            } else if (words == "BufferLiveRange:") {
                section = Section::ranges;
            } else if (std::string_view rest = words; section == Section::allocations && words.starts_with("Total bytes used:")) {
                dump_.total = takeNumber(rest, "Total bytes used: ").value_or(-1);
                section = Section::other;
            } else if (words.starts_with("Live ranges at") || words.starts_with("InstructionSequence:")) {
                section = Section::other;
            } else if (section == Section::allocations) {
                if (auto error = words.starts_with("allocation ") ? allocation(words)
                                 : words.starts_with("value: ")   ? value(words.substr(7))
                                                                  : std::nullopt)
                    return error;
            } else if (section == Section::ranges && !words.empty()) {
                if (auto error = range(words)) return error;
            }
        }
        return std::nullopt;
    }

private:
    Error wrong(std::string message) const
    {
        return failure(Code::malformed, std::move(message), {file_, line_}, "Dump it again: the line is not as XLA writes it.");
    }

    /// "allocation 3: size 448, preallocated-temp:"
    std::optional<Error> allocation(std::string_view words)
    {
        Allocation made;
        const auto number = takeNumber(words, "allocation ");
        const auto size = number ? takeNumber(words, ": size ") : std::nullopt;
        if (!size || *size > maxBytes) return wrong("expected \"allocation N: size BYTES, …\"");
        made.number = *number;
        made.size = *size;
        made.temporary = words.find(", preallocated-temp") != std::string_view::npos;
        dump_.allocations.push_back(std::move(made));
        return std::nullopt;
    }

    /// "<7 fusion.1{0} (phi) @0> (size=128,offset=128): f32[32]{0}"
    std::optional<Error> value(std::string_view words)
    {
        constexpr auto expected = "expected \"value: <ID NAME @COLOUR> (size=BYTES,offset=BYTES): SHAPE\"";
        if (dump_.allocations.empty()) return wrong("a value stands before the first allocation");
        const bool numbered = takeNumber(words, "<").has_value();
        const auto close = words.find("> (size=");
        if (!numbered || close == std::string_view::npos || !words.starts_with(' ')) return wrong(expected);
        std::string_view name = words.substr(1, close - 1);
        name = name.substr(0, name.find(' ')); // what follows a blank are marks
        std::string_view rest = words.substr(close + 2);
        const auto size = takeNumber(rest, "(size=");
        const auto offset = size ? takeNumber(rest, ",offset=") : std::nullopt;
        if (name.empty() || !offset || *size > maxBytes || *offset > maxBytes) return wrong(expected);
        Allocation& in = dump_.allocations.back();
        if (*size > in.size || *offset > in.size - *size)
            return wrong(
                fmt::format("the value lies at {} to {}, beyond its allocation of {} bytes", *offset, *offset + *size, in.size));
        in.values.push_back({withBraces(name), *size, *offset, line_});
        return std::nullopt;
    }

    /// "fusion.1{0}:1-3", inclusive
    std::optional<Error> range(std::string_view words)
    {
        const auto colon = words.rfind(':');
        if (colon == std::string_view::npos || colon == 0) return wrong("expected \"NAME{INDEX}:FIRST-LAST\"");
        std::string_view steps = words.substr(colon);
        const auto first = takeNumber(steps, ":");
        const auto last = first ? takeNumber(steps, "-") : std::nullopt;
        if (!last || !steps.empty() || *last < *first || *last >= maxBytes) return wrong("expected \"NAME{INDEX}:FIRST-LAST\"");
        dump_.live.insert_or_assign(withBraces(words.substr(0, colon)), Interval{*first, *last + 1});
        return std::nullopt;
    }

    static std::string withBraces(std::string_view name)
    {
        return name.ends_with('}') ? std::string(name) : std::string(name) + "{}";
    }

    Dump& dump_;
    const std::string& file_;
    std::int32_t line_ = 0;
};

std::string_view withoutBraces(std::string_view name)
{
    if (name.ends_with("{}")) name.remove_suffix(2);
    return name;
}

/// The largest power of two, at most 64, that every offset is a multiple of.
Bytes alignmentOf(const Allocation& allocation)
{
    Bytes alignment = maxAlignment;
    for (const Value& value : allocation.values)
        while (value.offset % alignment != 0) alignment /= 2;
    return alignment;
}

/// Values of one place whose ranges share a step.
struct Aliases {
    std::vector<const Value*> values;
    Interval live;
};

std::string nameOf(const Aliases& aliases)
{
    std::string name;
    for (std::size_t i = 0; i < aliases.values.size() && i < maxAliasesNamed; ++i) {
        if (i > 0) name += '+';
        name += withoutBraces(aliases.values[i]->name);
    }
    if (aliases.values.size() > maxAliasesNamed) name += fmt::format("+{} more", aliases.values.size() - maxAliasesNamed);
    return name;
}

class Builder {
public:
    Builder(const Dump& dump, const std::string& file, std::string name) : dump_(dump), notes_(file), maker_(std::move(name)) {}

    Imported run()
    {
        FilePlan plan;
        plan.name = "xla";
        Bytes temporary = 0;
        for (const Allocation& allocation : dump_.allocations) {
            if (!allocation.temporary) continue;
            temporary += allocation.size;
            const PoolId pool = maker_.pool(fmt::format("temp{}", allocation.number), alignmentOf(allocation));
            plan.sizes.emplace_back(maker_.problem().pools[at(pool)].name, allocation.size);
            for (const Aliases& aliases : aliasesOf(allocation)) {
                maker_.add(nameOf(aliases), aliases.values.front()->size, aliases.live, pool);
                plan.offsets.push_back({none, maker_.last(), aliases.values.front()->offset});
            }
        }
        plan.figures = {{"temporary", temporary}};
        if (dump_.total >= 0) plan.figures.emplace_back("total", dump_.total);
        Imported made;
        if (!maker_.problem().buffers.empty()) made.plans.push_back(std::move(plan));
        made.diagnostics = std::move(notes_).take();
        made.content = std::vector<NamedProblem>{std::move(maker_).take()};
        return made;
    }

private:
    std::vector<Aliases> aliasesOf(const Allocation& allocation)
    {
        struct Ranged {
            const Value* value = nullptr;
            Interval live;
        };
        std::map<std::pair<Bytes, Bytes>, std::vector<Ranged>> places;
        std::vector<std::pair<Bytes, Bytes>> order; // of the places, as they come
        for (const Value& value : allocation.values) {
            if (value.size == 0) continue;
            const auto found = dump_.live.find(value.name);
            if (found == dump_.live.end())
                notes_.add(
                    Severity::warning, Code::notAvailable,
                    fmt::format("value '{}' has no live range: it is taken to be live throughout", withoutBraces(value.name)),
                    value.line);
            const Interval live = found != dump_.live.end() ? found->second : Interval{0, std::max<Step>(1, dump_.instructions)};
            auto& place = places[{value.offset, value.size}];
            if (place.empty()) order.emplace_back(value.offset, value.size);
            place.push_back({&value, live});
        }
        std::vector<Aliases> made;
        for (const auto& key : order) {
            auto& place = places[key];
            std::stable_sort(place.begin(), place.end(),
                             [](const Ranged& a, const Ranged& b) { return a.live.begin < b.live.begin; });
            const std::size_t first = made.size();
            for (const Ranged& it : place) {
                if (made.size() == first || !made.back().live.overlaps(it.live)) made.push_back({{}, it.live});
                made.back().values.push_back(it.value);
                made.back().live.end = std::max(made.back().live.end, it.live.end);
            }
        }
        return made;
    }

    const Dump& dump_;
    Notes notes_;
    ProblemMaker maker_;
};

/// Reads the other file of a dump into `dump`; nothing where there is no regular file of that name. Its errors are those of the
/// whole.
std::optional<Error> readBeside(Dump& dump, std::string_view path, std::string_view suffix, std::string_view otherSuffix)
{
    if (!path.ends_with(suffix)) return std::nullopt;
    const std::string other = std::string(path.substr(0, path.size() - suffix.size())) + std::string(otherSuffix);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(other, ignored))
        return std::nullopt; // the user did not name it: nothing waits for a FIFO
    auto text = io::readFile(other);
    if (!text) return std::nullopt;
    return Parser(dump, other).parse(*text);
}

} // namespace

int XlaImporter::claims(std::string_view head, std::string_view path) const
{
    for (Lines lines(head); lines.next() && lines.number() < 64;)
        if (trimmed(lines.line()) == assignmentHead || lines.line().starts_with("HloLiveRange (max")) return 95;
    return path.ends_with(assignmentSuffix) || path.ends_with(rangesSuffix) || path.ends_with(totalsSuffix) ? 60 : 0;
}

Expected<Imported> XlaImporter::import(const ImportRequest& request) const
{
    if (auto error = refuseOptions(request)) return *std::move(error);
    if (request.path.ends_with(totalsSuffix))
        return failure(Code::notSupported, "a memory usage report has rounded totals only", {request.path},
                       "Open the file that ends with -buffer-assignment.txt beside it.");
    Dump dump;
    if (auto error = Parser(dump, request.path).parse(request.bytes)) return *std::move(error);
    const bool ranges = request.path.ends_with(rangesSuffix);
    if (dump.allocations.empty())
        if (auto error = readBeside(dump, request.path, rangesSuffix, assignmentSuffix)) return *std::move(error);
    if (dump.live.empty())
        if (auto error = readBeside(dump, request.path, assignmentSuffix, rangesSuffix)) return *std::move(error);
    if (dump.allocations.empty())
        return failure(Code::nothingToPlan, "there is no buffer assignment in the file, nor one beside it", {request.path},
                       "Open the file that ends with -buffer-assignment.txt.");
    if (dump.live.empty())
        return failure(Code::noTrace, "there are no live ranges in the file, nor a file of them beside it", {request.path},
                       fmt::format("Put the file that ends with {} beside it. {}", rangesSuffix, flagsRemedy));
    Imported made = Builder(dump, request.path, stemOf(request.path, ranges ? rangesSuffix : assignmentSuffix)).run();
    if (std::get<std::vector<NamedProblem>>(made.content).front().problem.buffers.empty())
        return failure(Code::nothingToPlan, "the module has no temporary allocation: XLA had nothing to place", {request.path},
                       "A module with intermediate values has one.");
    return made;
}

} // namespace stowage::dumps
