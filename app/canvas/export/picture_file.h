// Writes a picture with its head into a file, for `render` and for exports of the window.
#pragma once

#include "app/canvas/kit/picture.h"

#include <QByteArray>
#include <QSize>
#include <QString>

namespace stowage {

inline constexpr double pictureHeadHeight = 36;

struct PictureFileOptions {
    QSize size{1600, 1000}; ///< logical pixels, with the head
    double scale = 1;       ///< device pixels for each logical pixel (PNG): 0.5 to 8
    bool readable = false;  ///< grows to `Picture::readableSize`, within 60 million pixels
};

/// Paints head and picture. The picture must have a scene; it stays laid out for the file. Returns true if a vector body had to
/// become a raster. `size` becomes the size of the sheet.
bool paintSheet(DrawList& list, Picture& picture, const PictureSource& source, const QString& title, QSize& size,
                const PictureFileOptions& options, BodyMode mode);

/// A picture as the bytes of a file.
struct PictureBytes {
    QByteArray bytes;
    Diagnostics notes; ///< a raster was embedded
};
/// The bytes that `writePicture` would write into `file`.
[[nodiscard]] Expected<PictureBytes> encodePicture(Picture& picture, const PictureSource& source, const QString& title,
                                                   const PictureFileOptions& options, const QString& file);

/// Writes PNG, SVG or PDF by the suffix of `file`. Returns notes (a raster was embedded), or an error.
[[nodiscard]] Expected<Diagnostics> writePicture(Picture& picture, const PictureSource& source, const QString& title,
                                                 const PictureFileOptions& options, const QString& file);

/// "more than 50,000 rectangles are in view: they are embedded as an image".
[[nodiscard]] Diagnostic rasterNote(const QString& file);

} // namespace stowage
