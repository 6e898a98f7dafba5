// Drawings into files: PNG, SVG and PDF.
#pragma once

#include "app/canvas/kit/draw_list.h"
#include "core/ir/expected.h"

#include <QByteArray>
#include <QSize>
#include <QString>

#include <optional>

namespace stowage {

enum class FileFormat : std::uint8_t { png, svg, pdf };

/// By the suffix of the name; an error with the remedy for any other.
[[nodiscard]] Expected<FileFormat> fileFormatOf(const QString& file);

/// Why a picture of that size cannot be written; nothing when it can: 200 x 120 to 32000 x 32000 pixels, scale 0.5 to 8.
[[nodiscard]] std::optional<Error> whyNotThatSize(QSize size, double scale);

/// The file of a drawing of `size` logical pixels, which was made for `scale` device pixels each (PNG; others: 1). An error when
/// it cannot be encoded; `file` is its name, for the message.
[[nodiscard]] Expected<QByteArray> encodeDrawing(const DrawList& list, QSize size, double scale, const QString& title,
                                                 FileFormat format, const QString& file);

/// Writes a drawing of `size` logical pixels, which was made for `scale` device pixels each (PNG; others: 1). Nothing when that
/// has worked.
[[nodiscard]] std::optional<Error> writeDrawing(const DrawList& list, QSize size, double scale, const QString& title,
                                                FileFormat format, const QString& file);

} // namespace stowage
