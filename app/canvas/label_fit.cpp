#include "app/canvas/label_fit.h"

namespace stowage {

namespace {

constexpr std::string_view ellipsis = "\u2026";
constexpr double gapToSize = 12; ///< between a name and the size at the end of its line
constexpr double numberInset = 3; ///< around a size in the middle, which needs no margin to read along

} // namespace

std::string shortenedName(std::string_view name, double width, const MeasureText& measure)
{
    if (measure(name, false) <= width) return std::string(name);
    for (const char separator : {'/', '.', ':'}) {
        const auto first = name.find(separator, 1);
        if (first == std::string_view::npos || first + 1 >= name.size()) continue;
        const auto last = name.rfind(separator);
        const std::string head(name.substr(0, first + 1));
        if (last > first && last + 1 < name.size()) {
            std::string middle = head + std::string(ellipsis) + std::string(name.substr(last));
            if (measure(middle, false) <= width) return middle;
        }
        std::string start = head + std::string(ellipsis);
        if (measure(start, false) <= width) return start;
        return {};
    }
    return {};
}

LabelFit fitLabel(std::string_view name, std::string_view sizeText, std::string_view sizeNumber, double width, double height,
                  const MeasureText& measure)
{
    LabelFit fit;
    if (width >= labelMinimumWidth && height >= labelMinimumHeight) {
        const double room = width - 2 * labelInset;
        fit.name = shortenedName(name, room, measure);
        if (!fit.name.empty()) {
            fit.place = LabelFit::Place::topLeft;
            fit.sizeOnLine2 = height >= labelTwoLines;
            const double sizeWidth = measure(sizeText, true);
            const double left = fit.sizeOnLine2 ? room : room - measure(fit.name, false) - gapToSize;
            if (sizeWidth <= left) fit.size = sizeText;
            return fit;
        }
        if (measure(sizeNumber, true) <= width - 2 * numberInset) {
            fit.place = LabelFit::Place::centre;
            fit.size = sizeNumber;
            return fit;
        }
    }
    if (width >= labelMinimumHeight && height >= labelRotatedHeight) {
        const double room = height - 2 * labelInset;
        fit.name = shortenedName(name, room, measure);
        if (fit.name.empty() && measure(sizeNumber, true) <= room) fit.size = sizeNumber;
        if (!fit.name.empty() || !fit.size.empty()) fit.place = LabelFit::Place::rotated;
    }
    return fit;
}

} // namespace stowage
