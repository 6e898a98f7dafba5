// Writes files whole or not at all; every failure is reported. All files of the project are written here. Linux.
#pragma once

#include "core/ir/expected.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stowage::io {

/// Asked while a device, a FIFO or a pipe keeps the writer waiting, every 50 ms; true gives up. Empty: never.
using StopWriting = std::function<bool()>;

/// A file while it is written. A regular or new file gets its bytes in a temporary file of the same folder (without a name where
/// the file system can do that, so that a killed process leaves no file), which takes the file's place in
/// `commit`: until then, and after any error, the old file stays as it is. Symbolic links are followed and stay; the mode of a
/// replaced file stays, and its owner where the process may set it. Other names (hard links) of a replaced file keep the old
/// contents.
///
/// Devices, FIFOs, sockets and everything under /dev and /proc are written directly and never replaced.
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
    /// Without `commit` nothing is replaced, and the temporary file is removed.
    ~OutputFile();

    /// Appends all of `bytes`. After an error the file can only be destroyed.
    [[nodiscard]] std::optional<Error> write(std::string_view bytes);
    /// Writes the last bytes out to the disk, closes, and puts the new file in its place. To be called once.
    [[nodiscard]] std::optional<Error> commit();

private:
    OutputFile() = default;
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

/// Writes all of `bytes` to the file at `path`, or leaves it as it is.
[[nodiscard]] std::optional<Error> writeFile(const std::string& path, std::string_view bytes, const StopWriting& stop = {});

/// Writes all of `bytes` to standard output, past the buffers of the C library. A reader that has gone away ends the process by
/// SIGPIPE, as it ends other filters.
[[nodiscard]] std::optional<Error> writeStandardOutput(std::string_view bytes, const StopWriting& stop = {});

} // namespace stowage::io
