// The desk as a session, and a session on the desk. Opening one reads files and judges the plans that are in it; nothing is
// planned.
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

    /// All of a session but its runs and what the window knows.
    void capture(SessionDocument& session) const;
    /// Runs of a model for its setup as it is, the best first.
    [[nodiscard]] std::vector<const RunEntry*> runsToKeep(const std::string& path, std::size_t maxCount) const;
    /// Puts a session in the place of what is on the desk.
    void open(const SessionDocument& session);
    /// Puts what was kept of a model into `id`, which was read from its file.
    void restore(int id, const SessionModel& kept);

private:
    WorkspaceAccess& desk_;
};

} // namespace stowage
