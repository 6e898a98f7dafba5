// What the window works on. Each subject is a class of its own in app/desktop/workspace/: the models that are open, the edits of
// each, the planners and their options, the plannings under way, the run that is shown, plans of other tools, and sessions. The
// workspace owns them, knows what follows from what, and is where panels read, change, and listen.
#pragma once

#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/pipeline_focus.h"
#include "app/desktop/view.h"
#include "app/desktop/workspace/desk_session.h"
#include "app/desktop/workspace/model_edits.h"
#include "app/desktop/workspace/notice.h"
#include "app/desktop/workspace/open_models.h"
#include "app/desktop/workspace/planner_choice.h"
#include "app/desktop/workspace/plannings.h"
#include "app/desktop/workspace/plans_beside.h"
#include "app/desktop/workspace/shown_run.h"
#include "app/session/run_order.h"
#include "app/session/session.h"

#include <QObject>

#include <memory>
#include <string>
#include <vector>

namespace stowage {

class Workspace : public QObject {
    Q_OBJECT

public:
    explicit Workspace(Session& session, QObject* parent = nullptr);

    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] const Session& session() const { return session_; }
    [[nodiscard]] SelectionModel& selection() { return selection_; }
    /// Edits of the model that is worked on; each model has its own, and they go with it. Planners' options are edits of the
    /// model that is shown while they are made.
    [[nodiscard]] QUndoStack& undoStack() { return edits_.stack(); }
    /// Undoes and redoes edits of whatever model is worked on.
    [[nodiscard]] QUndoGroup& undo() { return edits_.group(); }
    // --- the parts that it consists of -----------------------------------------------------------------------------------
    [[nodiscard]] OpenModels& models() { return models_; }
    [[nodiscard]] PlannerChoice& planners() { return planners_; }
    [[nodiscard]] const PlannerChoice& planners() const { return planners_; }
    [[nodiscard]] ModelEdits& edits() { return edits_; }
    [[nodiscard]] const ModelEdits& edits() const { return edits_; }
    [[nodiscard]] Plannings& plannings() { return plannings_; }
    [[nodiscard]] ShownRun& shown() { return shown_; }
    [[nodiscard]] const ShownRun& shown() const { return shown_; }

    /// What the Pipeline view shows, for the panels beside it.
    [[nodiscard]] PipelineFocus& pipeline() { return pipeline_; }
    [[nodiscard]] const PipelineFocus& pipeline() const { return pipeline_; }
    /// What views paint from, shared between them.
    [[nodiscard]] const std::shared_ptr<SceneCache>& scenes() const { return scenes_; }

    // --- the model ---------------------------------------------------------------------------------------------------
    void open(const QString& path, const OpenIntent& intent = {}, const OpenOptions& options = {});
    void openText(const QString& name, const QByteArray& text) { session_.openText(name, text); }
    void reload() { reload(modelId()); }
    void reload(int id);
    /// SHA-256 of the file as it was read; empty where that is not known.
    [[nodiscard]] std::string hashOf(int id) const { return models_.hashOf(id); }
    void closeModel(int id);
    [[nodiscard]] int modelId() const { return models_.current(); } ///< 0: none is open
    [[nodiscard]] const Model* model() const { return models_.model(); }
    void setModel(int id);
    /// Paths that are being read.
    [[nodiscard]] const std::map<int, QString>& opening() const { return models_.opening(); }
    /// Gives up reading a file, also one that does not come to an end.
    void cancelOpening(int id) { models_.cancelOpening(id); }
    /// Files that were not opened, the first one first.
    [[nodiscard]] const std::vector<OpenFailure>& failures() const { return models_.failures(); }
    void dismissFailure(int id) { models_.dismissFailure(id); } ///< 0: all
    /// Reports as one notice the failures whose notice was not closed, or all of them; nothing without any.
    void reportFailures(bool all) { models_.reportFailures(all); }
    void seeFailures() { models_.seeFailures(); } ///< the notice was closed: they stay in the list

    /// The suite of models that is compared with its baseline; empty: none.
    [[nodiscard]] const QString& suite() const { return suite_; }
    void openSuite(const QString& path);

    // --- sessions -----------------------------------------------------------------------------------------------------
    /// All of a session but its runs and what the window knows.
    void capture(SessionDocument& session) const { sessions_.capture(session); }
    /// Runs of a model for its setup as it is, the best first.
    [[nodiscard]] std::vector<const RunEntry*> runsToKeep(const std::string& path, std::size_t most) const
    {
        return sessions_.runsToKeep(path, most);
    }
    /// Puts a session in the place of what is on the desk. Its files are read and its plans judged; nothing is planned.
    void openSession(const SessionDocument& session) { sessions_.open(session); }

