#include "app/session/regress/suite.h"

#include "core/io/json_reader.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace stowage {

namespace {

constexpr std::size_t maxRowBytes = std::size_t{128} << 20U;

void readTolerance(io::JsonReader& in, Tolerance& tolerance)
{
    constexpr std::string_view same[] = {"same", "any"};
    const auto notNegative = [&in](double highest) {
        const double value = in.number();
        if (in.ok() && !(value >= 0 && value <= highest))
            in.fail(Code::outOfRange, fmt::format("{} is not between 0 and {}", value, highest));
        return value;
    };
    in.object([&](std::string_view key) {
        if (key == "size")
            in.read(tolerance.size, 0, maxBytes);
        else if (key == "size_percent")
            tolerance.sizePercent = notNegative(1000);
        else if (key == "gap")
            tolerance.gap = notNegative(1e6);
        else if (key == "verdict")
            tolerance.sameVerdict = in.choice(same) == 0;
        else if (key == "time_ratio")
            tolerance.time = notNegative(1e9);
        else if (key == "stalls")
            in.read(tolerance.stalls, 0);
    });
}

void readPairs(io::JsonReader& in, std::vector<std::pair<std::string, std::string>>& to)
{
    to.clear();
    in.object([&](std::string_view key) {
        std::string name(key);
        to.emplace_back(std::move(name), in.string());
    });
}

/// A field that rows and defaults share; false: it is none of them.
bool readShared(io::JsonReader& in, std::string_view key, SuiteRow& row, std::vector<std::string>& planners)
{
    if (key == "function")
        in.read(row.function);
    else if (key == "importer")
        in.read(row.importer);
    else if (key == "import")
        readPairs(in, row.importOptions);
    else if (key == "bind") {
        row.bindings.clear();
        in.object([&](std::string_view name) {
            std::string dimension(name);
            row.bindings.emplace_back(std::move(dimension), in.integer(0));
        });
    } else if (key == "target")
        in.read(row.target);
    else if (key == "planners") {
        planners.clear();
        std::set<std::string> named;
        in.array([&] {
            std::string planner(in.string());
            if (planner.empty()) in.fail(Code::noPlanner, "the name of a planner is empty");
            if (!named.insert(planner).second)
                in.fail(Code::plannerTwice, fmt::format("planner {} stands twice in one row", planner));
            planners.push_back(std::move(planner));
        });
    } else if (key == "lower")
        readPairs(in, row.lowering);
    else if (key == "alignment")
        in.read(row.alignment.emplace(), 1, maxBytes);
    else if (key == "seed")
        row.seed = in.unsignedInteger();
    else if (key == "work_limit")
        row.workLimit = in.unsignedInteger();
    else if (key == "time_limit") {
        row.timeLimit = in.number();
        if (in.ok() && !(row.timeLimit >= 0 && row.timeLimit <= 1e9))
            in.fail(Code::outOfRange, "a time limit is a number of seconds from 0 to 10^9");
    } else if (key == "tolerance")
        readTolerance(in, row.tolerance);
    else
        return false;
    return true;
}

bool isFileName(std::string_view name)
{
    return !name.empty() && name.size() <= 200 && name.front() != '.' && name.find_first_of("/\\") == std::string_view::npos &&
           std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
}

/// Memory that a row takes. Few bytes of a file can make many rows, each with all defaults.
std::size_t memoryOf(const SuiteRow& row)
{
    std::size_t bytes = sizeof row + row.model.size() + row.function.size() + row.importer.size() + row.target.size();
    for (const OptionValues* options : {&row.importOptions, &row.lowering})
        for (const auto& option : *options) bytes += sizeof option + option.first.size() + option.second.size();
    for (const auto& binding : row.bindings) bytes += sizeof binding + binding.first.size();
    return bytes;
}

/// True when two rows are planned in one way, whatever their tolerances.
bool samePlanning(const SuiteRow& a, const SuiteRow& b)
{
    const auto all = [](const SuiteRow& row) {
        return std::tie(row.model, row.function, row.importer, row.importOptions, row.bindings, row.target, row.planner,
                        row.lowering, row.alignment, row.seed, row.workLimit, row.timeLimit);
    };
    return all(a) == all(b);
}

/// Appends rows to a suite, within its limits.
class RowList {
public:
    explicit RowList(std::vector<SuiteRow>& rows) : rows_(rows) {}

    /// After an error the list is as it was.
    std::optional<Error> add(const SuiteRow& row)
    {
        std::string key = keyOf(row, row.function);
        bytes_ += memoryOf(row) + key.size();
        if (bytes_ > maxRowBytes)
            return failure(Code::tooManyRuns, "the rows take more than 128 MiB", {}, "make several suites of it");
        const auto [place, added] = byKey_.emplace(std::move(key), rows_.size());
        if (!added && !samePlanning(rows_[place->second], row))
            return failure(Code::keyTwice,
                           fmt::format("two rows have the key \"{}\", and differ in importer or limits", place->first), {},
                           "a baseline has one result for a key: put one of the rows into another suite");
        rows_.push_back(row);
        return std::nullopt;
    }

private:
    std::vector<SuiteRow>& rows_;
    std::unordered_map<std::string, std::size_t> byKey_; ///< first row with the key
    std::size_t bytes_ = 0;
};

std::string folderOf(const std::string& file)
{
    const auto slash = file.rfind('/');
    return slash == std::string::npos ? std::string() : file.substr(0, slash + 1);
}

} // namespace

