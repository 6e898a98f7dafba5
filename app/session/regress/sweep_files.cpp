#include "app/session/regress/sweep_files.h"

#include "app/session/build_id.h"
#include "app/session/regress/glob.h"
#include "app/session/regress/suite_run.h"
#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/lower/options.h"
#include "core/plan/verdict_words.h"

#include <fmt/format.h>

namespace stowage {

namespace {

constexpr std::string_view failedWord = "failed";

/// A verdict; nothing for "failed".
std::optional<Status> readStatus(io::JsonReader& in)
{
    static const std::vector<std::string_view> words = [] {
        std::vector<std::string_view> all(statusWords.begin(), statusWords.end());
        all.push_back(failedWord);
        return all;
    }();
    const std::size_t at = in.choice(words);
    if (at >= statusWords.size()) return std::nullopt;
    return static_cast<Status>(at);
}

std::string loweringText(const OptionValues& values)
{
    std::string text;
    for (const auto& [name, value] : values) text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
    return text;
}

void writeWhat(io::JsonWriter& out, const SweepRun& run)
{
    const SuiteRow& row = run.row;
    out.field("key", run.key);
    out.field("model", row.model);
    if (!row.target.empty()) out.field("target", row.target);
    out.field("planner", row.planner);
    if (row.seed != 0) out.field("seed", row.seed);
    if (row.workLimit != 0) out.field("work_limit", row.workLimit);
    if (row.timeLimit > 0) out.field("time_limit", row.timeLimit);
    if (!row.lowering.empty()) out.field("lower", loweringText(row.lowering));
}

/// Without the position: results are shared between folders.
std::string errorText(const Error& error)
{
    return error.remedy.empty() ? error.message : fmt::format("{} ({})", error.message, error.remedy);
}

/// A field of `writeWhat`; false: it is none of them.
bool readWhat(io::JsonReader& in, std::string_view key, SweepRow& row)
{
    if (key == "key")
        in.read(row.key);
    else if (key == "model")
        in.read(row.model);
    else if (key == "target")
        in.read(row.target);
    else if (key == "planner")
        in.read(row.planner);
    else if (key == "seed")
        row.seed = in.unsignedInteger();
    else if (key == "work_limit")
        row.workLimit = in.unsignedInteger();
    else if (key == "time_limit")
        in.read(row.timeLimit);
    else if (key == "lower")
        in.read(row.lowering);
    else
        return false;
    return true;
}

} // namespace

bool isSweepKey(std::string_view text)
{
    constexpr std::size_t digits = 64;
    return text.size() == digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Expected<SweepLists> readSweepLists(std::string_view text, const std::string& file)
{
    io::JsonReader in(text, file);
    SweepLists lists;
    const auto names = [&in](std::vector<SweepName>& to, auto&& check) {
        in.array([&] {
            SweepName name;
            name.where = in.position();
            name.where.file.clear();
            in.read(name.text);
            if (in.ok()) check(name.text);
            to.push_back(std::move(name));
        });
    };
    const auto unchecked = [](const std::string&) {};
    const auto numbers = [&in](std::vector<std::uint64_t>& to) { in.array([&] { to.push_back(in.unsignedInteger()); }); };
    in.object({"format", "models"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.sweep/1");
        else if (key == "models")
            names(lists.models, [&in](const std::string& pattern) {
                if (!isPattern(pattern))
                    in.fail(Code::badValue, fmt::format("'{}' is not a pattern: a set in brackets is not valid", pattern),
                            "write [a-z] with the lower end first");
            });
        else if (key == "targets")
            names(lists.targets, unchecked);
        else if (key == "planners")
            names(lists.planners, unchecked);
        else if (key == "seed")
            numbers(lists.seeds);
        else if (key == "work_limit")
            numbers(lists.workLimits);
        else if (key == "time_limit") {
            lists.timeLimit = in.number();
            if (in.ok() && !(lists.timeLimit >= 0 && lists.timeLimit <= 1e9))
                in.fail(Code::outOfRange, "a time limit is a number of seconds from 0 to 10^9");
        } else if (key == "lower")
            in.array([&] {
                OptionValues values;
                in.object([&](std::string_view name) {
                    const std::string option(name);
                    const std::size_t offset = in.offset();
                    std::string value(in.string());
                    if (const auto error = LowerOptions().set(option, value); in.ok() && error)
                        in.failAt(offset, error->code, error->message, error->remedy);
                    values.emplace_back(option, std::move(value));
                });
                lists.lowerings.push_back(std::move(values));
            });
        else if (key == "bind")
            in.object([&](std::string_view name) {
                std::string dimension(name);
                lists.bindings.emplace_back(std::move(dimension), in.integer(0));
            });
    });
    if (!in.finish()) return in.error();
    if (lists.targets.empty()) lists.targets = {SweepName()};
    if (lists.planners.empty()) lists.planners = {{"auto", {}}};
    if (lists.seeds.empty()) lists.seeds = {0};
    if (lists.workLimits.empty()) lists.workLimits = {0};
    if (lists.lowerings.empty()) lists.lowerings = {{}};
    return lists;
}

std::string writeSweepList(std::span<const SweepRun> runs)
{
    io::JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.sweep-list/1");
        out.field("build", buildId());
        out.array("runs", [&] {
            for (const SweepRun& run : runs) out.object(io::JsonWriter::compact, [&] { writeWhat(out, run); });
        });
    });
    return std::move(out).text();
}

