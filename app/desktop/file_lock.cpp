#include "app/desktop/file_lock.h"

#include <QFile>

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace stowage {

FileLock::~FileLock()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool FileLock::take(const QString& path)
{
    constexpr mode_t mode = 0600;
    const int made = ::open(QFile::encodeName(path).constData(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, mode);
    if (made < 0) return true;
    if (::flock(made, LOCK_EX | LOCK_NB) == 0) {
        descriptor_ = made;
        return true;
    }
    const bool held = errno == EWOULDBLOCK;
    ::close(made);
    return !held;
}

} // namespace stowage
