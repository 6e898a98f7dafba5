// plan INPUT: plans the input and writes a report.
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/planned.h"
#include "app/session/number_words.h"
#include "core/io/json_writer.h"
#include "core/io/text.h"
#include "core/ir/shown_text.h"
#include "core/planners/exact/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace stowage::cli {

namespace {

class PlanCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "plan"; }
    [[nodiscard]] std::string summary() const override { return "plan an input and report the offset of every buffer"; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"plan model.tflite", "plan model.tflite --target cortex-m7 --format json -o model.plan.json"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {"text", "json", "csv", "markdown"});
        app.option("--rows", rows_, "number of placements to show as text or markdown; 0: all").typeName("N").showDefault();
        app.option("--proof", proof_, "write a proof that the size is the smallest, or that nothing fits, for check-proof")
            .typeName("FILE")
            .rare();
        app.option("--proof-limit", proofNodes_, "maximum number of nodes of the search in the proof")
            .typeName("N")
            .showDefault()
            .rare()
            .whenGiven([this] { proofLimited_ = true; });
    }

    int run(const Environment& environment) override
    {
        if (proofLimited_ && proof_.empty())
            return environment.fail(usage("--proof-limit is for a proof", "name its file with --proof, or leave it out"));
        const auto model = input_.read(environment);
        if (!model) return badInput;
        std::optional<Error> failure;
        const auto runs = planFunctions(environment, *model, planning_, &failure);
        if (runs.empty()) return failure ? failed(environment, *model, *failure) : badInput;
        if (!model->filePlans.empty())
            for (const FunctionRun& planned : runs) gains_[planned.function] = gainsOf(environment, *model, planned);
        const auto text = printed(runs, *model);
        if (!text) return environment.fail(text.error());
        if (const int written = output_.write(environment, *text); written != done) return written;
        if (!proof_.empty())
            if (const int written = writeProof(environment, runs); written != done) return written;
        return exitStatusOf(runs);
    }

