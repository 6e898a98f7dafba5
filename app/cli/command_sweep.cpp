// sweep SPEC.json --out DIR: plans all combinations of models, targets, planners and options. merge DIR: one table of their
// results.
#include "app/canvas/report/table_page.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/session/number_words.h"
#include "app/session/regress/sweep.h"
#include "core/io/input_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <unistd.h>

namespace stowage::cli {

namespace {

/// "2/8" as (2, 8); no value for other text.
std::optional<std::pair<int, int>> shardIn(const std::string& text)
{
    std::pair<int, int> shard;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.first);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return std::nullopt;
    const auto second = std::from_chars(first.ptr + 1, end, shard.second);
    if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
    if (shard.first < 1 || shard.first > shard.second || shard.second > 1'000'000) return std::nullopt;
    return shard;
}

std::string timeLeft(double seconds)
{
    if (seconds < 0) return {};
    if (seconds < 90) return fmt::format(", {:.0f} s left", seconds);
    if (seconds < 5400) return fmt::format(", {:.0f} min left", seconds / 60);
    return fmt::format(", {:.1f} h left", seconds / 3600);
}

class SweepCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "sweep"; }
    [[nodiscard]] std::string summary() const override
    {
        return "plan all combinations of models, targets, planners and options";
    }

    void declare(Arguments& app) override
    {
        app.option("SPEC", path_, "specification of the runs (stowage.sweep/1)").required().typeName("");
        app.option("--out", folder_, "folder for the results; runs with a result there are not repeated")
            .required()
            .typeName("DIR");
        app.option("--shard", shard_, "only part I of N, for several processes or machines that share the folder")
            .typeName("I/N");
        app.footer(
            "A killed sweep continues where it stopped. Runs that failed for want of time, memory, a file or a part of the "
            "installation, or as a process crashed or ended early, are planned again.\n"
            "'merge DIR' prints the results. Exit status: 0 all planned, 1 some failed, 2 bad input, 130 interrupted.\n"
            "Examples:\n"
            "  stowage-cli sweep zoo.json --out results\n"
            "  parallel stowage-cli sweep zoo.json --out results --shard {}/8 ::: 1 2 3 4 5 6 7 8");
    }

    int run(const Environment& environment) override
    {
        std::pair<int, int> shard{1, 1};
        if (!shard_.empty()) {
            const auto named = shardIn(shard_);
            if (!named)
                return environment.fail(failure(Code::usage, fmt::format("--shard {}: not a shard", shard_), {},
                                                "write I/N with 1 <= I <= N, as in 2/8"));
            shard = *named;
        }
        constexpr Bytes most = Bytes{64} << 20;
        const auto text = io::readFile(path_, {most, most}, [stop = environment.interrupt] { return stop.stop_requested(); });
        if (!text) return environment.fail(text.error());
        const auto sweep = readSweep(environment.session, *text, path_, environment.interrupt);
        if (environment.interrupt.stop_requested()) return interrupted;
        if (!sweep) return environment.fail(sweep.error());
        environment.say(sweep->warnings);

        const auto runs = shardOf(*sweep, shard.first, shard.second);
        SweepOptions options;
        options.cancel = environment.interrupt;
        const bool terminal = isatty(STDERR_FILENO) != 0;
        if (terminal)
            options.progress = [](const SweepProgress& now) {
                std::fputs(fmt::format(
                               "\r\x1b[K{} of {}{}{}", grouped(std::int64_t(now.done)), counted(std::int64_t(now.total), "run"),
                               now.failed > 0 ? fmt::format(", {} failed", now.failed) : std::string(), timeLeft(now.secondsLeft))
                               .c_str(),
                           stderr);
            };
        const auto outcome = runSweep(environment.session, *sweep, runs, folder_, options);
        if (terminal) std::fputs("\r\x1b[K", stderr);
        if (!outcome) return environment.fail(outcome.error());
        environment.note(fmt::format("{} of {} in {}{}", grouped(std::int64_t(outcome->done)),
                                     counted(std::int64_t(outcome->total), "run"), folder_,
                                     outcome->failed > 0 ? fmt::format(", {} failed", outcome->failed) : std::string()));
        if (outcome->machine)
            environment.note(
                fmt::format("{} failed for want of time, memory, a file or a part of the installation, or as a process crashed "
                            "or ended early; the next sweep plans {} again. The first reason: {}",
                            counted(std::int64_t(outcome->toRepeat), "run"), outcome->toRepeat == 1 ? "it" : "them",
                            placedText(*outcome->machine)));
        if (outcome->cut > 0)
            environment.note(
                fmt::format("time_limit or the time of a plug-in cut the plans of {}: another machine may give other figures",
                            counted(std::int64_t(outcome->cut), "run")));
        if (outcome->done < outcome->total) return interrupted;
        return outcome->failed > 0 ? answerIsNo : done;
    }

