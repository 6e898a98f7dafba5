#include "app/desktop/workspace/model_edits.h"

#include "app/desktop/kept_notes.h"
#include "app/session/run_order.h"
#include "app/session/targets.h"

#include <QUndoCommand>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace stowage {

void ModelSetup::assumeTarget(const Model& model)
{
    if (origin == TargetOrigin::chosen) return;
    auto assumed = assumedTarget(model);
    origin = assumed ? TargetOrigin::assumed : TargetOrigin::untouched;
    target = assumed ? *std::move(assumed) : Target();
}

void ModelSetup::writeTo(PlanRequest& request) const
{
    request.target = target;
    request.alignment = alignment;
    request.lowering = lowering;
    request.pins = pins;
    request.changes = changes;
}

bool ModelSetup::isOf(const PlanRequest& request) const
{
    PlanRequest own;
    writeTo(own);
    return sameSetup(own, request);
}

ModelEdits::ModelEdits(Session& session, OpenModels& models, PlannerChoice& planners, QObject* parent)
    : QObject(parent), session_(session), models_(models), planners_(planners)
{
}

class ModelEdits::SetSetup : public QUndoCommand {
public:
    SetSetup(ModelEdits& edits, int model, ModelSetup setup, const QString& text, int edit)
        : QUndoCommand(text), edits_(edits), model_(model), edit_(edit), setup_(std::move(setup))
    {
    }
    void redo() override { swap(); }
    void undo() override { swap(); }
    [[nodiscard]] int id() const override { return edit_ > 0 ? 1 : -1; }
    /// One edit while it is typed: what lies between its begin and its end is of no use.
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* later = static_cast<const SetSetup*>(other);
        if (later->edit_ != edit_ || later->model_ != model_) return false;
        const int id = edits_.models_.successor(model_);
        if (later->setup_ != setup_) edits_.left_.emplace_back(id, later->setup_);
        setText(later->text());
        setObsolete(edits_.states_[id].setup == setup_);
        return true;
    }

private:
    void swap()
    {
        const int id = edits_.models_.successor(model_);
        std::swap(edits_.states_[id].setup, setup_);
        edits_.assumeTarget(id); // the file may have been read again since
        if (id != edits_.models_.current()) return;
        Q_EMIT edits_.setupChanged();
    }

    ModelEdits& edits_;
    int model_;
    int edit_;
    ModelSetup setup_; ///< the one that is not in force
};

class ModelEdits::SetProgram : public QUndoCommand {
public:
    SetProgram(ModelEdits& edits, int model, std::shared_ptr<const Program> program, const QString& text)
        : QUndoCommand(text), edits_(edits), model_(model), program_(std::move(program))
    {
    }
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap()
    {
        const int id = edits_.models_.successor(model_);
        const Model* model = edits_.session_.model(id);
        if (!model || !model->program) return;
        auto other = std::exchange(program_, model->program);
        Q_EMIT edits_.programGiven(id);
        edits_.session_.setProgram(id, std::move(other));
        Q_EMIT edits_.programChanged(id);
    }

    ModelEdits& edits_;
    int model_;
    std::shared_ptr<const Program> program_; ///< the one that is not in force
};

class ModelEdits::SetOption : public QUndoCommand {
public:
    SetOption(ModelEdits& edits, std::string planner, std::string name, std::string value)
        : QUndoCommand(ModelEdits::tr("Set %1 of %2").arg(QString::fromStdString(name), QString::fromStdString(planner))),
          edits_(edits),
          planner_(std::move(planner)),
          name_(std::move(name)),
          value_(std::move(value))
    {
        for (const auto& [key, current] : edits.planners_.options(planner_))
            if (key == name_) before_ = current;
    }
    void redo() override { edits_.planners_.applyOption(planner_, name_, value_); }
    void undo() override { edits_.planners_.applyOption(planner_, name_, before_); }

private:
    ModelEdits& edits_;
    std::string planner_, name_, value_;
    std::optional<std::string> before_;
};

