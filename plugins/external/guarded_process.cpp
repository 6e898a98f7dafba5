#include "plugins/external/guarded_process.h"

#include "plugins/external/confinement.h"
#include "plugins/external/manifest.h"
#include "plugins/external/sanitized.h"

#include <QDir>
#include <QFile>
#include <QProcessEnvironment>
#include <QUuid>

#include <csignal>
#include <cstring>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace stowage::external {

namespace {

constexpr qint64 lookMs = 10; ///< how often its memory is looked at
constexpr qsizetype keptLog = 8192;
constexpr std::size_t maxDescendants = 4096;
constexpr int maxRounds = 20; ///< of killing: a process that is found may start others before it ends
constexpr auto markName = "STOWAGE_RUN_MARK";

std::string timeText(std::chrono::milliseconds time)
{
    const auto ms = time.count();
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

std::string mebibytes(Bytes bytes)
{
    return std::to_string(bytes >> 20) + " MiB";
}

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<qint64> numbers(const QByteArray& text)
{
    std::vector<qint64> found;
    for (const QByteArray& word : text.split(' '))
        if (const qint64 number = word.trimmed().toLongLong(); number > 0) found.push_back(number);
    return found;
}

std::vector<qint64> children(qint64 pid)
{
    std::vector<qint64> found;
    const QString tasks = QStringLiteral("/proc/%1/task").arg(pid);
    for (const QString& task : QDir(tasks).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        const auto more = numbers(contents(tasks + u'/' + task + QStringLiteral("/children")));
        found.insert(found.end(), more.begin(), more.end());
    }
    return found;
}

/// No value if there is no such process.
std::optional<ProcessFacts> factsOf(qint64 pid)
{
    static const Bytes page = ::sysconf(_SC_PAGESIZE);
    const QByteArray line = contents(QStringLiteral("/proc/%1/stat").arg(pid));
    // The name in brackets may have anything in it. After it: the state, and as 20th and 22nd field start and resident pages.
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 1).simplified().split(' ');
    constexpr qsizetype startField = 19;
    constexpr qsizetype residentField = 21;
    if (fields.size() <= residentField) return std::nullopt;
    return ProcessFacts{pid, fields[startField].toLongLong(), fields[residentField].toLongLong() * page,
                        fields.front() == "Z" || fields.front() == "X"};
}

/// Runs between fork and exec: calls that are safe there only.
void becomeGuarded(rlim_t fileBytes, rlim_t addressBytes, const std::optional<CallFilter>& filter)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1); // survives the exec
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    const rlimit files{fileBytes, fileBytes};
    ::setrlimit(RLIMIT_FSIZE, &files);
    // The last resort only: programs reserve far more addresses than they use.
    const rlimit addresses{addressBytes, addressBytes};
    if (!sanitized) ::setrlimit(RLIMIT_AS, &addresses);
    // Where a filter was made and the kernel refuses it after all, nothing is started.
    if (filter && !filter->apply()) {
        [[maybe_unused]] const auto told = ::write(STDERR_FILENO, notConfinedText.data(), notConfinedText.size());
        ::_exit(notConfinedStatus);
    }
}

constexpr auto raiseOutput = "raise output_mb in the manifest if the answer is really that large";

} // namespace

std::vector<ProcessFacts> processesOf(qint64 pid)
{
    std::vector<ProcessFacts> found;
    std::vector<qint64> left{pid};
    for (std::size_t i = 0; i < left.size() && i < maxDescendants; ++i) {
        const auto facts = factsOf(left[i]);
        if (!facts) continue;
        found.push_back(*facts);
        const auto more = children(left[i]);
        left.insert(left.end(), more.begin(), more.end());
    }
    return found;
}

ProcessLimits limitsOf(const Manifest& manifest)
{
    return {
        manifest.memory,
        manifest.output,
        manifest.timeout,
        {"raise memory_mb in the manifest if the problem is really that large", raiseOutput, "raise timeout_s in the manifest"}};
}

GuardedProcess::GuardedProcess(const std::vector<std::string>& commandLine, const QString& folder, const ProcessLimits& limits)
    : limits_(limits)
{
    QStringList arguments;
    for (std::size_t i = 1; i < commandLine.size(); ++i) arguments << QString::fromStdString(commandLine[i]);
    process_.setProgram(QString::fromStdString(commandLine.front()));
    process_.setArguments(arguments);
    process_.setWorkingDirectory(folder);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const QString value = QUuid::createUuid().toString(QUuid::Id128);
    environment.insert(QString::fromLatin1(markName), value);
    mark_ = QByteArray(markName) + '=' + value.toLatin1();
    process_.setProcessEnvironment(environment);
    const auto files = static_cast<rlim_t>(limits.output);
    const auto addresses = static_cast<rlim_t>(4 * limits.memory + (Bytes{16} << 30));
    process_.setChildProcessModifier(
        [files, addresses, filter = CallFilter::make(Confined::program)] { becomeGuarded(files, addresses, filter); });
}

GuardedProcess::~GuardedProcess()
{
    killAll();
}

void GuardedProcess::killAll()
{
    if (pid_ <= 0 || killed_) return;
    killed_ = true;
    killedWhileRunning_ |= running();
    killDescendants();
    ::kill(static_cast<pid_t>(-pid_), SIGKILL);
    if (running()) process_.kill();
    killMarked();
    if (running()) process_.waitForFinished(1000);
}

/// Those of a program that has ended are the system's by now, so what was seen before stays.
void GuardedProcess::look()
{
    if (auto found = processesOf(pid_); !found.empty() && !found.front().ended) seen_ = std::move(found);
}

