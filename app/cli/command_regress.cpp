// regress SUITE.json: plans a suite of models and compares the results with its stored baseline.
#include "app/canvas/report/table_page.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/session/native_path.h"
#include "app/session/number_words.h"
#include "app/session/regress/kept_plans.h"
#include "app/session/regress/regression.h"
#include "app/session/regress/suite_run.h"
#include "core/io/json_writer.h"

#include <QXmlStreamWriter>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>

namespace stowage::cli {

namespace {

/// "2 worse, 1 new, 37 same"; without zero counts.
std::string countsText(const VerdictCounts& counts)
{
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", counts[i], toText(static_cast<RowVerdict>(i)));
    return text.empty() ? "no rows" : text;
}

bool anyRegression(const std::vector<RowResult>& results)
{
    return std::any_of(results.begin(), results.end(), [](const RowResult& result) { return isRegression(result.verdict); });
}

/// "sram: baseline 100,000 B, current 200,000 B", a line for each pool.
std::string poolLines(const RowResult& result)
{
    std::string text;
    for (const PoolSizes& pool : poolSizes(result)) {
        std::string sizes;
        if (pool.before) sizes = fmt::format("baseline {} B", grouped(*pool.before));
        if (pool.now) sizes += fmt::format("{}current {} B", sizes.empty() ? "" : ", ", grouped(*pool.now));
        text += fmt::format("\n{}: {}", pool.pool, sizes);
    }
    return text;
}

QString xml(const std::string& text)
{
    QString clean = QString::fromStdString(text);
    // XML 1.0 cannot represent most control characters.
    for (QChar& c : clean)
        if (c < QChar(0x20) && c != '\n' && c != '\t') c = QChar(0xfffd);
    return clean;
}

class RegressCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "regress"; }
    [[nodiscard]] std::string summary() const override { return "plan a suite of models and compare with its stored baseline"; }

    void declare(Arguments& app) override
    {
        app.option("SUITE", path_, "suite of models with targets and planners (stowage.suite/1)").required().typeName("");
        app.flag("--update", update_, "write the results into the baseline beside the suite");
        app.option("--row", rows_, "with --update: only rows with this key; the others keep their baseline")
            .typeName("KEY")
            .oneValueEach();
        app.flag("--no-plans", noPlans_, "with --update: do not keep the plans, from which the window draws the baseline's maps");
        app.flag("--require-baseline", requireBaseline_,
                 "status 1 also for rows that the baseline lacks: for CI, where it may be missing")
            .excludes("--update");
        app.flag("--history", history_, "append one line for each row to the history beside the suite");
        output_.declare(app, {"text", "json", "junit", "markdown", "html"});
        app.footer(
            "Exit status: 0 no regression, 1 a row is worse, gone or failed, 2 bad input, 130 interrupted.\n"
            "With --update 1 only if a row failed: rows that --row does not name may still be worse.\n"
            "Examples:\n"
            "  stowage-cli regress nightly.json --update      accept the results as the baseline\n"
            "  stowage-cli regress nightly.json --require-baseline --format junit -o nightly.xml\n"
            "  stowage-cli regress nightly.json --format html -o nightly.html    the rows, and both maps of those that differ");
    }

    int run(const Environment& environment) override
    {
        if (noPlans_ && !update_) return environment.fail("--no-plans needs --update");
        if (!rows_.empty() && !update_) return environment.fail("--row needs --update");
        const auto suite = loadSuite(pathFromNative(path_), [stop = environment.interrupt] { return stop.stop_requested(); });
        if (!suite) return environment.fail(suite.error());
        environment.say(suite->warnings);
        auto baseline = loadBaseline(*suite);
        if (!baseline) return environment.fail(baseline.error());
        firstRun_ = baseline->rows.empty();
        // Planning may take hours. Functions of a row are known only after it.
        for (const std::string& key : rows_)
            if (!rowOf(*suite, key) && !baseline->find(key)) return environment.fail(noRow(key));

        std::optional<Regression> maps; // for the HTML page
        const auto kept = [&](const RowResult& result, const std::shared_ptr<const Run>& run) {
            if (update_ && !noPlans_ && run) keep(*suite, result, *run);
        };
        if (output_.formatName() == "html") {
            RegressionOptions options;
            options.cancel = environment.interrupt;
            auto regression = runRegression(environment.session, pathFromNative(path_), options);
            if (environment.interrupt.stop_requested()) return interrupted;
            if (!regression) return environment.fail(regression.error());
            maps = *std::move(regression);
            for (const RegressionRow& row : maps->rows) {
                results_.push_back(row.result);
                kept(row.result, row.current);
            }
        } else {
            SuiteRunOptions options;
            options.cancel = environment.interrupt;
            options.finished = [&](const RowResult& result, const std::shared_ptr<const Run>& run, std::size_t, std::size_t) {
                kept(result, run);
            };
            const SuiteOutcome outcome = runSuite(environment.session, *suite, *baseline, options);
            if (outcome.cancelled) return interrupted;
            results_ = outcome.results;
        }

        int written =
            output_.write(environment, maps ? writeRegressionPage(*maps, headline(*suite), requireBaseline_) : printed(*suite));
        if (written != done) return written;
        for (const std::string& key : rows_)
            if (std::ranges::find(results_, key, &RowResult::key) == results_.end()) return environment.fail(noRow(key));
        if (history_) written = writeHistory(environment, *suite);
        if (written == done && update_) written = updateBaseline(environment, *suite, *std::move(baseline));
        if (written != done) return written;
        if (update_) return failedRows() ? answerIsNo : done;
        return anyFailure() ? answerIsNo : done;
    }

private:
    /// Whether the row makes the exit status 1.
    [[nodiscard]] bool fails(const RowResult& result) const { return isFailure(result, requireBaseline_); }
    [[nodiscard]] bool anyFailure() const
    {
        return std::any_of(results_.begin(), results_.end(), [this](const RowResult& result) { return fails(result); });
    }

