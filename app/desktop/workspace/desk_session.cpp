#include "app/desktop/workspace/desk_session.h"

#include "app/canvas/kit/number_text.h"
#include "app/desktop/workspace/workspace_access.h"
#include "app/session/plan_as_input.h"
#include "app/session/run_order.h"
#include "app/session/targets.h"
#include "core/io/text.h"
#include "core/ir/digits.h"

#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace stowage {

namespace {

ModelSetup savedSetup(const SessionModel& kept)
{
    ModelSetup setup;
    setup.target.name = QString::fromStdString(kept.target);
    setup.target.runtime = QString::fromStdString(kept.runtime);
    setup.target.pools = kept.pools;
    setup.target.file = QString::fromStdString(kept.targetFile);
    const bool chosen = kept.targetChosen || !kept.target.empty() || !kept.runtime.empty() || !kept.pools.empty();
    setup.origin = kept.targetAssumed ? TargetOrigin::assumed : chosen ? TargetOrigin::chosen : TargetOrigin::untouched;
    setup.alignment = kept.alignment;
    setup.lowering = kept.lowering;
    setup.pins = kept.pins;
    setup.changes = kept.changes;
    return setup;
}

/// The setup that a saved model gets. `changed`: its file has changed since.
ModelSetup restoredSetup(const Model& model, const SessionModel& kept, bool changed)
{
    ModelSetup setup = savedSetup(kept);
    // Earlier versions did not save that the user chose the own pools of a kernel for which a target is assumed. An earlier text
    // of the file may have been one for which none is assumed.
    if (setup.origin == TargetOrigin::untouched && !changed && assumedTarget(model)) setup.origin = TargetOrigin::chosen;
    setup.assumeTarget(model);
    return setup;
}

/// The run that was shown; in sessions that do not say which, the first one of its planner, else the first one. `runs`: ids by
/// saved run, 0 for one that was left out. 0: none.
int shownAmong(const std::vector<int>& runs, const SessionModel& kept)
{
    if (kept.shownRun && *kept.shownRun < runs.size() && runs[*kept.shownRun]) return runs[*kept.shownRun];
    int first = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!runs[i]) continue;
        if (kept.runs[i].planner == kept.shown) return runs[i];
        if (!first) first = runs[i];
    }
    return first;
}

} // namespace

struct DeskSession::Judged {
    PlanRequest request;
    std::shared_ptr<const Run> run;
};

struct DeskSession::Checked {
    std::shared_ptr<const Program> ordered; ///< null: the order of the file
    std::optional<Error> why;               ///< why the saved order is left out, and the runs with it
    std::vector<std::optional<Judged>> runs;
};

std::string DeskSession::keptPlans()
{
    return fmt::format("a session holds the {} best plans for the pools, pins and lowering that are set, of at most {} buffers",
                       maxRuns, grouped(std::int64_t(maxBuffers)));
}

// --- saving --------------------------------------------------------------------------------------------------------------

void DeskSession::capture(SessionDocument& session) const
{
    std::erase_if(planTexts_, [this](const auto& known) { return !desk_.session().run(known.first); });
    // In the order in which they were opened, also those that are not there yet.
    std::vector<std::pair<int, SessionModel>> models;
    int current = desk_.models().current();
    for (const int id : desk_.models().ids()) {
        const Model* model = desk_.session().model(id);
        if (!model || model->path.isEmpty()) continue; // pasted text is in no file
        models.emplace_back(id, captured(id));
    }
    for (const WaitingModel& waiting : desk_.models().waiting()) {
        SessionModel& kept = models.emplace_back(waiting.id, *waiting.kept).second;
        kept.path = QFileInfo(QString::fromStdString(kept.path)).absoluteFilePath().toStdString(); // a suite's may be relative
        if (waiting.front && (!waiting.failed || !current)) current = waiting.id;
    }
    std::ranges::sort(models, {}, &std::pair<int, SessionModel>::first);
    for (auto& [id, kept] : models) {
        if (id == current) session.current = session.models.size();
        session.models.push_back(std::move(kept));
    }
    session.planners = desk_.planners().chosenPlanners();
    session.kernelTickSettled = desk_.planners().kernelTickSettled();
    for (const auto& [planner, values] : desk_.planners().allOptions())
        if (!values.empty()) session.options.emplace_back(planner, values);
    session.timeLimitSeconds = desk_.planners().timeLimitSeconds();
    session.seed = desk_.planners().seed();
    session.unit = int(desk_.numbers().unit);
    session.hexAddresses = desk_.numbers().hexAddresses;
}

