#include "app/worker/channel.h"

#include "plugins/host/import_messages.h"

#include <cerrno>
#include <cstdlib>
#include <limits>
#include <unistd.h>

namespace stowage::worker {
namespace {

void writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) std::_Exit(EXIT_FAILURE);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

} // namespace

// The host is trusted: it sends what the user opened, however large.
Channel::Channel() : out_(::dup(STDOUT_FILENO)), reader_(std::numeric_limits<std::size_t>::max())
{
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
}

Channel::~Channel()
{
    ::close(out_);
}

Expected<Frame> Channel::receive()
{
    char buffer[1 << 16];
    for (;;) {
        auto next = reader_.next();
        if (!next) return std::move(next).error();
        if (*next) return std::move(**next);
        const ssize_t size = ::read(STDIN_FILENO, buffer, sizeof buffer);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) return failure(Code::noOrder, "the order ended too early");
        reader_.append({buffer, static_cast<std::size_t>(size)});
    }
}

void Channel::send(std::string_view type, std::string_view payload)
{
    writeAll(out_, frameHeader(type, payload.size()));
    writeAll(out_, payload);
}

void Channel::send(const Error& error)
{
    send(frame::error, toArchive(error));
}

} // namespace stowage::worker
