#include "app/session/run_forms.h"

#include "app/session/lowering_cache.h"
#include "app/session/native_path.h"
#include "app/session/offline_file.h"
#include "app/session/run_text.h"
#include "app/session/verdicts.h"
#include "core/io/text.h"
#include "core/ir/digits.h"
#include "plugins/host/plugin_host.h"

#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

constexpr auto memoryPass = "plan-memory";
constexpr auto ownFile = "own-file"; ///< the model's file with the plan in it

/// Forms that only files of one importer have.
struct FormOfImporter {
    std::string_view form;
    const char* importer;
};
constexpr std::array<FormOfImporter, 3> formsOfImporters{
    {{"dsa-solution", "dsa-solver"}, {"executorch", "executorch"}, {"iree", "iree"}}};

struct OwnForm {
    const char* id;
    const char* title;
    const char* suffix;
};
constexpr std::array<OwnForm, 7> ownForms{{
    {"plan", "Stowage plan (JSON)", ".plan.json"},
    {"program", "Stowage program with its plan (JSON)", ".program.json"},
    {"problem", "Stowage problem, buffers pinned at their offsets (JSON)", ".problem.json"},
    {"csv", "MiniMalloc problem with offsets (CSV)", ".csv"},
    {"dot", "Graphviz graph: ops and tensors, or buffers that conflict", ".dot"},
    {"interference", "Graphviz graph of the buffers that conflict", ".interference.dot"},
    {"allocation", "Graphviz graph of a plan: which bytes go from which buffer to which", ".allocation.dot"},
}};

bool givesBack(const Session& session, const Model& model)
{
    const RewriterInfo* rewriter = session.plugins().rewriter(model.importer.toStdString());
    return rewriter && !model.path.isEmpty() &&
           std::ranges::find(rewriter->passes, memoryPass, &PassInfo::name) != rewriter->passes.end();
}

bool placesEverything(const Run& run)
{
    const auto& buffers = run.problem().buffers;
    for (std::size_t i = 0; i < buffers.size(); ++i)
        if (buffers[i].size > 0 && !run.plan.placements[i].placed()) return false;
    return true;
}

/// Whether both plans have the same buffers, by name, at the same offsets of the same pools.
bool samePlaces(const Run& a, const Run& b)
{
    const auto places = [](const Run& run) {
        std::map<std::string_view, std::tuple<std::string_view, Bytes, RareList<Bytes>>> of;
        const Problem& problem = run.problem();
        for (std::size_t i = 0; i < problem.buffers.size(); ++i)
            if (const Placement& placement = run.plan.placements[i]; placement.placed())
                of.emplace(problem.buffers[i].name, std::tuple(std::string_view(problem.pools[at(placement.pool)].name),
                                                               placement.offset, placement.offsets));
        return of;
    };
    return places(a) == places(b);
}

/// The plan of `run` itself, if the file as its runtime reads it is the program of the run; otherwise the model is planned again,
/// and a warning says so if that gives another plan.
Expected<Exported> withPlanIn(const Session& session, const Model& model, const PlanRequest& request,
                              std::shared_ptr<const Run> run, const std::stop_token& cancel)
{
    auto read = asRuntimeReads(session, model, cancel);
    if (!read) return std::move(read).error();
    const Position where{nativePath(model.path), 0, 0, -1};
    if (read->program == model.program && model.fileProgram) read->program = model.fileProgram; // not read again
    Diagnostics told;
    if (run->program && placesEverything(*run) && sameBesidesEntry(*run->program, *read->program)) {
        read->program = run->program;
    } else if (request.planner != "auto" && !session.planners().find(request.planner)) {
        return failure(Code::noPlanner,
                       fmt::format("the plan '{}' is not of the model as its runtime reads the file, and no planner made it that "
                                   "could plan again",
                                   run->plan.planner),
                       where, "choose a run of a planner");
    } else {
        auto again = session.planNow(*read, request, cancel);
        if (!again) return std::move(again).error();
        if (!samePlaces(**again, *run))
            told.push_back(warning(
                Code::plannedAgain,
                fmt::format("planned again by {}, for the model as its runtime reads the file: the plan in the file takes {} B, "
                            "the plan that was chosen {} B",
                            (*again)->plan.planner, grouped((*again)->report.totalSize()), grouped(run->report.totalSize())),
                where));
        run = *std::move(again);
    }
    auto rewritten = session.rewrite(*read, memoryPass, {}, std::span(&run, 1), cancel);
    if (!rewritten) return std::move(rewritten).error();
    told.insert(told.end(), rewritten->diagnostics.begin(), rewritten->diagnostics.end());
    return Exported{{{QFileInfo(model.path).fileName().toStdString(), std::move(rewritten->text)}}, std::move(told)};
}

} // namespace