class ModelEdits::SetNotes : public QUndoCommand {
public:
    SetNotes(ModelEdits& edits, std::vector<MapNote> notes, const QString& text)
        : QUndoCommand(text), edits_(edits), model_(edits.models_.current()), notes_(std::move(notes))
    {
    }
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap()
    {
        const int id = edits_.models_.successor(model_);
        std::swap(edits_.states_[id].notes, notes_);
        if (const Model* model = edits_.session_.model(id)) KeptNotes::keep(model->path, edits_.states_[id].notes);
        if (id == edits_.models_.current()) Q_EMIT edits_.notesChanged();
    }

    ModelEdits& edits_;
    int model_;
    std::vector<MapNote> notes_; ///< those that are not in force
};

// --- undo ----------------------------------------------------------------------------------------------------------------

QUndoStack& ModelEdits::stackOf(int model)
{
    auto& stack = stacks_[model];
    if (!stack) {
        stack = std::make_unique<QUndoStack>();
        group_.addStack(stack.get());
    }
    return *stack;
}

QUndoStack& ModelEdits::stack()
{
    QUndoStack& stack = stackOf(models_.current());
    if (group_.activeStack() != &stack) group_.setActiveStack(&stack);
    return stack;
}

bool ModelEdits::holdsProgram(const QUndoCommand& command)
{
    if (dynamic_cast<const SetProgram*>(&command)) return true;
    for (int i = 0; i < command.childCount(); ++i)
        if (holdsProgram(*command.child(i))) return true;
    return false;
}

// --- of any model ------------------------------------------------------------------------------------------------------

const ModelSetup& ModelEdits::setupOf(int model) const
{
    static const ModelSetup untouched;
    const auto state = states_.find(model);
    return state == states_.end() ? untouched : state->second.setup;
}

void ModelEdits::assumeTarget(int model)
{
    ModelSetup& setup = states_[model].setup;
    if (const Model* open = session_.model(model)) setup.assumeTarget(*open);
}

const std::vector<MapNote>& ModelEdits::notesOf(int model) const
{
    static const std::vector<MapNote> without;
    const auto state = states_.find(model);
    return state == states_.end() ? without : state->second.notes;
}

void ModelEdits::addNotes(int model, const std::vector<MapNote>& notes)
{
    std::vector<MapNote>& known = states_[model].notes;
    std::set<std::tuple<std::string, Step, Bytes>> places;
    int last = 0;
    for (const MapNote& note : known) {
        places.emplace(note.pool, note.step, note.address);
        last = std::max(last, note.id);
    }
    for (MapNote note : notes) {
        if (places.contains({note.pool, note.step, note.address})) continue;
        note.id = ++last;
        known.push_back(std::move(note));
    }
}

const PipelineSetup* ModelEdits::pipelineOf(int model) const
{
    const auto state = states_.find(model);
    return state != states_.end() && state->second.pipeline ? &*state->second.pipeline : nullptr;
}

void ModelEdits::putPipeline(int model, PipelineSetup setup)
{
    states_[model].pipeline = std::move(setup);
    Q_EMIT pipelineChanged();
}

const PipelineSetup* ModelEdits::pipelineOfFile(int model) const
{
    const auto state = states_.find(model);
    return state != states_.end() && state->second.filePipeline ? &*state->second.filePipeline : nullptr;
}

void ModelEdits::putPipelineOfFile(int model, PipelineSetup setup)
{
    State& state = states_[model];
    if (!state.pipeline) state.pipeline = setup;
    state.filePipeline = std::move(setup);
    Q_EMIT pipelineChanged();
}

std::optional<PipelineSetup> ModelEdits::pipelineToKeep(int model) const
{
    const PipelineSetup *chosen = pipelineOf(model), *ofFile = pipelineOfFile(model);
    if (!chosen || chosen->devices.devices.empty() || (ofFile && *ofFile == *chosen)) return std::nullopt;
    return *chosen;
}

bool ModelEdits::programIsEdited(int model) const
{
    const auto state = states_.find(model);
    const Model* open = session_.model(model);
    return open && state != states_.end() && state->second.fileProgram && state->second.fileProgram != open->program;
}

KeptProgram ModelEdits::programToKeep(int model) const
{
    KeptProgram kept;
    const auto state = states_.find(model);
    const Model* open = session_.model(model);
    if (!open || state == states_.end() || !state->second.fileProgram) return kept;
    kept.program = open->program;
    if (!programIsEdited(model)) return kept;
    if (auto order = changedOrder(*state->second.fileProgram, *open->program)) {
        kept.order = *std::move(order);
    } else {
        kept.opsLeftOut = true;
        kept.program = state->second.fileProgram;
    }
    return kept;
}

