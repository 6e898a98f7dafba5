#include "plugins/pytorch/packed.h"

#include <QByteArray>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <zlib.h>

namespace stowage::pytorch {

namespace {

constexpr std::size_t maxUnzipped = std::size_t{4} << 30;
constexpr int gzipOnly = 16 + MAX_WBITS;

Error damaged(const std::string& file, std::string what)
{
    return failure(Code::badGzip, std::move(what), {file}, "fetch or write the file again");
}

} // namespace

bool isGzip(std::string_view bytes)
{
    return bytes.starts_with("\x1f\x8b");
}

Expected<std::string> unzipped(std::string_view bytes, const std::string& file)
{
    std::string text;
    z_stream stream{};
    if (inflateInit2(&stream, gzipOnly) != Z_OK) return damaged(file, "zlib could not be started");
    std::array<unsigned char, 1 << 16> chunk{};
    std::size_t given = 0;
    int status = Z_OK;
    while (status == Z_OK) {
        if (stream.avail_in == 0 && given < bytes.size()) {
            const std::size_t count = std::min<std::size_t>(bytes.size() - given, 1 << 30);
            // zlib takes a pointer that is not const, and only reads from it.
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + given));
            stream.avail_in = static_cast<uInt>(count);
            given += count;
        }
        stream.next_out = chunk.data();
        stream.avail_out = static_cast<uInt>(chunk.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - stream.avail_out);
        if (text.size() > maxUnzipped) {
            inflateEnd(&stream);
            return damaged(file, "unpacked it is larger than 4 GiB");
        }
        if (status == Z_BUF_ERROR) break; // nothing more to read
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END) return damaged(file, "the gzip file is damaged or cut off");
    return text;
}

std::string unzippedHead(std::string_view head)
{
    z_stream stream{};
    if (inflateInit2(&stream, gzipOnly) != Z_OK) return {};
    std::vector<char> text(std::size_t{1} << 16);
    // zlib takes a pointer that is not const, and only reads from it.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(head.data()));
    stream.avail_in = static_cast<uInt>(std::min<std::size_t>(head.size(), 1 << 30));
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    inflate(&stream, Z_SYNC_FLUSH);
    const auto end = text.end() - static_cast<std::ptrdiff_t>(stream.avail_out);
    inflateEnd(&stream);
    return {text.begin(), end};
}

Expected<std::string> pickleInPage(std::string_view page, const std::string& file)
{
    constexpr std::string_view key = "\"base64\":";
    const auto at = page.find(key);
    const auto open = at == std::string_view::npos ? at : page.find('"', at + key.size());
    const auto close = open == std::string_view::npos ? open : page.find('"', open + 1);
    if (close == std::string_view::npos)
        return failure(Code::noSnapshot, "this is neither a pickle nor a page that holds one", {file},
                       "write it with torch.cuda.memory._dump_snapshot");
    const QByteArray text = QByteArray::fromRawData(page.data() + open + 1, static_cast<qsizetype>(close - open - 1));
    const auto decoded = QByteArray::fromBase64Encoding(text, QByteArray::AbortOnBase64DecodingErrors);
    if (!decoded)
        return failure(Code::badGzip, "the pickle in the page is no base64", {file, 0, 0, static_cast<std::int64_t>(open + 1)},
                       "fetch or write the file again");
    return decoded.decoded.toStdString();
}

} // namespace stowage::pytorch