private:
    std::string path_;
    std::string folder_;
    std::string shard_;
};

class MergeCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "merge"; }
    [[nodiscard]] std::string summary() const override { return "print the results of a sweep as one table"; }

    void declare(Arguments& app) override
    {
        app.option("DIR", folder_, "the folder that sweep wrote").required().typeName("");
        output_.declare(app, {"text", "json", "csv", "markdown", "html"});
        app.footer("Exit status: 0 all runs are there and planned, 1 some are missing or failed, 2 bad input, 130 interrupted.");
    }

    int run(const Environment& environment) override
    {
        const auto rows = mergeSweep(folder_, environment.interrupt);
        if (environment.interrupt.stop_requested()) return interrupted;
        if (!rows) return environment.fail(rows.error());
        Table table{{{"model", "model", CellKind::text},
                     {"function", "function", CellKind::text},
                     {"target", "target", CellKind::text},
                     {"planner", "planner", CellKind::text},
                     {"lowering", "lowering", CellKind::text},
                     {"seed", "seed", CellKind::number},
                     {"work_limit", "work limit", CellKind::number},
                     {"status", "status", CellKind::text},
                     {"partial", "partial", CellKind::text},
                     {"cut", "cut", CellKind::text},
                     {"size", "size (B)", CellKind::number},
                     {"lower_bound", "lower bound (B)", CellKind::number},
                     {"elapsed_ms", "time (ms)", CellKind::milliseconds},
                     {"error", "", CellKind::prose}},
                    {}};
        std::vector<const SweepRow*> sorted;
        for (const SweepRow& row : *rows) sorted.push_back(&row);
        const auto order = [](const SweepRow* row) {
            return std::tuple(std::string_view(row->model), std::string_view(row->function), std::string_view(row->target),
                              std::string_view(row->planner), std::string_view(row->lowering), row->seed, row->workLimit);
        };
        std::sort(sorted.begin(), sorted.end(), [&](const SweepRow* a, const SweepRow* b) { return order(a) < order(b); });
        const bool forPrograms = output_.format() == Format::json || output_.format() == Format::csv;
        // Of the same runs the same bytes, whoever measured them: the tables of shards are compared.
        const bool timed = output_.formatName() == "text";
        Counts counts;
        for (const SweepRow* row : sorted) {
            counts.missing += row->missing() ? 1 : 0;
            counts.failed += row->error.empty() ? 0 : 1;
            counts.partial += row->partial ? 1 : 0;
            counts.cut += row->cut ? 1 : 0;
            const auto number = [&](std::int64_t value) { return row->planned() ? Cell{value} : Cell{}; };
            // Programs read the numbers of the specification; people need not read the usual ones.
            const auto limit = [&](std::uint64_t value) {
                return value > 0 || forPrograms ? Cell{static_cast<std::int64_t>(value)} : Cell{};
            };
            table.rows.push_back({row->model, row->function, row->target, row->planner, row->lowering, limit(row->seed),
                                  limit(row->workLimit), std::string(row->statusText()), row->partial ? Cell{true} : Cell{},
                                  row->cut ? Cell{true} : Cell{}, number(row->size), number(row->bound),
                                  row->planned() && timed ? Cell{row->elapsedMs} : Cell{}, row->error});
        }
        const bool page = output_.formatName() == "html";
        const int written = output_.write(environment, page ? writeTablePage(pageOf(table, counts))
                                                            : print(table, output_.format(), roomFor(output_)));
        if (written != done) return written;
        if (const auto others = unlistedResults(folder_, *rows); others > 0)
            environment.note(fmt::format("{} in {}/runs {} of another specification, build or version of a model",
                                         counted(std::int64_t(others), "result"), folder_, others == 1 ? "is" : "are"));
        const bool incomplete = counts.missing + counts.failed > 0;
        if (incomplete)
            environment.note(
                fmt::format("{}: {} missing, {} failed", counted(std::ssize(table.rows), "row"), counts.missing, counts.failed));
        if (counts.partial > 0) environment.note(partialText(counts.partial));
        if (counts.cut > 0) environment.note(cutText(counts.cut));
        return incomplete ? answerIsNo : done;
    }

