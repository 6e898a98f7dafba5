// Writes drawings into files: PNG, SVG and PDF.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "core/ir/expected.h"

#include <QByteArray>
#include <QSize>
#include <QString>

#include <optional>

namespace stowage {

enum class FileFormat : std::uint8_t { png, svg, pdf };

/// The format for the suffix of a file name. Errors: another suffix.
[[nodiscard]] Expected<FileFormat> fileFormatOf(const QString& file);

/// The reason why a picture of this size cannot be written; no value if it can: 200 x 120 to 32000 x 32000 pixels, scale 0.5 to
/// 8.
[[nodiscard]] std::optional<Error> whyNotThatSize(QSize size, double scale);

/// The bytes of a file with a drawing of `size` logical pixels, made for `scale` device pixels each (for SVG and PDF: 1). `file`:
/// its name, for messages. Errors: it cannot be encoded.
[[nodiscard]] Expected<QByteArray> encodeDrawing(const DrawList& list, QSize size, double scale, const QString& title,
                                                 FileFormat format, const QString& file);

/// The same, written to `file`. Errors: it cannot be encoded or written.
[[nodiscard]] std::optional<Error> writeDrawing(const DrawList& list, QSize size, double scale, const QString& title,
                                                FileFormat format, const QString& file);

} // namespace stowage
