// What the window works on: one of the open models, its target, the planners that are ticked with their options, and the run that
// is shown. Panels read it and change it; edits go through its undo stack.
#pragma once

#include "app/canvas/pictures/map/map_note.h"
#include "app/canvas/pictures/replay/search_curve.h"
#include "app/canvas/pictures/scene_cache.h"
#include "app/desktop/background_job.h"
#include "app/desktop/pipeline_focus.h"
#include "app/desktop/view.h"
#include "app/session/session.h"
#include "app/session/session_file.h"

#include <QElapsedTimer>
#include <QFutureSynchronizer>
#include <QObject>
#include <QUndoGroup>
#include <QUndoStack>

#include <functional>
#include <map>
#include <set>
#include <stop_token>
#include <string>

namespace stowage {

/// How a bundled sample or a saved session wants a model to be opened.
struct OpenIntent {
    QString target;                              ///< name of a target; empty: the model's own memories
    std::vector<std::string> planners;           ///< to be ticked; empty: as they are
    std::shared_ptr<const SessionModel> session; ///< of a saved session: what is done to the model; it is not planned then
    bool front = true;                           ///< of a session: the model that is worked on
};

/// Something that the user must be told, shown as a card.
struct Notice {
    QString title; ///< "detector_v3.tflite was not opened"
    Diagnostic what;
    Diagnostics more; ///< the rest of them
    QString path;     ///< the file concerned, if any
    struct Choice {
        QString text;
        std::function<void()> take;
    };
    std::vector<Choice> choices; ///< a question: what the user may answer, as buttons
    bool good = false;           ///< no problem: something was done, and `path` says where it is
};

/// A file that was not opened: kept until it is opened, or dismissed.
struct OpenFailure {
    int id = 0; ///< that the model would have had
    QString path;
    Error error;
    bool seen = false; ///< its notice was closed
};

class Workspace : public QObject {
    Q_OBJECT

public:
    explicit Workspace(Session& session, QObject* parent = nullptr);
    ~Workspace() override;

    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] const Session& session() const { return session_; }
    [[nodiscard]] SelectionModel& selection() { return selection_; }
    /// Edits of the model that is worked on; each model has its own, and they go with it. Planners' options are edits of the
    /// model that is shown while they are made.
    [[nodiscard]] QUndoStack& undoStack();
    /// Undoes and redoes edits of whatever model is worked on.
    [[nodiscard]] QUndoGroup& undo() { return undo_; }
    /// What the Pipeline view shows, for the panels beside it.
    [[nodiscard]] PipelineFocus& pipeline() { return pipeline_; }
    [[nodiscard]] const PipelineFocus& pipeline() const { return pipeline_; }
    /// What views paint from, shared between them.
    [[nodiscard]] const std::shared_ptr<SceneCache>& scenes() const { return scenes_; }

    // --- the model ---------------------------------------------------------------------------------------------------
    void open(const QString& path, const OpenIntent& intent = {}, const OpenOptions& options = {});
    void openText(const QString& name, const QByteArray& text);
    void reload() { reload(model_); }
    void reload(int id);
    /// SHA-256 of the file as it was read; empty where that is not known.
    [[nodiscard]] std::string hashOf(int id) const;
    void closeModel(int id);
    [[nodiscard]] int modelId() const { return model_; } ///< 0: none is open
    [[nodiscard]] const Model* model() const;
    void setModel(int id);
    /// Paths that are being read.
    [[nodiscard]] const std::map<int, QString>& opening() const { return opening_; }
    /// Gives up reading a file, also one that does not come to an end.
    void cancelOpening(int id);
    /// Files that were not opened, the first one first.
    [[nodiscard]] const std::vector<OpenFailure>& failures() const { return failures_; }
    void dismissFailure(int id); ///< 0: all
    /// Reports as one notice the failures whose notice was not closed, or all of them; nothing without any.
    void reportFailures(bool all);
    void seeFailures(); ///< the notice was closed: they stay in the list

    /// The suite of models that is compared with its baseline; empty: none.
    [[nodiscard]] const QString& suite() const { return suite_; }
    void openSuite(const QString& path);

