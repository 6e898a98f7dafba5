#include "app/session/native_path.h"

#include <QStringDecoder>

namespace stowage {

namespace {

constexpr char16_t escapeBase = 0xDC00; ///< lone low surrogates 0xDC80 to 0xDCFF stand for bytes

bool isEscape(QChar c)
{
    return c.unicode() >= escapeBase + 0x80 && c.unicode() <= escapeBase + 0xFF;
}

/// Bytes of the UTF-8 character that `text` begins with; 0 when it begins with none.
qsizetype characterLength(std::string_view text)
{
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) return 1;
    const qsizetype length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || static_cast<qsizetype>(text.size()) < length) return 0;
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder(QByteArrayView(text.data(), length));
    return decoder.hasError() || decoded.contains(QChar::ReplacementCharacter) ? 0 : length;
}

} // namespace

QString pathFromNative(std::string_view bytes)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    QString whole = decoder(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    if (!decoder.hasError()) return whole;
    QString path;
    while (!bytes.empty()) {
        const qsizetype length = characterLength(bytes);
        if (length == 0) path += QChar(static_cast<char16_t>(escapeBase + static_cast<unsigned char>(bytes.front())));
        path += QString::fromUtf8(bytes.data(), length);
        bytes.remove_prefix(static_cast<std::size_t>(std::max<qsizetype>(length, 1)));
    }
    return path;
}

std::string nativePath(const QString& path)
{
    std::string bytes;
    qsizetype from = 0;
    for (qsizetype i = 0; i <= path.size(); ++i) {
        const bool escape = i < path.size() && isEscape(path[i]) && (i == 0 || !path[i - 1].isHighSurrogate());
        if (i < path.size() && !escape) continue;
        bytes += QStringView(path).mid(from, i - from).toUtf8().toStdString();
        if (escape) bytes += static_cast<char>(path[i].unicode() - escapeBase);
        from = i + 1;
    }
    return bytes;
}

bool isUtf8Path(const QString& path)
{
    return path.toUtf8().toStdString() == nativePath(path);
}

} // namespace stowage
