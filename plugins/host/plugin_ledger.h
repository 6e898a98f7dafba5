// What is remembered about plug-ins between starts: which are off, which may run, which crashed while they were loaded, and how
// the last run of each planner went. Kept in the user's settings; every function reads or writes them at once.
#pragma once

#include "core/ir/expected.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace stowage {

/// How the last run of a planner failed.
struct PluginFailure {
    QString code; ///< of `RunFailure`: "timed-out"
    QString message;
    qint64 when = 0; ///< seconds since 1970
};

/// Where a library is loaded.
enum class LoadedIn : std::uint8_t {
    worker, ///< a process that its host starts, waits for, and takes with it when it ends
    host,   ///< the program itself
};

class PluginLedger {
public:
    [[nodiscard]] bool disabled(const QString& id) const;
    void setDisabled(const QString& id, bool disabled);

    /// `fingerprint`: of the program and of how it is called. A new one is confirmed once.
    [[nodiscard]] bool confirmed(const QString& fingerprint) const;
    void confirm(const QString& fingerprint);

    [[nodiscard]] std::optional<PluginFailure> lastFailure(const QString& id) const;
    /// Nothing: its last run went well.
    void noteOutcome(const QString& id, const std::optional<Error>& failure);

    /// Whether a process ended by itself while it loaded this library. A process that still loads it does not count, nor does a
    /// worker that ended because its host did.
    [[nodiscard]] bool crashedWhileLoading(const QString& id) const;
    void forgetCrash(const QString& id);
    /// The host ended this process itself: whatever library the process was loading did not crash. After the end of the process.
    void forgetMarksOf(qint64 pid);
    /// The process ended by itself, and its host has seen that: a library that it was still loading has crashed.
    void keepMarksOf(qint64 pid);
    /// Writes the lock file before a library is loaded, and removes it after. The file names the process that loads and, of a
    /// worker, the host that waits for it, each with the time of its start, as numbers of processes come again.
    class LoadMark {
    public:
        LoadMark(const QString& id, LoadedIn process);
        ~LoadMark();
        LoadMark(const LoadMark&) = delete;
        LoadMark& operator=(const LoadMark&) = delete;

    private:
        QString file_;
    };
};

} // namespace stowage