    // --- sessions (workspace_session.cpp) ------------------------------------------------------------------------------
    /// All of a session but its runs and what the window knows.
    void capture(SessionDocument& session) const;
    /// Runs of a model for its setup as it is, the best first.
    [[nodiscard]] std::vector<const RunEntry*> runsToKeep(const std::string& path, std::size_t most) const;
    /// Puts a session in the place of what is on the desk. Its files are read and its plans judged; nothing is planned.
    void openSession(const SessionDocument& session);

    // --- the target --------------------------------------------------------------------------------------------------
    [[nodiscard]] const Target& target() const;
    /// The memories that planning will use: the target's, else the model's own, else one unbounded arena.
    [[nodiscard]] std::vector<Pool> pools() const;
    void setTarget(const Target& target);
    /// True while the target is the one that was assumed for a kernel whose text names none.
    [[nodiscard]] bool targetIsAssumed() const;
    void setCapacity(std::size_t pool, std::optional<Bytes> capacity);
    /// Changes a memory and plans again; what is still being planned for the memories as they were is given up. Edits that follow
    /// each other with the same `edit` (from `newEdit`) are one step of undo, and the runs in between are dropped. Requires a
    /// name that no other memory has.
    void setPool(std::size_t pool, const Pool& value, int edit = 0);
    [[nodiscard]] int newEdit() { return ++lastEdit_; }
    [[nodiscard]] Bytes alignment() const;
    void setAlignment(Bytes alignment);

    // --- from the file to a problem ----------------------------------------------------------------------------------
    [[nodiscard]] const OptionValues& lowering() const; ///< what differs from the planners' defaults
    void setLowering(const std::string& name, const std::optional<std::string>& value); ///< nothing: the planners' default
    /// Reads the model's file again with another choice, or with other sizes of its free dimensions. Until that has worked, the
    /// model stays as it is.
    void setImportOption(const std::string& name, const std::optional<std::string>& value);
    void setBindings(const std::vector<std::pair<std::string, std::int64_t>>& bindings);

    /// Puts ops into another order (or whatever else leaves all ids as they are), and plans again. Can be undone.
    void setProgram(std::shared_ptr<const Program> program, const QString& text);

    // --- planners ----------------------------------------------------------------------------------------------------
    [[nodiscard]] bool ticked(const std::string& planner) const { return ticked_.contains(planner); }
    [[nodiscard]] std::vector<std::string> tickedPlanners() const; ///< in the registry's order
    void setTicked(const std::string& planner, bool on);
    void setAllTicked(bool on);
    [[nodiscard]] const std::string& focusPlanner() const { return focus_; } ///< whose options are shown
    void setFocusPlanner(const std::string& planner);
    [[nodiscard]] const OptionValues& options(const std::string& planner) const;
    void setOption(const std::string& planner, const std::string& name, const std::string& value);
    [[nodiscard]] double timeLimitSeconds() const { return timeLimit_; } ///< 0: none
    void setTimeLimitSeconds(double seconds);
    [[nodiscard]] std::uint64_t seed() const { return seed_; }
    void setSeed(std::uint64_t seed);

    /// The log of the runtime with the model that is worked on: a fit counts its scratch and tail. Null: there is none.
    [[nodiscard]] std::shared_ptr<const Model> runtimeLog() const;
    void setRuntimeLog(std::shared_ptr<const Model> log);
    /// Reads a log in the background and sets it; what is wrong with it becomes a notice.
    void openRuntimeLog(const QString& path);

    /// Judges the table that was opened as `table` as a plan of `model`: its run is shown there, and the table is closed.
    void judgeAsPlan(int table, int model);

    // --- planning ----------------------------------------------------------------------------------------------------
    [[nodiscard]] PlanRequest request(const std::string& planner) const;
    void plan(); ///< the ticked planners
    /// One planner. `follow`: what it hands over meanwhile is shown, also parts of a plan, and its result; when it ends without
    /// one, the run that was shown before.
    void planOnly(const std::string& planner, bool follow = true);
    void cancel();
    [[nodiscard]] bool busy() const { return !jobs_.empty(); }
    [[nodiscard]] const std::map<int, JobStatus>& jobs() const { return jobs_; } ///< of all models
    /// Of the planners started since the window was last idle: 0 … 1, and in words.
    [[nodiscard]] double progress() const;
    [[nodiscard]] QString progressText() const;
    /// Plans with one planner and keeps its steps, for replay.
    void planRecorded(const std::string& planner);
    /// How the search for a run went, or how the one under way goes (run 0: of the planner that shows its incumbents, else the
    /// first one). Null when nothing was kept.
    [[nodiscard]] const std::vector<SearchSample>* search(int run) const;
    /// The planner of the search that `search(0)` tells of; empty without one.
    [[nodiscard]] std::string searching() const;
    [[nodiscard]] double batchMs() const { return batchMs_; } ///< wall time of the last finished batch

