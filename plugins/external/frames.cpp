#include "plugins/external/frames.h"

#include "core/ir/parsed_number.h"

namespace stowage {
namespace {

constexpr std::size_t maxHeader = 4096;
constexpr std::string_view headerEnd = "\r\n\r\n";
constexpr std::string_view lengthField = "Content-Length: ";
constexpr std::string_view typeField = "Content-Type: ";

} // namespace

std::string frameHeader(std::string_view type, std::size_t size)
{
    std::string header;
    header.append(typeField).append(type).append("\r\n");
    header.append(lengthField).append(std::to_string(size)).append(headerEnd);
    return header;
}

Expected<std::optional<Frame>> FrameReader::next()
{
    if (!payloadSize_) {
        const std::string_view rest = std::string_view(pending_).substr(begin_);
        const std::size_t end = rest.substr(0, maxHeader).find(headerEnd);
        if (end == std::string_view::npos) {
            if (rest.size() >= maxHeader) return failure(Code::notAFrame, "there is no end of a header in its first 4096 bytes");
            if (!rest.empty() && !rest.starts_with(std::string_view("Content-").substr(0, rest.size())))
                return failure(Code::notAFrame, "it does not begin with a header");
            return std::optional<Frame>();
        }
        if (auto error = readHeader(rest.substr(0, end))) return std::move(*error);
        begin_ += end + headerEnd.size();
    }
    if (pending_.size() - begin_ < *payloadSize_) return std::optional<Frame>();

    Frame frame{std::move(type_), pending_.substr(begin_, *payloadSize_)};
    begin_ += *payloadSize_;
    payloadSize_.reset();
    type_.clear();
    // The bytes that were read go, also if the next frame is there in part. Each byte is moved once at most, on average.
    if (begin_ > pending_.size() / 2) {
        pending_.erase(0, begin_);
        begin_ = 0;
    }
    return std::optional<Frame>(std::move(frame));
}

std::optional<Error> FrameReader::readHeader(std::string_view header)
{
    while (!header.empty()) {
        const std::size_t lineEnd = std::min(header.find("\r\n"), header.size());
        std::string_view line = header.substr(0, lineEnd);
        header.remove_prefix(std::min(header.size(), lineEnd + 2));
        if (line.starts_with(typeField)) {
            type_ = line.substr(typeField.size());
        } else if (line.starts_with(lengthField)) {
            line.remove_prefix(lengthField.size());
            const auto size = parsedNumber<std::size_t>(line);
            if (!size || payloadSize_) return failure(Code::notAFrame, "its header has no usable Content-Length");
            payloadSize_ = size;
        } else {
            return failure(Code::notAFrame, "its header has a field that is not known");
        }
    }
    if (!payloadSize_) return failure(Code::notAFrame, "its header has no Content-Length");
    if (*payloadSize_ > maxPayload_)
        return failure(Code::frameTooLarge, "it announces " + std::to_string(*payloadSize_) + " bytes, more than the " +
                                                std::to_string(maxPayload_) + " allowed");
    return std::nullopt;
}

} // namespace stowage
