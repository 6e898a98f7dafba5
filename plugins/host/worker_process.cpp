#include "plugins/host/worker_process.h"

#include "core/ir/parsed_number.h"
#include "plugins/external/confinement.h"
#include "plugins/external/manifest.h"
#include "plugins/host/plugin_ledger.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>

#include <csignal>
#include <cstring>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace stowage {
namespace {

constexpr int pollMs = 20; ///< how often cancel and deadline are looked at
constexpr qsizetype keptLog = 8192;

/// In a process group of its own, so that a kill takes everything that it started with it.
class GroupedProcess : public QProcess {
public:
    GroupedProcess()
    {
        setChildProcessModifier([] { ::setpgid(0, 0); });
    }
    ~GroupedProcess() override { killGroup(); }

    bool startAndWait()
    {
        start();
        const bool started = waitForStarted();
        pid_ = processId();
        return started;
    }

    void killGroup()
    {
        if (state() == QProcess::NotRunning) return PluginLedger().keepMarksOf(pid_);
        if (pid_ > 0) ::kill(static_cast<pid_t>(-pid_), SIGKILL);
        kill();
        waitForFinished(1000);
        PluginLedger().forgetMarksOf(pid_);
    }

private:
    qint64 pid_ = 0; ///< also after its end
};

/// The end of what the worker wrote to standard error.
class LogTail {
public:
    void append(const QByteArray& bytes)
    {
        text_ += bytes;
        if (text_.size() > 2 * keptLog) text_ = text_.right(keptLog);
    }
    /// "; its last words: …" or nothing.
    [[nodiscard]] std::string lastWords() const
    {
        const QByteArray trimmed = text_.trimmed();
        QByteArray line = trimmed.mid(trimmed.lastIndexOf('\n') + 1).left(300);
        for (char& c : line) {
            if (static_cast<unsigned char>(c) < 0x20) c = ' ';
        }
        return line.isEmpty() ? std::string() : "; its last words: " + line.toStdString();
    }

private:
    QByteArray text_;
};

std::string seconds(std::chrono::milliseconds time)
{
    const auto ms = time.count();
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

std::string mebibytes(Bytes bytes)
{
    return std::to_string(bytes >> 20) + " MiB";
}

constexpr auto memoryVariable = "STOWAGE_WORKER_MEMORY_MB";
constexpr auto timeVariable = "STOWAGE_WORKER_TIMEOUT_S";
constexpr std::int64_t smallestMemory = 64; // MiB
constexpr std::int64_t largestMemory = std::int64_t{1} << 24;
constexpr Bytes defaultMemory = Bytes{4} << 30;

/// The value of a variable of the environment as a number; no value for another text.
template <typename Number>
std::optional<Number> numberIn(const QByteArray& text)
{
    return parsedNumber<Number>({text.constData(), static_cast<std::size_t>(text.size())});
}

Error wrongVariable(const char* name, const QByteArray& text, const std::string& range)
{
    return failure(Code::badArgument, std::string(name) + " is '" + text.toStdString() + "', which is not " + range, {},
                   "correct the variable, or unset it");
}

/// The limits of a run, and whether the user can raise them.
struct RunLimits {
    WorkerLimits each;
    bool memoryIsUsers = false;
    bool timeIsUsers = false;
};

Expected<RunLimits> completed(const WorkerLimits& given)
{
    RunLimits limits{given, given.memory == 0, given.time.count() == 0};
    if (!limits.memoryIsUsers && !limits.timeIsUsers) return limits;
    const auto users = userLimits();
    if (!users) return users.error();
    if (limits.memoryIsUsers) limits.each.memory = users->memory.value_or(defaultMemory);
    if (limits.timeIsUsers) limits.each.time = users->time.value_or(defaultWorkerTime);
    return limits;
}

Error outOfMemory(const RunLimits& limits)
{
    return failure(Code::workerOutOfMemory, "the worker needs more memory than the " + mebibytes(limits.each.memory) + " allowed",
                   {}, limits.memoryIsUsers ? memoryRemedy(limits.each.memory) : "");
}

constexpr const char* nothingElse = "Nothing else is affected. If the input is sound, report it to the author of the plugin.";

/// Why the process ended, when not well.
std::optional<Error> verdict(const QProcess& process, const RunLimits& limits, const LogTail& log)
{
    if (process.exitStatus() == QProcess::CrashExit) {
        const char* name = ::strsignal(process.exitCode());
        return failure(Code::workerCrashed,
                       std::string("the worker crashed (") + (name ? name : "unknown signal") + ")" + log.lastWords(), {},
                       nothingElse);
    }
    if (process.exitCode() == outOfMemoryStatus) return outOfMemory(limits);
    if (process.exitCode() == external::notConfinedStatus)
        return failure(Code::workerMissing, "the worker does not start: " + std::string(external::notConfinedText), {},
                       std::string(external::notConfinedRemedy));
    if (process.exitCode() == inputShrankStatus)
        return failure(Code::cannotRead, "the file became shorter while it was read", {},
                       "Wait until it is written, then open it again.");
    if (process.exitCode() != 0)
        return failure(Code::workerCrashed,
                       "the worker gave up with status " + std::to_string(process.exitCode()) + log.lastWords(), {}, nothingElse);
    return std::nullopt;
}

/// Moves complete frames over; an error when the stream is none.
std::optional<Error> takeFrames(FrameReader& reader, std::vector<Frame>& frames)
{
    for (;;) {
        auto next = reader.next();
        if (!next) {
            if (next.error().code == Code::frameTooLarge)
                return failure(Code::workerFlood, "the worker says too much: " + next.error().message);
            return failure(Code::workerGarbage, "the worker's answer cannot be understood: " + next.error().message, {},
                           "Make sure that all parts of Stowage are of the same version.");
        }
        if (!*next) return std::nullopt;
        frames.push_back(std::move(**next));
    }
}

} // namespace

Expected<UserLimits> userLimits()
{
    UserLimits limits;
    if (const QByteArray text = qgetenv(memoryVariable); !text.isEmpty()) {
        const auto count = numberIn<std::int64_t>(text);
        if (!count || *count < smallestMemory || *count > largestMemory)
            return wrongVariable(memoryVariable, text,
                                 "a whole number of MiB from " + std::to_string(smallestMemory) + " to " +
                                     std::to_string(largestMemory));
        limits.memory = *count << 20;
    }
    if (const QByteArray text = qgetenv(timeVariable); !text.isEmpty()) {
        const auto count = numberIn<double>(text);
        limits.time = count ? external::timeoutOf(*count) : std::nullopt;
        if (!limits.time)
            return wrongVariable(timeVariable, text, std::string("a number of seconds from ") + external::timeoutRange);
    }
    return limits;
}

std::string memoryRemedy(Bytes limit)
{
    return std::string("set ") + memoryVariable + " to more than " + std::to_string(limit >> 20) +
           " if the input is really that large";
}

std::string timeRemedy(std::chrono::milliseconds limit)
{
    return std::string("set ") + timeVariable + " to more than " +
           std::to_string(std::chrono::ceil<std::chrono::seconds>(limit).count()) + " if the input is really that large";
}

WorkerOutcome runWorker(const WorkerRun& run, const std::stop_token& stop)
{
    WorkerOutcome outcome;
    const auto fail = [&](Error error) {
        outcome.error = std::move(error);
        return std::move(outcome);
    };
    if (stop.stop_requested()) return fail(failure(Code::cancelled, "cancelled"));
    if (!QFileInfo(run.program).isExecutable())
        return fail(failure(Code::workerMissing, "there is no worker to run", {run.program.toStdString()}, "Reinstall Stowage."));

    const auto completedLimits = completed(run.limits);
    if (!completedLimits) return fail(completedLimits.error());
    const WorkerLimits& limits = completedLimits->each;

    const auto cpuSeconds = std::chrono::ceil<std::chrono::seconds>(limits.time).count() + 1;
    GroupedProcess process;
    process.setProgram(run.program);
    process.setArguments({QStringLiteral("--memory-limit"), QString::number(limits.memory + run.mapped),
                          QStringLiteral("--time-limit"), QString::number(cpuSeconds)});
    QElapsedTimer clock;
    clock.start();
    if (!process.startAndWait())
        return fail(failure(Code::workerMissing, "the worker does not start: " + process.errorString().toStdString(),
                            {run.program.toStdString()}, "Reinstall Stowage."));
    for (const Frame& frame : run.input) {
        process.write(QByteArray::fromStdString(frameHeader(frame.type, frame.payload.size())));
        process.write(frame.payload.data(), static_cast<qint64>(frame.payload.size()));
    }
    process.closeWriteChannel();

    FrameReader reader(static_cast<std::size_t>(limits.output));
    LogTail log;
    Bytes said = 0;
    for (bool running = true; running;) {
        running = process.waitForReadyRead(pollMs) || process.state() != QProcess::NotRunning;
        const QByteArray output = process.readAllStandardOutput();
        log.append(process.readAllStandardError());
        said += output.size();
        if (said > limits.output)
            return fail(failure(Code::workerFlood, "the worker says more than the " + mebibytes(limits.output) + " allowed"));
        reader.append({output.constData(), static_cast<std::size_t>(output.size())});
        if (auto error = takeFrames(reader, outcome.frames)) return fail(std::move(*error));
        if (stop.stop_requested()) return fail(failure(Code::cancelled, "cancelled"));
        if (clock.hasExpired(limits.time.count()) && running)
            return fail(failure(Code::workerTimeout, "the worker did not answer within " + seconds(limits.time) + log.lastWords(),
                                {}, completedLimits->timeIsUsers ? timeRemedy(limits.time) : ""));
    }
    if (auto error = verdict(process, *completedLimits, log)) return fail(std::move(*error));
    if (!reader.atBoundary()) return fail(failure(Code::workerGarbage, "the worker's answer is cut off"));
    return outcome;
}

} // namespace stowage
