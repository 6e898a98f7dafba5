// The user's edits of a model: its pools, lowering, pins, changes, notes, ops, pipeline, and import options. Each model has its
// own undo stack; edits of planners' options belong to the stack of the model shown at that time.
#pragma once

#include "app/canvas/pictures/map/map_note.h"
#include "app/desktop/workspace/open_models.h"
#include "app/desktop/workspace/planner_choice.h"
#include "app/session/pipeline_study.h"
#include "app/session/reordering.h"

#include <QObject>
#include <QUndoGroup>
#include <QUndoStack>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// Who has set the target of a model.
enum class TargetOrigin : std::uint8_t {
    untouched, ///< nobody: the model's own pools
    assumed,   ///< the target assumed for a kernel whose text names none
    chosen,    ///< the user or a sample, also the model's own pools
};

/// The pools of a model, and the options that make its problem.
struct ModelSetup {
    Target target;
    TargetOrigin origin = TargetOrigin::untouched; ///< of the target; of no effect on a plan
    Bytes alignment = elementAlignment;
    OptionValues lowering;
    std::vector<PinRequest> pins; ///< ascending by name
    std::vector<Change> changes;

    friend bool operator==(const ModelSetup& a, const ModelSetup& b)
    {
        return sameTarget(a.target, b.target) && a.alignment == b.alignment && a.lowering == b.lowering && a.pins == b.pins &&
               a.changes == b.changes;
    }
    /// Sets the target that is assumed for a kernel whose text names none, unless a target or the own pools are chosen. One that
    /// was assumed before is assumed anew, because the text may name one by now.
    void assumeTarget(const Model& model);
    /// Writes this setup into `request`.
    void writeTo(PlanRequest& request) const;
    /// Whether `request` plans with this setup; the runtime of the target makes no difference to a plan.
    [[nodiscard]] bool isOf(const PlanRequest& request) const;
};

/// The part of a model's edited program that a session holds.
struct KeptProgram {
    std::shared_ptr<const Program> program; ///< the program that the session restores; null: the ops were never edited
    std::vector<ListedOps> order;           ///< its order of ops where that is not the file's
    bool opsLeftOut = false;                ///< ops were added, and `program` is the file's
};

/// The edits that are gone because a model's file now holds another program.
enum class DroppedEdits : std::uint8_t {
    nothing,
    undoSteps, ///< all steps of undo; the edits of ops among them had been undone
    ofOps,     ///< edits of ops that were in force, and all steps of undo
};

class ModelEdits : public QObject {
    Q_OBJECT

public:
    ModelEdits(Session& session, OpenModels& models, PlannerChoice& planners, QObject* parent);

    // --- undo --------------------------------------------------------------------------------------------------------
    /// The undo stack of the current model; it is deleted with the model.
    [[nodiscard]] QUndoStack& stack();
    [[nodiscard]] QUndoStack& stackOf(int model); ///< the same for any open model; 0: without one
    /// Undoes and redoes edits of the current model.
    [[nodiscard]] QUndoGroup& group() { return group_; }

    // --- of any model, without undo: while it is opened ----------------------------------------------------------------
    [[nodiscard]] const ModelSetup& setupOf(int model) const;
    void putSetup(int model, ModelSetup setup) { states_[model].setup = std::move(setup); }
    void assumeTarget(int model); ///< see `ModelSetup::assumeTarget`
    [[nodiscard]] const std::vector<MapNote>& notesOf(int model) const;
    void putNotes(int model, std::vector<MapNote> notes) { states_[model].notes = std::move(notes); }
    /// Adds the notes at places (pool, step, address) where the model has none; a note that it has wins.
    void addNotes(int model, const std::vector<MapNote>& notes);
    /// The devices and stages of the model's pipeline; null: none were chosen.
    [[nodiscard]] const PipelineSetup* pipelineOf(int model) const;
    void putPipeline(int model, PipelineSetup setup);
    /// The pipeline that the model's file describes; null: none, or not asked yet.
    [[nodiscard]] const PipelineSetup* pipelineOfFile(int model) const;
    /// Sets it, also as the pipeline of a model that has none. When the file is read again, it is asked again.
    void putPipelineOfFile(int model, PipelineSetup setup);
    /// The pipeline for a session; no value if there is none, or if it is as the file says.
    [[nodiscard]] std::optional<PipelineSetup> pipelineToKeep(int model) const;
    [[nodiscard]] KeptProgram programToKeep(int model) const;
    /// Whether the program differs from that of the file.
    [[nodiscard]] bool programIsEdited(int model) const;
    /// Moves the edits of `before` to `next`, its successor after its file was read again. Ops stay edited if the file still has
    /// the same program. Otherwise the edits in the result are gone.
    [[nodiscard]] DroppedEdits hand(int before, int next);
    void forget(int model);

