// Reads files, pipes and standard input, up to a limit. Waiting can be interrupted. Linux only.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace stowage::io {

/// Asked at least every 50 ms while a pipe is empty, and after every megabyte. True cancels the read. Empty: never cancels.
using StopReading = std::function<bool()>;

/// Maximum sizes, in bytes.
struct InputLimits {
    Bytes file = Bytes{4} << 30;   ///< of a regular file
    Bytes stream = Bytes{1} << 30; ///< of a pipe, a FIFO, a terminal, or a file of unknown size
};

/// An open input. Devices other than terminals and the null device are refused, because reading them may never end. Errors:
/// "cannot-open", "cannot-read", "too-large" and "cancelled", each with the name of the input. No exceptions except
/// `std::bad_alloc`.
class InputFile {
public:
    /// Opens `path`; "-" is standard input. Opening a FIFO does not wait for a writer.
    static Expected<InputFile> open(const std::string& path, InputLimits limits = {}, StopReading stop = {});
    InputFile(InputFile&& other) noexcept;
    InputFile& operator=(InputFile&&) = delete;
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile();

    /// True if the input can be read only once, from beginning to end.
    [[nodiscard]] bool isStream() const { return stream_; }
    /// The first bytes of a regular file, at most `maxCount`. Does not affect later reads.
    [[nodiscard]] Expected<std::string> head(std::size_t maxCount) const;
    /// All bytes, from the beginning. For a stream, call it only once.
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
