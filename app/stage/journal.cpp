#include "app/stage/journal.h"

#include <fmt/format.h>

#include <csignal>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace stowage::stage {

namespace {

/// Of the journal that the signal's handler writes to; there is one in a process.
volatile std::sig_atomic_t fileOfHandler = -1;

void writeAll(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t written = write(file, text.data(), text.size());
        if (written <= 0) return; // nobody can be told
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

extern "C" void killedBySignal(int)
{
    writeAll(static_cast<int>(fileOfHandler), "killed\n");
    constexpr int terminated = 128 + SIGTERM;
    _exit(terminated);
}

} // namespace

Journal::Journal(const std::string& folder, int rank)
{
    if (folder.empty()) return;
    constexpr int mode = 0600;
    file_ = open(fmt::format("{}/stage-{}.journal", folder, rank).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, mode);
    if (file_ < 0) return;
    fileOfHandler = file_;
    struct sigaction action {};
    action.sa_handler = killedBySignal;
    sigaction(SIGTERM, &action, nullptr);
}

Journal::~Journal()
{
    if (file_ >= 0) close(file_);
}

void Journal::line(const char* what, std::int64_t frame)
{
    if (file_ >= 0) writeAll(file_, fmt::format("{} {}\n", what, frame));
}

void Journal::done()
{
    if (file_ >= 0) writeAll(file_, "done\n");
}

} // namespace stowage::stage
