#include "app/desktop/workspace/desk_session.h"

#include "app/desktop/workspace/workspace_access.h"
#include "app/session/plan_as_input.h"
#include "app/session/run_order.h"

#include <QFileInfo>

#include <algorithm>

namespace stowage {

void DeskSession::capture(SessionDocument& session) const
{
    for (const int id : desk_.session().models()) {
        const Model* model = desk_.session().model(id);
        if (!model || model->path.isEmpty()) continue; // pasted text is in no file
        SessionModel kept;
        kept.path = QFileInfo(model->path).absoluteFilePath().toStdString();
        kept.sha256 = desk_.models().hashOf(id).value_or("");
        kept.importer = model->options.importer.toStdString();
        kept.function = model->options.function.toStdString();
        kept.bindings = model->options.bindings;
        kept.importOptions = model->options.importOptions;
        const ModelSetup& setup = desk_.edits().setupOf(id);
        kept.target = setup.target.name.toStdString();
        kept.pools = setup.target.pools;
        kept.alignment = setup.alignment;
        kept.lowering = setup.lowering;
        kept.pins = setup.pins;
        kept.changes = setup.changes;
        for (const MapNote& note : desk_.edits().notesOf(id))
            kept.notes.push_back({note.pool, note.step, note.address, note.text.toStdString()});
        const int shown = desk_.shown().idOfModel(id);
        if (const RunEntry* entry = desk_.session().run(shown)) kept.shown = entry->request.planner;
        if (id == desk_.models().current()) session.current = session.models.size();
        session.models.push_back(std::move(kept));
    }
    session.planners = desk_.planners().tickedPlanners();
    for (const auto& [planner, values] : desk_.planners().allOptions())
        if (!values.empty()) session.options.emplace_back(planner, values);
    session.timeLimitSeconds = desk_.planners().timeLimitSeconds();
    session.seed = desk_.planners().seed();
    session.unit = int(desk_.numbers().unit);
    session.hexAddresses = desk_.numbers().hexAddresses;
}

std::vector<const RunEntry*> DeskSession::runsToKeep(const std::string& path, std::size_t maxCount) const
{
    std::vector<const RunEntry*> kept;
    for (const RunEntry& entry : desk_.session().runs()) {
        const Model* model = desk_.session().model(entry.model);
        if (!model || QFileInfo(model->path).absoluteFilePath().toStdString() != path) continue;
        if (desk_.edits().setupOf(entry.model).isOf(entry.request)) kept.push_back(&entry);
    }
    std::ranges::sort(kept, [](const RunEntry* a, const RunEntry* b) { return betterRun(*a, *b); });
    if (kept.size() > maxCount) kept.resize(maxCount);
    return kept;
}

void DeskSession::open(const SessionDocument& session)
{
    for (const int id : desk_.session().models()) desk_.closeModel(id);
    std::vector<int> reading;
    for (const auto& [id, path] : desk_.models().opening()) reading.push_back(id);
    for (const int id : reading) desk_.models().cancelOpening(id);
    desk_.planners().restore(session.planners, session.options, session.timeLimitSeconds, session.seed);
    desk_.setNumbers({NumberFormat::Unit(session.unit), session.hexAddresses});
    for (std::size_t i = 0; i < session.models.size(); ++i) {
        const SessionModel& model = session.models[i];
        OpenOptions options;
        options.importer = QString::fromStdString(model.importer);
        options.function = QString::fromStdString(model.function);
        options.bindings = model.bindings;
        options.importOptions = model.importOptions;
        OpenIntent intent;
        intent.session = std::make_shared<const SessionModel>(model);
        intent.front = i == session.current;
        desk_.open(QString::fromStdString(model.path), intent, options);
    }
}

void DeskSession::restore(int id, const SessionModel& kept)
{
    ModelSetup setup;
    setup.target.name = QString::fromStdString(kept.target);
    setup.target.pools = kept.pools;
    setup.alignment = kept.alignment;
    setup.lowering = kept.lowering;
    setup.pins = kept.pins;
    setup.changes = kept.changes;
    desk_.edits().putSetup(id, setup);
    std::vector<MapNote> notes;
    for (const SessionNote& note : kept.notes)
        notes.push_back({int(notes.size()) + 1, note.pool, note.step, note.address, QString::fromStdString(note.text)});
    desk_.edits().putNotes(id, std::move(notes));

    const Model* model = desk_.session().model(id);
    const auto current = [&] {
        const auto known = desk_.models().hashOf(id);
        return known ? *known : fileHash(model->path);
    };
    if (!kept.sha256.empty() && current() != kept.sha256) {
        Diagnostic what;
        what.severity = Severity::warning;
        what.message = "The file has changed since the session was saved, so its plans are left out.";
        what.where.file = kept.path;
        desk_.report(
            {QObject::tr("%1 has changed").arg(model->name), what, {}, {}, {{QObject::tr("Plan it"), [desk = &desk_, id] {
                                                                                 desk->setModel(id);
                                                                                 desk->plannings().plan();
                                                                             }}}});
        return;
    }
    int shown = 0;
    for (const SessionRun& run : kept.runs) {
        PlanRequest request;
        request.model = id;
        request.planner = run.planner;
        request.options = run.options;
        request.seed = run.seed;
        request.workLimit = run.workLimit;
        request.timeLimitSeconds = run.timeLimitSeconds;
        setup.writeTo(request);
        auto judged = judgePlan(desk_.session(), *model, request, run.plan, kept.path);
        if (!judged || !judged->run->mismatches.empty()) continue; // of another model by now
        auto made = std::make_shared<Run>(*judged->run);
        made->plan.planner = run.planner;
        made->plan.options = run.options;
        made->elapsedMs = run.elapsedMs;
        const int entry = desk_.session().addRun(request, std::move(made));
        if (run.planner == kept.shown || shown == 0) shown = entry;
    }
    desk_.shown().putShown(id, shown);
}

} // namespace stowage
