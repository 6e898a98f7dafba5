// How messages lie in a byte stream between two processes: a header of text lines, an empty line, then the payload. The same
// framing as the language server protocol's, so that tools and other languages speak it.
//
//     Content-Type: imported\r\n
//     Content-Length: 4711\r\n
//     \r\n
//     (4711 bytes)
#pragma once

#include "core/ir/expected.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace stowage {

struct Frame {
    std::string type; ///< one word; may be empty
    std::string payload;
};

/// What comes before a payload of `size` bytes. Requires a type without line breaks.
std::string frameHeader(std::string_view type, std::size_t size);

/// Takes a stream apart. Bytes are appended as they arrive, in pieces of any size.
class FrameReader {
public:
    /// Payloads above `maxPayload` bytes are refused as soon as their header is read.
    explicit FrameReader(std::size_t maxPayload) : maxPayload_(maxPayload) {}

    void append(std::string_view bytes) { pending_.append(bytes); }
    /// The next complete frame; nothing while more bytes are needed. An error when this is not a stream of frames ("not-a-frame")
    /// or a payload is too large ("frame-too-large"); the reader is of no use after that.
    Expected<std::optional<Frame>> next();
    /// True when no frame is half read.
    [[nodiscard]] bool atBoundary() const { return pending_.size() == begin_ && !payloadSize_; }

private:
    std::optional<Error> readHeader(std::string_view header);

    std::size_t maxPayload_;
    std::string pending_;
    std::size_t begin_ = 0;                  ///< of what is not yet read
    std::optional<std::size_t> payloadSize_; ///< once the header is read
    std::string type_;
};

} // namespace stowage