SessionModel DeskSession::captured(int id) const
{
    const Model& model = *desk_.session().model(id);
    SessionModel kept;
    kept.path = QFileInfo(model.path).absoluteFilePath().toStdString();
    kept.sha256 = desk_.models().hashOf(id).value_or("");
    kept.importer = model.options.importer.toStdString();
    kept.function = model.options.function.toStdString();
    kept.bindings = model.options.bindings;
    kept.importOptions = model.options.importOptions;
    const ModelSetup& setup = desk_.edits().setupOf(id);
    kept.target = setup.target.name.toStdString();
    kept.targetAssumed = setup.origin == TargetOrigin::assumed;
    kept.targetChosen = setup.origin == TargetOrigin::chosen && setup.target.name.isEmpty() && setup.target.runtime.isEmpty() &&
                        setup.target.pools.empty();
    if (!setup.target.file.isEmpty()) kept.targetFile = QFileInfo(setup.target.file).absoluteFilePath().toStdString();
    kept.runtime = setup.target.runtime.toStdString();
    kept.pools = setup.target.pools;
    kept.alignment = setup.alignment;
    kept.lowering = setup.lowering;
    kept.pins = setup.pins;
    kept.changes = setup.changes;
    for (const MapNote& note : desk_.edits().notesOf(id))
        kept.notes.push_back({note.pool, note.step, note.address, note.text.toStdString()});
    kept.zooms = desk_.zooms().of(id);
    kept.pipeline = desk_.edits().pipelineToKeep(id);
    if (const QString log = desk_.runtimeLogPathOf(id); !log.isEmpty())
        kept.runtimeLog = QFileInfo(log).absoluteFilePath().toStdString();
    KeptProgram program = desk_.edits().programToKeep(id);
    kept.order = std::move(program.order);
    kept.opsLeftOut = program.opsLeftOut;
    const int shown = desk_.shown().idOfModel(id);
    if (const RunEntry* entry = desk_.session().run(shown)) kept.shown = entry->request.planner;
    for (const int run : runsToKeep(id, program.program, kept.runsLeftOut)) {
        const RunEntry& entry = *desk_.session().run(run);
        if (run == shown) kept.shownRun = kept.runs.size();
        const PlanRequest& request = entry.request;
        kept.runs.push_back({request.planner, request.options, request.seed, request.workLimit, request.timeLimitSeconds,
                             entry.run->elapsedMs, planText(entry)});
    }
    return kept;
}

const std::string& DeskSession::planText(const RunEntry& entry) const
{
    const auto [known, added] = planTexts_.try_emplace(entry.id);
    if (added) known->second = io::writePlanJson(*entry.run);
    return known->second;
}

std::vector<int> DeskSession::runsToKeep(int id, const std::shared_ptr<const Program>& program, std::size_t& leftOut) const
{
    std::vector<const RunEntry*> kept;
    std::size_t all = 0;
    for (const RunEntry& entry : desk_.session().runs()) {
        if (entry.model != id || (program && entry.run->program != program)) continue;
        ++all;
        const bool small = entry.run->problem().buffers.size() <= maxBuffers;
        if (small && desk_.edits().setupOf(id).isOf(entry.request)) kept.push_back(&entry);
    }
    std::ranges::sort(kept, [](const RunEntry* a, const RunEntry* b) { return betterRun(*a, *b); });
    if (kept.size() > maxRuns) {
        const auto shown = std::ranges::find(kept, desk_.shown().idOfModel(id), &RunEntry::id);
        if (shown != kept.end() && std::size_t(shown - kept.begin()) >= maxRuns)
            std::iter_swap(shown, kept.begin() + maxRuns - 1);
        kept.resize(maxRuns);
    }
    leftOut = all - kept.size();
    std::vector<int> ids;
    for (const RunEntry* entry : kept) ids.push_back(entry->id);
    return ids;
}

// --- opening -------------------------------------------------------------------------------------------------------------