Expected<Suite> readSuite(std::string_view text, const std::string& file)
{
    Suite suite;
    suite.folder = folderOf(file);
    SuiteRow defaults;
    std::vector<std::string> defaultPlanners;
    // The fields of an object have no order, so the defaults are read first, wherever they stand.
    io::JsonReader first(text, file);
    first.object([&](std::string_view key) {
        if (key == "defaults")
            first.object([&](std::string_view name) { readShared(first, name, defaults, defaultPlanners); });
        else
            first.skip();
    });
    io::JsonReader in(text, file);
    RowList rows(suite.rows);
    in.object({"format", "name", "rows"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.suite/1");
        else if (key == "name") {
            in.read(suite.name);
            if (in.ok() && !isFileName(suite.name))
                in.fail(Code::badName, "the name of a suite is part of a file name: no slash, no leading dot, at most 200 bytes");
        } else if (key == "defaults") {
            in.object([&](std::string_view name) { readShared(in, name, defaults, defaultPlanners); });
        } else if (key == "rows") {
            in.array([&] {
                SuiteRow row = defaults;
                std::vector<std::string> ownPlanners;
                bool namesPlanners = false;
                const std::size_t offset = in.offset();
                row.where = in.position();
                in.object({"model"}, [&](std::string_view name) {
                    namesPlanners |= name == "planners";
                    if (name == "model")
                        in.read(row.model);
                    else
                        readShared(in, name, row, ownPlanners);
                });
                const std::vector<std::string>& planners = namesPlanners ? ownPlanners : defaultPlanners;
                if (in.ok() && row.model.empty()) in.fail(Code::noModel, "the path of a model is empty");
                if (in.ok() && planners.empty())
                    in.failAt(in.offset(), Code::noPlanner, fmt::format("no planner is named for {}", row.model),
                              "name one in \"planners\" of the row or of \"defaults\"");
                for (const std::string& planner : planners) {
                    if (!in.ok()) break;
                    row.planner = planner;
                    if (auto error = rows.add(row)) in.failAt(offset, error->code, error->message, error->remedy);
                }
            });
        }
    });
    if (!in.finish()) return in.error();
    const auto timed = std::count_if(suite.rows.begin(), suite.rows.end(), [](const SuiteRow& row) { return row.timeLimit > 0; });
    if (timed > 0)
        suite.warnings.push_back(warning(
            Code::timeLimitInSuite,
            fmt::format("{} of {} rows have a time limit: what it stops differs between machines", timed, suite.rows.size()), {},
            "use work_limit instead"));
    return suite;
}

bool isSuiteText(std::string_view head)
{
    return head.find("\"stowage.suite/") != std::string_view::npos;
}

KeyParts keyPartsOf(const SuiteRow& row)
{
    KeyParts parts{row.model, {}};
    char separator = '?';
    for (const auto& [name, value] : row.bindings) {
        parts.head += fmt::format("{}{}={}", separator, name, value);
        separator = '&';
    }
    for (const auto& [name, value] : row.importOptions) {
        parts.head += fmt::format("{}{}={}", separator, name, value);
        separator = '&';
    }
    if (!row.target.empty()) parts.tail = fmt::format(" @{}", row.target);
    parts.tail += ' ' + row.planner;
    for (const auto& [name, value] : row.lowering) parts.tail += fmt::format(" {}={}", name, value);
    if (row.alignment) parts.tail += fmt::format(" alignment={}", *row.alignment);
    if (row.seed != 0) parts.tail += fmt::format(" seed={}", row.seed);
    return parts;
}

std::string keyOf(const SuiteRow& row, std::string_view function)
{
    const KeyParts parts = keyPartsOf(row);
    return function.empty() ? parts.head + parts.tail : fmt::format("{}#{}{}", parts.head, function, parts.tail);
}

std::string settingsOf(const SuiteRow& row, std::string_view function)
{
    std::vector<std::string> settings;
    if (!function.empty()) settings.push_back(fmt::format("function {}", function));
    for (const auto& [name, value] : row.bindings) settings.push_back(fmt::format("{}={}", name, value));
    for (const OptionValues* options : {&row.importOptions, &row.lowering})
        for (const auto& [name, value] : *options) settings.push_back(fmt::format("{}={}", name, value));
    if (row.alignment) settings.push_back(fmt::format("alignment={}", *row.alignment));
    if (row.seed != 0) settings.push_back(fmt::format("seed={}", row.seed));
    return fmt::format("{}", fmt::join(settings, ", "));
}

} // namespace stowage