    // --- the target --------------------------------------------------------------------------------------------------
    [[nodiscard]] const Target& target() const { return edits_.setup().target; }
    /// The memories that planning will use: the target's, else the model's own, else one unbounded arena.
    [[nodiscard]] std::vector<Pool> pools() const { return edits_.pools(); }
    void setTarget(const Target& target) { edits_.setTarget(target); }
    /// True while the target is the one that was assumed for a kernel whose text names none.
    [[nodiscard]] bool targetIsAssumed() const { return edits_.targetIsAssumed(); }
    void setCapacity(std::size_t pool, std::optional<Bytes> capacity) { edits_.setCapacity(pool, capacity); }
    /// Changes a memory and plans again; what is still being planned for the memories as they were is given up. Edits that follow
    /// each other with the same `edit` (from `newEdit`) are one step of undo, and the runs in between are dropped. Requires a
    /// name that no other memory has.
    void setPool(std::size_t pool, const Pool& value, int edit = 0) { edits_.setPool(pool, value, edit); }
    [[nodiscard]] int newEdit() { return edits_.newEdit(); }
    [[nodiscard]] Bytes alignment() const { return edits_.setup().alignment; }
    void setAlignment(Bytes alignment) { edits_.setAlignment(alignment); }

    // --- from the file to a problem ----------------------------------------------------------------------------------
    /// What differs from the planners' defaults.
    [[nodiscard]] const OptionValues& lowering() const { return edits_.setup().lowering; }
    /// Nothing: the planners' default.
    void setLowering(const std::string& name, const std::optional<std::string>& value) { edits_.setLowering(name, value); }
    /// Reads the model's file again with another choice, or with other sizes of its free dimensions. Until that has worked, the
    /// model stays as it is.
    void setImportOption(const std::string& name, const std::optional<std::string>& value)
    {
        edits_.setImportOption(name, value);
    }
    void setBindings(const std::vector<std::pair<std::string, std::int64_t>>& bindings) { edits_.setBindings(bindings); }

    /// Puts ops into another order (or whatever else leaves all ids as they are), and plans again. Can be undone.
    void setProgram(std::shared_ptr<const Program> program, const QString& text) { edits_.setProgram(std::move(program), text); }

    // --- planners ----------------------------------------------------------------------------------------------------
    [[nodiscard]] bool ticked(const std::string& planner) const { return planners_.ticked(planner); }
    /// In the registry's order.
    [[nodiscard]] std::vector<std::string> tickedPlanners() const { return planners_.tickedPlanners(); }
    void setTicked(const std::string& planner, bool on) { planners_.setTicked(planner, on); }
    void setAllTicked(bool on) { planners_.setAllTicked(on); }
    [[nodiscard]] const std::string& focusPlanner() const { return planners_.focus(); } ///< whose options are shown
    void setFocusPlanner(const std::string& planner) { planners_.setFocus(planner); }
    [[nodiscard]] const OptionValues& options(const std::string& planner) const { return planners_.options(planner); }
    void setOption(const std::string& planner, const std::string& name, const std::string& value)
    {
        edits_.setOption(planner, name, value);
    }
    [[nodiscard]] double timeLimitSeconds() const { return planners_.timeLimitSeconds(); } ///< 0: none
    void setTimeLimitSeconds(double seconds) { planners_.setTimeLimitSeconds(seconds); }
    [[nodiscard]] std::uint64_t seed() const { return planners_.seed(); }
    void setSeed(std::uint64_t seed) { planners_.setSeed(seed); }

    /// The log of the runtime with the model that is worked on: a fit counts its scratch and tail. Null: there is none.
    [[nodiscard]] std::shared_ptr<const Model> runtimeLog() const { return beside_.runtimeLog(modelId()); }
    void setRuntimeLog(std::shared_ptr<const Model> log) { beside_.setRuntimeLog(std::move(log)); }
    /// Reads a log in the background and sets it; what is wrong with it becomes a notice.
    void openRuntimeLog(const QString& path) { beside_.openRuntimeLog(path); }

    /// Judges the table that was opened as `table` as a plan of `model`: its run is shown there, and the table is closed.
    void judgeAsPlan(int table, int model) { beside_.judgeAsPlan(table, model); }

    // --- planning ----------------------------------------------------------------------------------------------------
    [[nodiscard]] PlanRequest request(const std::string& planner) const { return plannings_.request(planner); }
    void plan() { plannings_.plan(); } ///< the ticked planners
    /// One planner. `follow`: what it hands over meanwhile is shown, also parts of a plan, and its result; when it ends without
    /// one, the run that was shown before.
    void planOnly(const std::string& planner, bool follow = true) { plannings_.planOnly(planner, follow); }
    void cancel() { plannings_.cancel(); }
    [[nodiscard]] bool busy() const { return plannings_.busy(); }
    [[nodiscard]] const std::map<int, JobStatus>& jobs() const { return plannings_.jobs(); } ///< of all models
    /// Of the planners started since the window was last idle: 0 … 1, and in words.
    [[nodiscard]] double progress() const { return plannings_.progress(); }
    [[nodiscard]] QString progressText() const { return plannings_.progressText(numbers_); }
    /// Plans with one planner and keeps its steps, for replay.
    void planRecorded(const std::string& planner) { plannings_.planRecorded(planner); }
    /// How the search for a run went, or how the one under way goes (run 0: of the planner that shows its incumbents, else the
    /// first one). Null when nothing was kept.
    [[nodiscard]] const std::vector<SearchSample>* search(int run) const
    {
        return plannings_.search(run, run ? std::string() : searching());
    }
    /// The planner of the search that `search(0)` tells of; empty without one.
    [[nodiscard]] std::string searching() const
    {
        return plannings_.searching(showsIncumbent() ? run()->plan.planner : std::string());
    }
    [[nodiscard]] double batchMs() const { return plannings_.batchMs(); } ///< wall time of the last finished batch

