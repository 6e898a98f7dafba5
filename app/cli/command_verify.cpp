// verify INPUT: runs the planned input in an arena, checks every byte read, and names the first corrupted read.
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/plan_file.h"
#include "app/cli/progress.h"
#include "app/session/number_words.h"
#include "app/session/verdicts.h"
#include "app/session/verification.h"
#include "core/io/json_writer.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage::cli {

namespace {

struct Verified {
    FunctionRun planned;
    Verification verification;
};

class VerifyCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "verify"; }
    [[nodiscard]] std::string summary() const override { return "run the planned input in an arena and check every byte read"; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"verify model.tflite --planner greedy-by-size", "verify model.tflite --plan model.plan.json"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {"text", "json"});
        app.option("--plan", plan_, "run this plan (JSON, or a CSV with offsets) instead of making one")
            .typeName("FILE")
            .excludes("--planner");
        app.option("--op-limit", opLimit_, "stop after this number of executed ops, over all iterations")
            .typeName("N")
            .showDefault()
            .positive()
            .rare();
    }

    int run(const Environment& environment) override
    {
        if (const std::string& given = planning_.givenForPlanner(); !plan_.empty() && !given.empty())
            return environment.fail(usage(fmt::format("{} has no effect: the plan is that of --plan", given), "leave it out"));
        const auto model = input_.read(environment);
        if (!model) return badInput;
        std::optional<Error> failedRun;
        const auto runs = plan_.empty() ? planFunctions(environment, *model, planning_, &failedRun)
                                        : runsOfPlanFile(environment, *model, planning_, plan_);
        if (runs.empty()) return failedRun ? answerIsNo : badInput;
        ExecuteOptions options;
        options.cancel = environment.interrupt;
        options.maxOps = opLimit_;
        std::vector<Verified> all;
        for (const FunctionRun& planned : runs) {
            const Progress progress(planned.function.empty() ? "verify" : "verify " + planned.function, 0);
            auto verification = verifyRun(*planned.run, options);
            if (!verification) return environment.fail(verification.error());
            all.push_back({planned, *std::move(verification)});
        }
        for (const Verified& each : all) environment.say(each.verification.execution.diagnostics);
        const int written = output_.write(environment, output_.format() == Format::json ? json(all) : report(all, *model));
        return written == done ? exitStatusOfAll(all) : written;
    }

