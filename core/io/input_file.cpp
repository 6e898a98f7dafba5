#include "core/io/input_file.h"

#include "core/ir/digits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace stowage::io {

namespace {

constexpr int readWaitMilliseconds = 50;
constexpr std::size_t bytesAtOnce = std::size_t{1} << 20U;
constexpr unsigned memoryDevices = 1, nullDevice = 3; ///< major and minor device number of /dev/null

/// `code`: cannotOpen or cannotRead.
Error failureOf(Code code, const std::string& name, int error)
{
    const bool absent = error == ENOENT || error == ENOTDIR;
    return failure(
        code,
        fmt::format("cannot be {}: {}", code == Code::cannotOpen ? "opened" : "read", std::generic_category().message(error)),
        {name, 0, 0, -1},
        absent            ? "check the name and the folder"
        : error == EACCES ? "check that you may read it"
                          : "");
}

Error tooLarge(const std::string& name, Bytes limit, bool stream)
{
    return failure(Code::tooLarge,
                   fmt::format("it has more than {} bytes, which is the limit for {}", grouped(limit),
                               stream ? "a pipe or a device" : "a file"),
                   {name, 0, 0, -1}, stream ? "write it to a file, and name that" : "plan a part of it");
}

/// Waits until data can be read or the input ends. Error: "cancelled".
std::optional<Error> waitFor(int descriptor, const std::string& name, const StopReading& stop)
{
    for (;;) {
        if (stop && stop()) return failure(Code::cancelled, "reading was interrupted", {name, 0, 0, -1});
        pollfd ready{descriptor, POLLIN, 0};
        const int answer = poll(&ready, 1, stop ? readWaitMilliseconds : -1);
        if (answer > 0) return std::nullopt;
        if (answer < 0 && errno != EINTR) return failureOf(Code::cannotRead, name, errno);
    }
}

} // namespace

Expected<InputFile> InputFile::open(const std::string& path, InputLimits limits, StopReading stop)
{
    InputFile file;
    file.name_ = path == "-" ? "standard input" : path;
    file.limits_ = limits;
    file.stop_ = std::move(stop);
    file.descriptor_ = path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file.descriptor_ < 0) return failureOf(Code::cannotOpen, file.name_, errno);
    struct stat status {};
    if (fstat(file.descriptor_, &status) != 0) return failureOf(Code::cannotOpen, file.name_, errno);
    if (S_ISDIR(status.st_mode))
        return failure(Code::cannotOpen, "this is a folder", {file.name_, 0, 0, -1}, "name a file in it");
    const bool null = S_ISCHR(status.st_mode) && status.st_rdev == makedev(memoryDevices, nullDevice);
    if (S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && !null && isatty(file.descriptor_) == 0))
        return failure(Code::cannotOpen, "this is a device, whose contents have no end", {file.name_, 0, 0, -1}, "name a file");
    file.stream_ = !S_ISREG(status.st_mode) || status.st_size == 0;
    file.size_ = status.st_size;
    if (!file.stream_ && file.size_ > limits.file) return tooLarge(file.name_, limits.file, false);
    return file;
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      limits_(other.limits_),
      stop_(std::move(other.stop_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      stream_(other.stream_),
      size_(other.size_)
{
}

InputFile::~InputFile()
{
    if (descriptor_ >= 0) close(descriptor_);
}

Expected<std::string> InputFile::head(std::size_t maxCount) const
{
    std::string bytes(std::min(maxCount, static_cast<std::size_t>(size_)), '\0');
    std::size_t read = 0;
    while (read < bytes.size()) {
        const ssize_t count = pread(descriptor_, bytes.data() + read, bytes.size() - read, static_cast<off_t>(read));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failureOf(Code::cannotRead, name_, errno);
        if (count == 0) break;
        read += static_cast<std::size_t>(count);
    }
    bytes.resize(read);
    return bytes;
}

Expected<std::string> InputFile::all()
{
    const auto limit = static_cast<std::size_t>(stream_ ? limits_.stream : limits_.file);
    std::string bytes;
    if (!stream_) bytes.reserve(static_cast<std::size_t>(size_) + 1); // one more byte detects the end
    // A pipe gives 64 KiB at a time: resizing `bytes` before each read would write sixteen times as many bytes as are read.
    std::string next(bytesAtOnce, '\0');
    for (;;) {
        if (auto error = waitFor(descriptor_, name_, stop_)) return *std::move(error);
        const ssize_t count = ::read(descriptor_, next.data(), std::min(bytesAtOnce, limit + 1 - bytes.size()));
        if (count == 0) return bytes;
        if (count < 0 && errno != EINTR && errno != EAGAIN) return failureOf(Code::cannotRead, name_, errno);
        if (count > 0) bytes.append(next, 0, static_cast<std::size_t>(count));
        if (bytes.size() > limit) return tooLarge(name_, static_cast<Bytes>(limit), stream_);
    }
}

Expected<std::string> readFile(const std::string& path, InputLimits limits, StopReading stop)
{
    auto file = InputFile::open(path, limits, std::move(stop));
    if (!file) return std::move(file).error();
    return file->all();
}

} // namespace stowage::io