    // --- pins and notes ----------------------------------------------------------------------------------------------
    [[nodiscard]] const std::vector<PinRequest>& pins() const { return edits_.setup().pins; }
    /// Null: it is free to move.
    [[nodiscard]] const PinRequest* pinOf(const std::string& buffer) const { return edits_.pinOf(buffer); }
    /// Fixes a buffer, or moves its pin, and plans again. Can be undone.
    void setPin(const PinRequest& pin);
    void clearPin(const std::string& buffer) { edits_.clearPin(buffer); }
    /// Changes that are tried out: each is made after the lowering, in this order, and planned. Can be undone. One of a
    /// buffer takes the place of an earlier one of the same kind; one of a loop's tile is made on top of what is there.
    [[nodiscard]] const std::vector<Change>& changes() const { return edits_.setup().changes; }
    void addChange(const Change& change, const QString& text) { edits_.addChanges({change}, text); }
    /// Several that belong together, as one step of undo.
    void addChanges(const std::vector<Change>& changes, const QString& text) { edits_.addChanges(changes, text); }
    void removeChange(const Change& change) { edits_.removeChange(change); }
    [[nodiscard]] const std::vector<MapNote>& notes() const { return edits_.notesOf(modelId()); } ///< of the model
    /// Adds a note (id 0) or changes one; without a text it goes. Can be undone.
    void setNote(const MapNote& note) { edits_.setNote(note); }

    // --- runs --------------------------------------------------------------------------------------------------------
    [[nodiscard]] std::vector<const RunEntry*> runs() const { return shown_.runs(); } ///< of the model, smallest first
    [[nodiscard]] const RunEntry* runOf(const std::string& planner) const
    {
        return shown_.runOf(planner);
    }                                                          ///< the latest, or null
    [[nodiscard]] int shownRun() const { return shown_.id(); } ///< 0: none, or an incumbent
    void showRun(int id);
    /// Selects the buffer that reaches highest in a pool of the run that is shown (none: the largest pool), so that what it rests
    /// on says why the pool is that high. Nothing without one.
    void selectTop(PoolId pool) { shown_.selectTop(pool); }
    void showNeighbourRun(int delta); ///< the next one in the order of `runs`
    void clearRuns() { shown_.clear(); }
    [[nodiscard]] std::shared_ptr<const Run> run() const { return shown_.run(); } ///< what the views show
    /// What the views show, or would show, of a model; null: nothing is planned.
    [[nodiscard]] std::shared_ptr<const Run> runOfModel(int id) const { return shown_.runOfModel(id); }
    [[nodiscard]] bool showsIncumbent() const { return shown_.showsIncumbent(); }
    /// Some buffers are not placed yet.
    [[nodiscard]] bool showsPart() const { return showsIncumbent() && run()->report.status == Status::undecided; }

    [[nodiscard]] const NumberFormat& numbers() const { return numbers_; }
    void setNumbers(const NumberFormat& numbers);
    [[nodiscard]] ViewContext context() const;

    void report(const Notice& notice) { Q_EMIT noticed(notice); }

Q_SIGNALS:
    void modelsChanged(); ///< one was opened or closed, or is being read
    void modelChanged();  ///< another is worked on
    void targetChanged();
    void planningChanged(); ///< ticks, options, focus
    void jobsChanged();
    void runsChanged();
    void contextChanged(); ///< another run, or other units
    void notesChanged();
    void suiteChanged();
    void runtimeLogChanged();
    void viewWanted(const QString& id); ///< the user asks for another view
    void noticed(const stowage::Notice& notice);

private:
    void onOpened(int id);
    void onClosed(int id);
    void onJob(const JobStatus& status);
    void onRunAdded(int id, int job);
    void listenToSession();
    void listenToParts();

    Session& session_;
    SelectionModel selection_;
    OpenModels models_;
    PlannerChoice planners_;
    ModelEdits edits_;
    Plannings plannings_;
    ShownRun shown_;
    PipelineFocus pipeline_;
    std::shared_ptr<SceneCache> scenes_ = std::make_shared<SceneCache>();
    NumberFormat numbers_;
    QString suite_;
    DeskSession sessions_;
    PlansBeside beside_;
};

} // namespace stowage