    // --- pins and notes ----------------------------------------------------------------------------------------------
    [[nodiscard]] const std::vector<PinRequest>& pins() const { return setup().pins; }
    [[nodiscard]] const PinRequest* pinOf(const std::string& buffer) const; ///< null: it is free to move
    /// Fixes a buffer, or moves its pin, and plans again. Can be undone.
    void setPin(const PinRequest& pin);
    void clearPin(const std::string& buffer);
    /// Changes that the user tries out: each is made after the lowering, in this order, and planned. Can be undone. One of a
    /// buffer takes the place of an earlier one of the same kind; one of a loop's tile is made on top of what is there.
    [[nodiscard]] const std::vector<Change>& changes() const { return setup().changes; }
    void addChange(const Change& change, const QString& text);
    void removeChange(const Change& change);
    [[nodiscard]] const std::vector<MapNote>& notes() const; ///< of the model
    /// Adds a note (id 0) or changes one; without a text it goes. Can be undone.
    void setNote(const MapNote& note);

    // --- runs --------------------------------------------------------------------------------------------------------
    [[nodiscard]] std::vector<const RunEntry*> runs() const;               ///< of the model, smallest first
    [[nodiscard]] const RunEntry* runOf(const std::string& planner) const; ///< the latest, or null
    [[nodiscard]] int shownRun() const { return shown_; }                  ///< 0: none, or an incumbent
    void showRun(int id);
    /// Selects the buffer that reaches highest in a pool of the run that is shown (none: the largest pool), so that what it rests
    /// on says why the pool is that high. Nothing without one.
    void selectTop(PoolId pool);
    void showNeighbourRun(int delta); ///< the next one in the order of `runs`
    void clearRuns();
    [[nodiscard]] std::shared_ptr<const Run> run() const { return run_; } ///< what the views show
    /// What the views show, or would show, of a model; null: nothing is planned.
    [[nodiscard]] std::shared_ptr<const Run> runOfModel(int id) const;
    [[nodiscard]] bool showsIncumbent() const { return run_ && shown_ == 0; }
    /// Some buffers are not placed yet.
    [[nodiscard]] bool showsPart() const { return showsIncumbent() && run_->report.status == Status::undecided; }

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
    static constexpr const char* kernelPlanner = "hivm";

    class SetSetup;
    class SetReading;
    class SetProgram;
    class SetOption;
    class SetNotes;
    /// What a model is planned into, and how it becomes a problem.
    struct Setup {
        Target target;
        Bytes alignment = elementAlignment;
        OptionValues lowering;
        std::vector<PinRequest> pins; ///< ascending by name
        std::vector<Change> changes;

        friend bool operator==(const Setup& a, const Setup& b)
        {
            return a.target.name == b.target.name && a.target.pools == b.target.pools && a.alignment == b.alignment &&
                   a.lowering == b.lowering && a.pins == b.pins && a.changes == b.changes;
        }
    };
    /// A planning, from its start until its run is gone.
    struct Search {
        int job = 0;
        PlanRequest request;
        int run = 0;           ///< 0: not there yet
        bool given = false;    ///< cancelled
        bool unwanted = false; ///< its setup has been left: what it still hands over is dropped
        std::vector<SearchSample> samples;
    };
    struct ModelState {
        Setup setup;
        QString assumedTarget; ///< name of what was taken for want of a named one; empty: none was
        int shown = 0;
        std::vector<BufferId> selected;
        std::vector<MapNote> notes;
        std::shared_ptr<const Model> log; ///< of the runtime
    };

