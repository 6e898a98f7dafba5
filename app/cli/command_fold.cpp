// fold INPUT: shows which ops may run once instead of in every run, and their savings and costs; writes the folded file.
#include "app/cli/commands.h"
#include "app/cli/fold_flags.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/planned.h"
#include "app/session/number_words.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace stowage::cli {

namespace {

class FoldCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "fold"; }
    [[nodiscard]] std::string summary() const override { return "run ops on constant tensors once instead of in every run"; }

    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"fold model.onnx", "fold model.mlir --mode split -o folded.mlir"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        flags_.declare(app);
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {"text", "json"});
        app.footer(
            "Without -o, prints only the report. With -o FILE, writes the folded input: in its own format if a rewriter exists "
            "('list importers' shows which), otherwise as program JSON.\n"
            "Exit status: 0 done, also if nothing folds; 2 bad usage or input; 130 interrupted.");
    }

    int run(const Environment& environment) override
    {
        const auto model = input_.read(environment);
        if (!model) return badInput;
        const auto request = flags_.request();
        if (!request) return environment.fail(request.error());
        auto folding = foldModel(*model, *request);
        if (!folding) return environment.fail(folding.error());
        const auto base = planning_.request(environment, *model, {});
        if (!base) return environment.fail(base.error());
        if (const auto error = planFolding(environment.session, *model, *base, *folding, environment.interrupt)) {
            if (environment.interrupt.stop_requested()) return interrupted;
            return failPlanning(environment, *error);
        }
        if (request->options.mode == FoldMode::evaluate) noteWhatStays(environment, *folding);
        const bool toFile = !output_.file().empty() && output_.file() != "-";
        if (!output_.file().empty()) {
            const int written = write(environment, *model, *folding);
            if (written != done) return written;
        }
        io::FoldReport report = reportOf(*folding);
        const std::string text = output_.format() == Format::json ? io::writeFoldJson(report) : shownText(textOf(report));
        // Standard output is for the folded input if it goes there.
        if (output_.file().empty() || toFile) return writeFile(environment, "-", text);
        std::fputs(text.c_str(), stderr);
        return done;
    }

