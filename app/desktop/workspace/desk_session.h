// Converts the state of the workspace to a session document and back. Opening one reads files and checks the plans in it. Nothing
// is planned before the user asks: a session names planners, and one of them may be a program of a plug-in.
#pragma once

#include "app/desktop/background_job.h"
#include "app/session/session_file.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage {

class WorkspaceAccess;
struct ModelSetup;

class DeskSession {
public:
    /// Maximum count of buffers of a saved plan; larger runs are planned again in less time than reading takes.
    static constexpr std::size_t maxBuffers = 20'000;
    static constexpr std::size_t maxRuns = 12; ///< maximum count of saved runs of a model

    explicit DeskSession(WorkspaceAccess& desk) : desk_(desk) {}

    /// Which plans a session holds, for messages: "a session holds the …".
    [[nodiscard]] static std::string keptPlans();

    /// Fills in a session, without the window's own state. Saved models whose files are still being read, or could not be read,
    /// are written as they were saved.
    void capture(SessionDocument& session) const;
    /// Replaces the open models by those of a session.
    void open(const SessionDocument& session);
    /// Whether `check` precedes `restore`: the file is as it was saved, and there is an order or a run to check.
    [[nodiscard]] bool hasToCheck(int id, const SessionModel& kept) const;
    /// Checks the saved order and runs of the open model `id` on a thread, then calls `then`, unless the model was closed
    /// meanwhile. `kept`: not null.
    void check(int id, const std::shared_ptr<const SessionModel>& kept, std::function<void()> then);
    /// Restores the saved edits of the model `id`, which was read from its file, with the order and the runs that `check` found.
    /// A notice counts saved runs that are of other buffers, and offers to plan the model.
    void restore(int id, const SessionModel& kept);
    /// Adds the saved runs to the open model `id` and shows the one that was shown; the edits of the model stay. False, and no
    /// effect, if its ops were edited, or if one of the runs is not a valid plan of it.
    [[nodiscard]] bool addRuns(int id, const SessionModel& kept);

private:
    struct Judged;
    struct Checked;

    [[nodiscard]] SessionModel captured(int id) const;
    /// The runs of a model for its current setup, the best first; of an edited program only those of the one that is saved.
    /// `leftOut`: count of the others.
    [[nodiscard]] std::vector<int> runsToKeep(int id, const std::shared_ptr<const Program>& program, std::size_t& leftOut) const;
    /// The plan of a run as text, which is made once for each run: the autosave asks for it after every change.
    [[nodiscard]] const std::string& planText(const RunEntry& entry) const;
    /// The run that came with the file of the model `id` and is the saved one. A plan that was laid beside the model may have the
    /// same name, so plans are compared. `found`: the result of checking `kept`; `taken`: runs that are other saved ones. 0:
    /// none.
    [[nodiscard]] int runOfFile(int id, const SessionRun& kept, const std::optional<Judged>& found,
                                const std::vector<int>& taken) const;
    /// Whether the file is another one than when the session was saved.
    [[nodiscard]] bool hasChanged(int id, const SessionModel& kept) const;
    // On a thread of `jobs_`; of the session they use only its blocking functions.
    [[nodiscard]] static std::shared_ptr<Checked> checked(const Session& session, Model model, const ModelSetup& setup,
                                                          const SessionModel& kept, const std::stop_token& stop);
    /// Checks a saved run. No value if it is a plan of another model.
    [[nodiscard]] static std::optional<Judged> judged(const Session& session, const Model& model, const ModelSetup& setup,
                                                      const SessionRun& run, const std::string& path);
    /// The notice offers to plan the model.
    void tellRunsLeftOut(int id, const QString& title, const std::string& message) const;

    WorkspaceAccess& desk_;
    mutable std::map<int, std::string> planTexts_;    ///< by run
    std::map<int, std::shared_ptr<Checked>> checked_; ///< by model, until it is restored
    BackgroundJobs jobs_{WhenGone::wait};             ///< they read the session
};

} // namespace stowage
