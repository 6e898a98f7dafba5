// Reads inputs of any kind: up to a limit, with an end to every wait, and interruptible.
// Linux.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stowage::io {

/// Asked at least every 50 ms while a pipe has nothing to read, and after every megabyte; true gives up. Empty: never.
using StopReading = std::function<bool()>;

/// Sizes that are read at most.
struct InputLimits {
    Bytes file = Bytes{4} << 30;   ///< of a regular file
    Bytes stream = Bytes{1} << 30; ///< of a pipe, a FIFO, a terminal, or a file that does not tell its size
};

/// An open input. Devices other than terminals and the null device are refused when they are opened: they have no end. Errors:
/// "cannot-open", "cannot-read", "too-large" and "cancelled", each with the name of the input. No exceptions but
/// `std::bad_alloc`.
class InputFile {
public:
    /// "-" is standard input. Opening a FIFO does not wait for its writer.
    static Expected<InputFile> open(const std::string& path, InputLimits limits = {}, StopReading stop = {});
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&&) = delete;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    /// It can only be read once, from its beginning to its end.
    [[nodiscard]] bool isStream() const { return stream_; }
    /// The first bytes of a regular file, `most` at most; what is read next does not change.
    [[nodiscard]] Expected<std::string> head(std::size_t most) const;
    /// All bytes, from the beginning. To be called once for a stream.
    [[nodiscard]] Expected<std::string> all();

private:
    InputFile() = default;

    std::string name_; ///< for messages
    InputLimits limits_;
    StopReading stop_;
    int descriptor_ = -1;
    bool stream_ = false;
    Bytes size_ = 0; ///< of a regular file
};

/// All bytes of the file at `path`, or of standard input for "-".
[[nodiscard]] Expected<std::string> readFile(const std::string& path, InputLimits limits = {}, StopReading stop = {});

} // namespace stowage::io