void DeskSession::open(const SessionDocument& session)
{
    jobs_.drop(); // their models are closed
    for (const int id : desk_.session().models()) desk_.closeModel(id);
    std::vector<int> reading;
    for (const auto& [id, path] : desk_.models().opening()) reading.push_back(id);
    for (const int id : reading) desk_.models().cancelOpening(id);
    for (const WaitingModel& waiting : desk_.models().waiting()) desk_.models().dismissFailure(waiting.id); // of another session
    desk_.planners().restore(session.planners, session.kernelTickSettled, session.options, session.timeLimitSeconds,
                             session.seed);
    desk_.setNumbers({NumberFormat::Unit(session.unit), session.hexAddresses});
    for (std::size_t i = 0; i < session.models.size(); ++i) {
        const SessionModel& model = session.models[i];
        OpenIntent intent;
        intent.session = std::make_shared<const SessionModel>(model);
        intent.front = i == session.current;
        desk_.open(QString::fromStdString(model.path), intent, readingOf(model));
    }
}

bool DeskSession::hasChanged(int id, const SessionModel& kept) const
{
    return !kept.sha256.empty() && desk_.models().hashOf(id).value_or(desk_.session().model(id)->sha256) != kept.sha256;
}

bool DeskSession::hasToCheck(int id, const SessionModel& kept) const
{
    return desk_.session().model(id) && (!kept.order.empty() || !kept.runs.empty()) && !hasChanged(id, kept);
}

void DeskSession::check(int id, const std::shared_ptr<const SessionModel>& kept, std::function<void()> then)
{
    const Model& opened = *desk_.session().model(id);
    jobs_.start([&session = std::as_const(desk_.session()), model = Model(opened), setup = restoredSetup(opened, *kept, false),
                 kept](const std::stop_token& stop) { return checked(session, model, setup, *kept, stop); },
                [this, id, then = std::move(then)](std::shared_ptr<Checked> found) {
                    if (!desk_.session().model(id)) return; // closed meanwhile
                    checked_[id] = std::move(found);
                    then();
                });
}

std::shared_ptr<DeskSession::Checked> DeskSession::checked(const Session& session, Model model, const ModelSetup& setup,
                                                           const SessionModel& kept, const std::stop_token& stop)
{
    auto found = std::make_shared<Checked>();
    if (!kept.order.empty()) {
        auto ordered = model.program ? withOrder(*model.program, kept.order)
                                     : Expected<Program>(failure(Code::noProgram, "the model has no ops"));
        if (!ordered) {
            found->why = std::move(ordered).error();
            return found; // the runs are of that order
        }
        found->ordered = std::make_shared<const Program>(*std::move(ordered));
        model = withProgram(std::move(model), found->ordered);
    }
    for (const SessionRun& run : kept.runs) {
        if (stop.stop_requested()) break; // nobody waits for the answer
        found->runs.push_back(judged(session, model, setup, run, kept.path));
    }
    return found;
}

void DeskSession::restore(int id, const SessionModel& kept)
{
    const auto node = checked_.extract(id);
    const std::shared_ptr<Checked> found = node.empty() ? std::make_shared<Checked>() : node.mapped();
    const QString name = desk_.session().model(id)->name;
    const bool changed = hasChanged(id, kept);
    desk_.edits().putSetup(id, restoredSetup(*desk_.session().model(id), kept, changed));
    std::vector<MapNote> notes;
    for (const SessionNote& note : kept.notes)
        notes.push_back({0, note.pool, note.step, note.address, QString::fromStdString(note.text)});
    desk_.edits().addNotes(id, notes);
    desk_.zooms().put(id, kept.zooms);
    if (kept.pipeline) desk_.edits().putPipeline(id, *kept.pipeline);

    if (changed) {
        tellRunsLeftOut(id, QObject::tr("%1 has changed").arg(name),
                        kept.order.empty() ? "The file has changed since the session was saved, so its plans are left out."
                                           : "The file has changed since the session was saved, so its plans and the order of "
                                             "its ops are left out.");
        return;
    }
    if (kept.opsLeftOut)
        tellRunsLeftOut(id, QObject::tr("%1 is without its added ops").arg(name),
                        "The model had added ops, and a session does not hold those. It is opened as its file says, and plans "
                        "with the added ops are left out.");
    if (found->why) {
        tellRunsLeftOut(id, QObject::tr("%1 is in its file's order").arg(name),
                        "The saved order of ops and its plans are left out: " + found->why->message + '.');
        return;
    }
    if (found->ordered) desk_.edits().giveProgram(id, found->ordered, QObject::tr("Reorder ops"));
    std::vector<int> runs;
    for (std::size_t i = 0; i < found->runs.size(); ++i) {
        // The plan of the file is there already, with what the text of a plan does not hold: claimed sizes, notes.
        std::optional<Judged>& run = found->runs[i];
        const int own = found->ordered ? 0 : runOfFile(id, kept.runs[i], run, runs);
        runs.push_back(own ? own : run ? desk_.session().addRun(run->request, std::move(run->run)) : 0);
    }
    desk_.shown().putShown(id, shownAmong(runs, kept));
    if (kept.runs.empty() && kept.runsLeftOut > 0)
        tellRunsLeftOut(id, QObject::tr("%1 is without its plans").arg(name),
                        "None of its plans was saved: " + keptPlans() + '.');
    if (const auto lost = std::ranges::count(runs, 0))
        tellRunsLeftOut(id, QObject::tr("%1 is without %2").arg(name, countedText(lost, QObject::tr("saved plan"))),
                        "Plans that do not agree with the model as it is read now are left out: they are of other buffers or "
                        "sizes, or were laid beside it.");
}

