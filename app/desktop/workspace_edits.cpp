// What can be undone: the memories and the lowering of a model, how its file is read, and the planners' options.
#include "app/desktop/workspace.h"

#include "app/desktop/kept_notes.h"

#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace stowage {

class Workspace::SetSetup : public QUndoCommand {
public:
    SetSetup(Workspace& workspace, Setup setup, const QString& text, int edit)
        : QUndoCommand(text), workspace_(workspace), model_(workspace.model_), edit_(edit), setup_(std::move(setup))
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
        const int id = workspace_.successor(model_);
        if (later->setup_ != setup_) workspace_.left_.emplace_back(id, later->setup_);
        setText(later->text());
        setObsolete(workspace_.states_[id].setup == setup_);
        return true;
    }

private:
    void swap()
    {
        const int id = workspace_.successor(model_);
        std::swap(workspace_.states_[id].setup, setup_);
        if (id != workspace_.model_) return;
        workspace_.leaveOldSetups();
        Q_EMIT workspace_.targetChanged();
        workspace_.plan();
    }

    Workspace& workspace_;
    int model_;
    int edit_;
    Setup setup_; ///< the one that is not in force
};

class Workspace::SetReading : public QUndoCommand {
public:
    SetReading(Workspace& workspace, const OpenOptions& before, OpenOptions after, const QString& text)
        : QUndoCommand(text), workspace_(workspace), model_(workspace.model_), before_(before), after_(std::move(after))
    {
    }
    void redo() override { workspace_.read(workspace_.successor(model_), after_); }
    void undo() override { workspace_.read(workspace_.successor(model_), before_); }

private:
    Workspace& workspace_;
    int model_;
    OpenOptions before_, after_;
};

class Workspace::SetProgram : public QUndoCommand {
public:
    SetProgram(Workspace& workspace, std::shared_ptr<const Program> program, const QString& text)
        : QUndoCommand(text), workspace_(workspace), model_(workspace.model_), program_(std::move(program))
    {
    }
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap()
    {
        const int id = workspace_.successor(model_);
        const Model* model = workspace_.session_.model(id);
        if (!model || !model->program) return;
        auto other = std::exchange(program_, model->program);
        // What is under way would be of the program as it was.
        for (Search& search : workspace_.searches_)
            if (!search.run && search.request.model == id) search.unwanted = true;
        std::vector<int> under;
        for (const auto& [job, status] : workspace_.jobs_)
            if (status.model == id) under.push_back(job);
        for (const int job : under) workspace_.session_.cancel(job);
        workspace_.session_.setProgram(id, std::move(other));
        if (id != workspace_.model_) return;
        workspace_.selection_.clear(); // buffers may be numbered otherwise
        workspace_.plan();
    }

    Workspace& workspace_;
    int model_;
    std::shared_ptr<const Program> program_; ///< the one that is not in force
};

class Workspace::SetOption : public QUndoCommand {
public:
    SetOption(Workspace& workspace, std::string planner, std::string name, std::string value)
        : QUndoCommand(Workspace::tr("Set %1 of %2").arg(QString::fromStdString(name), QString::fromStdString(planner))),
          workspace_(workspace),
          planner_(std::move(planner)),
          name_(std::move(name)),
          value_(std::move(value))
    {
        for (const auto& [key, current] : workspace.options(planner_))
            if (key == name_) before_ = current;
    }
    void redo() override { workspace_.applyOption(planner_, name_, value_); }
    void undo() override { workspace_.applyOption(planner_, name_, before_); }

private:
    Workspace& workspace_;
    std::string planner_, name_, value_;
    std::optional<std::string> before_;
};

class Workspace::SetNotes : public QUndoCommand {
public:
    SetNotes(Workspace& workspace, std::vector<MapNote> notes, const QString& text)
        : QUndoCommand(text), workspace_(workspace), model_(workspace.model_), notes_(std::move(notes))
    {
    }
    void redo() override { swap(); }
    void undo() override { swap(); }

private:
    void swap()
    {
        const int id = workspace_.successor(model_);
        std::swap(workspace_.states_[id].notes, notes_);
        if (const Model* model = workspace_.session_.model(id)) KeptNotes::keep(model->path, workspace_.states_[id].notes);
        if (id == workspace_.model_) Q_EMIT workspace_.notesChanged();
    }

    Workspace& workspace_;
    int model_;
    std::vector<MapNote> notes_; ///< those that are not in force
};

namespace {

void assign(OptionValues& values, const std::string& name, const std::optional<std::string>& value)
{
    std::erase_if(values, [&](const auto& option) { return option.first == name; });
    if (value) values.emplace_back(name, *value);
    std::ranges::sort(values);
}

} // namespace