std::string shortName(const Model& model)
{
    const QFileInfo file(model.path);
    QString name = file.completeBaseName();
    if (name.isEmpty()) name = file.fileName();
    if (name.isEmpty() || name == u"-") return model.name.toStdString();
    const auto isDigit = [](QChar letter) { return letter.isDigit(); };
    for (qsizetype dot = name.lastIndexOf(u'.'); dot > 0; dot = name.lastIndexOf(u'.')) {
        if (std::any_of(name.begin() + dot, name.end(), isDigit)) break;
        name.truncate(dot);
    }
    return name.toStdString();
}

std::vector<RunForm> runForms(const Session& session, const Model& model, const Run& run)
{
    std::vector<RunForm> forms;
    for (const OwnForm& own : ownForms)
        if (run.program || std::string_view(own.id) != "program") forms.push_back({own.id, own.title, own.suffix});
    if (givesBack(session, model)) {
        const QFileInfo file(model.path);
        forms.push_back({ownFile, fmt::format("this plan in {}, and all else there as it was", file.fileName().toStdString()),
                         ".planned." + file.suffix().toStdString()});
    }
    for (const auto& exporter : session.exporters()) {
        const ExporterInfo& info = exporter->info();
        const auto bound = std::ranges::find(formsOfImporters, info.name, &FormOfImporter::form);
        if (bound != formsOfImporters.end() && model.importer != QLatin1String(bound->importer)) continue;
        const bool folder = info.form == ExportForm::folder;
        const std::string suffix = folder                            ? "-" + info.name
                                   : info.suffixes.empty()           ? "." + info.name
                                   : info.suffixes.front() == "json" ? "." + info.name + ".json"
                                                                     : "." + info.suffixes.front();
        forms.push_back({info.name, info.title, suffix, folder});
    }
    return forms;
}

Expected<Exported> writeRun(const Session& session, const Model& model, const PlanRequest& request,
                            std::shared_ptr<const Run> run, const std::string& form, const std::stop_token& cancel)
{
    if (form == "plan") return Exported{{{shortName(model), io::writePlanJson(*run)}}, {}};
    if (std::ranges::any_of(ownForms, [&](const OwnForm& own) { return form == own.id; })) {
        auto text = runText(form, *run, true);
        if (!text) return text.error();
        return Exported{{{shortName(model), std::move(text->text)}}, std::move(text->diagnostics)};
    }
    if (!isYes(verdictKind(*run)))
        return failure(Code::notValid, verdictLine(*run), {nativePath(model.path), 0, 0, -1},
                       "choose a run that fits; a Stowage plan can be written of any run");
    if (form == ownFile) return withPlanIn(session, model, request, std::move(run), cancel);
    const auto exporters = session.exporters(cancel);
    const auto found = std::ranges::find_if(exporters, [&](const auto& each) { return each->info().name == form; });
    if (found == exporters.end())
        return failure(Code::unknownExporter, fmt::format("there is no exporter '{}'", form), {}, "choose one of the list");
    ExportRequest wanted;
    ExportedModel& made = wanted.models.emplace_back();
    made.name = shortName(model);
    made.path = nativePath(model.path);
    made.importer = model.importer.toStdString();
    made.functions.push_back({Session::functionOf(model, request), std::move(run)});
    return (*found)->write(wanted);
}

} // namespace stowage
