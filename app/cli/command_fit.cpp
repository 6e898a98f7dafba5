// fit INPUT: the arena size with each planner of the runtime and with a plan in the file, and changes that reduce it.
#include "app/cli/commands.h"
#include "app/cli/fitting.h"
#include "app/cli/output.h"
#include "app/session/number_words.h"
#include "app/session/verdicts.h"
#include "core/io/json_writer.h"
#include "core/io/text.h"

#include <fmt/format.h>

namespace stowage::cli {

namespace {

template <typename T>
Cell cellOf(const std::optional<T>& value)
{
    return value ? Cell{*value} : Cell{};
}

Cell fitsCell(const std::optional<bool>& fits)
{
    return fits ? Cell{std::string(*fits ? "yes" : "no")} : Cell{};
}

void field(io::JsonWriter& out, const char* name, const std::optional<Bytes>& value)
{
    out.key(name);
    value ? out.value(*value) : out.null();
}

void field(io::JsonWriter& out, const char* name, const std::optional<bool>& value)
{
    out.key(name);
    value ? out.value(*value) : out.null();
}

class FitCommand final : public Command {
public:
    [[nodiscard]] std::string name() const override { return "fit"; }
    [[nodiscard]] std::string summary() const override
    {
        return "show the arena size that a model needs, and changes that reduce it";
    }
    [[nodiscard]] std::vector<std::string> examples() const override
    {
        return {"fit model.tflite", "fit model.tflite --capacity 256KiB --format json"};
    }

    void declare(Arguments& app) override
    {
        input_.declare(app);
        app.option("--log", log_,
                   "log of the runtime with this model (TF_LITE_SHOW_MEMORY_USE, RecordingMicroInterpreter): scratch and tail")
            .typeName("FILE");
        planning_.declare(app, PlanningOptions::onePlanner);
        output_.declare(app, {"text", "json"});
    }

    int run(const Environment& environment) override
    {
        const auto result = fitInput(environment, input_, planning_, log_);
        if (const int* status = std::get_if<int>(&result)) return *status;
        const Fit* made = &std::get<Fitted>(result).fit;
        const int written = output_.write(environment, output_.format() == Format::json ? json(*made) : text(*made));
        if (written != done) return written;
        return made->best().fits.value_or(true) ? done : answerIsNo;
    }

private:
    [[nodiscard]] static Table rowTable(const Fit& fit)
    {
        Table table{{{"planner", "planner"},
                     {"tensors", "tensors (B)", CellKind::number},
                     {"scratch", "scratch adds (B)", CellKind::number},
                     {"tail", "tail (B)", CellKind::number},
                     {"arena", "arena (B)", CellKind::number},
                     {"over_bound", "over the bound", CellKind::ratio},
                     {"fits", "fits"}},
                    {}};
        for (const FitRow& row : fit.rows)
            table.rows.push_back({row.planner, row.tensors, cellOf(row.scratch), cellOf(row.tail), row.arena, row.overBound,
                                  fitsCell(certainFit(fit, row))});
        return table;
    }