    static Error noRow(const std::string& key)
    {
        return failure(Code::unknownRow, fmt::format("the suite has no row \"{}\"", key), {}, "copy a key from the report");
    }

    [[nodiscard]] bool failedRows() const
    {
        return std::any_of(results_.begin(), results_.end(),
                           [](const RowResult& result) { return result.verdict == RowVerdict::failed; });
    }

    int writeHistory(const Environment& environment, const Suite& suite) const
    {
        if (const auto error = appendHistory(suite, results_)) return environment.fail(*error);
        return done;
    }

    int updateBaseline(const Environment& environment, const Suite& suite, Baseline baseline) const
    {
        if (keptError_) return environment.fail(*keptError_);
        const auto changes = accept(baseline, results_, rows_, kept_);
        for (const BaselineChange& change : changes)
            environment.note(fmt::format("baseline: {} {}", toText(change.what), change.key));
        const std::string path = baselinePath(suite);
        if (std::error_code unknown; changes.empty() && std::filesystem::exists(path, unknown)) {
            environment.note(fmt::format("baseline: {} is up to date", path));
            return done;
        }
        if (const auto error = saveBaseline(suite, baseline)) return environment.fail(*error);
        environment.note(fmt::format("baseline: wrote {} to {}", counted(std::ssize(baseline.rows), "row"), path));
        return done;
    }

    /// Stores the plan of a row for the baseline.
    void keep(const Suite& suite, const RowResult& result, const Run& run)
    {
        if (result.verdict == RowVerdict::failed) return;
        if (keptError_ || (!rows_.empty() && std::find(rows_.begin(), rows_.end(), result.key) == rows_.end())) return;
        auto name = keepPlan(suite, run);
        if (!name)
            keptError_ = name.error();
        else if (!name->empty())
            kept_[result.key] = *std::move(name);
    }

    [[nodiscard]] std::string headline(const Suite& suite) const
    {
        const std::string counts = countsText(countsOf(results_));
        if (anyRegression(results_)) return fmt::format("Regression in {}: {}.", suite.name, counts);
        if (firstRun_)
            return fmt::format("No baseline of {} yet: {}. --update keeps these results as the baseline.", suite.name, counts);
        if (anyFailure())
            return fmt::format("Rows of {} are not in its baseline: {}. --update adds their results.", suite.name, counts);
        return fmt::format("No regression in {}: {}.", suite.name, counts);
    }

    [[nodiscard]] Table table(bool all) const
    {
        Table table{{{"verdict", "verdict", CellKind::text},
                     {"key", "row", CellKind::text},
                     {"size", "size (B)", CellKind::number},
                     {"baseline", "baseline (B)", CellKind::number},
                     {"bound", "lower bound (B)", CellKind::number},
                     {"status", "status", CellKind::text},
                     {"cause", "cause", CellKind::prose}},
                    {}};
        for (const RowResult& result : results_) {
            if (!all && result.verdict == RowVerdict::same && remarks(result).empty()) continue;
            std::vector<Cell> row(table.columns.size());
            row[0] = std::string(toText(result.verdict));
            row[1] = result.key;
            if (result.current) {
                row[2] = result.current->size;
                row[4] = result.current->bound;
                row[5] = std::string(toText(result.current->status));
            }
            if (result.baseline) row[3] = result.baseline->size;
            row[6] = placedSentence(result);
            table.rows.push_back(std::move(row));
        }
        return table;
    }

    [[nodiscard]] std::string printed(const Suite& suite) const
    {
        if (output_.formatName() == "junit") return junit(suite);
        switch (output_.format()) {
        case Format::json: return json(suite);
        case Format::markdown: return fmt::format("### {}\n\n{}", headline(suite), toMarkdown(table(true)));
        default: break;
        }
        const Table shown = table(firstRun_);
        std::string text = toned(headline(suite), anyFailure() ? Tone::bad : Tone::good, output_) + '\n';
        if (!shown.rows.empty()) text += '\n' + toText(shown, roomFor(output_));
        return text;
    }

