// The interface of the commands. A new command is one file with a class derived from Command, and one line in commands.cpp.
#pragma once

#include "app/cli/arguments.h"
#include "app/session/session.h"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace stowage::cli {

/// Exit statuses of the command line; other programs rely on them.
enum ExitStatus : int {
    done = 0,       ///< completed; the plan is valid
    answerIsNo = 1, ///< does not fit, infeasible, plan invalid
    badInput = 2,   ///< bad usage or bad input
    undecided = 3,  ///< stopped by a limit before a decision
    interrupted = 130,
};

/// An error about the arguments.
inline Error usage(std::string message, std::string remedy = {})
{
    return failure(Code::usage, std::move(message), {}, std::move(remedy));
}

/// The session and standard error of a running command.
struct Environment {
    const Session& session;
    std::stop_token interrupt; ///< SIGINT

    /// Writes "error: file:line: message (remedy)" to standard error. Returns `badInput`, the exit status of the command.
    int fail(const Error& error) const;
    int fail(const std::string& message) const;
    /// Writes warnings and notes of an input or a plan to standard error, at most a dozen.
    void say(const Diagnostics& diagnostics) const;
    /// Writes one line to standard error.
    void note(const std::string& message) const;
};

class Command {
public:
    virtual ~Command() = default;
    [[nodiscard]] virtual std::string name() const = 0;
    [[nodiscard]] virtual std::string summary() const = 0; ///< one line for --help
    /// Two or more examples for --help: "plan model.tflite --target esp32-s3". A command may write them into its footer instead.
    [[nodiscard]] virtual std::vector<std::string> examples() const { return {}; }
    virtual void declare(Arguments& app) = 0;
    /// True if the command draws: then there is a QGuiApplication, on the offscreen platform if there is no display.
    [[nodiscard]] virtual bool draws() const { return false; }
    /// Returns an `ExitStatus`.
    virtual int run(const Environment& environment) = 0;
};

/// All commands, in the order of --help.
std::vector<std::unique_ptr<Command>> allCommands();

} // namespace stowage::cli
