#include "plugins/hivm/types.h"

#include "core/ir/checked.h"
#include "core/ir/parsed_number.h"

#include <algorithm>

namespace stowage::hivm {

namespace {

std::string_view trimmed(std::string_view text)
{
    const auto space = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
    while (!text.empty() && space(text.front())) text.remove_prefix(1);
    while (!text.empty() && space(text.back())) text.remove_suffix(1);
    return text;
}

/// What stands between "name<" and its last ">"; nothing when the text is not of that form.
std::optional<std::string_view> inside(std::string_view text, std::string_view name)
{
    if (!text.starts_with(name) || !text.ends_with('>')) return std::nullopt;
    text.remove_prefix(name.size());
    text = trimmed(text);
    if (!text.starts_with('<')) return std::nullopt;
    return text.substr(1, text.size() - 2);
}

/// "16x?xf32": the extents go to the shape, the rest is the element type.
void readShape(std::string_view text, Type& type)
{
    text = trimmed(text);
    while (!text.empty()) {
        const std::size_t cross = text.find('x');
        if (cross == std::string_view::npos) break;
        const std::string_view extent = trimmed(text.substr(0, cross));
        const auto number = parsedNumber<std::int64_t>(extent);
        if (!number && extent != "?" && extent != "*") break;
        type.shape.push_back(number && *number >= 0 ? *number : -1);
        text = trimmed(text.substr(cross + 1));
    }
    type.element = text;
}

void readStrided(std::string_view text, Type& type)
{
    if (const std::size_t at = text.find("offset:"); at != std::string_view::npos) {
        const std::string_view offset = trimmed(text.substr(at + 7));
        if (offset != "0") type.layoutOffset = offset;
        text = text.substr(0, at);
    }
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
        type.contiguous = false;
        return;
    }
    const std::vector<std::string_view> strides = splitList(text.substr(open + 1, close - open - 1));
    std::optional<std::int64_t> wanted = 1;
    type.contiguous = strides.size() == type.shape.size();
    for (std::size_t i = type.shape.size(); i-- > 0 && type.contiguous;) {
        type.contiguous = type.shape[i] == 1 || (wanted && parsedNumber<std::int64_t>(strides[i]) == wanted);
        wanted = wanted && type.shape[i] >= 0 ? checkedMultiply(*wanted, type.shape[i]) : std::nullopt;
    }
}

} // namespace

std::vector<std::string_view> splitList(std::string_view text)
{
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const char c = i < text.size() ? text[i] : ',';
        if (c == '<' || c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}' || (c == '>' && i > 0 && text[i - 1] != '-')) --depth;
        if (c != ',' || (depth > 0 && i < text.size())) continue;
        if (const std::string_view part = trimmed(text.substr(begin, i - begin)); !part.empty()) parts.push_back(part);
        begin = i + 1;
    }
    return parts;
}

std::optional<int> elementBits(std::string_view name)
{
    if (name == "index") return 64;
    if (name == "bf16") return 16;
    if (name == "tf32") return 32;
    if (name.starts_with("f8") || name == "hif8") return 8;
    if (name.starts_with("f4")) return 4;
    if (const auto part = inside(name, "complex")) {
        const auto bits = elementBits(trimmed(*part));
        return bits ? std::optional(2 * *bits) : std::nullopt;
    }
    if (name.starts_with("si") || name.starts_with("ui")) name.remove_prefix(1);
    if (!name.starts_with('i') && !name.starts_with('f')) return std::nullopt;
    const bool real = name.front() == 'f';
    name.remove_prefix(1);
    const auto bits = parsedNumber<std::int64_t>(name);
    if (!bits || *bits < 1 || *bits > 4096) return std::nullopt;
    if (real && *bits != 16 && *bits != 32 && *bits != 64 && *bits != 80 && *bits != 128) return std::nullopt;
    return static_cast<int>(*bits);
}

bool Type::isStatic() const
{
    return std::all_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent >= 0; });
}

std::optional<Bytes> Type::bytes() const
{
    const auto bits = elementBits(element);
    if (!shaped() || !bits || !isStatic()) return std::nullopt;
    std::optional<Bytes> total = *bits;
    for (const std::int64_t extent : shape) {
        total = checkedMultiply(*total, extent);
        if (!total || *total > maxBytes) return std::nullopt;
    }
    return (*total + 7) / 8;
}

Type parseType(std::string_view text)
{
    Type type;
    text = trimmed(text);
    std::optional<std::string_view> body = inside(text, "memref");
    if (body)
        type.kind = Type::Kind::memref;
    else if ((body = inside(text, "tensor")))
        type.kind = Type::Kind::tensor;
    if (!body) {
        type.element = text;
        return type;
    }
    const std::vector<std::string_view> parts = splitList(*body);
    if (parts.empty()) return type;
    readShape(parts.front(), type);
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (const auto strided = inside(parts[i], "strided"))
            readStrided(*strided, type);
        else if (const auto space = inside(parts[i], "#hivm.address_space"))
            type.space = trimmed(*space);
        else if (type.kind == Type::Kind::memref && (parts[i].starts_with("affine_map") || parts[i].starts_with('#'))) {
            type.layoutOffset = std::string(1, '?');
            type.contiguous = false;
        }
    }
    return type;
}

} // namespace stowage::hivm