private:
    /// A corrupted read decides first; a plan without one may still not fit, or be misaligned.
    static int exitStatusOfOne(const Verified& each)
    {
        switch (each.verification.outcome) {
        case Outcome::corrupted:
        case Outcome::noPlace: return answerIsNo;
        case Outcome::clean:
        case Outcome::incomplete:
        case Outcome::sizesUnknown: break;
        }
        const int planned = exitStatusOf(*each.planned.run);
        return planned == done && each.verification.outcome != Outcome::clean ? undecided : planned;
    }

    static int exitStatusOfAll(const std::vector<Verified>& all)
    {
        int worst = done;
        for (const Verified& each : all) {
            const int status = exitStatusOfOne(each);
            if (status == answerIsNo || worst == done) worst = status;
        }
        return worst;
    }

    [[nodiscard]] std::string report(const std::vector<Verified>& all, const Model& model) const
    {
        // The verdict first: of several functions that of the worst.
        const auto severity = [](const Verified& each) {
            const int status = exitStatusOfOne(each);
            return status == answerIsNo ? 2 : status == done ? 0 : 1;
        };
        const Verified& worst = *std::ranges::max_element(all, {}, severity);
        std::string text = sentence(*worst.planned.run, worst.verification, model);
        if (all.size() > 1) text += fmt::format(" (function {}, of {})", shownName(worst.planned.function), all.size());
        text += "\n";
        for (const Verified& each : all) {
            const auto& [planned, verification] = each;
            const Run& run = *planned.run;
            std::string title = model.name.toStdString();
            if (all.size() > 1) title += " · " + planned.function;
            text += "\n" + toned(title, Tone::strong, output_) + "\n";
            text += problemLine(*run.lowering) + "\n";
            text += fmt::format("{} · {} B in {}\n", run.plan.planner.empty() ? "plan" : run.plan.planner,
                                grouped(run.report.totalSize()),
                                counted(static_cast<std::int64_t>(run.problem().pools.size()), "pool"));
            const ExecutionResult& execution = verification.execution;
            if (verification.outcome != Outcome::noPlace)
                text +=
                    fmt::format("{} {}, {}, {} B checked\n", run.program ? "the program ran" : "its live ranges ran",
                                execution.runs == 1 ? "once" : grouped(execution.runs) + " times",
                                counted(execution.opsExecuted, run.program ? "op" : "event"), grouped(execution.bytesChecked));
            if (all.size() > 1) text += sentence(run, verification, model) + "\n";
            if (verification.outcome != Outcome::noPlace && !isYes(verdictKind(run))) text += verdictText(run, output_);
        }
        return text;
    }

    [[nodiscard]] std::string sentence(const Run& run, const Verification& verification, const Model& model) const
    {
        switch (verification.outcome) {
        case Outcome::clean: {
            const std::string text = toned("Clean: every read found the bytes that were written for it.", Tone::good, output_);
            return verification.unsized == 0 ? text : text + " " + unsized(run, verification) + ".";
        }
        case Outcome::sizesUnknown:
            return fmt::format("Not checked: {}, against {} that {}. {}", unsized(run, verification),
                               counted(static_cast<std::int64_t>(run.problem().buffers.size()), "buffer"),
                               run.problem().buffers.size() == 1 ? "was" : "were", whatToBind(model));
        case Outcome::corrupted:
            return toned(fmt::format("Corrupted: {}.", describe(run.problem(), *verification.execution.corruption)), Tone::bad,
                         output_);
        case Outcome::noPlace: return toned(fmt::format("Cannot be run: {}.", verification.obstacle.message), Tone::bad, output_);
        case Outcome::incomplete: break;
        }
        return "Incomplete: no error was found, but not everything was run.";
    }

    [[nodiscard]] static std::string unsized(const Run& run, const Verification& verification)
    {
        return fmt::format("{} {} no known size and could not be run",
                           counted(static_cast<std::int64_t>(verification.unsized), run.program ? "tensor" : "buffer"),
                           verification.unsized == 1 ? "has" : "have");
    }

    /// The remedy of the importer for free dimensions.
    [[nodiscard]] static std::string whatToBind(const Model& model)
    {
        for (const Diagnostic& told : model.diagnostics)
            if (told.code == Code::freeDimension) return fmt::format("In this model {}; {}.", told.message, told.remedy);
        if (!model.program) return "The file does not state all of them.";
        return "Declare their shapes in the file, or give free dimensions a size with --bind NAME=N.";
    }

    [[nodiscard]] static std::string json(const std::vector<Verified>& all)
    {
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.verification/1");
            if (all.size() == 1) return writeOne(out, all.front());
            out.array("functions", [&] {
                for (const Verified& each : all)
                    out.object([&] {
                        out.field("name", each.planned.function);
                        writeOne(out, each);
                    });
            });
        });
        return std::move(out).text();
    }

    static void writeOne(io::JsonWriter& out, const Verified& each)
    {
        const Run& run = *each.planned.run;
        const ExecutionResult& execution = each.verification.execution;
        out.field("outcome", toText(each.verification.outcome));
        out.field("planner", run.plan.planner);
        out.field("lowering", run.lowering->fingerprint.text());
        out.field("status", toText(run.report.status));
        if (verdictKind(run) == VerdictKind::asPreferred) out.field("scope", toText(run.report.among));
        out.field("size", run.report.totalSize());
        out.field("executed", run.program ? "program" : "live-ranges");
        out.field("runs", execution.runs);
        out.field("ops", execution.opsExecuted);
        out.field("bytes_checked", execution.bytesChecked);
        if (each.verification.unsized > 0) out.field("unsized_tensors", static_cast<std::int64_t>(each.verification.unsized));
        if (each.verification.outcome == Outcome::noPlace) out.field("message", each.verification.obstacle.message);
        if (!execution.corruption) return;
        const Corruption& found = *execution.corruption;
        const auto nameOf = [&](BufferId id) { return run.problem().buffers[static_cast<std::size_t>(id)].name; };
        out.object("corruption", [&] {
            if (!found.reader.empty()) out.field("reader", found.reader);
            if (!found.tensor.empty()) out.field("tensor", found.tensor);
            if (found.buffer != none) out.field("buffer", nameOf(found.buffer));
            if (found.overwrittenBy != none) out.field("overwritten_by", nameOf(found.overwrittenBy));
            if (!found.writer.empty()) out.field("writer", found.writer);
            out.field("pool", run.problem().pools[static_cast<std::size_t>(found.pool)].name);
            out.field("low", found.low);
            out.field("high", found.high);
            if (found.step >= 0) out.field("step", found.step);
            if (!found.iterations.empty())
                out.array("iterations", io::JsonWriter::compact, [&] {
                    for (const std::int64_t iteration : found.iterations) out.value(iteration);
                });
            out.field("message", describe(run.problem(), found));
        });
    }

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string plan_;
    std::int64_t opLimit_ = ExecuteOptions{}.maxOps;
};

} // namespace

std::unique_ptr<Command> verifyCommand()
{
    return std::make_unique<VerifyCommand>();
}

} // namespace stowage::cli
