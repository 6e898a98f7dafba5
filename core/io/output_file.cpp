#include "core/io/output_file.h"

#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace stowage::io {

namespace {

constexpr int writeWaitMilliseconds = 50;
constexpr int lateWaits = 20;        ///< one second
constexpr mode_t newFileMode = 0666; ///< without the bits of the process's umask
constexpr mode_t modeBits = 07777;
constexpr int linkLimit = 40; ///< as in the kernel

/// During its lifetime, SIGPIPE and SIGXFSZ do not end the process; `write` fails with EPIPE or EFBIG instead. Only for the
/// calling thread. Signals raised meanwhile are discarded.
class QuietSignals {
public:
    explicit QuietSignals(bool pipes)
    {
        sigemptyset(&raised_);
        sigaddset(&raised_, SIGXFSZ);
        if (pipes) sigaddset(&raised_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &raised_, &before_);
    }
    ~QuietSignals()
    {
        constexpr timespec now{0, 0};
        for (const int signal : {SIGXFSZ, SIGPIPE}) {
            if (sigismember(&raised_, signal) == 0 || sigismember(&before_, signal) == 1) continue;
            sigset_t one;
            sigemptyset(&one);
            sigaddset(&one, signal);
            sigtimedwait(&one, nullptr, &now);
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    QuietSignals(const QuietSignals&) = delete;
    QuietSignals& operator=(const QuietSignals&) = delete;

private:
    sigset_t raised_{};
    sigset_t before_{};
};

std::string_view remedyOf(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT: return "free some space, or write to another disk";
    case EFBIG: return "raise the limit on the size of files ('ulimit -f')";
    case EACCES:
    case EPERM: return "check that you may write to the file and its folder";
    case EROFS: return "the file system is read-only: write somewhere else";
    case ENOENT:
    case ENOTDIR: return "make the folder first, or correct its name";
    case EISDIR: return "name a file in it";
    case ENAMETOOLONG: return "choose a shorter name";
    case EPIPE: return "the reader has gone away";
    case EBADF: return "it is closed";
    case ECANCELED: return "it was interrupted";
    default: return "";
    }
}

Error failureOf(const std::string& path, int error)
{
    const std::string reason = error == EISDIR      ? std::string("this is a folder")
                               : error == ECANCELED ? std::string("nobody took the bytes")
                                                    : std::generic_category().message(error);
    return failure(Code::cannotWrite, fmt::format("cannot be written: {}", reason), {path, 0, 0, -1},
                   std::string(remedyOf(error)));
}

/// True if a write may block until a reader reads.
bool waitsForReader(int descriptor)
{
    struct stat status {};
    return fstat(descriptor, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISCHR(status.st_mode));
}

/// Writes all bytes. Returns 0 or the error.
int writeAll(int descriptor, std::string_view bytes, bool quiet, const StopWriting& stop)
{
    const QuietSignals signals(quiet);
    const bool waits = stop && waitsForReader(descriptor);
    // The result of an interrupted work is written while a reader takes it. An interrupted write ends at once.
    const bool late = waits && stop();
    int idle = 0;
    while (!bytes.empty()) {
        std::size_t part = std::min(bytes.size(), std::size_t{1} << 30U);
        if (waits) { // a ready descriptor accepts PIPE_BUF bytes without blocking
            pollfd ready{descriptor, POLLOUT, 0};
            const int answer = poll(&ready, 1, writeWaitMilliseconds);
            if (answer < 0 && errno != EINTR) return errno;
            idle = answer > 0 ? 0 : idle + 1;
            if (stop() && (!late || idle > lateWaits)) return ECANCELED;
            if (answer <= 0) continue;
            part = std::min(part, std::size_t{PIPE_BUF});
        }
        const ssize_t written = ::write(descriptor, bytes.data(), part);
        if (written < 0) {
            if (errno == EINTR || errno == EAGAIN) continue;
            return errno;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// Flushes the file to the disk. Files that cannot be synchronised (devices, FIFOs) have nothing to flush.
int synchronise(int descriptor)
{
    while (fsync(descriptor) != 0) {
        if (errno == EINTR) continue;
        return errno == EINVAL || errno == ENOTSUP || errno == ENOSYS || errno == EROFS ? 0 : errno;
    }
    return 0;
}

std::string folderOf(const std::string& path)
{
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return ".";
    return slash == 0 ? "/" : path.substr(0, slash);
}

/// The target of the symbolic link that the last part of a path is. No value: it is no link, or does not exist.
std::optional<std::string> linkTarget(const std::string& path)
{
    std::array<char, PATH_MAX> target{};
    const ssize_t length = readlink(path.c_str(), target.data(), target.size());
    if (length < 0) return std::nullopt;
    std::string to(target.data(), static_cast<std::size_t>(length));
    return to.starts_with('/') ? to : folderOf(path) + '/' + to;
}

/// The target of a path whose last part is a symbolic link; the target need not exist. Empty: a cycle of links.
std::string followed(std::string path)
{
    for (int i = 0; i < linkLimit; ++i) {
        auto target = linkTarget(path);
        if (!target) return path;
        path = *std::move(target);
    }
    return {};
}

/// The open descriptor that a path means: /dev/stdin, /dev/stdout, /dev/stderr, /dev/fd/N, or a symbolic link that leads to one
/// of them or to /proc/self/fd/N. -1: none.
int descriptorNamed(std::string path)
{
    for (int i = 0; i < linkLimit; ++i) {
        if (path == "/dev/stdin") return STDIN_FILENO;
        if (path == "/dev/stdout") return STDOUT_FILENO;
        if (path == "/dev/stderr") return STDERR_FILENO;
        if (path.starts_with("/dev/fd/") || (i > 0 && path.starts_with("/proc/self/fd/"))) {
            const auto number = parsedNumber<int>(std::string_view(path).substr(path.find("fd/") + 3));
            return number && *number >= 0 ? *number : -1;
        }
        auto target = linkTarget(path);
        if (!target) return -1;
        path = *std::move(target);
    }
    return -1;
}

/// Files that cannot be replaced: the kernel makes their contents, or a container's engine has mounted them there
/// (/dev/termination-log).
bool isSystemPath(const std::string& path)
{
    return path.starts_with("/proc/") || (path.starts_with("/dev/") && !path.starts_with("/dev/shm/"));
}

} // namespace

Expected<OutputFile> OutputFile::open(const std::string& path, StopWriting stop)
{
    OutputFile file;
    file.path_ = path;
    file.stop_ = std::move(stop);
    if (path.empty()) return failure(Code::cannotWrite, "a file without a name cannot be written", {}, "name the file");
    if (const int descriptor = descriptorNamed(path); descriptor >= 0) {
        file.direct_ = true;
        if (auto error = file.duplicate(descriptor)) return *std::move(error);
        return file;
    }
    struct stat status {};
    const bool exists = stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) return failureOf(path, errno);
    if (exists && S_ISDIR(status.st_mode)) return failureOf(path, EISDIR);
    if (!exists && path.ends_with('/')) return failureOf(path, EISDIR);
    file.direct_ = (exists && !S_ISREG(status.st_mode)) || isSystemPath(path);
    if (file.direct_) {
        if (auto error = file.openDirectly()) return *std::move(error);
        if (exists && S_ISREG(status.st_mode) && path.starts_with("/dev/") && ftruncate(file.descriptor_, 0) != 0)
            return failureOf(path, errno);
        return file;
    }
    file.target_ = followed(path);
    if (file.target_.empty()) return failureOf(path, ELOOP);
    // Renaming checks only the permissions of the folder; do not replace a write-protected file.
    if (exists && faccessat(AT_FDCWD, file.target_.c_str(), W_OK, AT_EACCESS) != 0) return failureOf(path, errno);
    if (auto error = file.openTemporary()) return *std::move(error);
    if (exists) {
        // Changing the owner clears set-user-id bits, so the mode is set afterwards.
        if (fchown(file.descriptor_, status.st_uid, status.st_gid) != 0 &&
            fchown(file.descriptor_, static_cast<uid_t>(-1), status.st_gid) != 0)
            errno = 0; // only a privileged process may change the owner; otherwise the process owns the new file
        if (fchmod(file.descriptor_, status.st_mode & modeBits) != 0) return failureOf(path, errno);
    }
    return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      stop_(std::move(other.stop_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      direct_(other.direct_)
{
}

OutputFile::~OutputFile()
{
    if (descriptor_ >= 0) close(descriptor_);
    removeTemporary();
}

/// Opening the path of a descriptor again would open its file at the beginning, and not in the descriptor's append mode.
std::optional<Error> OutputFile::duplicate(int descriptor)
{
    if (descriptor == STDOUT_FILENO && std::fflush(stdout) != 0) return failed(errno);
    descriptor_ = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) return failed(errno);
    return std::nullopt;
}

std::optional<Error> OutputFile::openDirectly()
{
    // An ordinary `open` of a FIFO without a reader would block forever.
    for (;;) {
        descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (descriptor_ >= 0) break;
        if (errno == EINTR) continue;
        if (errno != ENXIO) return failed(errno);
        if (stop_ && stop_()) return failed(ECANCELED);
        const timespec pause{0, writeWaitMilliseconds * 1'000'000L};
        nanosleep(&pause, nullptr);
    }
    const int flags = fcntl(descriptor_, F_GETFL);
    if (flags < 0 || fcntl(descriptor_, F_SETFL, flags & ~O_NONBLOCK) != 0) return failed(errno);
    return std::nullopt;
}

std::optional<Error> OutputFile::openTemporary()
{
    const std::string folder = folderOf(target_);
    descriptor_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, newFileMode);
    // Names the temporary file by a link from /proc.
    if (descriptor_ >= 0 && access(fmt::format("/proc/self/fd/{}", descriptor_).c_str(), F_OK) == 0) return std::nullopt;
    if (descriptor_ >= 0) close(descriptor_);
    static std::atomic<unsigned> number = 0;
    for (;;) {
        std::string name = fmt::format("{}/.stowage-{}-{}.tmp", folder, getpid(), number++);
        descriptor_ = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, newFileMode);
        if (descriptor_ >= 0) {
            temporary_ = std::move(name);
            return std::nullopt;
        }
        if (errno != EEXIST && errno != EINTR) return failed(errno);
    }
}

std::optional<Error> OutputFile::write(std::string_view bytes)
{
    if (const int error = writeAll(descriptor_, bytes, true, stop_)) return failed(error);
    return std::nullopt;
}

std::optional<Error> OutputFile::commit()
{
    if (const int error = synchronise(descriptor_)) return failed(error);
    if (!direct_ && temporary_.empty()) {
        static std::atomic<unsigned> number = 0;
        const std::string from = fmt::format("/proc/self/fd/{}", descriptor_);
        for (;;) {
            std::string name = fmt::format("{}/.stowage-{}-{}.new", folderOf(target_), getpid(), number++);
            if (linkat(AT_FDCWD, from.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
                temporary_ = std::move(name);
                break;
            }
            if (errno != EEXIST) return failed(errno);
        }
    }
    // Linux has closed the file even when `close` reports an error.
    if (close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) return failed(errno);
    if (direct_) return std::nullopt;
    if (rename(temporary_.c_str(), target_.c_str()) != 0) return failed(errno);
    temporary_.clear();
    return std::nullopt;
}

Error OutputFile::failed(int error) const
{
    return failureOf(path_, error);
}

void OutputFile::removeTemporary()
{
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

std::optional<Error> writeFile(const std::string& path, std::string_view bytes, const StopWriting& stop)
{
    auto file = OutputFile::open(path, stop);
    if (!file) return std::move(file).error();
    if (auto error = file->write(bytes)) return error;
    return file->commit();
}

std::optional<Error> writeUnlessStopped(const std::string& path, std::string_view bytes, const StopWriting& stop)
{
    auto file = OutputFile::open(path, stop);
    if (!file) return std::move(file).error();
    if (auto error = file->write(bytes)) return error;
    if (stop && stop())
        return failure(Code::cancelled, "the writing was cancelled before it was done", {path, 0, 0, -1}, "write it again");
    return file->commit();
}

std::optional<Error> writeStandardOutput(std::string_view bytes, const StopWriting& stop)
{
    const std::string name = "standard output";
    if (std::fflush(stdout) != 0) return failureOf(name, errno);
    if (const int error = writeAll(STDOUT_FILENO, bytes, false, stop)) return failureOf(name, error);
    // Some file systems report a failed write only on `close`, so a copy of the descriptor is closed.
    const int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (copy < 0 || close(copy) != 0) return failureOf(name, errno);
    return std::nullopt;
}

} // namespace stowage::io