private:
    int write(const Environment& environment, const Model& model, const Folding& folding) const
    {
        const auto file = foldedFile(environment.session, model, folding, environment.interrupt);
        if (!file) return environment.fail(file.error());
        environment.say(file->diagnostics);
        return writeFile(environment, output_.file(), file->text);
    }

    /// Reports the ops that the interpreter leaves to a function.
    static void noteWhatStays(const Environment& environment, const Folding& folding)
    {
        for (const SplitFunction& split : folding.folded->functions) {
            const Function& original = folding.folded->before.functions[at(split.entry)];
            std::string names;
            std::int64_t count = 0;
            for (std::size_t i = 0; i < split.fold.ops.size(); ++i)
                if (split.fold.ops[i].place == FoldPlace::compileTimeFold && !split.fold.ops[i].source() && ++count <= 3)
                    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", original.ops[i].name, original.ops[i].kind);
            if (count > 0)
                environment.note(fmt::format("{}: {} not computed now, but left to compiletime_fold: {}{} (the interpreter does "
                                             "not know the op, or the file does not hold an operand's value)",
                                             original.name, counted(count, "op"), names, count > 3 ? ", …" : ""));
        }
    }

    static std::string textOf(const io::FoldReport& report)
    {
        std::int64_t ops = 0;
        Bytes bytes = 0, persistent = 0;
        for (const SplitFunction& split : report.folded->functions) {
            ops += split.costs.savedOps();
            bytes += split.costs.savedBytes();
            persistent += split.fold.persistentBytes;
        }
        const bool any = std::any_of(report.folded->functions.begin(), report.folded->functions.end(),
                                     [](const SplitFunction& split) { return split.fold.any(); });
        std::string text = any ? fmt::format("Folded: each run saves {} and {} bytes moved; {} bytes are kept between runs.\n",
                                             counted(ops, "op"), grouped(bytes), grouped(persistent))
                               : std::string("Nothing to fold: no op on constant tensors qualifies.\n");
        for (std::size_t f = 0; f < report.folded->functions.size(); ++f) text += functionText(report, f);
        return text;
    }

    static std::string functionText(const io::FoldReport& report, std::size_t index)
    {
        const SplitFunction& split = report.folded->functions[index];
        const Function& original = report.folded->before.functions[at(split.entry)];
        std::array<std::int64_t, 4> levels{};
        for (const OpFold& op : split.fold.ops) ++levels[static_cast<std::size_t>(op.level)];
        std::string text =
            fmt::format("\n{}: {}, {} compile-time constant, {} run-time constant, {} not constant\n", original.name,
                        counted(static_cast<std::int64_t>(original.ops.size()), "op"), levels[1], levels[2], levels[3]);
        if (split.fold.any()) text += "\n" + costText(report, index) + "\n" + foldedTable(split.fold);
        const std::string kept = keptTable(original, split.fold, report.options.threshold);
        if (!kept.empty()) text += "\nConstant, and not folded:\n" + kept;
        return text;
    }

    static std::string costText(const io::FoldReport& report, std::size_t index)
    {
        const SplitFunction& split = report.folded->functions[index];
        const FoldCosts& costs = split.costs;
        Table table{{{"what", "", CellKind::text},
                     {"before", "before", CellKind::number},
                     {"after", "after", CellKind::number},
                     {"once", "in the first run", CellKind::number}},
                    {}};
        table.rows.push_back({std::string("ops"), costs.opsBefore, costs.opsAfter, Cell()});
        table.rows.push_back({std::string("bytes moved in a run"), costs.movedBefore, costs.movedAfter, costs.movedByFold});
        table.rows.push_back({std::string("peak (B)"), costs.peakBefore, costs.peakAfter,
                              std::max(costs.runTimeFoldPeak, costs.compileTimeFoldPeak)});
        if (index < report.arenas.size()) {
            const io::FoldArenas& arenas = report.arenas[index];
            const auto cell = [](const std::optional<Bytes>& bytes) { return bytes ? Cell(*bytes) : Cell(); };
            const auto once = std::max(arenas.runTimeFold, arenas.compileTimeFold);
            table.rows.push_back({std::string("arena (B)"), cell(arenas.before), cell(arenas.after), cell(once)});
        }
        std::string text = toText(table);
        text += fmt::format("kept between runs: {} B; weights held twice: {} B\n", grouped(split.fold.persistentBytes),
                            grouped(split.fold.heldTwiceBytes));
        text += costs.breakEvenRuns ? fmt::format("break-even after {}\n", counted(*costs.breakEvenRuns, "run"))
                                    : std::string("no break-even: no bytes are saved\n");
        if (index < report.runs.size()) text += runText(report.runs[index]);
        return text;
    }

    static std::string runText(const io::FoldRuns& runs)
    {
        if (!runs.capacity) return {};
        std::string text;
        for (std::size_t r = 0; r < runs.executions.size(); ++r) {
            const Execution& run = runs.executions[r];
            text +=
                fmt::format("run {}: {} folded, {} cached, {} evicted{}\n", r + 1, run.foldedNow.size(), run.hits, run.evictions,
                            run.notKept.empty() ? "" : fmt::format(", {} not kept (capacity)", run.notKept.size()));
        }
        return text;
    }

    static std::string foldedTable(const FunctionFold& fold)
    {
        Table table{{{"id", "id", CellKind::number},
                     {"tensor", "folded tensor"},
                     {"shape", "shape"},
                     {"place", "place", CellKind::address},
                     {"bytes", "bytes", CellKind::number},
                     {"made", "made by"}},
                    {}};
        for (const FoldedTensor& kept : fold.folded) {
            const char* maker = kept.madeIn == FoldPlace::runTimeFold ? "runtime_fold"
                                : kept.madeIn == FoldPlace::evaluated ? "computed now"
                                                                      : "compiletime_fold";
            table.rows.push_back({kept.id, kept.name, fmt::format("{}", fmt::join(kept.shape, "x")),
                                  kept.madeIn == FoldPlace::evaluated ? Cell() : Cell(kept.offset), kept.size,
                                  std::string(maker)});
        }
        return toText(table);
    }

    static std::string keptTable(const Function& original, const FunctionFold& fold, double threshold)
    {
        Table table{{{"op", "op"}, {"kind", "kind"}, {"const", "const"}, {"why", "why not"}}, {}};
        for (std::size_t i = 0; i < fold.ops.size(); ++i) {
            const OpFold& op = fold.ops[i];
            const bool constant = op.level == ConstLevel::compileTime || op.level == ConstLevel::runTime;
            if (!constant || op.folded() || op.reason == FoldReason::literal) continue;
            table.rows.push_back(
                {original.ops[i].name, original.ops[i].kind, std::string(toText(op.level)), explain(op, threshold)});
        }
        return table.rows.empty() ? std::string() : toText(table);
    }

    InputOptions input_;
    FoldFlags flags_;
    PlanningOptions planning_;
    OutputOptions output_;
};

} // namespace

std::unique_ptr<Command> foldCommand()
{
    return std::make_unique<FoldCommand>();
}

} // namespace stowage::cli
