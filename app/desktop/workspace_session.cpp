// The desk as a session, and a session on the desk. Opening one reads files and judges the plans that are in it; nothing is
// planned.
#include "app/desktop/workspace.h"

#include "app/session/plan_as_input.h"

#include <QFileInfo>

#include <algorithm>

namespace stowage {

void Workspace::capture(SessionDocument& session) const
{
    for (const int id : session_.models()) {
        const Model* model = session_.model(id);
        if (!model || model->path.isEmpty()) continue; // pasted text is in no file
        const auto state = states_.find(id);
        SessionModel kept;
        kept.path = QFileInfo(model->path).absoluteFilePath().toStdString();
        const auto hash = hashes_.find(id);
        kept.sha256 = hash == hashes_.end() ? std::string() : hash->second;
        kept.importer = model->options.importer.toStdString();
        kept.function = model->options.function.toStdString();
        kept.bindings = model->options.bindings;
        kept.importOptions = model->options.importOptions;
        if (state != states_.end()) {
            const Setup& setup = state->second.setup;
            kept.target = setup.target.name.toStdString();
            kept.pools = setup.target.pools;
            kept.alignment = setup.alignment;
            kept.lowering = setup.lowering;
            kept.pins = setup.pins;
            kept.changes = setup.changes;
            for (const MapNote& note : state->second.notes)
                kept.notes.push_back({note.pool, note.step, note.address, note.text.toStdString()});
        }
        const int shown = id == model_ ? shown_ : state == states_.end() ? 0 : state->second.shown;
        if (const RunEntry* entry = session_.run(shown)) kept.shown = entry->request.planner;
        if (id == model_) session.current = session.models.size();
        session.models.push_back(std::move(kept));
    }
    session.planners = tickedPlanners();
    for (const auto& [planner, values] : options_)
        if (!values.empty()) session.options.emplace_back(planner, values);
    session.timeLimitSeconds = timeLimit_;
    session.seed = seed_;
    session.unit = int(numbers_.unit);
    session.hexAddresses = numbers_.hexAddresses;
}

std::vector<const RunEntry*> Workspace::runsToKeep(const std::string& path, std::size_t most) const
{
    std::vector<const RunEntry*> kept;
    for (const RunEntry& entry : session_.runs()) {
        const Model* model = session_.model(entry.model);
        const auto state = states_.find(entry.model);
        if (!model || state == states_.end() || QFileInfo(model->path).absoluteFilePath().toStdString() != path) continue;
        if (isFor(entry.request, state->second.setup)) kept.push_back(&entry);
    }
    std::ranges::sort(kept, [](const RunEntry* a, const RunEntry* b) { return betterRun(*a, *b); });
    if (kept.size() > most) kept.resize(most);
    return kept;
}

void Workspace::openSession(const SessionDocument& session)
{
    for (const int id : session_.models()) closeModel(id);
    std::vector<int> reading;
    for (const auto& [id, path] : opening_) reading.push_back(id);
    for (const int id : reading) cancelOpening(id);
    ticked_.clear();
    kernelTickSettled_ = true; // the session says what is ticked
    tickedForKernel_ = false;
    for (const std::string& planner : session.planners)
        if (session_.planners().find(planner)) ticked_.insert(planner);
    for (const auto& [planner, values] : session.options)
        if (const auto found = session_.planners().find(planner); found && !checkOptions(found->info(), values))
            options_[planner] = values;
    timeLimit_ = session.timeLimitSeconds;
    seed_ = session.seed;
    setNumbers({NumberFormat::Unit(session.unit), session.hexAddresses});
    Q_EMIT planningChanged();
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
        open(QString::fromStdString(model.path), intent, options);
    }
}

void Workspace::restore(int id, const SessionModel& kept)
{
    ModelState& state = states_[id];
    Setup& setup = state.setup;
    setup.target.name = QString::fromStdString(kept.target);
    setup.target.pools = kept.pools;
    setup.alignment = kept.alignment;
    setup.lowering = kept.lowering;
    setup.pins = kept.pins;
    setup.changes = kept.changes;
    state.notes.clear();
    for (const SessionNote& note : kept.notes)
        state.notes.push_back(
            {int(state.notes.size()) + 1, note.pool, note.step, note.address, QString::fromStdString(note.text)});

    const Model* model = session_.model(id);
    const std::string now = hashes_[id];
    if (!kept.sha256.empty() && now != kept.sha256) {
        Diagnostic what;
        what.severity = Severity::warning;
        what.message = "The file has another content than when the session was saved: its plans are left out.";
        what.where.file = kept.path;
        report({tr("%1 has changed").arg(model->name), what, {}, {}, {{tr("Plan it"), [this, id] {
                                                                           setModel(id);
                                                                           plan();
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
        request.target = setup.target;
        request.alignment = setup.alignment;
        request.lowering = setup.lowering;
        request.pins = setup.pins;
        request.changes = setup.changes;
        auto judged = judgePlan(session_, *model, request, run.plan, kept.path);
        if (!judged || !judged->run->mismatches.empty()) continue; // of another model by now
        auto made = std::make_shared<Run>(*judged->run);
        made->plan.planner = run.planner;
        made->plan.options = run.options;
        made->elapsedMs = run.elapsedMs;
        const int entry = session_.addRun(request, std::move(made));
        if (run.planner == kept.shown || shown == 0) shown = entry;
    }
    state.shown = shown;
}

} // namespace stowage
