// The state of the window. Each part is a class in app/desktop/workspace/: the open models, their edits, the planners and their
// options, the running plannings, the shown run, plans of other tools, and sessions. The workspace owns the parts and connects
// them; panels listen to the workspace, and read and change the parts.
#pragma once

#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/pipeline_focus.h"
#include "app/desktop/view.h"
#include "app/desktop/workspace/desk_session.h"
#include "app/desktop/workspace/file_writing.h"
#include "app/desktop/workspace/model_edits.h"
#include "app/desktop/workspace/notice.h"
#include "app/desktop/workspace/open_models.h"
#include "app/desktop/workspace/planner_choice.h"
#include "app/desktop/workspace/plannings.h"
#include "app/desktop/workspace/plans_beside.h"
#include "app/desktop/workspace/shown_run.h"
#include "app/desktop/workspace/workspace_access.h"
#include "app/session/run_order.h"
#include "app/session/session.h"

#include <QObject>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace stowage {

struct Regression;

class Workspace : public QObject, public WorkspaceAccess {
    Q_OBJECT

public:
    explicit Workspace(Session& session, QObject* parent = nullptr);

    [[nodiscard]] Session& session() override { return session_; }
    [[nodiscard]] const Session& session() const { return session_; }
    [[nodiscard]] SelectionModel& selection() { return selection_; }

    // --- the parts that it consists of -----------------------------------------------------------------------------------
    [[nodiscard]] OpenModels& models() override { return models_; }
    [[nodiscard]] const OpenModels& models() const { return models_; }
    [[nodiscard]] PlannerChoice& planners() override { return planners_; }
    [[nodiscard]] const PlannerChoice& planners() const { return planners_; }
    [[nodiscard]] ModelEdits& edits() override { return edits_; }
    [[nodiscard]] const ModelEdits& edits() const { return edits_; }
    [[nodiscard]] Plannings& plannings() override { return plannings_; }
    [[nodiscard]] const Plannings& plannings() const { return plannings_; }
    [[nodiscard]] ShownRun& shown() override { return shown_; }
    [[nodiscard]] const ShownRun& shown() const { return shown_; }
    [[nodiscard]] PlansBeside& beside() { return beside_; }
    [[nodiscard]] KeptZooms& zooms() override { return zooms_; }
    [[nodiscard]] DeskSession& sessions() { return sessions_; }
    [[nodiscard]] const DeskSession& sessions() const { return sessions_; }
    /// The contents of the Pipeline view, for the panels beside it.
    [[nodiscard]] PipelineFocus& pipeline() { return pipeline_; }
    [[nodiscard]] const PipelineFocus& pipeline() const { return pipeline_; }
    /// The files that the parts of the window write.
    [[nodiscard]] FileWriting& writing() { return writing_; }
    /// The scenes that views paint from, shared between them.
    [[nodiscard]] const std::shared_ptr<SceneCache>& scenes() const { return scenes_; }

    // --- what concerns several parts -------------------------------------------------------------------------------------
    void open(const QString& path, const OpenIntent& intent = {}, const OpenOptions& options = {}) override;
    void openText(const QString& name, const QByteArray& text) { session_.openText(name, text); }
    void reload() { reload(modelId()); }
    void reload(int id);
    void closeModel(int id) override;
    void setModel(int id) override;
    /// Sets the target of an open model, which need not be the current one: such a model is planned when it is shown.
    void setTarget(int id, const Target& target);
    /// The open regression suite; empty: none.
    [[nodiscard]] const QString& suite() const { return suite_; }
    void openSuite(const QString& path);
    /// Opens the suite of a saved session, which is planned only when the user asks: opening a session runs nothing.
    void restoreSuite(const QString& path);
    /// Whether the user has opened the suite; else it is that of a saved session.
    [[nodiscard]] bool suiteAsked() const { return suiteAsked_; }
    void planSuite() { Q_EMIT suiteWanted(); } ///< reads and plans the open suite again
    /// Whether the file of the open suite has been read; that of a saved session is not, until the user asks.
    [[nodiscard]] bool suiteIsRead() const { return suiteIsRead_; }
    void suiteIsBeingRead(); ///< from the view that plans it, at each reading
    /// The results of the open suite, from the view that plans it; null: not planned yet, or failed.
    [[nodiscard]] const std::shared_ptr<const Regression>& regression() const { return regression_; }
    void setRegression(std::shared_ptr<const Regression> regression);
    /// Pins a buffer, or moves its pin, and plans again. With undo.
    void setPin(const PinRequest& pin);
    /// Reports why a buffer of `run` can be neither moved nor pinned, or (`none`) that none is selected.
    void refusePin(const Run& run, BufferId buffer);
    void showRun(int id) override;
    void showNeighbourRun(int delta); ///< `delta` places on in the order of `runs`
    /// The runtime's log of the current model, whose scratch and tail a fit counts. Null without one.
    [[nodiscard]] std::shared_ptr<const Model> runtimeLog() const { return beside_.runtimeLog(modelId()); }
    [[nodiscard]] QString runtimeLogPathOf(int model) const override { return beside_.runtimeLogPath(model); }
    [[nodiscard]] QString progressText() const { return plannings_.progressText(numbers_); }
    /// The course of the search for a run, or (run 0) of the running search: that whose incumbents are shown, else the first.
    /// Null if nothing was recorded.
    [[nodiscard]] const std::vector<SearchSample>* search(int run) const
    {
        return plannings_.search(run, run ? std::string() : searching());
    }
    /// The planner of `search(0)`; empty without one.
    [[nodiscard]] std::string searching() const
    {
        return plannings_.searching(shown_.showsIncumbent() ? run()->plan.planner : std::string());
    }
    /// Whether the shown incumbent is a part of a plan.
    [[nodiscard]] bool showsPart() const { return shown_.showsIncumbent() && run()->report.status == Status::undecided; }

