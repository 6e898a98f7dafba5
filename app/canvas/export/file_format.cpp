#include "app/canvas/export/file_format.h"

#include "app/canvas/kit/number_text.h"
#include "app/session/native_path.h"
#include "core/io/output_file.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <cmath>

namespace stowage {

Expected<FileFormat> fileFormatOf(const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == u"png") return FileFormat::png;
    if (suffix == u"svg") return FileFormat::svg;
    if (suffix == u"pdf") return FileFormat::pdf;
    return failure(Code::unknownSuffix, "the name of the file does not say which kind of picture it is", {nativePath(file)},
                   "end it in .png, .svg or .pdf");
}

std::optional<Error> whyNotThatSize(QSize size, double scale)
{
    constexpr int maxPixels = 32000;
    if (size.width() >= 200 && size.height() >= 120 && scale >= 0.5 && scale <= 8 && size.width() * scale <= maxPixels &&
        size.height() * scale <= maxPixels)
        return std::nullopt;
    return failure(Code::badSize, "the picture would be too small or too large", {},
                   "200 x 120 to 32000 x 32000 pixels, scale 0.5 to 8");
}

Expected<QByteArray> encodeDrawing(const DrawList& list, QSize size, double scale, const QString& title, FileFormat format,
                                   const QString& file)
{
    const auto notEncoded = [&] {
        return failure(Code::cannotWrite, "the picture could not be encoded", {nativePath(file)}, "choose a smaller size");
    };
    QBuffer out;
    out.open(QIODevice::WriteOnly);
    switch (format) {
    case FileFormat::png: {
        QImage image(QSize(int(std::lround(size.width() * scale)), int(std::lround(size.height() * scale))),
                     QImage::Format_RGB32);
        image.setDevicePixelRatio(scale);
        QPainter painter(&image);
        replay(list, painter);
        painter.end();
        if (!image.save(&out, "PNG")) return notEncoded();
        break;
    }
    case FileFormat::svg: {
        QSvgGenerator generator;
        generator.setOutputDevice(&out);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(0, 0), size));
        generator.setTitle(nameText(title.toStdString()).toHtmlEscaped()); // Qt 6.4 writes it as it is
        QPainter painter;
        if (!painter.begin(&generator)) return notEncoded();
        replay(list, painter, true);
        painter.end();
        break;
    }
    case FileFormat::pdf: {
        QPdfWriter writer(&out);
        writer.setCreator(QStringLiteral("Stowage"));
        writer.setTitle(nameText(title.toStdString()));
        // One logical pixel is one point; the page is as large as the picture.
        writer.setResolution(72);
        writer.setPageSize(QPageSize(QSizeF(size), QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        QPainter painter;
        if (!painter.begin(&writer)) return notEncoded();
        replay(list, painter, true);
        painter.end();
        break;
    }
    }
    return out.data();
}

std::optional<Error> writeDrawing(const DrawList& list, QSize size, double scale, const QString& title, FileFormat format,
                                  const QString& file)
{
    const auto bytes = encodeDrawing(list, size, scale, title, format, file);
    if (!bytes) return bytes.error();
    return io::writeFile(nativePath(file), {bytes->constData(), std::size_t(bytes->size())});
}

} // namespace stowage
