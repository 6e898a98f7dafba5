// Runs a foreign program with limits for memory, time and output, in a process group of its own. The destructor ends the program
// and all processes that it started.
//
// As long as the program runs, all these processes are its descendants: it is a subreaper, so it takes over those whose parent
// ended. When it ends, they pass to the system. They are then found as descendants that were seen before, or by a mark in their
// environment. A process escapes if the program ends by itself and the process was started less than one look before, is in
// another group, and has cleared its environment.
#pragma once

#include "core/ir/types.h"
#include "core/plan/run_failure.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::external {

struct Manifest;

/// How often cancel and limits are looked at while a program runs.
inline constexpr std::chrono::milliseconds tick{20};
/// How many processes a program may have at once, with itself. Their memory would not be known if they were more than
/// `processesOf` counts.
inline constexpr std::size_t maxProcesses = 512;

struct ProcessLimits {
    Bytes memory = 0;                  ///< maximum number of resident bytes of the program and all processes that it started
    Bytes output = 0;                  ///< maximum number of bytes on standard output, and in each file that it writes
    std::chrono::milliseconds time{0}; ///< maximum time from start to end

    /// What the user can do if the program exceeds a limit.
    struct Remedies {
        std::string memory;
        std::string output;
        std::string time;
    };
    Remedies remedies = {};
};

/// The limits in a manifest. The remedies name its fields.
[[nodiscard]] ProcessLimits limitsOf(const Manifest& manifest);

/// One process.
struct ProcessFacts {
    qint64 pid = 0;
    qint64 started = 0; ///< in ticks since the start of the machine: distinguishes processes with the same number
    Bytes resident = 0;
    bool ended = false; ///< only waits for its parent
};
/// A process and its descendants, at most 4096 of them; empty if it does not exist. O(descendants).
[[nodiscard]] std::vector<ProcessFacts> processesOf(qint64 pid);

class GuardedProcess {
public:
    /// `folder` is the working folder of the program. Does not start it.
    GuardedProcess(const std::vector<std::string>& commandLine, const QString& folder, const ProcessLimits& limits);
    /// Kills all processes of the program that still run.
    ~GuardedProcess();
    GuardedProcess(const GuardedProcess&) = delete;
    GuardedProcess& operator=(const GuardedProcess&) = delete;

    [[nodiscard]] std::optional<Error> start();
    /// Writes bytes to its standard input. Does not wait until the program reads them.
    void write(std::string_view bytes);
    void closeInput() { process_.closeWriteChannel(); }

    /// Waits until the program writes to its standard output or ends, for at most `wait`, and appends the bytes to `output`.
    /// Errors: a limit was exceeded; the program is killed then.
    [[nodiscard]] std::optional<Error> pump(std::chrono::milliseconds wait, std::string& output);
    [[nodiscard]] bool running() const { return process_.state() != QProcess::NotRunning; }
    [[nodiscard]] std::chrono::milliseconds elapsed() const { return std::chrono::milliseconds(clock_.elapsed()); }

    /// Asks the program to end, and kills it if it still runs after `grace`.
    void end(std::chrono::milliseconds grace);
    /// The error of its end; no value if it ended by itself with status 0. Call it after the end.
    [[nodiscard]] std::optional<Error> verdict() const;
    /// True if it did not end by itself: it exceeded a limit, `end` was called, or this object was destroyed.
    [[nodiscard]] bool killedWhileRunning() const { return killedWhileRunning_; }
    [[nodiscard]] qint64 pid() const { return pid_; }
    /// Call it after the end.
    [[nodiscard]] int exitStatus() const { return process_.exitCode(); }
    /// "; its last words: …" with the end of its standard error; empty if it wrote nothing there.
    [[nodiscard]] std::string lastWords() const;

private:
    [[nodiscard]] std::optional<Error> brokenLimit();
    [[nodiscard]] Error tooMuchOutput(const char* what) const;
    void look();
    void killAll();
    void killDescendants();
    void killMarked() const;

    QProcess process_;
    ProcessLimits limits_;
    QElapsedTimer clock_;
    QByteArray mark_;                ///< NAME=VALUE in the environment of the program and of all processes that it starts
    std::vector<ProcessFacts> seen_; ///< the program and its descendants at the last look
    QByteArray log_;
    qint64 pid_ = 0;
    qint64 lastLook_ = -1; ///< time of the last look at its memory, in ms of `clock_`; -1: none yet
    Bytes said_ = 0;
    bool killed_ = false;
    bool killedWhileRunning_ = false;
};

} // namespace stowage::external