    // --- of the current model --------------------------------------------------------------------------------
    [[nodiscard]] const ModelSetup& setup() const { return setupOf(models_.current()); }
    /// The pools for planning: the target's, else the model's own, else one unbounded arena.
    [[nodiscard]] std::vector<Pool> pools() const;
    /// Whether the target is the one assumed for a kernel whose text names none.
    [[nodiscard]] bool targetIsAssumed() const { return setup().origin == TargetOrigin::assumed; }
    // Each of these can be undone, and plans again.
    void setTarget(const Target& target) { giveTarget(models_.current(), target); }
    /// The same for any model; only the current one is planned again.
    void giveTarget(int model, const Target& target);
    void setCapacity(std::size_t pool, std::optional<Bytes> capacity);
    /// Consecutive edits with the same `edit` (from `newEdit`) are one step of undo, and `takeLeft` returns the setups in
    /// between. Requires a name that no other pool has.
    void setPool(std::size_t pool, const Pool& value, int edit = 0);
    [[nodiscard]] int newEdit() { return ++lastEdit_; }
    void setAlignment(Bytes alignment);
    /// No value: the planner's default.
    void setLowering(const std::string& name, const std::optional<std::string>& value);
    /// Reads the model's file again with another import option, or with another size of a free dimension (no value: as the file
    /// has it). Edits before the file has been read add up. If the reading fails, the model and the undo stack stay unchanged.
    void setImportOption(const std::string& name, const std::optional<std::string>& value);
    void setBinding(const std::string& name, std::optional<std::int64_t> size);
    /// To be called when the reading of the file of `model` again, which `edit` asked for, has failed or was cancelled: takes the
    /// edit back. No effect for other edits.
    void readingFailed(int model, int edit);
    /// Sets a program with reordered or added ops; the ids of existing ops and tensors stay.
    void setProgram(std::shared_ptr<const Program> program, const QString& text)
    {
        giveProgram(models_.current(), std::move(program), text);
    }
    /// The same for any model, also with undo.
    void giveProgram(int model, std::shared_ptr<const Program> program, const QString& text);
    void setOption(const std::string& planner, const std::string& name, const std::string& value);
    [[nodiscard]] const PinRequest* pinOf(const std::string& buffer) const; ///< null: not pinned
    void setPin(const PinRequest& pin, const QString& text);
    void clearPin(const std::string& buffer);
    /// Adds a change. Changes are applied after the lowering, in order. A change of a buffer replaces an earlier one of the same
    /// kind; a change of a loop's tile is applied in addition to earlier ones.
    void addChange(const Change& change, const QString& text);
    void removeChange(const Change& change);
    void setNote(const MapNote& note); ///< adds (id 0), changes, or (without a text) removes a note

    /// The setups in between during typing, by model, which are no longer current. Each is returned once.
    [[nodiscard]] std::vector<std::pair<int, ModelSetup>> takeLeft();

Q_SIGNALS:
    void setupChanged(); ///< of the current model
    void notesChanged();
    void pipelineChanged();         ///< of any model
    void programGiven(int model);   ///< before a new program is set; running plannings use the old one
    void programChanged(int model); ///< after the program was set
    void readingDropped();          ///< an edit of the reading of a file was taken back

private:
    class SetSetup;
    class SetReading;
    class SetProgram;
    class SetOption;
    class SetNotes;
    struct State {
        ModelSetup setup;
        std::vector<MapNote> notes;
        std::optional<PipelineSetup> pipeline;
        std::optional<PipelineSetup> filePipeline;  ///< as the file describes it; no value: it does not, or was not asked
        std::shared_ptr<const Program> fileProgram; ///< before its ops were edited; null: they never were
    };

    /// Whether a step of undo sets a program.
    [[nodiscard]] static bool holdsProgram(const QUndoCommand& command);
    void change(const ModelSetup& next, const QString& text, int edit = 0); ///< of the current model

    Session& session_;
    OpenModels& models_;
    PlannerChoice& planners_;
    QUndoGroup group_;
    std::map<int, std::unique_ptr<QUndoStack>> stacks_; ///< by model; 0: without an open model
    std::map<int, State> states_;
    std::vector<std::pair<int, ModelSetup>> left_; ///< by model; see `takeLeft`
    int lastEdit_ = 0;
};

} // namespace stowage