    static void write(io::JsonWriter& out, std::string_view key, const SuiteFigures& figures)
    {
        out.object(key, io::JsonWriter::compact, [&] {
            out.field("status", toText(figures.status));
            out.field("size", figures.size);
            out.field("bound", figures.bound);
            out.field("excess", figures.excess);
            if (figures.unknownSizes) out.field("unknown_size_count", *figures.unknownSizes);
            out.object("pools", [&] {
                for (const PoolFigure& pool : figures.pools) out.field(pool.name, pool.size);
            });
            if (figures.stalls) out.field("stalls", *figures.stalls);
            if (figures.timeRatio) out.field("time_ratio", *figures.timeRatio);
            out.field("plan", figures.plan);
            out.field("version", figures.version);
        });
    }

    [[nodiscard]] std::string json(const Suite& suite) const
    {
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.regression/1");
            out.field("suite", suite.name);
            out.field("regression", anyRegression(results_));
            const VerdictCounts counts = countsOf(results_);
            if (requireBaseline_) out.field("baseline_missing", counts[static_cast<std::size_t>(RowVerdict::added)] > 0);
            out.object("counts", io::JsonWriter::compact, [&] {
                for (std::size_t i = 0; i < counts.size(); ++i) out.field(toText(static_cast<RowVerdict>(i)), counts[i]);
            });
            out.array("rows", [&] {
                for (const RowResult& result : results_)
                    out.object([&] {
                        out.field("key", result.key);
                        out.field("verdict", toText(result.verdict));
                        if (const std::string cause = placedSentence(result); !cause.empty()) out.field("cause", cause);
                        if (result.current) write(out, "current", *result.current);
                        if (result.baseline) write(out, "baseline", *result.baseline);
                        if (!result.cause.peak.empty())
                            out.array("peak_changes", io::JsonWriter::compact, [&] {
                                for (const PeakChange& change : result.cause.peak)
                                    out.object([&] {
                                        out.field("buffer", change.buffer);
                                        out.field("before", change.before);
                                        out.field("after", change.after);
                                    });
                            });
                    });
            });
        });
        return std::move(out).text();
    }

    /// One test suite for each model, one test case for each row.
    [[nodiscard]] std::string junit(const Suite& suite) const
    {
        std::map<std::string, std::vector<const RowResult*>> byModel;
        for (const RowResult& result : results_)
            byModel[result.model.empty() ? "rows that are gone" : result.model].push_back(&result);
        const auto failures = [this](const std::vector<const RowResult*>& rows) {
            return std::count_if(rows.begin(), rows.end(), [this](const RowResult* row) { return fails(*row); });
        };
        QString text;
        QXmlStreamWriter out(&text);
        out.setAutoFormatting(true);
        out.writeStartDocument();
        out.writeStartElement("testsuites");
        out.writeAttribute("name", xml(suite.name));
        out.writeAttribute("tests", QString::number(results_.size()));
        out.writeAttribute("failures", QString::number(std::ranges::count_if(
                                           results_, [this](const RowResult& result) { return fails(result); })));
        for (const auto& [model, rows] : byModel) {
            out.writeStartElement("testsuite");
            out.writeAttribute("name", xml(model));
            out.writeAttribute("tests", QString::number(rows.size()));
            out.writeAttribute("failures", QString::number(failures(rows)));
            for (const RowResult* row : rows) {
                out.writeStartElement("testcase");
                out.writeAttribute("classname", xml(model));
                out.writeAttribute("name", xml(row->key));
                const std::string why = fails(*row) ? failureSentence(*row) : placedSentence(*row);
                if (fails(*row)) {
                    out.writeStartElement("failure");
                    out.writeAttribute("type", QString::fromUtf8(toText(row->verdict).data()));
                    out.writeAttribute("message", xml(why));
                    out.writeCharacters(xml(why + poolLines(*row))); // GitLab shows the text, others the attribute
                    out.writeEndElement();
                } else if (row->verdict != RowVerdict::same || !remarks(*row).empty()) {
                    out.writeTextElement("system-out", xml(std::string(toText(row->verdict)) + (why.empty() ? "" : ": ") + why));
                }
                out.writeEndElement();
            }
            out.writeEndElement();
        }
        out.writeEndDocument();
        return text.toStdString();
    }

    std::string path_;
    bool update_ = false;
    bool requireBaseline_ = false;
    std::vector<std::string> rows_;
    bool history_ = false;
    bool noPlans_ = false;
    std::map<std::string, std::string> kept_; ///< names of kept plans by key
    std::optional<Error> keptError_;
    OutputOptions output_;
    bool firstRun_ = false; ///< there was no baseline
    std::vector<RowResult> results_;
};

} // namespace

std::unique_ptr<Command> regressCommand()
{
    return std::make_unique<RegressCommand>();
}

} // namespace stowage::cli
