// Converts the state of the workspace to a session document and back. Opening one reads files and checks the plans in it; nothing
// is planned.
#pragma once

#include "app/session/session_file.h"

#include <string>
#include <vector>

namespace stowage {

class WorkspaceAccess;
struct RunEntry;

class DeskSession {
public:
    explicit DeskSession(WorkspaceAccess& desk) : desk_(desk) {}

    /// Fills in a session, without its runs and the window's own state.
    void capture(SessionDocument& session) const;
    /// Runs of a model for its current setup, the best first, at most `maxCount`.
    [[nodiscard]] std::vector<const RunEntry*> runsToKeep(const std::string& path, std::size_t maxCount) const;
    /// Replaces the open models by those of a session.
    void open(const SessionDocument& session);
    /// Restores the saved edits and runs of the model `id`, which was read from its file.
    void restore(int id, const SessionModel& kept);

private:
    WorkspaceAccess& desk_;
};

} // namespace stowage