private:
    /// Rows that have no figures, figures of a part of their model, or those of a plan that was cut.
    struct Counts {
        std::size_t missing = 0;
        std::size_t failed = 0;
        std::size_t partial = 0;
        std::size_t cut = 0;
    };

    static std::string partialText(std::size_t rows)
    {
        return fmt::format("{} {} partial: tensors or buffers of unknown size are left out", counted(std::int64_t(rows), "row"),
                           rows == 1 ? "is" : "are");
    }

    static std::string cutText(std::size_t rows)
    {
        return fmt::format("{} {} of a plan that time_limit or the time of a plug-in cut: another machine may give other figures",
                           counted(std::int64_t(rows), "row"), rows == 1 ? "is" : "are");
    }

    [[nodiscard]] TablePage pageOf(const Table& table, const Counts& counts) const
    {
        TablePage page;
        page.title = folder_;
        page.sentence =
            fmt::format("{}, {} missing, {} failed.", counted(std::ssize(table.rows), "row"), counts.missing, counts.failed);
        for (const std::string& text : {counts.partial > 0 ? partialText(counts.partial) : std::string(),
                                        counts.cut > 0 ? cutText(counts.cut) : std::string()})
            if (!text.empty()) page.sentence += ' ' + text + '.';
        page.tone = counts.missing + counts.failed > 0 ? TablePage::Tone::bad
                    : counts.partial + counts.cut > 0  ? TablePage::Tone::plain
                                                       : TablePage::Tone::good;
        const auto timeless = [&](std::size_t column) { return table.columns[column].kind == CellKind::milliseconds; };
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            const Column& column = table.columns[i];
            if (timeless(i)) continue;
            page.columns.push_back(
                {column.title.empty() ? "error" : column.title, column.kind == CellKind::number, column.kind == CellKind::prose});
        }
        for (const auto& row : table.rows) {
            TablePage::Line line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                const Cell& cell = row[i];
                if (timeless(i)) continue;
                if (const auto* text = std::get_if<std::string>(&cell))
                    line.cells.push_back(*text);
                else if (const auto* number = std::get_if<std::int64_t>(&cell))
                    line.cells.push_back(grouped(*number));
                else if (std::holds_alternative<bool>(cell)) // `partial` or `cut`, which are true or empty
                    line.cells.emplace_back("yes");
                else
                    line.cells.emplace_back();
            }
            page.lines.push_back(std::move(line));
        }
        return page;
    }

    std::string folder_;
    OutputOptions output_;
};

} // namespace

std::unique_ptr<Command> sweepCommand()
{
    return std::make_unique<SweepCommand>();
}

std::unique_ptr<Command> mergeCommand()
{
    return std::make_unique<MergeCommand>();
}

} // namespace stowage::cli
