// A picture with its head into a file: what `render` writes, and what the window exports of a picture as it shows it.
#pragma once

#include "app/canvas/kit/picture.h"

#include <QByteArray>
#include <QSize>
#include <QString>

namespace stowage {

inline constexpr double pictureHeadHeight = 36;

struct PictureFileOptions {
    QSize size{1600, 1000}; ///< logical pixels, with the head
    double scale = 1;       ///< device pixels for each logical one (PNG): 0.5 to 8
    bool readable = false;  ///< grows to `Picture::readableSize`, within 60 million pixels
};

/// Head and picture as draw commands. The picture must have a scene; it is laid out for the file afterwards. Returns true when a
/// vector body had to be a raster. `size` becomes the size of the sheet.
bool paintSheet(DrawList& list, Picture& picture, const PictureSource& source, const QString& title, QSize& size,
                const PictureFileOptions& options, BodyMode mode);

/// A picture as the bytes of a file.
struct PictureBytes {
    QByteArray bytes;
    Diagnostics notes; ///< a raster was embedded
};
/// What `writePicture` would write into `file`, without writing it.
[[nodiscard]] Expected<PictureBytes> encodePicture(Picture& picture, const PictureSource& source, const QString& title,
                                                   const PictureFileOptions& options, const QString& file);

/// Writes PNG, SVG or PDF by the suffix of `file`. Returns notes (a raster was embedded), or an error.
[[nodiscard]] Expected<Diagnostics> writePicture(Picture& picture, const PictureSource& source, const QString& title,
                                                 const PictureFileOptions& options, const QString& file);

/// "more than 50,000 rectangles are in view: they are embedded as an image".
[[nodiscard]] Diagnostic rasterNote(const QString& file);

} // namespace stowage
