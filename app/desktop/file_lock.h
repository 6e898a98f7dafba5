// A lock on a file, between running programs.
#pragma once

#include <QString>

#include <utility>

namespace stowage {

/// Held until the end of this object or of the process, also of one that is killed, on any host that shares the folder. The lock
/// belongs to the open file: its contents say nothing, and it stays when the lock is released. Started programs do not inherit
/// it.
class FileLock {
public:
    FileLock() = default;
    FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FileLock& operator=(FileLock&& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }
    ~FileLock();

    /// False: another object holds the lock of this file. True without a lock if none can be made there: the folder is read-only,
    /// or its file system has no locks. Creates the file. Requires that this object holds no lock.
    [[nodiscard]] bool take(const QString& path);

private:
    int descriptor_ = -1; ///< -1: no lock
};

} // namespace stowage
