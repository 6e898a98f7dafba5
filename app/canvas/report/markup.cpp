#include "app/canvas/report/markup.h"

#include "app/session/csv.h"
#include "core/ir/shown_text.h"

#include <QByteArray>

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace stowage::report {

namespace {

std::string marked(std::string_view text)
{
    std::string made;
    for (const char c : text) {
        switch (c) {
        case '&': made += "&amp;"; break;
        case '<': made += "&lt;"; break;
        case '>': made += "&gt;"; break;
        case '"': made += "&quot;"; break;
        case '\'': made += "&#39;"; break;
        default: made += c;
        }
    }
    return made;
}

} // namespace

std::string escaped(std::string_view text)
{
    return marked(shownName(text));
}

std::string escapedWhole(std::string_view text)
{
    return marked(shownName(text, std::string_view::npos));
}

std::string escapedMessage(std::string_view text)
{
    return marked(shownMessage(text));
}

std::string pixels(double value)
{
    const auto tenths = static_cast<long long>(std::llround(value * 10));
    std::string text = fmt::format("{}{}", tenths < 0 ? "-" : "", std::llabs(tenths) / 10);
    if (tenths % 10 != 0) text += fmt::format(".{}", std::llabs(tenths) % 10);
    return text;
}

std::string hexColour(const QColor& colour)
{
    return colour.name().toStdString();
}

std::string toCsv(const Rows& rows)
{
    std::string text;
    for (const auto& row : rows) text += csvLine(row);
    return text;
}

std::string fileNamePart(std::string_view text)
{
    constexpr std::size_t most = 60;
    std::string made(text.substr(0, most));
    for (char& c : made) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
        if (!kept) c = '_';
    }
    if (!made.empty() && made.front() == '.') made.front() = '_'; // no hidden file
    return made;
}

std::vector<std::string> distinct(std::vector<std::string> names)
{
    std::set<std::string> taken(names.begin(), names.end()), seen;
    for (std::string& name : names) {
        if (seen.insert(name).second) continue;
        std::string numbered;
        for (int n = 2; numbered.empty() || !taken.insert(numbered).second; ++n) numbered = fmt::format("{}-{}", name, n);
        name = numbered;
    }
    return names;
}

std::string dataLink(std::string_view file, std::string_view mediaType, std::string_view bytes, std::string_view text)
{
    const QByteArray coded = QByteArray::fromRawData(bytes.data(), static_cast<qsizetype>(bytes.size())).toBase64();
    return fmt::format("<a class=\"data\" download=\"{}\" href=\"data:{};base64,{}\">{}</a>", escaped(file), mediaType,
                       std::string_view(coded.constData(), static_cast<std::size_t>(coded.size())), text);
}

double textWidth(std::string_view text, double size, bool number)
{
    constexpr double digit = 0.605, narrow = 0.36, usual = 0.61, wide = 0.9; // of the size, the widest of the usual fonts
    double width = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0U) == 0x80U) continue; // inside a character
        if (number)
            width += digit;
        else if (byte >= 0x80)
            width += byte >= 0xE3 ? 1 : usual; // scripts of full width begin there
        else if (std::string_view("ijl.,:;'|!()[]/ft ").find(c) != std::string_view::npos)
            width += narrow;
        else
            width += std::string_view("mwMW@%").find(c) != std::string_view::npos ? wide : usual;
    }
    return width * size;
}

std::string_view icon(std::string_view name)
{
    constexpr std::string_view head = "<svg class=\"icon\" viewBox=\"0 0 16 16\" aria-hidden=\"true\">";
    static const std::string check = fmt::format("{}<path d=\"m3.2 8.5 3.2 3.2 6.4-7\"/></svg>", head);
    static const std::string cross = fmt::format("{}<path d=\"m4 4 8 8M12 4l-8 8\"/></svg>", head);
    static const std::string warning = fmt::format(
        "{}<path d=\"M7.2 2.6a.9.9 0 0 1 1.6 0l5.5 9.9a.9.9 0 0 1-.8 1.3h-11a.9.9 0 0 1-.8-1.3zM8 6.3v3.2M8 11.6v.1\"/></svg>",
        head);
    return name == "check" ? check : name == "cross" ? cross : warning;
}

} // namespace stowage::report