private:
    /// A line for each plan in the input: the gain of the new plan.
    [[nodiscard]] std::string gainsOf(const Environment& environment, const Model& model, const FunctionRun& planned) const
    {
        std::string lines;
        if (const auto request = planning_.request(environment, model, planned.function))
            for (const auto& theirs : environment.session.fileRuns(model, *request))
                lines += gainLine(*theirs, *planned.run) + "\n";
        return lines;
    }

    /// Reports that a planner of a plug-in failed; JSON contains the reason.
    [[nodiscard]] int failed(const Environment& environment, const Model& model, const Error& error) const
    {
        if (output_.format() != Format::json) return answerIsNo;
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.plan/1");
            out.field("problem", model.name.toStdString());
            out.field("planner", planning_.planner());
            out.field("status", toText(Status::undecided));
            out.array("pools", [] {});
            out.array("placements", [] {});
            out.array("diagnostics", [&] {
                out.object(io::JsonWriter::compact, [&] {
                    out.field("severity", "error");
                    out.field("code", codeText(error));
                    out.field("message", error.message);
                    if (!error.remedy.empty()) out.field("remedy", error.remedy);
                });
            });
        });
        const int written = output_.write(environment, std::move(out).text());
        return written == done ? int(answerIsNo) : written;
    }

    /// Writes a log for `check-proof` which proves that no plan is smaller, or that none fits into the capacity.
    [[nodiscard]] int writeProof(const Environment& environment, const std::vector<FunctionRun>& runs) const
    {
        if (runs.size() > 1)
            return environment.fail(
                failure(Code::severalFunctions, "a proof covers one function", {}, "choose one with --function NAME"));
        const Run& run = *runs.front().run;
        const Problem& problem = run.problem();
        const auto proof =
            exact::writePlanProof(problem, run.report, proofNodes_, [&] { return environment.interrupt.stop_requested(); });
        if (!proof) {
            const bool limited = run.report.status == Status::feasible &&
                                 (run.plan.stoppedBy == StoppedBy::deadline || run.plan.stoppedBy == StoppedBy::workLimit);
            const int failed = environment.fail(proof.error());
            return limited ? undecided : failed;
        }
        std::string told;
        for (const auto& [pool, bytes] : proof->refuted) {
            if (pool != none)
                told += fmt::format("{}{} does not fit into {} bytes", told.empty() ? "" : ", that ",
                                    problem.pools[at(pool)].name, grouped(bytes));
            else if (run.report.status == Status::optimal)
                told = fmt::format("every plan takes more than {} bytes in all pools together", grouped(bytes));
            else
                told = "no plan fits into the capacities of all pools";
        }
        const int written = writeFile(environment, proof_, proof->logs);
        if (written == done) environment.note(fmt::format("{}: proof that {}", proof_, told));
        return written;
    }

    [[nodiscard]] Expected<std::string> printed(const std::vector<FunctionRun>& runs, const Model& model) const
    {
        std::string text;
        switch (output_.format()) {
        case Format::json: {
            if (runs.size() == 1) return io::writePlanJson(*runs.front().run);
            std::vector<io::FunctionRun> functions;
            for (const FunctionRun& planned : runs) functions.push_back({planned.function, planned.run.get()});
            return io::writePlanJson(functions);
        }
        case Format::csv:
            if (runs.size() > 1)
                return failure(Code::severalFunctions, "a CSV file contains one function", {},
                               "choose one with --function NAME, or --format json");
            return io::writeProblemCsv(runs.front().run->problem(), &runs.front().run->plan);
        case Format::markdown:
        case Format::text: break;
        }
        if (runs.size() > 1 && output_.format() == Format::text) text = verdictOfAll(runs, output_);
        for (const FunctionRun& planned : runs) text += (text.empty() ? "" : "\n") + report(planned, model);
        return text;
    }

    [[nodiscard]] std::string report(const FunctionRun& planned, const Model& model) const
    {
        const Run& run = *planned.run;
        const bool markdown = output_.format() == Format::markdown;
        const auto table = [&](const Table& rows) {
            return "\n" + (markdown ? toMarkdown(rows) : toText(rows, roomFor(output_)));
        };

        std::string title = model.name.toStdString();
        if (model.program && Session::functions(model).size() > 1) title += " · " + planned.function;
        std::string text = markdown ? fmt::format("## {}\n\n", shownName(title)) : std::string();
        text += verdictText(run, output_);
        if (const auto gains = gains_.find(planned.function); gains != gains_.end()) text += gains->second;
        text += markdown ? "\n" : "\n" + toned(shownName(title), Tone::strong, output_) + "\n";
        text += problemLine(*run.lowering) + "\n";
        text += fmt::format("{} · {}", run.plan.planner, duration(run.elapsedMs));
        if (!run.targetName.empty()) text += " · target " + run.targetName;
        text += "\n" + table(poolTable(run));
        if (const std::string lines = displacementLines(run); !lines.empty()) text += "\n" + lines;
        if (const std::string lines = pipeLines(run); !lines.empty()) {
            text += "\n" + lines;
            Table reuse = reuseTable(run);
            if (reuse.rows.size() > maxEdges) reuse.rows.resize(maxEdges);
            if (!reuse.rows.empty()) text += table(reuse);
        }
        for (std::size_t i = 1; i < run.report.verdict.violations.size() && run.report.status == Status::invalid; ++i)
            text += fmt::format("  {}\n", describe(run.problem(), run.report.verdict.violations[i]));

        const std::size_t all = run.problem().buffers.size();
        const Table placements = placementTable(run, {}, rows_ > 0 ? rows_ : all);
        if (all > 0) text += table(placements);
        if (all > placements.rows.size())
            text += fmt::format("  … and {}; --rows 0 shows all, --format json or csv is for programs\n",
                                counted(static_cast<std::int64_t>(all - placements.rows.size()), "more placement"));
        return text;
    }

    static constexpr std::size_t maxEdges = 12; ///< number shown in text; JSON has all

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::size_t rows_ = 40;
    std::map<std::string, std::string> gains_; ///< by function
    std::string proof_;
    std::uint64_t proofNodes_ = 2'000'000;
    bool proofLimited_ = false; ///< `--proof-limit` was given
};

} // namespace

std::unique_ptr<Command> planCommand()
{
    return std::make_unique<PlanCommand>();
}

} // namespace stowage::cli
