// What the user edits of a model: the memories it is planned into, its lowering, pins, changes, notes, how its file is read. Each
// model has its own undo; planners' options are edits of the model that is shown while they are made.
#pragma once

#include "app/canvas/pictures/map/map_note.h"
#include "app/desktop/workspace/open_models.h"
#include "app/desktop/workspace/planner_choice.h"

#include <QObject>
#include <QUndoGroup>
#include <QUndoStack>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// What a model is planned into, and how it becomes a problem.
struct ModelSetup {
    Target target;
    Bytes alignment = elementAlignment;
    OptionValues lowering;
    std::vector<PinRequest> pins; ///< ascending by name
    std::vector<Change> changes;

    friend bool operator==(const ModelSetup& a, const ModelSetup& b)
    {
        return a.target.name == b.target.name && a.target.pools == b.target.pools && a.alignment == b.alignment &&
               a.lowering == b.lowering && a.pins == b.pins && a.changes == b.changes;
    }
    /// Makes `request` one for this setup.
    void writeTo(PlanRequest& request) const;
    [[nodiscard]] bool isOf(const PlanRequest& request) const;
};

class ModelEdits : public QObject {
    Q_OBJECT

public:
    ModelEdits(Session& session, OpenModels& models, PlannerChoice& planners, QObject* parent);

    // --- undo --------------------------------------------------------------------------------------------------------
    /// Of the model that is worked on; they go with it.
    [[nodiscard]] QUndoStack& stack();
    /// Undoes and redoes edits of whatever model is worked on.
    [[nodiscard]] QUndoGroup& group() { return group_; }

    // --- of any model, without undo: while it is opened ----------------------------------------------------------------
    [[nodiscard]] const ModelSetup& setupOf(int model) const;
    void putSetup(int model, ModelSetup setup) { states_[model].setup = std::move(setup); }
    /// A target that is taken for a kernel whose text names none.
    void assume(int model, Target target);
    [[nodiscard]] const std::vector<MapNote>& notesOf(int model) const;
    void putNotes(int model, std::vector<MapNote> notes) { states_[model].notes = std::move(notes); }
    /// `next` takes the place of `before`: its file was read again.
    void hand(int before, int next);
    void forget(int model);

    // --- of the model that is worked on --------------------------------------------------------------------------------
    [[nodiscard]] const ModelSetup& setup() const { return setupOf(models_.current()); }
    /// The pools that planning will use: the target's, else the model's own, else one unbounded arena.
    [[nodiscard]] std::vector<Pool> pools() const;
    /// True while the target is the one that was assumed for a kernel whose text names none.
    [[nodiscard]] bool targetIsAssumed() const;
    // Each of these can be undone, and plans again.
    void setTarget(const Target& target);
    void setCapacity(std::size_t pool, std::optional<Bytes> capacity);
    /// Edits that follow each other with the same `edit` (from `newEdit`) are one step of undo, and the setups in between are
    /// handed over by `takeLeft`. Requires a name that no other pool has.
    void setPool(std::size_t pool, const Pool& value, int edit = 0);
    [[nodiscard]] int newEdit() { return ++lastEdit_; }
    void setAlignment(Bytes alignment);
    /// Without a value: the planners' default.
    void setLowering(const std::string& name, const std::optional<std::string>& value);
    /// Reads the model's file again with another choice, or with other sizes of its free dimensions. Until that has worked, the
    /// model stays as it is.
    void setImportOption(const std::string& name, const std::optional<std::string>& value);
    void setBindings(const std::vector<std::pair<std::string, std::int64_t>>& bindings);
    /// Puts ops into another order, or adds some; the ids of what was there stay.
    void setProgram(std::shared_ptr<const Program> program, const QString& text);
    void setOption(const std::string& planner, const std::string& name, const std::string& value);
    [[nodiscard]] const PinRequest* pinOf(const std::string& buffer) const; ///< null: it is free to move
    void setPin(const PinRequest& pin, const QString& text);
    void clearPin(const std::string& buffer);
    /// Changes are made after the lowering, in the order in which they came. One of a buffer takes the place of an earlier one of
    /// the same kind; one of a loop's tile is made on top of what is there.
    void addChange(const Change& change, const QString& text);
    void removeChange(const Change& change);
    void setNote(const MapNote& note); ///< adds it (id 0) or changes it; without a text it goes

    /// Setups that were passed through while something was typed, by model, and are in force no more. They are handed over once.
    [[nodiscard]] std::vector<std::pair<int, ModelSetup>> takeLeft();

Q_SIGNALS:
    void setupChanged(); ///< of the model that is worked on
    void notesChanged();
    void programGiven(int model);   ///< another program comes: what is planned now is of the one before
    void programChanged(int model); ///< it is there

private:
    class SetSetup;
    class SetReading;
    class SetProgram;
    class SetOption;
    class SetNotes;
    struct State {
        ModelSetup setup;
        QString assumedTarget; ///< name of what was taken for want of a named one; empty: none was
        std::vector<MapNote> notes;
    };

    void change(const ModelSetup& next, const QString& text, int edit = 0);

    Session& session_;
    OpenModels& models_;
    PlannerChoice& planners_;
    QUndoGroup group_;
    std::map<int, std::unique_ptr<QUndoStack>> stacks_; ///< by model; 0: while none is open
    std::map<int, State> states_;
    std::vector<std::pair<int, ModelSetup>> left_; ///< by model: see `takeLeft`
    int lastEdit_ = 0;
};

} // namespace stowage
