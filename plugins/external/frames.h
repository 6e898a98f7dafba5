// The framing of messages in a byte stream between two processes: header lines of text, an empty line, and the payload. It is the
// framing of the language server protocol, for which other languages and tools have libraries.
//
//     Content-Type: imported\r\n
//     Content-Length: 4711\r\n
//     \r\n
//     (4711 bytes)
#pragma once

#include "core/ir/expected.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stowage {

struct Frame {
    std::string type; ///< one word; may be empty
    std::string payload;
};

/// The header of a frame with a payload of `size` bytes, up to and with the empty line. Requires a type without line breaks.
std::string frameHeader(std::string_view type, std::size_t size);

/// Splits a byte stream into frames. Bytes are appended as they arrive, any number at a time. Keeps at most twice the bytes of
/// the frames that were not taken yet.
class FrameReader {
public:
    /// A payload of more than `maxPayload` bytes is an error as soon as its header is read.
    explicit FrameReader(std::size_t maxPayload) : maxPayload_(maxPayload) {}

    void append(std::string_view bytes)
    {
        pending_.append(bytes);
        arrived_ += bytes.size();
    }
    /// Count of bytes that were appended.
    [[nodiscard]] std::uint64_t arrived() const { return arrived_; }
    /// Count of those that `next` has taken.
    [[nodiscard]] std::uint64_t taken() const { return arrived_ - (pending_.size() - begin_); }
    /// The next complete frame; no value while bytes of it are missing. Errors, after which the reader cannot be used any more:
    /// "not-a-frame" if the bytes are no stream of frames; "frame-too-large".
    Expected<std::optional<Frame>> next();
    /// True if no frame has arrived in part.
    [[nodiscard]] bool atBoundary() const { return pending_.size() == begin_ && !payloadSize_; }

private:
    std::optional<Error> readHeader(std::string_view header);

    std::size_t maxPayload_;
    std::string pending_;
    std::size_t begin_ = 0;                  ///< index in `pending_` of the first byte that has not been read
    std::optional<std::size_t> payloadSize_; ///< no value before the header is read
    std::string type_;
    std::uint64_t arrived_ = 0;
};

} // namespace stowage