// --- undo ----------------------------------------------------------------------------------------------------------------

QUndoStack& Workspace::undoStack()
{
    auto& stack = edits_[model_];
    if (!stack) {
        stack = std::make_unique<QUndoStack>();
        undo_.addStack(stack.get());
    }
    if (undo_.activeStack() != stack.get()) undo_.setActiveStack(stack.get());
    return *stack;
}

// --- memories and lowering ---------------------------------------------------------------------------------------------

const Workspace::Setup& Workspace::setup() const
{
    static const Setup untouched;
    const auto state = states_.find(model_);
    return state == states_.end() ? untouched : state->second.setup;
}

const Target& Workspace::target() const
{
    return setup().target;
}

std::vector<Pool> Workspace::pools() const
{
    if (!target().pools.empty()) return target().pools;
    const Model* current = model();
    if (!current) return {};
    const std::vector<Pool>& own = current->program ? current->program->pools : current->problem->pools;
    if (!own.empty()) return own;
    Pool arena;
    arena.name = "arena";
    return {arena};
}

void Workspace::change(const Setup& next, const QString& text, int edit)
{
    if (model_) undoStack().push(new SetSetup(*this, next, text, edit));
}

bool Workspace::isFor(const PlanRequest& request, const Setup& setup) const
{
    return Setup{request.target, request.alignment, request.lowering, request.pins, request.changes} == setup;
}

void Workspace::leaveOldSetups()
{
    std::vector<int> old;
    for (Search& search : searches_)
        if (!search.run && search.request.model == model_ && !isFor(search.request, setup())) {
            search.unwanted = true;
            if (!search.given) old.push_back(search.job);
        } else if (!search.run && search.request.model == model_) {
            search.unwanted = false;
        }
    for (const int job : old) session_.cancel(job);
}

void Workspace::dropLeftRuns()
{
    std::vector<int> dropped;
    for (const auto& [model, old] : left_) {
        const auto state = states_.find(model);
        if (state == states_.end() || state->second.setup == old) continue; // undo has come back to it
        for (const RunEntry& entry : session_.runs())
            if (entry.model == model && isFor(entry.request, old)) dropped.push_back(entry.id);
    }
    left_.clear();
    for (const int run : dropped) session_.removeRun(run);
}

bool Workspace::targetIsAssumed() const
{
    const auto state = states_.find(model_);
    return state != states_.end() && !state->second.assumedTarget.isEmpty() &&
           state->second.setup.target.name == state->second.assumedTarget;
}

void Workspace::setTarget(const Target& next)
{
    if (next.name == target().name && next.pools == target().pools) return;
    Setup changed = setup();
    changed.target = next;
    change(changed, next.pools.empty() ? tr("Use the model's own memories") : tr("Choose target %1").arg(next.name));
}

void Workspace::setCapacity(std::size_t pool, std::optional<Bytes> capacity)
{
    Setup changed = setup();
    Target& next = changed.target;
    next.pools = pools();
    if (pool >= next.pools.size() || next.pools[pool].capacity == capacity) return;
    next.pools[pool].capacity = capacity;
    if (next.name.isEmpty()) next.name = tr("own memories");
    if (!next.name.endsWith(u'*')) next.name += u'*'; // edited
    change(changed, tr("Set capacity of %1").arg(QString::fromStdString(next.pools[pool].name)));
}

void Workspace::setPool(std::size_t pool, const Pool& value, int edit)
{
    Setup changed = setup();
    Target& next = changed.target;
    next.pools = pools();
    if (pool >= next.pools.size() || next.pools[pool] == value) return;
    const std::string before = next.pools[pool].name;
    next.pools[pool] = value;
    // Pins name their memory.
    if (before != value.name)
        for (PinRequest& pin : changed.pins)
            if (pin.pool == before) pin.pool = value.name;
    if (next.name.isEmpty()) next.name = tr("own memories");
    if (!next.name.endsWith(u'*')) next.name += u'*'; // edited
    change(changed, tr("Change memory %1").arg(QString::fromStdString(value.name)), edit);
}

void Workspace::addChange(const Change& wanted, const QString& text)
{
    Setup changed = setup();
    // A later change of the same kind takes the place of the earlier one.
    std::erase_if(changed.changes, [&](const Change& old) {
        return old.kind == wanted.kind && old.kind != Change::Kind::tile && old.names.buffer == wanted.names.buffer;
    });
    changed.changes.push_back(wanted);
    if (changed.changes != setup().changes) change(changed, text);
}

