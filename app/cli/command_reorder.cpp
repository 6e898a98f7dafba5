// reorder INPUT: orders the ops of a program for a smaller peak.
#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/table.h"
#include "app/session/number_words.h"
#include "app/session/reordering.h"
#include "app/session/verdicts.h"
#include "core/io/text.h"
#include "core/ir/shown_text.h"

#include <fmt/format.h>

#include <chrono>

namespace stowage::cli {

namespace {

class ReorderCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "reorder"; }
    [[nodiscard]] std::string summary() const override { return "order the ops for a smaller peak"; }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"reorder model.tflite", "reorder model.tflite -o smaller.program.json"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        planning_.declare(app, PlanningOptions::noPlanner);
        output_.declare(app, {"text", "json"});
        app.option("--states", states_,
                   "maximum number of sets of ops that the exact search visits in a region; 0: beam search only")
            .typeName("N")
            .group("Searching")
            .showDefault()
            .rare();
        app.option("--beam", beam_,
                   "maximum number of sets of ops that the beam search visits, if the exact search does not complete")
            .typeName("N")
            .group("Searching")
            .showDefault()
            .rare();
        app.option("--time-limit", timeLimit_, "stop after this number of seconds")
            .typeName("S")
            .group("Searching")
            .notNegative();
    }

    int run(const Environment& environment) override
    {
        const auto model = input_.read(environment);
        if (!model) return badInput;
        if (!model->program)
            return environment.fail(
                failure(Code::noProgram, "the input is a problem, which has no ops to reorder", {}, "give a model or a program"));
        Program program = *model->program;
        Table table{{{"function", "function"},
                     {"before", "peak before (B)", CellKind::number},
                     {"after", "after (B)", CellKind::number},
                     {"bound", "lower bound (B)", CellKind::number},
                     {"proved", "proved smallest"},
                     {"moved", "ops moved", CellKind::number},
                     {"states", "sets visited", CellKind::number},
                     {"partial", "tensors left out"}},
                    {}};
        const auto start = std::chrono::steady_clock::now();
        bool stopped = false, partial = false;
        for (const std::string& function : Session::functions(*model)) {
            const auto request = planning_.request(environment, *model, function);
            if (!request) return environment.fail(request.error());
            OrderLimits limits;
            limits.states = states_;
            limits.beamStates = beam_;
            limits.stop = [&] {
                const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
                return environment.interrupt.stop_requested() || (timeLimit_ > 0 && passed.count() > timeLimit_);
            };
            const Progress progress("reorder", timeLimit_);
            auto reordered = reorderFunction(program, *request, limits);
            if (!reordered) return environment.fail(reordered.error());
            std::size_t states = 0;
            for (const RegionOrder& region : reordered->regions) states += region.states;
            table.rows.push_back({function.empty() ? program.main().name : function, reordered->before, reordered->after,
                                  reordered->bound > 0 ? Cell(reordered->bound) : Cell(), reordered->proved,
                                  movedOps(program, reordered->program), static_cast<std::int64_t>(states),
                                  reordered->partial ? Cell(true) : Cell()});
            stopped |= reordered->stopped;
            partial |= reordered->partial;
            program = std::move(reordered->program);
        }
        if (environment.interrupt.stop_requested()) return interrupted;
        if (!partial) { // as for plans, only a partial answer says so
            table.columns.pop_back();
            for (auto& row : table.rows) row.pop_back();
        }
        // Without a file, writes only the result. With -o, the program goes to the file and the result to standard output.
        const std::string told = output_.format() == Format::json ? print(table, Format::json)
                                                                  : shownText(summaryOf(table, stopped, partial) + toText(table));
        if (output_.file().empty()) return writeFile(environment, "-", told);
        if (const int written = writeFile(environment, output_.file(), io::writeProgramJson(program)); written != done)
            return written;
        if (output_.file() != "-") return writeFile(environment, "-", told);
        std::fputs(told.c_str(), stderr);
        return done;
    }

private:
    static std::string summaryOf(const Table& table, bool stopped, bool partial)
    {
        std::string text;
        if (partial)
            text = fmt::format("{}: tensors of unknown size are left out; peaks are those of the others\n",
                               verdictWord(VerdictKind::partial));
        for (const auto& row : table.rows) {
            const auto before = std::get<std::int64_t>(row[1]), after = std::get<std::int64_t>(row[2]);
            const bool proved = std::get<bool>(row[4]);
            const auto* bound = std::get_if<std::int64_t>(&row[3]);
            text += fmt::format("{}: the peak is {} bytes ", std::get<std::string>(row[0]), grouped(after));
            text += after < before ? fmt::format("after reordering, {} less than the {} before ({})",
                                                 percent(1 - double(after) / double(before)), grouped(before),
                                                 counted(std::get<std::int64_t>(row[5]), "op") + " moved")
                                   : std::string("as before");
            if (proved)
                text += "; proved: no order has less\n";
            else if (bound)
                text += fmt::format("; no order has less than {}{}\n", grouped(*bound),
                                    stopped ? fmt::format(" ({})", stopWords(StoppedBy::deadline)) : std::string());
            else
                text += "; not proved smallest\n";
        }
        return text;
    }

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::size_t states_ = OrderLimits{}.states;
    std::size_t beam_ = OrderLimits{}.beamStates;
    double timeLimit_ = 0;
};

} // namespace

std::unique_ptr<Command> reorderCommand()
{
    return std::make_unique<ReorderCommand>();
}

} // namespace stowage::cli
