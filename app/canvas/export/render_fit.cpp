#include "app/canvas/export/render_fit.h"

#include "app/canvas/export/file_format.h"
#include "app/canvas/export/picture_file.h"
#include "app/canvas/pictures/fit/fit_sheet.h"

namespace stowage {

bool paintFitFile(DrawList& list, const Fit& fit, const QString& model, const RenderOptions& options, BodyMode mode)
{
    const Theme& theme = options.dark ? Theme::darkTheme() : Theme::lightTheme();
    const QSizeF size(options.size);
    list.fill({0, 0, size.width(), pictureHeadHeight}, theme.panel);
    list.horizontal(0, size.width(), pictureHeadHeight - 1, theme.line);
    const QString name = list.elided(Face::title, model, size.width() - 24);
    list.text(Face::title, 12, pictureHeadHeight / 2, name, theme.text);
    const double x = 24 + list.width(Face::title, name);
    const QString runtime = fit.runtime == Runtime::tflm         ? QStringLiteral("TensorFlow Lite Micro")
                            : fit.runtime == Runtime::executorch ? QStringLiteral("ExecuTorch")
                                                                 : QStringLiteral("all planners");
    list.text(Face::body, x, pictureHeadHeight / 2, list.elided(Face::body, runtime, size.width() - 12 - x), theme.text2);
    list.add(draw::Shift{{0, pictureHeadHeight}});
    FitSheetOptions sheet;
    sheet.size = {size.width(), size.height() - pictureHeadHeight};
    sheet.theme = &theme;
    sheet.mode = mode;
    const bool fellBack = paintFitSheet(list, fit, sheet);
    list.add(draw::Unshift{});
    return fellBack;
}

Expected<Diagnostics> renderFitToFile(const Fit& fit, const QString& model, const RenderOptions& options, const QString& file)
{
    const auto format = fileFormatOf(file);
    if (!format) return format.error();
    if (const auto wrong = whyNotThatSize(options.size, options.scale)) return *wrong;
    const bool png = *format == FileFormat::png;
    TextShaper shaper;
    DrawList list(shaper, png ? options.scale : 1.0);
    const bool fellBack = paintFitFile(list, fit, model, options, png ? BodyMode::raster : BodyMode::vector);
    if (auto wrong = writeDrawing(list, options.size, options.scale, model, *format, file)) return *wrong;
    Diagnostics notes;
    if (fellBack) notes.push_back(rasterNote(file));
    return notes;
}

} // namespace stowage
