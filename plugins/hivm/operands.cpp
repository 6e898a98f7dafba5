#include "plugins/hivm/operands.h"

#include <algorithm>

namespace stowage::hivm {

namespace {

constexpr std::size_t maxAttributes = 64;

bool opens(const Token& token)
{
    return token.kind == TokenKind::punctuation && (token.is("(") || token.is("[") || token.is("{") || token.is("<"));
}
bool closes(const Token& token)
{
    return token.kind == TokenKind::punctuation && (token.is(")") || token.is("]") || token.is("}") || token.is(">"));
}
bool isShaped(std::string_view name)
{
    return name == "memref" || name == "tensor";
}

} // namespace

std::size_t Header::skip(std::size_t from) const
{
    const auto& tokens = op_.header;
    int depth = 0;
    for (std::size_t i = from; i < tokens.size(); ++i) {
        const bool comparison = (tokens[i].is("<") || tokens[i].is(">")) && i + 1 < tokens.size() && tokens[i + 1].is("=") &&
                                tokens[i + 1].offset == tokens[i].offset + 1;
        if (!comparison && opens(tokens[i])) ++depth;
        if (!comparison && closes(tokens[i])) --depth;
        if (depth <= 0) return i + 1;
    }
    return tokens.size();
}

std::size_t Header::keywordAt(std::string_view keyword) const
{
    const auto& tokens = op_.header;
    for (std::size_t i = 0; i < tokens.size(); i = skip(i))
        if (tokens[i].kind == TokenKind::identifier && tokens[i].is(keyword)) return i;
    return tokens.size();
}

std::string_view Header::slice(std::size_t from, std::size_t to) const
{
    const auto& tokens = op_.header;
    if (from >= to || to > tokens.size()) return {};
    return text_.substr(tokens[from].offset, tokens[to - 1].endOffset() - tokens[from].offset);
}

std::vector<Operand> Header::group(std::string_view keyword) const
{
    const auto& tokens = op_.header;
    const std::size_t at = keywordAt(keyword);
    std::vector<Operand> operands;
    if (at + 1 >= tokens.size() || !tokens[at + 1].is("(")) return operands;
    const std::size_t end = skip(at + 1) - 1; // the closing parenthesis
    std::size_t i = at + 2;
    for (; i < end && !tokens[i].is(":"); i = skip(i))
        if (tokens[i].kind == TokenKind::value) operands.push_back({tokens[i].text, {}});
    if (i + 1 >= end) return operands;
    const std::vector<std::string_view> types = splitList(slice(i + 1, end));
    for (std::size_t k = 0; k < std::min(types.size(), operands.size()); ++k) operands[k].type = types[k];
    return operands;
}

std::vector<std::string_view> Header::values() const
{
    std::vector<std::string_view> found;
    for (const Token& token : op_.header)
        if (token.kind == TokenKind::value) found.push_back(token.text);
    return found;
}

std::vector<std::string_view> Header::outerValues() const
{
    std::vector<std::string_view> found;
    for (std::size_t i = 0; i < op_.header.size(); i = skip(i))
        if (op_.header[i].kind == TokenKind::value) found.push_back(op_.header[i].text);
    return found;
}

std::vector<std::pair<std::string_view, std::string_view>> Header::assignments(std::string_view keyword) const
{
    const auto& tokens = op_.header;
    std::size_t at = keyword.empty() ? 0 : keywordAt(keyword) + 1;
    std::vector<std::pair<std::string_view, std::string_view>> found;
    if (at >= tokens.size() || !tokens[at].is("(")) return found;
    const std::size_t end = skip(at);
    for (std::size_t i = at + 1; i + 2 < end; ++i)
        if (tokens[i].kind == TokenKind::value && tokens[i + 1].is("=") && tokens[i + 2].kind == TokenKind::value)
            found.emplace_back(tokens[i].text, tokens[i + 2].text);
    return found;
}

/// After the type that begins at `from`: what comes up to an outermost comma or a word that is none of a type's.
std::size_t Header::typeEnd(std::size_t from) const
{
    const auto& tokens = op_.header;
    std::size_t i = skip(from);
    while (i < tokens.size() && (tokens[i].is("<") || tokens[i].is("->"))) i = skip(tokens[i].is("->") ? i + 1 : i);
    return i;
}

std::vector<std::string_view> Header::types() const
{
    const auto& tokens = op_.header;
    std::vector<std::string_view> found;
    std::size_t i = 0;
    while (i < tokens.size() && !tokens[i].is(":")) i = skip(i);
    while (i + 1 < tokens.size() && (tokens[i].is(":") || tokens[i].is(","))) {
        const std::size_t end = typeEnd(i + 1);
        found.push_back(slice(i + 1, end));
        i = end;
    }
    return found;
}

std::vector<std::string_view> Header::resultTypes() const
{
    const auto& tokens = op_.header;
    std::size_t i = 0;
    while (i < tokens.size() && !tokens[i].is("->")) i = skip(i);
    if (i + 1 >= tokens.size()) return {};
    if (tokens[i + 1].is("(")) {
        const std::size_t end = skip(i + 1);
        return splitList(slice(i + 2, end - 1));
    }
    std::vector<std::string_view> found;
    do { // "-> T, T" of an op that lists them without parentheses
        const std::size_t end = typeEnd(i + 1);
        found.push_back(slice(i + 1, end));
        i = end;
    } while (i + 1 < tokens.size() && tokens[i].is(","));
    return found;
}

std::string_view Header::lastShapedType() const
{
    const auto& tokens = op_.header;
    std::string_view last;
    for (std::size_t i = 0; i < tokens.size(); i = skip(i))
        if (tokens[i].kind == TokenKind::identifier && isShaped(tokens[i].text) && i + 1 < tokens.size() && tokens[i + 1].is("<"))
            last = slice(i, skip(i + 1));
    return last;
}

std::vector<std::pair<std::string, std::string>> Header::attributes() const
{
    const auto& tokens = op_.header;
    std::vector<std::pair<std::string, std::string>> found;
    const auto add = [&](std::string_view key, std::string_view value) {
        if (key.starts_with('"') && key.size() >= 2) key = key.substr(1, key.size() - 2);
        const bool known = std::any_of(found.begin(), found.end(), [&](const auto& each) { return each.first == key; });
        if (!known && found.size() < maxAttributes) found.emplace_back(key, value);
    };
    const auto isName = [&](std::size_t i) {
        return tokens[i].kind == TokenKind::identifier || tokens[i].kind == TokenKind::string;
    };
    // The value of a "key =" ends at a comma, the next key, a group of operands, or the end.
    const auto valueEnd = [&](std::size_t from, std::size_t end) {
        std::size_t i = skip(from);
        while (i < end && !tokens[i].is(",") && !tokens[i].is("->") &&
               !(isName(i) && i + 1 < end && (tokens[i + 1].is("=") || tokens[i + 1].is("("))) && !opens(tokens[i]))
            i = skip(i);
        while (i < end && tokens[i].is("<")) i = skip(i); // #hivm.address_space<ub>
        return i;
    };
    const auto dictionary = [&](std::size_t from, std::size_t end) {
        for (std::size_t i = from; i < end;) {
            if (!isName(i)) {
                i = skip(i);
                continue;
            }
            if (i + 1 < end && tokens[i + 1].is("=") && i + 2 < end) {
                std::size_t stop = i + 2;
                while (stop < end && !tokens[stop].is(",")) stop = skip(stop);
                add(tokens[i].text, slice(i + 2, stop));
                i = stop;
            } else {
                add(tokens[i].text, {});
                ++i;
            }
        }
    };
    for (std::size_t i = 0; i < tokens.size();) {
        if (tokens[i].is("{")) {
            const std::size_t end = skip(i);
            dictionary(i + 1, end - 1);
            i = end;
        } else if (tokens[i].kind == TokenKind::identifier && i + 2 < tokens.size() && tokens[i + 1].is("=")) {
            const std::size_t end = valueEnd(i + 2, tokens.size());
            add(tokens[i].text, slice(i + 2, end));
            i = std::max(end, i + 3);
        } else {
            i = skip(i);
        }
    }
    return found;
}

} // namespace stowage::hivm
