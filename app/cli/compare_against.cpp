#include "app/cli/compare_against.h"

#include "app/cli/plan_file.h"
#include "app/cli/planned.h"
#include "app/session/comparison_limit.h"
#include "app/session/number_words.h"
#include "core/io/input_file.h"

#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>

namespace stowage::cli {

namespace {

constexpr std::size_t movedInText = 40; ///< rows

/// The text of a file that is a plan document; nothing for any other, and for what can be read only once.
std::optional<std::string> planDocument(const Environment& environment, const std::string& path)
{
    auto file = io::InputFile::open(path, {}, [&] { return environment.interrupt.stop_requested(); });
    if (!file || file->isStream()) return std::nullopt; // whoever reads it as a model says why not
    const auto head = file->head(headOfPlan);
    if (!head || !isPlanDocument(*head)) return std::nullopt;
    auto text = file->all();
    return text ? std::optional(*std::move(text)) : std::nullopt;
}

/// A row for each difference; of tensors that only moved, the first `maxMoved`.
Table differences(const Revision& before, const Revision& after, const RevisionDifference& found, std::size_t maxMoved)
{
    Table table{{{"what", "what"},
                 {"before", "before (B)", CellKind::number},
                 {"after", "after (B)", CellKind::number},
                 {"change", "change (B)", CellKind::number},
                 {"peak", "of the peak (B)", CellKind::number},
                 {"offset_before", "offset before", CellKind::address},
                 {"offset_after", "offset after", CellKind::address},
                 {"was", "was called"},
                 {"tensor", "tensor"}},
                {}};
    const auto row = [&](std::string what, const RevisionTensor* was, const RevisionTensor* is) {
        const auto offset = [](const RevisionTensor* one) { return one && one->offset ? Cell(*one->offset) : Cell(); };
        const Bytes peak = (is ? is->atPeak : 0) - (was ? was->atPeak : 0);
        const bool known = before.peak && after.peak;
        table.rows.push_back({std::move(what), was ? Cell(was->size) : Cell(), is ? Cell(is->size) : Cell(),
                              (is ? is->size : 0) - (was ? was->size : 0), known && peak != 0 ? Cell(peak) : Cell(), offset(was),
                              offset(is), was && is && was->name != is->name ? Cell(was->name) : Cell(),
                              is ? is->name : was->name});
    };
    std::size_t moved = 0;
    for (const RevisionChange& change : changesOf(before, after, found)) {
        using Kind = RevisionChange::Kind;
        if (change.kind == Kind::moved && moved++ >= maxMoved) break;
        row(changeWord(change), change.before ? &before.tensors[*change.before] : nullptr,
            change.after ? &after.tensors[*change.after] : nullptr);
    }
    return table;
}

std::string text(const Revision& before, const Revision& after, const RevisionDifference& found, const OutputOptions& output)
{
    std::string out = caveatLines(before, after);
    if (const std::string peak = peakSentence(before, after, found); !peak.empty()) out += peak + '\n';
    out += sizeSentence(before, after) + '\n' + countsSentence(found) + '\n';
    const Table table = differences(before, after, found, movedInText);
    if (!table.rows.empty()) out += '\n' + print(table, output.format(), roomFor(output));
    const auto changes = changesOf(before, after, found);
    const auto moved = static_cast<std::size_t>(std::ranges::count(changes, RevisionChange::Kind::moved, &RevisionChange::kind));
    if (moved > movedInText)
        out += fmt::format("  … and {} more that moved; --format csv lists all\n", grouped(std::int64_t(moved - movedInText)));
    return out;
}

std::string inFormat(const Revision& before, const Revision& after, const RevisionDifference& found, const OutputOptions& output)
{
    switch (output.format()) {
    case Format::json: return writeDifferenceJson(before, after, found);
    case Format::csv: return toCsv(differences(before, after, found, found.moved.size()));
    case Format::markdown:
    case Format::text: break;
    }
    return text(before, after, found, output);
}

int writeDifference(const Environment& environment, const Revision& before, const Revision& after, const OutputOptions& output)
{
    // A table of differences has no place for a verdict.
    if (output.format() == Format::csv && !after.caveat.empty()) environment.note(after.caveat);
    return output.write(environment, inFormat(before, after, difference(before, after), output));
}

/// Two plans of different files, by the names and sizes in them. Nothing is planned, so nothing is judged either.
int comparePlans(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                 const OutputOptions& output, const std::string& plan, const std::string& against)
{
    if (!planning.given().empty())
        return environment.fail(
            usage(fmt::format("{} has no effect: the input is a plan, and nothing is planned", planning.given()),
                  "leave it out, or name the model before --against"));
    if (!input.givenForReading().empty())
        return environment.fail(
            usage(fmt::format("{} has no effect: the input is a plan, and no model is read", input.givenForReading()),
                  "leave it out, or name the model before --against"));
    const auto earlier = planDocument(environment, against);
    if (!earlier)
        return environment.fail(usage("the input is a plan, and the file after --against is none",
                                      "name a second plan there, or the model first and its plan after --against"));
    const auto before = revisionOfPlanFile(*earlier, against, input.function());
    if (!before) return environment.fail(before.error());
    const auto after = revisionOfPlanFile(plan, input.inputs().front(), input.function());
    if (!after) return environment.fail(after.error());
    return writeDifference(environment, *before, *after, output);
}

} // namespace

int compareAgainst(const Environment& environment, const InputOptions& input, const PlanningOptions& planning,
                   const OutputOptions& output, const std::string& against)
{
    if (input.inputs().size() > 1) return environment.fail(usage("--against compares one input", "name one before --against"));
    if (const auto plan = planDocument(environment, input.inputs().front()))
        return comparePlans(environment, input, planning, output, *plan, against);
    const auto model = input.read(environment);
    if (!model) return badInput;
    const auto earlier = readEarlier(environment, input, against);
    if (!earlier) return environment.fail(earlier.error());
    const auto functions = Session::functions(*model);
    if (functions.size() > 1)
        return environment.fail(failure(Code::severalFunctions, fmt::format("the input has {} functions", functions.size()), {},
                                        "choose one with --function NAME"));
    auto request = planning.request(environment, *model, functions.front());
    if (!request) return environment.fail(request.error());
    if (planning.namesPlanners()) {
        const auto planners = planning.planners(environment.session);
        if (!planners) return environment.fail(planners.error());
        if (planners->size() != 1) return environment.fail(usage("--against plans with one planner", "name one with --planners"));
        request->planner = PlanningOptions::nameIn(planners->front());
        request->options = planning.optionsOf(environment.session.planners().find(request->planner)->info(), planners->front());
    }
    const auto run = planWithProgress(environment, *model, limitedForComparison(environment.session, *model, *request),
                                      fmt::format("{} · {}", model->name.toStdString(), request->planner));
    if (!run) return environment.fail(run.error());
    environment.say((*run)->lowering->diagnostics);
    environment.say(planning.worthTelling((*run)->plan.diagnostics));
    const auto before = earlierRevision(environment, planning, *model, *request, *earlier);
    if (!before) return environment.fail(before.error());
    const Revision after = revisionOf(**run, QFileInfo(model->path).fileName().toStdString());
    const int status = writeDifference(environment, *before, after, output);
    return status == done ? exitStatusOf(**run) : status;
}

} // namespace stowage::cli
