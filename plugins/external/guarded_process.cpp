#include "plugins/external/guarded_process.h"

#include "plugins/external/confinement.h"
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
#include <vector>

namespace stowage::external {

namespace {

constexpr qint64 lookMs = 10; ///< how often its memory is looked at
constexpr qsizetype keptLog = 8192;
constexpr int notConfinedStatus = 126; ///< as of a shell that may not run a program
constexpr auto markName = "STOWAGE_RUN_MARK";

std::string text(std::chrono::milliseconds time)
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

/// Runs between fork and exec: calls that are safe there only.
void becomeGuarded(rlim_t fileBytes, rlim_t addressBytes, const std::optional<CallFilter>& filter)
{
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit noCore{0, 0};
    ::setrlimit(RLIMIT_CORE, &noCore);
    const rlimit files{fileBytes, fileBytes};
    ::setrlimit(RLIMIT_FSIZE, &files);
    // The last resort only: programs reserve far more addresses than they use.
    const rlimit addresses{addressBytes, addressBytes};
    if (!sanitized) ::setrlimit(RLIMIT_AS, &addresses);
    // Where a filter was made and the kernel refuses it after all, nothing is started.
    if (filter && !filter->apply()) ::_exit(notConfinedStatus);
}

} // namespace

Bytes residentBytes(qint64 pid)
{
    static const Bytes page = ::sysconf(_SC_PAGESIZE);
    Bytes sum = 0;
    std::vector<qint64> left{pid};
    for (std::size_t i = 0; i < left.size() && i < 4096; ++i) {
        const auto pages = contents(QStringLiteral("/proc/%1/statm").arg(left[i])).split(' ');
        if (pages.size() > 1) sum += pages[1].toLongLong() * page;
        const auto more = children(left[i]);
        left.insert(left.end(), more.begin(), more.end());
    }
    return sum;
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
    ::kill(static_cast<pid_t>(-pid_), SIGKILL);
    if (running()) process_.kill();
    // What left the group still has the mark, as continuous-integration servers find leftovers of a build. Again as long as some
    // is found: it may start others meanwhile.
    for (int round = 0; round < 20; ++round) {
        bool any = false;
        for (const QString& entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs)) {
            const auto pid = static_cast<pid_t>(entry.toLongLong());
            if (pid <= 1 || pid == ::getpid()) continue;
            if (!contents(QStringLiteral("/proc/%1/environ").arg(pid)).contains(mark_)) continue;
            any |= ::kill(pid, SIGKILL) == 0;
        }
        if (!any) break;
    }
    if (running()) process_.waitForFinished(1000);
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
    if (said_ > limits_.output)
        return runFailed(RunFailure::tooMuchOutput, "it says more than the " + mebibytes(limits_.output) + " allowed",
                         "raise output_mb in the manifest if the answer is really that large");
    if (!running()) return std::nullopt;
    if (const qint64 now = clock_.elapsed(); now - lastLook_ >= lookMs) {
        lastLook_ = now;
        if (residentBytes(pid_) > limits_.memory)
            return runFailed(RunFailure::tooMuchMemory, "it needs more memory than the " + mebibytes(limits_.memory) + " allowed",
                             "raise memory_mb in the manifest if the problem is really that large");
    }
    if (clock_.hasExpired(limits_.time.count()))
        return runFailed(RunFailure::timedOut, "it gave no answer within " + text(limits_.time) + lastWords(),
                         "raise timeout_s in the manifest, or give it more with --time-limit");
    return std::nullopt;
}

void GuardedProcess::end(std::chrono::milliseconds grace)
{
    if (running() && pid_ > 0) {
        killedWhileRunning_ = true; // it may be gone before it is looked at again
        ::kill(static_cast<pid_t>(-pid_), SIGTERM);
        process_.waitForFinished(static_cast<int>(grace.count()));
    }
    killAll();
}

std::optional<Error> GuardedProcess::verdict() const
{
    if (process_.exitStatus() == QProcess::CrashExit) {
        const int signal = process_.exitCode();
        if (signal == SIGXFSZ)
            return runFailed(RunFailure::tooMuchOutput,
                             "it writes a file of more than the " + mebibytes(limits_.output) + " allowed",
                             "raise output_mb in the manifest if the answer is really that large");
        const char* name = ::strsignal(signal);
        return runFailed(RunFailure::crashed, std::string("it crashed (") + (name ? name : "unknown signal") + ")" + lastWords(),
                         "nothing else is affected; report it to the author of the plug-in");
    }
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
