// A foreign program under limits: its own process group, a memory limit, a deadline, a cap on what it says. Whatever it does,
// nothing of it is left when this object goes.
#pragma once

#include "core/ir/types.h"
#include "core/plan/run_failure.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace stowage::external {

struct ProcessLimits {
    Bytes memory = 0;                  ///< resident bytes of the program with all that it started
    Bytes output = 0;                  ///< bytes on standard output, and of any file that it writes
    std::chrono::milliseconds time{0}; ///< from start to end
};

class GuardedProcess {
public:
    /// `folder` is the working folder. Nothing starts yet.
    GuardedProcess(const std::vector<std::string>& commandLine, const QString& folder, const ProcessLimits& limits);
    /// Kills what is left of it: its process group, and whatever left that group but has its mark in the environment.
    ~GuardedProcess();
    GuardedProcess(const GuardedProcess&) = delete;
    GuardedProcess& operator=(const GuardedProcess&) = delete;

    [[nodiscard]] std::optional<Error> start();
    /// To its standard input, as fast as it reads.
    void write(std::string_view bytes);
    void closeInput() { process_.closeWriteChannel(); }

    /// Waits until it says something, ends, or `wait` is over, and appends what it said to `output`. A limit that it broke is an
    /// error; the program is killed then.
    [[nodiscard]] std::optional<Error> pump(std::chrono::milliseconds wait, std::string& output);
    [[nodiscard]] bool running() const { return process_.state() != QProcess::NotRunning; }
    [[nodiscard]] std::chrono::milliseconds elapsed() const { return std::chrono::milliseconds(clock_.elapsed()); }

    /// Asks it to end, and after `grace` ends it.
    void end(std::chrono::milliseconds grace);
    /// Why it did not end well; nothing when it ended by itself with status 0. After its end.
    [[nodiscard]] std::optional<Error> verdict() const;
    /// It ran until it was asked to end or killed from here: a limit that it broke, `end`, or this object's end.
    [[nodiscard]] bool killedWhileRunning() const { return killedWhileRunning_; }
    [[nodiscard]] qint64 pid() const { return pid_; }
    /// After its end.
    [[nodiscard]] int exitStatus() const { return process_.exitCode(); }
    /// "; its last words: …", the end of its standard error, or nothing.
    [[nodiscard]] std::string lastWords() const;

private:
    [[nodiscard]] std::optional<Error> brokenLimit();
    void killAll();

    QProcess process_;
    ProcessLimits limits_;
    QElapsedTimer clock_;
    QByteArray mark_; ///< NAME=VALUE in the environment of all that it starts
    QByteArray log_;
    qint64 pid_ = 0;
    qint64 lastLook_ = -1; ///< at its memory, in ms
    Bytes said_ = 0;
    bool killed_ = false;
    bool killedWhileRunning_ = false;
};

/// Resident bytes of a process and its descendants; 0 when it is gone. O(descendants).
[[nodiscard]] Bytes residentBytes(qint64 pid);

} // namespace stowage::external