bool isSweepListText(std::string_view head)
{
    return head.find("\"stowage.sweep-list/") != std::string_view::npos;
}

Expected<std::vector<SweepRow>> readSweepList(std::string_view text, const std::string& file)
{
    io::JsonReader in(text, file);
    std::vector<SweepRow> runs;
    in.object({"format", "runs"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.sweep-list/1");
        else if (key == "build")
            in.skip();
        else if (key == "runs")
            in.array([&] {
                SweepRow row;
                in.object({"key", "model", "planner"}, [&](std::string_view name) { readWhat(in, name, row); });
                if (in.ok() && !isSweepKey(row.key))
                    in.fail(Code::outOfRange, "a key has 64 hexadecimal digits"); // it names a file
                runs.push_back(std::move(row));
            });
    });
    if (!in.finish()) return in.error();
    return runs;
}

std::string_view SweepRow::statusText() const
{
    return status ? wordOf(*status) : missing() ? "missing" : failedWord;
}

bool isOfTheMachine(const Error& error)
{
    switch (error.code) {
    case Code::cannotOpen:
    case Code::cannotRead:
    case Code::cannotWrite:
    case Code::crashed:
    case Code::exitedEarly:
    case Code::outOfMemory:
    case Code::pluginLoad:
    case Code::timedOut:
    case Code::tooMuchMemory:
    case Code::workerCrashed:
    case Code::workerMissing:
    case Code::workerOutOfMemory:
    case Code::workerTimeout: return true;
    default: return false;
    }
}

std::string writeSweepResult(const SweepRun& run, std::span<const SweepFunctionResult> results)
{
    io::JsonWriter out;
    out.object([&] {
        out.field("format", "stowage.sweep-run/1");
        writeWhat(out, run);
        out.field("build", buildId());
        out.array("results", [&] {
            for (const SweepFunctionResult& result : results)
                out.object(io::JsonWriter::compact, [&] {
                    if (!result.function.empty()) out.field("function", result.function);
                    if (result.error) {
                        out.field("status", failedWord);
                        out.field("error", errorText(*result.error));
                        if (isOfTheMachine(*result.error)) out.field("repeat", true);
                        return;
                    }
                    const SuiteFigures figures = figuresOf(*result.run);
                    out.field("status", toText(figures.status));
                    out.field("size", figures.size);
                    out.field("bound", figures.bound);
                    if (result.run->report.partial) out.field("partial", true);
                    if (cutBy(*result.run)) out.field("cut", true);
                    out.field("plan", figures.plan);
                    out.field("elapsed_ms", result.run->elapsedMs);
                    out.object("pools", [&] {
                        for (const PoolFigure& pool : figures.pools) out.field(pool.name, pool.size);
                    });
                });
        });
    });
    return std::move(out).text();
}

Expected<std::vector<SweepRow>> readSweepResult(std::string_view text, const std::string& file, const SweepRow& listed)
{
    io::JsonReader in(text, file);
    std::vector<SweepRow> rows;
    SweepRow ignored;
    in.object({"format", "key", "results"}, [&](std::string_view key) {
        if (key == "format")
            in.format("stowage.sweep-run/1");
        else if (key == "build")
            in.skip();
        else if (key == "results")
            in.array([&] {
                SweepRow row = listed;
                in.object({"status"}, [&](std::string_view name) {
                    if (name == "function")
                        in.read(row.function);
                    else if (name == "status")
                        row.status = readStatus(in);
                    else if (name == "size")
                        in.read(row.size);
                    else if (name == "bound")
                        in.read(row.bound);
                    else if (name == "partial")
                        in.read(row.partial);
                    else if (name == "cut")
                        in.read(row.cut);
                    else if (name == "elapsed_ms")
                        in.read(row.elapsedMs);
                    else if (name == "error")
                        in.read(row.error);
                    else if (name == "repeat")
                        in.read(row.repeat);
                    else if (name == "plan" || name == "pools")
                        in.skip();
                });
                if (in.ok() && row.missing()) in.fail(Code::missingField, "a failed run has an 'error'");
                rows.push_back(std::move(row));
            });
        else
            readWhat(in, key, ignored);
    });
    if (in.ok() && !listed.key.empty() && ignored.key != listed.key)
        in.fail(Code::outOfRange, "the key is not that of the file's name");
    if (in.ok() && rows.empty()) in.fail(Code::missingField, "a run has at least one result");
    if (!in.finish()) return in.error();
    return rows;
}

} // namespace stowage