int DeskSession::runOfFile(int id, const SessionRun& kept, const std::optional<Judged>& found,
                           const std::vector<int>& taken) const
{
    const std::vector<FilePlan>& plans = desk_.session().model(id)->filePlans;
    if (std::ranges::find(plans, kept.planner, &FilePlan::name) == plans.end()) return 0;
    const auto withoutEnd = [](std::string_view text) { return text.substr(0, text.find_last_not_of(" \t\r\n") + 1); };
    const auto isKept = [&](const RunEntry& entry) {
        if (entry.model != id || entry.job != 0 || entry.request.planner != kept.planner) return false;
        if (std::ranges::find(taken, entry.id) != taken.end() || !desk_.edits().setupOf(id).isOf(entry.request)) return false;
        const bool samePlan =
            found && found->run->plan.placements == entry.run->plan.placements && found->run->problem() == entry.run->problem();
        return samePlan || withoutEnd(planText(entry)) == withoutEnd(kept.plan);
    };
    const std::vector<RunEntry>& runs = desk_.session().runs();
    const auto own = std::ranges::find_if(runs, isKept);
    return own == runs.end() ? 0 : own->id;
}

bool DeskSession::addRuns(int id, const SessionModel& kept)
{
    if (desk_.edits().programIsEdited(id)) return false;
    const ModelSetup setup = savedSetup(kept);
    std::vector<Judged> good;
    for (const SessionRun& run : kept.runs) {
        auto one = judged(desk_.session(), *desk_.session().model(id), setup, run, kept.path);
        if (!one || !one->run->report.verdict.valid()) return false;
        good.push_back(*std::move(one));
    }
    std::vector<int> runs;
    for (Judged& each : good) runs.push_back(desk_.session().addRun(each.request, std::move(each.run)));
    const int shown = shownAmong(runs, kept);
    if (id != desk_.models().current())
        desk_.shown().putShown(id, shown);
    else
        desk_.showRun(shown);
    return true;
}

std::optional<DeskSession::Judged> DeskSession::judged(const Session& session, const Model& model, const ModelSetup& setup,
                                                       const SessionRun& run, const std::string& path)
{
    Judged made;
    made.request.model = model.id;
    made.request.planner = run.planner;
    made.request.options = run.options;
    made.request.seed = run.seed;
    made.request.workLimit = run.workLimit;
    made.request.timeLimitSeconds = run.timeLimitSeconds;
    setup.writeTo(made.request);
    const auto plan = judgePlan(session, model, made.request, run.plan, path);
    if (!plan || !plan->run->mismatches.empty()) return std::nullopt; // of another model by now
    auto own = std::make_shared<Run>(*plan->run);
    own->plan.planner = run.planner;
    own->plan.options = run.options;
    own->targetName = setup.target.name.toStdString();
    own->elapsedMs = run.elapsedMs;
    made.run = std::move(own);
    return made;
}

void DeskSession::tellRunsLeftOut(int id, const QString& title, const std::string& message) const
{
    Notice notice{title, {}, {}, {}, {}};
    notice.what.severity = Severity::warning;
    notice.what.message = message;
    notice.what.where.file = desk_.session().model(id)->path.toStdString();
    const auto open = [desk = &desk_, id] { return desk->session().model(desk->models().successor(id)); };
    notice.holds = [open] { return open() != nullptr; };
    notice.choices.push_back({QObject::tr("Plan it"), [desk = &desk_, open] {
                                  const Model* model = open();
                                  if (!model) return; // closed meanwhile
                                  desk->setModel(model->id);
                                  desk->plannings().plan();
                              }});
    desk_.report(notice);
}

} // namespace stowage