void Workspace::removeChange(const Change& old)
{
    Setup changed = setup();
    const auto last =
        std::find(changed.changes.rbegin(), changed.changes.rend(), old); // the same change of a tile may be there twice
    if (last == changed.changes.rend()) return;
    changed.changes.erase(std::next(last).base());
    change(changed,
           tr("Take back the change of %1")
               .arg(QString::fromStdString(old.kind == Change::Kind::tile ? "loop " + old.names.loop : old.names.buffer)));
}

Bytes Workspace::alignment() const
{
    return setup().alignment;
}

void Workspace::setAlignment(Bytes next)
{
    if ((next < 1 && next != elementAlignment) || next == alignment()) return;
    Setup changed = setup();
    changed.alignment = next;
    change(changed, next == elementAlignment ? tr("Align to elements") : tr("Set alignment to %1").arg(next));
}

const OptionValues& Workspace::lowering() const
{
    return setup().lowering;
}

void Workspace::setLowering(const std::string& name, const std::optional<std::string>& value)
{
    Setup changed = setup();
    assign(changed.lowering, name, value);
    if (changed.lowering != setup().lowering) change(changed, tr("Set lowering %1").arg(QString::fromStdString(name)));
}

void Workspace::setProgram(std::shared_ptr<const Program> program, const QString& text)
{
    const Model* current = model();
    if (current && current->program && program && program != current->program)
        undoStack().push(new SetProgram(*this, std::move(program), text));
}

// --- pins and notes ----------------------------------------------------------------------------------------------------

const PinRequest* Workspace::pinOf(const std::string& buffer) const
{
    const auto found = std::ranges::find(pins(), buffer, &PinRequest::buffer);
    return found == pins().end() ? nullptr : &*found;
}

void Workspace::setPin(const PinRequest& pin)
{
    Setup changed = setup();
    std::erase_if(changed.pins, [&](const PinRequest& old) { return old.buffer == pin.buffer; });
    changed.pins.insert(std::ranges::lower_bound(changed.pins, pin.buffer, {}, &PinRequest::buffer), pin);
    if (changed.pins != setup().pins)
        change(changed, tr("Pin %1 at %2").arg(QString::fromStdString(pin.buffer), addressText(pin.offset, numbers_)));
}

void Workspace::clearPin(const std::string& buffer)
{
    Setup changed = setup();
    std::erase_if(changed.pins, [&](const PinRequest& old) { return old.buffer == buffer; });
    if (changed.pins != setup().pins) change(changed, tr("Release %1").arg(QString::fromStdString(buffer)));
}

const std::vector<MapNote>& Workspace::notes() const
{
    static const std::vector<MapNote> without;
    const auto state = states_.find(model_);
    return state == states_.end() ? without : state->second.notes;
}

void Workspace::setNote(const MapNote& note)
{
    if (!model_) return;
    std::vector<MapNote> changed = notes();
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
    if (changed != notes()) undoStack().push(new SetNotes(*this, std::move(changed), what));
}

// --- how the file is read ----------------------------------------------------------------------------------------------

void Workspace::setImportOption(const std::string& name, const std::optional<std::string>& value)
{
    const Model* current = model();
    if (!current || current->path.isEmpty()) return;
    OpenOptions options = current->options;
    assign(options.importOptions, name, value);
    if (options.importOptions != current->options.importOptions)
        undoStack().push(
            new SetReading(*this, current->options, options, tr("Read again with another %1").arg(QString::fromStdString(name))));
}

void Workspace::setBindings(const std::vector<std::pair<std::string, std::int64_t>>& bindings)
{
    const Model* current = model();
    if (!current || current->path.isEmpty() || bindings == current->options.bindings) return;
    OpenOptions options = current->options;
    options.bindings = bindings;
    undoStack().push(new SetReading(*this, current->options, options, tr("Set free dimensions")));
}

// --- planners' options -------------------------------------------------------------------------------------------------

const OptionValues& Workspace::options(const std::string& planner) const
{
    static const OptionValues defaults;
    const auto found = options_.find(planner);
    return found == options_.end() ? defaults : found->second;
}

void Workspace::setOption(const std::string& planner, const std::string& name, const std::string& value)
{
    const auto found = session_.planners().find(planner);
    if (!found || optionValue(found->info(), options(planner), name) == value) return;
    undoStack().push(new SetOption(*this, planner, name, value));
}

void Workspace::applyOption(const std::string& planner, const std::string& name, const std::optional<std::string>& value)
{
    assign(options_[planner], name, value);
    Q_EMIT planningChanged();
}

void Workspace::setTimeLimitSeconds(double seconds)
{
    timeLimit_ = seconds;
    Q_EMIT planningChanged();
}

void Workspace::setSeed(std::uint64_t seed)
{
    seed_ = seed;
    Q_EMIT planningChanged();
}

} // namespace stowage