void GuardedProcess::killDescendants()
{
    // The program is stopped, not ended: it starts nothing more, and its descendants stay its own until all are found.
    if (running()) ::kill(static_cast<pid_t>(-pid_), SIGSTOP);
    for (int round = 0; running() && round < maxRounds; ++round) {
        bool any = false;
        for (const ProcessFacts& each : processesOf(pid_))
            if (each.pid != pid_ && !each.ended) any |= ::kill(static_cast<pid_t>(each.pid), SIGKILL) == 0;
        if (!any) break;
    }
    // If it ended by itself, they are the system's by now.
    for (const ProcessFacts& each : seen_) {
        const auto now = factsOf(each.pid);
        if (each.pid != pid_ && now && now->started == each.started) ::kill(static_cast<pid_t>(each.pid), SIGKILL);
    }
}

void GuardedProcess::killMarked() const
{
    // As continuous-integration servers find leftovers of a build.
    for (int round = 0; round < maxRounds; ++round) {
        bool any = false;
        for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            const auto pid = static_cast<pid_t>(entry.toLongLong());
            if (pid <= 1 || pid == ::getpid()) continue;
            if (!contents(QStringLiteral("/proc/%1/environ").arg(pid)).contains(mark_)) continue;
            any |= ::kill(pid, SIGKILL) == 0;
        }
        if (!any) break;
    }
}

std::optional<Error> GuardedProcess::start()
{
    clock_.start();
    process_.start();
    if (!process_.waitForStarted()) {
        const std::string program = process_.program().toStdString();
        return runFailed(RunFailure::exitedEarly, "'" + program + "' does not start: " + process_.errorString().toStdString(),
                         "correct 'argv' in the manifest, or install the program");
    }
    pid_ = process_.processId();
    return std::nullopt;
}

void GuardedProcess::write(std::string_view bytes)
{
    process_.write(bytes.data(), static_cast<qint64>(bytes.size()));
}

std::optional<Error> GuardedProcess::pump(std::chrono::milliseconds wait, std::string& output)
{
    process_.waitForReadyRead(static_cast<int>(std::max<std::int64_t>(1, wait.count())));
    const QByteArray bytes = process_.readAllStandardOutput();
    log_ += process_.readAllStandardError();
    if (log_.size() > 2 * keptLog) log_ = log_.right(keptLog);
    said_ += bytes.size();
    output.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
    auto broken = brokenLimit();
    if (broken) killAll();
    return broken;
}

std::optional<Error> GuardedProcess::brokenLimit()
{
    if (said_ > limits_.output) return tooMuchOutput("says more");
    if (!running()) return std::nullopt;
    if (const qint64 now = clock_.elapsed(); now - lastLook_ >= lookMs) {
        lastLook_ = now;
        look();
        Bytes resident = 0;
        for (const ProcessFacts& each : seen_) resident += each.resident;
        // One that has ended, and that nobody has waited for, uses no memory.
        if (std::ranges::count(seen_, false, &ProcessFacts::ended) > std::ptrdiff_t(maxProcesses))
            return runFailed(RunFailure::tooMuchMemory,
                             "it has more than the " + std::to_string(maxProcesses) + " processes at once that are allowed",
                             "let it start fewer processes at a time; threads do not count");
        if (resident > limits_.memory)
            return runFailed(RunFailure::tooMuchMemory, "it needs more memory than the " + mebibytes(limits_.memory) + " allowed",
                             limits_.remedies.memory);
    }
    if (clock_.hasExpired(limits_.time.count()))
        return runFailed(RunFailure::timedOut, "it gave no answer within " + timeText(limits_.time) + lastWords(),
                         limits_.remedies.time);
    return std::nullopt;
}

Error GuardedProcess::tooMuchOutput(const char* what) const
{
    return runFailed(RunFailure::tooMuchOutput, std::string("it ") + what + " than the " + mebibytes(limits_.output) + " allowed",
                     limits_.remedies.output);
}

void GuardedProcess::end(std::chrono::milliseconds grace)
{
    if (running() && pid_ > 0) {
        killedWhileRunning_ = true; // it may be gone before it is looked at again
        look();
        ::kill(static_cast<pid_t>(-pid_), SIGTERM);
        process_.waitForFinished(static_cast<int>(grace.count()));
    }
    killAll();
}

std::optional<Error> GuardedProcess::verdict() const
{
    if (process_.exitStatus() == QProcess::CrashExit) {
        const int signal = process_.exitCode();
        if (signal == SIGXFSZ) return tooMuchOutput("writes a file of more");
        const char* name = ::strsignal(signal);
        return runFailed(RunFailure::crashed, std::string("it crashed (") + (name ? name : "unknown signal") + ")" + lastWords(),
                         "nothing else is affected; report it to the author of the plug-in");
    }
    if (process_.exitCode() == notConfinedStatus && log_.contains(notConfinedText.data()))
        return runFailed(RunFailure::exitedEarly, "it was not started: " + std::string(notConfinedText),
                         std::string(notConfinedRemedy));
    if (process_.exitCode() != 0)
        return runFailed(RunFailure::exitedEarly,
                         "it ended with status " + std::to_string(process_.exitCode()) + " and without a plan" + lastWords());
    return std::nullopt;
}

std::string GuardedProcess::lastWords() const
{
    const QByteArray trimmed = log_.trimmed();
    QByteArray line = trimmed.mid(trimmed.lastIndexOf('\n') + 1).left(300);
    for (char& c : line)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    return line.isEmpty() ? std::string() : "; its last words: " + line.toStdString();
}

} // namespace stowage::external
