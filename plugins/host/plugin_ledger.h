// Keeps facts about plug-ins between starts: whether they are turned off, may run, or crashed while they were loaded, and whether
// the last run of each planner failed. They are in the user's settings; each function reads or writes the settings immediately.
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
    worker, ///< in a process that the program starts and waits for, and that ends with the program
    host,   ///< in the program itself
};

class PluginLedger {
public:
    /// The file of the settings.
    [[nodiscard]] static QString file();

    [[nodiscard]] bool disabled(const QString& id) const;
    /// Returns false if the settings cannot be saved; `confirm` and `forgetCrash` do, too.
    [[nodiscard]] bool setDisabled(const QString& id, bool disabled);

    /// True if the user has permitted this plug-in. `fingerprint` identifies the library, or the program and its command line; an
    /// empty one is never permitted.
    [[nodiscard]] bool confirmed(const QString& fingerprint) const;
    [[nodiscard]] bool confirm(const QString& fingerprint);

    [[nodiscard]] std::optional<PluginFailure> lastFailure(const QString& id) const;
    /// Keeps the result of the last run of a planner: no value if it gave a plan.
    void noteOutcome(const QString& id, const std::optional<Error>& failure);

    /// True if a process ended by itself while it loaded this library. A process that is still loading it does not count, nor
    /// does a worker that ended because its host ended.
    [[nodiscard]] bool crashedWhileLoading(const QString& id) const;
    [[nodiscard]] bool forgetCrash(const QString& id);
    /// States that the host ended the process `pid`, so that a library that it was loading did not crash. Call it after the end
    /// of the process.
    void forgetMarksOf(qint64 pid);
    /// States that the process `pid` ended by itself, so that a library that it was still loading crashed.
    void keepMarksOf(qint64 pid);
    /// A lock file that exists while a library is being loaded. The file names the process that loads and, for a worker, the host
    /// that waits for it, each with the time of its start, because the system uses numbers of processes again.
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