    // --- what nearly every panel asks ------------------------------------------------------------------------------------
    [[nodiscard]] int modelId() const { return models_.current(); } ///< 0: no model is open
    [[nodiscard]] const Model* model() const { return models_.model(); }
    [[nodiscard]] const Target& target() const { return edits_.setup().target; }
    /// The pools for planning: the target's, else the model's own, else one unbounded arena.
    [[nodiscard]] std::vector<Pool> pools() const { return edits_.pools(); }
    [[nodiscard]] const std::vector<Change>& changes() const { return edits_.setup().changes; }
    [[nodiscard]] const std::vector<MapNote>& notes() const { return edits_.notesOf(modelId()); } ///< notes of the current model
    /// Undo for the edits of the current model.
    [[nodiscard]] QUndoStack& undoStack() { return edits_.stack(); }
    void plan() { plannings_.plan(); } ///< starts the ticked planners
    void cancel() { plannings_.cancel(); }
    [[nodiscard]] bool busy() const { return plannings_.busy(); }
    /// Runs of the current model, smallest first.
    [[nodiscard]] std::vector<const RunEntry*> runs() const { return shown_.runs(); }
    [[nodiscard]] int shownRun() const { return shown_.id(); }                    ///< 0: none, or an incumbent
    [[nodiscard]] std::shared_ptr<const Run> run() const { return shown_.run(); } ///< the shown run

    [[nodiscard]] const NumberFormat& numbers() const override { return numbers_; }
    void setNumbers(const NumberFormat& numbers) override;
    [[nodiscard]] ViewContext context() const;

    void report(const Notice& notice) override { Q_EMIT noticed(notice); }

Q_SIGNALS:
    void modelsChanged(); ///< a model was opened or closed, or is being read
    void modelChanged();  ///< another model is the current one
    void targetChanged();
    void planningChanged(); ///< ticks, options or focus of planners
    void jobsChanged();
    void runsChanged();
    void contextChanged(); ///< another run is shown, or other units
    void notesChanged();
    void suiteChanged();
    void suiteWanted();       ///< the suite is to be planned again
    void suiteReading();      ///< the file of the suite is being read, for the first time or again
    void regressionChanged(); ///< the suite has other results, or none
    void runtimeLogChanged();
    void viewWanted(const QString& id); ///< the user wants another view
    void openWanted();                  ///< the user wants to open a file
    void questionsChanged();            ///< a reported question may no longer stand, see `Notice::holds`
    void noticed(const stowage::Notice& notice);

private:
    void onOpened(int id);
    /// Gives a model that was read its edits, or its saved state, which has been checked, and its place in the window.
    void place(int id);
    /// Places the files of `waiting_`, once no saved model is being read or checked.
    void placeWaiting();
    void onClosed(int id);
    /// Reports the edits that a file lost when it was read again.
    void tellDropped(int id, DroppedEdits dropped);
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
    FileWriting writing_;
    std::shared_ptr<SceneCache> scenes_ = std::make_shared<SceneCache>();
    NumberFormat numbers_;
    KeptZooms zooms_;
    /// Models that are planned when they are shown: another one was in front when their file was read again.
    std::set<int> toPlan_;
    /// Files about a model that the user opened while models of a session were not there yet: theirs may be among those.
    std::vector<int> waiting_;
    QString suite_;
    bool suiteAsked_ = false;  ///< see `suiteAsked`
    bool suiteIsRead_ = false; ///< see `suiteIsRead`
    std::shared_ptr<const Regression> regression_;
    DeskSession sessions_;
    PlansBeside beside_;
};

} // namespace stowage