    [[nodiscard]] const Setup& setup() const;
    void change(const Setup& next, const QString& text, int edit = 0);
    /// Gives up plannings of the model for another setup than the one in force.
    void leaveOldSetups();
    /// Drops the runs of setups that were passed through while something was typed. Only once nothing is planned any more, so
    /// that there is always a plan to show.
    void dropLeftRuns();
    [[nodiscard]] bool isFor(const PlanRequest& request, const Setup& setup) const;
    /// Asks what a table is meant for that looks like a plan of another open model; false when nothing does.
    bool askWhatTableIs(int opened);
    /// Looks in the background whether a file that was opened is another tool's plan of another open model, or the other way
    /// round, and lays it beside. True when `opened` may be such a plan, and is to wait for the answer.
    bool layBesideOthers(int opened);
    struct Laying;
    void onLaid(const Laying& laying);
    void keepByItself(int id);
    void restore(int id, const SessionModel& kept);
    void read(int id, const OpenOptions& options);
    /// The model that has taken the place of `id` when its file was read again; `id` itself if none has.
    [[nodiscard]] int successor(int id) const;
    void onOpened(int id);
    void onOpenFailed(int id, const QString& path, const Error& error);
    void onClosed(int id);
    void onJob(const JobStatus& status);
    void onIncumbent(int job, const std::shared_ptr<const Run>& run);
    void onRunAdded(int id, int job);
    void applyOption(const std::string& planner, const std::string& name, const std::optional<std::string>& value);
    void show(int id, std::shared_ptr<const Run> run);
    void renewMask();
    int start(const std::string& planner, bool record = false); ///< returns the job, also of one that is under way already
    void follow(int job);
    [[nodiscard]] bool showsFollowed() const { return followed_ && showsIncumbent() && incumbentOf_ == followed_; }
    [[nodiscard]] const RunEntry* bestRun() const;
    /// Ticks Ascend's planner for its kernels, and takes that back for other models, until the user ticks or unticks it.
    void tickForKernel();

    Session& session_;
    SelectionModel selection_;
    QUndoGroup undo_;
    std::map<int, std::unique_ptr<QUndoStack>> edits_; ///< by model; 0: while none is open
    PipelineFocus pipeline_;
    std::shared_ptr<SceneCache> scenes_ = std::make_shared<SceneCache>();
    int model_ = 0;
    std::map<int, ModelState> states_;
    std::map<int, QString> opening_;
    std::vector<OpenFailure> failures_;
    std::map<int, OpenIntent> intents_;
    std::map<int, std::string> hashes_; ///< of the files as they were read
    std::map<int, int> replaces_;       ///< models that are being read -> whose place they take
    std::map<int, int> successors_;     ///< models that are gone -> what took their place
    std::set<std::string> ticked_;
    bool tickedForKernel_ = false;   ///< Ascend's planner, by `tickForKernel`
    bool kernelTickSettled_ = false; ///< the user has decided
    std::string focus_;
    std::map<std::string, OptionValues> options_;
    double timeLimit_ = 2;
    std::uint64_t seed_ = 0;
    std::map<int, JobStatus> jobs_;
    std::map<int, PlanRequest> requests_; ///< of `jobs_`
    std::vector<Search> searches_;
    int followed_ = 0;    ///< the job whose incumbents are shown whatever else there is
    int before_ = 0;      ///< the run that was shown before them
    int incumbentOf_ = 0; ///< the job of the last incumbent that was shown
    int lastEdit_ = 0;
    std::set<QString> byThemselves_; ///< files that are not to be laid beside a model
    std::stop_source laying_;
    QFutureSynchronizer<void> background_;    ///< waits for what still uses the session
    std::vector<std::pair<int, Setup>> left_; ///< by model: see `dropLeftRuns`
    QElapsedTimer batch_;
    std::size_t batchSize_ = 0;
    double batchMs_ = 0;
    int shown_ = 0;
    bool chosen_ = false; ///< the user picked the run that is shown
    std::shared_ptr<const Run> run_;
    NumberFormat numbers_;
    BackgroundJob maskJob_;
    QString suite_;
};

/// Fits first, then by total size, then by planner name: the order in which runs are listed.
[[nodiscard]] bool betterRun(const RunEntry& a, const RunEntry& b);

/// True when two requests ask for the same planning, so that the later run replaces the earlier.
[[nodiscard]] bool sameRequest(const PlanRequest& a, const PlanRequest& b);

} // namespace stowage
