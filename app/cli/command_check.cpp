// check INPUT PLAN: checks a plan, also one of another tool, and names the colliding pair.
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/plan_file.h"
#include "app/session/verdicts.h"
#include "core/io/json_writer.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <array>

namespace stowage::cli {

namespace {

/// In the order of `ViolationKind`.
constexpr std::array<std::string_view, 9> violationNames{"not-placed", "wrong-pool",   "negative-offset",
                                                         "misaligned", "off-pin",      "over-capacity",
                                                         "overlap",    "bad-rotation", "mismatch"};
/// In the order of `MismatchKind`.
constexpr std::array<std::string_view, 4> mismatchNames{"unknown-buffer", "other-size", "other-pool-size", "other-tensor"};

class CheckCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "check"; }
    [[nodiscard]] std::string summary() const override { return "check a plan, also one of another tool"; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"check model.tflite model.plan.json", "check problem.csv planned.csv --capacity 64KiB"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        app.option("PLAN", plan_, "plan JSON, a CSV with offsets, or a dump, log or profile of another tool that has a plan")
            .required()
            .typeName("");
        planning_.declare(app, PlanningOptions::noPlanner);
        output_.declare(app, {"text", "json"});
    }

    int run(const Environment& environment) override
    {
        const auto model = input_.read(environment);
        if (!model) return badInput;
        const auto runs = runsOfPlanFile(environment, *model, planning_, plan_);
        if (runs.empty()) return badInput;
        const int written = output_.write(environment, output_.format() == Format::json ? json(runs) : report(runs));
        return written == done ? exitStatusOf(runs) : written;
    }

private:
    [[nodiscard]] std::string report(const std::vector<FunctionRun>& runs) const
    {
        std::string out = runs.size() > 1 ? verdictOfAll(runs, output_) : std::string();
        for (const auto& [function, run] : runs) {
            if (runs.size() > 1) out += fmt::format("\n{}\n", shownName(function));
            out += verdictText(*run, output_);
            const auto& violations = run->report.verdict.violations;
            for (std::size_t i = run->report.status == Status::invalid ? 1 : 0; i < violations.size(); ++i)
                out += fmt::format("  {}\n", shownMessage(describe(run->problem(), violations[i])));
            out += "\n" + problemLine(*run->lowering) + "\n\n" + toText(poolTable(*run), roomFor(output_));
        }
        return out;
    }

    [[nodiscard]] static std::string json(const std::vector<FunctionRun>& runs)
    {
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.verdict/1");
            if (runs.size() == 1) return writeVerdict(out, *runs.front().run);
            out.array("functions", [&] {
                for (const FunctionRun& one : runs)
                    out.object([&] {
                        out.field("name", one.function);
                        writeVerdict(out, *one.run);
                    });
            });
        });
        return std::move(out).text();
    }

    static void writeVerdict(io::JsonWriter& out, const Run& run)
    {
        const Problem& problem = run.problem();
        out.field("valid", run.report.verdict.valid());
        out.field("fits", !run.report.verdict.overCapacity);
        out.field("status", toText(run.report.status));
        if (verdictKind(run) == VerdictKind::asPreferred) out.field("scope", toText(run.report.among));
        if (run.report.partial) out.field("partial", true);
        out.field("size", run.report.totalSize());
        out.field("lower_bound", run.report.totalBound());
        out.array("pools", [&] { writeRows(out, poolTable(run)); });
        out.array("violations", [&] {
            for (const Violation& violation : run.report.verdict.violations)
                out.object(io::JsonWriter::compact, [&] {
                    const auto nameOf = [&](BufferId id) { return problem.buffers[static_cast<std::size_t>(id)].name; };
                    out.field("kind", violation.mismatch ? mismatchNames[static_cast<std::size_t>(violation.mismatch->kind)]
                                                         : violationNames[static_cast<std::size_t>(violation.kind)]);
                    if (violation.first != none) out.field("first", nameOf(violation.first));
                    if (violation.second != none) out.field("second", nameOf(violation.second));
                    if (violation.pool != none) out.field("pool", problem.pools[static_cast<std::size_t>(violation.pool)].name);
                    if (violation.step >= 0) out.field("step", violation.step);
                    if (violation.high > violation.low) {
                        out.field("low", violation.low);
                        out.field("high", violation.high);
                    }
                    if (violation.iteration >= 0) out.field("iteration", violation.iteration);
                    out.field("message", describe(problem, violation));
                });
        });
    }

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string plan_;
};

} // namespace

std::unique_ptr<Command> checkCommand()
{
    return std::make_unique<CheckCommand>();
}

} // namespace stowage::cli