    [[nodiscard]] std::string text(const Fit& fit) const
    {
        const FitRow& best = fit.best();
        const bool open = isMinimum(fit, best), tooLarge = !best.fits.value_or(true);
        std::string line = gainLine(fit);
        if (tooLarge || (best.fits && !open))
            line = fmt::format("{}: {}", verdictWord(tooLarge ? VerdictKind::doesNotFit : VerdictKind::fits), line);
        else if (best.partial)
            line = fmt::format("{}: {}", verdictWord(VerdictKind::partial), line);
        else if (best.fits)
            line = minimumHead(fit) + line;
        if (best.fits) {
            if (fit.capacity && *best.fits)
                line += fmt::format("; {}{} B to spare of {} B", open ? "at most " : "", grouped(*fit.capacity - best.arena),
                                    grouped(*fit.capacity));
            else if (fit.capacity && best.arena > *fit.capacity)
                line += fmt::format("; {}{} B more than the capacity of {} B", open ? "at least " : "",
                                    grouped(best.arena - *fit.capacity), grouped(*fit.capacity));
            else if (!*best.fits && best.run) // one of several memories
                line += "; " + verdictLine(*best.run);
        }
        const Tone tone = tooLarge ? Tone::bad : best.partial || (best.fits && open) ? Tone::open : Tone::good;
        std::string out = toned(line, tone, output_) + "\n";
        const auto head = [&](const std::string& title) { out += "\n" + toned(title, Tone::strong, output_) + "\n"; };
        const std::size_t room = roomFor(output_);
        head(fit.runtime == Runtime::unknown ? "What each planner needs" : "What each planner of the runtime needs");
        out += toText(rowTable(fit), room);
        if (fit.runtime == Runtime::tflm) {
            if (!fit.log)
                out += "Not counted: scratch of kernels and the tail of the interpreter, which only the runtime knows; "
                       "--log FILE adds them\n";
            else
                out += logLine(*fit.log);
        }
        if (!fit.peak.empty()) {
            head(fit.peakStep >= 0
                     ? fmt::format("Why it cannot be below {} B: live together at step {}", grouped(fit.bound), fit.peakStep)
                     : fmt::format("Why it cannot be below {} B", grouped(fit.bound)));
            Table peak{{{"bytes", "bytes", CellKind::number}, {"tensor", "tensor"}}, {}};
            for (const FitPart& part : fit.peak) peak.rows.push_back({part.bytes, part.name});
            out += toText(peak, room);
        }
        head("Changes that save most");
        if (fit.changes.empty()) {
            out += "none of those tried makes the arena smaller\n";
            return out;
        }
        Table changes{{{"arena", "arena (B)", CellKind::number},
                       {"saved", "saved (B)", CellKind::number},
                       {"proved", "proved smallest"},
                       {"text", "change", CellKind::prose}},
                      {}};
        for (const FitChange& change : fit.changes)
            changes.rows.push_back({change.arena, best.arena - change.arena, change.proved, change.text});
        return out + toText(changes, room);
    }

    static std::string logLine(const FitLog& log)
    {
        if (log.tensors == 0) return "The log has only totals, so the effect of scratch on other plans is unknown\n";
        return fmt::format("The log matches: {} and {}{}\n", counted(static_cast<std::int64_t>(log.tensors), "tensor"),
                           counted(static_cast<std::int64_t>(log.scratch), "scratch request"),
                           log.matchesGreedy ? "; the greedy planner here gives the recorded head" : "");
    }

    [[nodiscard]] static std::string json(const Fit& fit)
    {
        io::JsonWriter out;
        out.object([&] {
            out.field("format", "stowage.fit/1");
            out.field("runtime", toText(fit.runtime));
            field(out, "capacity", fit.capacity);
            out.object("answer", io::JsonWriter::compact, [&] {
                out.field("planner", fit.best().planner);
                out.field("arena", fit.best().arena);
                field(out, "fits", fit.best().fits);
            });
            out.array("rows", [&] {
                for (const FitRow& row : fit.rows)
                    out.object(io::JsonWriter::compact, [&] {
                        out.field("planner", row.planner);
                        out.field("tensors", row.tensors);
                        field(out, "scratch", row.scratch);
                        field(out, "tail", row.tail);
                        out.field("arena", row.arena);
                        out.field("over_bound", row.overBound);
                        field(out, "fits", row.fits);
                        if (row.run) io::writePartial(out, *row.run);
                    });
            });
            out.array("peak", [&] {
                for (const FitPart& part : fit.peak)
                    out.object(io::JsonWriter::compact, [&] {
                        out.field("tensor", part.name);
                        out.field("bytes", part.bytes);
                    });
            });
            out.array("changes", [&] {
                for (const FitChange& change : fit.changes)
                    out.object(io::JsonWriter::compact, [&] {
                        out.field("text", change.text);
                        out.field("arena", change.arena);
                        out.field("proved", change.proved);
                    });
            });
        });
        return std::move(out).text();
    }

    InputOptions input_;
    PlanningOptions planning_;
    OutputOptions output_;
    std::string log_;
};

} // namespace

std::unique_ptr<Command> fitCommand()
{
    return std::make_unique<FitCommand>();
}

} // namespace stowage::cli