DroppedEdits ModelEdits::hand(int before, int next)
{
    const bool edited = programIsEdited(before);
    State& state = states_[next] = states_[before];
    auto& stack = stacks_[next] = std::move(stacks_[before]);         // its steps find the model by `OpenModels::successor`
    if (state.pipeline == state.filePipeline) state.pipeline.reset(); // the file may describe another one by now
    state.filePipeline.reset();
    assumeTarget(next);
    if (!state.fileProgram) return DroppedEdits::nothing;
    const Model* old = session_.model(before);
    const Model* read = session_.model(next);
    if (old && old->program && read && read->program && *read->program == *state.fileProgram) {
        session_.setProgram(next, old->program); // one of those that the steps of undo know
        return DroppedEdits::nothing;
    }
    state.fileProgram.reset();
    bool stale = false; // a step would bring back the program of the file as it was
    for (int i = 0; stack && i < stack->count() && !stale; ++i) stale = holdsProgram(*stack->command(i));
    if (stale) stack->clear();
    if (edited) return DroppedEdits::ofOps;
    return stale ? DroppedEdits::undoSteps : DroppedEdits::nothing;
}

void ModelEdits::forget(int model)
{
    states_.erase(model);
    stacks_.erase(model);
}

std::vector<std::pair<int, ModelSetup>> ModelEdits::takeLeft()
{
    auto left = std::exchange(left_, {});
    std::erase_if(left, [this](const auto& each) {
        const auto state = states_.find(each.first);
        return state == states_.end() || state->second.setup == each.second; // undo has come back to it
    });
    return left;
}

// --- memories and lowering ---------------------------------------------------------------------------------------------

std::vector<Pool> ModelEdits::pools() const
{
    if (!setup().target.pools.empty()) return setup().target.pools;
    const Model* current = models_.model();
    if (!current) return {};
    const std::vector<Pool>& own = current->program ? current->program->pools : current->problem->pools;
    if (!own.empty()) return own;
    Pool arena;
    arena.name = "arena";
    return {arena};
}

void ModelEdits::change(const ModelSetup& next, const QString& text, int edit)
{
    if (const int model = models_.current()) stack().push(new SetSetup(*this, model, next, text, edit));
}

void ModelEdits::giveTarget(int model, const Target& next)
{
    const ModelSetup& before = setupOf(model);
    if (!model || (sameTarget(next, before.target) && before.origin != TargetOrigin::assumed)) return;
    ModelSetup changed = before;
    changed.target = next;
    changed.origin = TargetOrigin::chosen;
    const QString text = next.pools.empty() ? tr("Use the model's own pools") : tr("Choose target %1").arg(next.name);
    stackOf(model).push(new SetSetup(*this, model, std::move(changed), text, 0));
}

void ModelEdits::setCapacity(std::size_t pool, std::optional<Bytes> capacity)
{
    ModelSetup changed = setup();
    Target& next = changed.target;
    next.pools = pools();
    if (pool >= next.pools.size() || next.pools[pool].capacity == capacity) return;
    next.pools[pool].capacity = capacity;
    changed.origin = TargetOrigin::chosen;
    if (next.name.isEmpty()) next.name = tr("own pools");
    if (!next.name.endsWith(u'*')) next.name += u'*'; // edited
    change(changed, tr("Set capacity of %1").arg(QString::fromStdString(next.pools[pool].name)));
}

void ModelEdits::setPool(std::size_t pool, const Pool& value, int edit)
{
    ModelSetup changed = setup();
    Target& next = changed.target;
    next.pools = pools();
    if (pool >= next.pools.size() || next.pools[pool] == value) return;
    const std::string before = next.pools[pool].name;
    next.pools[pool] = value;
    changed.origin = TargetOrigin::chosen;
    // Pins name their pool.
    if (before != value.name)
        for (PinRequest& pin : changed.pins)
            if (pin.pool == before) pin.pool = value.name;
    if (next.name.isEmpty()) next.name = tr("own pools");
    if (!next.name.endsWith(u'*')) next.name += u'*'; // edited
    change(changed, tr("Change pool %1").arg(QString::fromStdString(value.name)), edit);
}

