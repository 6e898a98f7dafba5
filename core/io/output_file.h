// Writes files completely or not at all. The only code of the project that writes files. Linux only.
#pragma once

#include "core/ir/expected.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stowage::io {

/// Asked every 50 ms while a device, a FIFO or a pipe blocks the writer. True cancels the write. Empty: never cancels.
using StopWriting = std::function<bool()>;

/// A file that is being written. The bytes of a regular or new file go to a temporary file in the same folder, and `commit`
/// replaces the old file by it. Before that, and after any error, the old file is unchanged. The temporary file has no name if
/// the file system supports that, so a killed process leaves no file. Symbolic links are followed. A replaced file keeps its
/// mode, and its owner if the process may set it. Other hard links to a replaced file keep the old contents.
///
/// Devices, FIFOs, sockets and all files under /proc and /dev, but for /dev/shm, are written directly and never replaced.
/// /dev/stdin, /dev/stdout, /dev/stderr and /dev/fd/N mean the open descriptor: the bytes are written to a duplicate of it, at
/// its position or in its append mode.
///
/// Errors have the code "cannot-write", the path, the reason of the operating system and a remedy. No exceptions; not
/// thread-safe.
class OutputFile {
public:
    static Expected<OutputFile> open(const std::string& path, StopWriting stop = {});
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    /// Removes the temporary file if `commit` was not called.
    ~OutputFile();

    /// Appends all of `bytes`. After an error the file can only be destroyed.
    [[nodiscard]] std::optional<Error> write(std::string_view bytes);
    /// Writes all bytes to the disk, closes the file, and replaces the old one. Call it only once.
    [[nodiscard]] std::optional<Error> commit();

private:
    OutputFile() = default;
    [[nodiscard]] std::optional<Error> duplicate(int descriptor);
    [[nodiscard]] std::optional<Error> openDirectly();
    [[nodiscard]] std::optional<Error> openTemporary();
    [[nodiscard]] Error failed(int error) const;
    void removeTemporary();

    std::string path_;      ///< as the user named it
    std::string target_;    ///< with symbolic links followed
    std::string temporary_; ///< empty: written directly, or the temporary file has no name yet
    StopWriting stop_;
    int descriptor_ = -1;
    bool direct_ = false;
};

/// Writes `bytes` to the file at `path`. On an error a regular file is unchanged.
[[nodiscard]] std::optional<Error> writeFile(const std::string& path, std::string_view bytes, const StopWriting& stop = {});

/// The same for a work whose result nobody wants once it is interrupted: if `stop` says so before a regular file is replaced,
/// that file is unchanged, and the error is "cancelled".
[[nodiscard]] std::optional<Error> writeUnlessStopped(const std::string& path, std::string_view bytes, const StopWriting& stop);

/// Writes `bytes` to standard output, without the buffers of the C library. If the reader has closed the pipe, SIGPIPE ends the
/// process, as for other filters.
[[nodiscard]] std::optional<Error> writeStandardOutput(std::string_view bytes, const StopWriting& stop = {});

} // namespace stowage::io
