// Converts the state of the workspace to a session document and back. Opening one reads files and checks the plans in it; nothing
// is planned.
#pragma once

#include "app/session/session_file.h"

#include <map>
#include <memory>
#include <optional>
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
    /// are written as they were saved. `zoom`: of the current model.
    void capture(SessionDocument& session, const SessionZoom& zoom) const;
    /// Replaces the open models by those of a session.
    void open(const SessionDocument& session);
    /// Restores the saved edits and runs of the model `id`, which was read from its file.
    void restore(int id, const SessionModel& kept);
    /// Adds the saved runs to the open model `id` and shows the one that was shown; the edits of the model stay. False, and no
    /// effect, if its ops were edited, or if one of the runs is not a valid plan of it.
    [[nodiscard]] bool addRuns(int id, const SessionModel& kept);

private:
    struct Judged;

    [[nodiscard]] SessionModel captured(int id) const;
    /// The runs of a model for its current setup, the best first; of an edited program only those of the one that is saved.
    /// `leftOut`: count of the others.
    [[nodiscard]] std::vector<int> runsToKeep(int id, const std::shared_ptr<const Program>& program, std::size_t& leftOut) const;
    /// The plan of a run as text, which is made once for each run: the autosave asks for it after every change.
    [[nodiscard]] const std::string& planText(const RunEntry& entry) const;
    /// Checks a saved run. No value if it is a plan of another model.
    [[nodiscard]] std::optional<Judged> judged(int id, const ModelSetup& setup, const SessionRun& run,
                                               const std::string& path) const;
    /// Restores the order of ops. False, with a notice, if the model does not have these ops.
    [[nodiscard]] bool restoreOrder(int id, const SessionModel& kept);
    void tellRunsLeftOut(int id, const QString& title, const std::string& message) const;

    WorkspaceAccess& desk_;
    mutable std::map<int, std::string> planTexts_; ///< by run
};

} // namespace stowage