void ModelEdits::addChange(const Change& wanted, const QString& text)
{
    ModelSetup changed = setup();
    // A later change of the same kind takes the place of the earlier one.
    std::erase_if(changed.changes, [&](const Change& old) {
        return old.kind == wanted.kind && old.kind != Change::Kind::tile && old.names.buffer == wanted.names.buffer;
    });
    changed.changes.push_back(wanted);
    if (changed.changes != setup().changes) change(changed, text);
}

void ModelEdits::removeChange(const Change& old)
{
    ModelSetup changed = setup();
    const auto last =
        std::find(changed.changes.rbegin(), changed.changes.rend(), old); // the same change of a tile may be there twice
    if (last == changed.changes.rend()) return;
    changed.changes.erase(std::next(last).base());
    change(changed,
           tr("Take back the change of %1")
               .arg(QString::fromStdString(old.kind == Change::Kind::tile ? "loop " + old.names.loop : old.names.buffer)));
}

void ModelEdits::setAlignment(Bytes next)
{
    if ((next < 1 && next != elementAlignment) || next == setup().alignment) return;
    ModelSetup changed = setup();
    changed.alignment = next;
    change(changed, next == elementAlignment ? tr("Align to elements") : tr("Set alignment to %1").arg(next));
}

void ModelEdits::setLowering(const std::string& name, const std::optional<std::string>& value)
{
    ModelSetup changed = setup();
    assignOption(changed.lowering, name, value);
    if (changed.lowering != setup().lowering) change(changed, tr("Set lowering %1").arg(QString::fromStdString(name)));
}

void ModelEdits::giveProgram(int model, std::shared_ptr<const Program> program, const QString& text)
{
    const Model* open = session_.model(model);
    if (!open || !open->program || !program || program == open->program) return;
    State& state = states_[model];
    if (!state.fileProgram) state.fileProgram = open->program;
    stackOf(model).push(new SetProgram(*this, model, std::move(program), text));
}

// --- pins and notes ----------------------------------------------------------------------------------------------------

const PinRequest* ModelEdits::pinOf(const std::string& buffer) const
{
    const auto found = std::ranges::find(setup().pins, buffer, &PinRequest::buffer);
    return found == setup().pins.end() ? nullptr : &*found;
}

void ModelEdits::setPin(const PinRequest& pin, const QString& text)
{
    ModelSetup changed = setup();
    std::erase_if(changed.pins, [&](const PinRequest& old) { return old.buffer == pin.buffer; });
    changed.pins.insert(std::ranges::lower_bound(changed.pins, pin.buffer, {}, &PinRequest::buffer), pin);
    if (changed.pins != setup().pins) change(changed, text);
}

void ModelEdits::clearPin(const std::string& buffer)
{
    ModelSetup changed = setup();
    std::erase_if(changed.pins, [&](const PinRequest& old) { return old.buffer == buffer; });
    if (changed.pins != setup().pins) change(changed, tr("Release %1").arg(QString::fromStdString(buffer)));
}

void ModelEdits::setNote(const MapNote& note)
{
    if (!models_.current()) return;
    std::vector<MapNote> changed = notesOf(models_.current());
    const auto old = std::ranges::find(changed, note.id, &MapNote::id);
    const bool known = note.id != 0 && old != changed.end();
    QString what;
    if (note.text.trimmed().isEmpty()) {
        if (!known) return;
        changed.erase(old);
        what = tr("Remove a note");
    } else if (known) {
        *old = note;
        what = tr("Change a note");
    } else {
        MapNote added = note;
        added.id = 1;
        for (const MapNote& other : changed) added.id = std::max(added.id, other.id + 1);
        changed.push_back(std::move(added));
        what = tr("Add a note");
    }
    if (changed != notesOf(models_.current())) stack().push(new SetNotes(*this, std::move(changed), what));
}

// --- options of planners -------------------------------------------------------------------------------------------------

void ModelEdits::setOption(const std::string& planner, const std::string& name, const std::string& value)
{
    const auto found = session_.planners().find(planner);
    if (!found || optionValue(found->info(), planners_.options(planner), name) == value) return;
    stack().push(new SetOption(*this, planner, name, value));
}

} // namespace stowage
