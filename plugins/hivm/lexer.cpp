#include "plugins/hivm/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stowage::hivm {

namespace {

constexpr std::size_t byteLimit = std::size_t{1} << 31;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}
bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool isWord(char c)
{
    return isLetter(c) || isDigit(c) || c == '.' || c == '$';
}
bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v' || c == '\0';
}

class Lexer {
public:
    Lexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Expected<std::vector<Token>> run()
    {
        if (text_.size() >= byteLimit) return failure(Code::tooLarge, "the text has more than 2^31 bytes", {file_, 0, 0, -1});
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') ++line_;
            if (isSpace(c)) {
                ++at_;
                continue;
            }
            if (c == '/' && peek(1) == '/') {
                comment();
                continue;
            }
            if (!token(c)) return *std::move(error_);
        }
        add(TokenKind::end, at_);
        return std::move(tokens_);
    }

private:
    [[nodiscard]] char peek(std::size_t ahead) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void add(TokenKind kind, std::size_t end)
    {
        tokens_.push_back({kind, text_.substr(at_, end - at_), static_cast<std::uint32_t>(at_), line_});
        at_ = end;
    }

    void comment()
    {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        if (text_.substr(at_, end - at_).starts_with("// -----"))
            add(TokenKind::separator, end);
        else
            at_ = end;
    }

    template <typename Belongs>
    [[nodiscard]] std::size_t wordEnd(std::size_t from, Belongs&& belongs) const
    {
        while (from < text_.size() && belongs(text_[from])) ++from;
        return from;
    }

    bool fail(std::string message, std::string remedy = {})
    {
        error_ = failure(Code::syntax, std::move(message), positionOf(text_, file_, at_), std::move(remedy));
        return false;
    }

    bool quoted(std::size_t from, TokenKind kind)
    {
        std::size_t end = from + 1;
        while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
        if (end >= text_.size() || text_[end] != '"')
            return fail("a string has no end", "close it with a quotation mark on the same line");
        add(kind, end + 1);
        return true;
    }

    bool token(char c)
    {
        const auto plain = [](char x) { return isWord(x) || x == '-'; };
        if (c == '%') {
            std::size_t end = wordEnd(at_ + 1, plain);
            if (end < text_.size() && text_[end] == '#' && end + 1 < text_.size() && isDigit(text_[end + 1]))
                end = wordEnd(end + 1, isDigit);
            if (end == at_ + 1) return fail("a value has no name");
            add(TokenKind::value, end);
            return true;
        }
        if (c == '^' || c == '@' || c == '#' || c == '!') {
            if (c == '@' && peek(1) == '"') return quoted(at_ + 1, TokenKind::symbol);
            const std::size_t end = wordEnd(
                at_ + 1, c == '#' || c == '!' ? isWord : +[](char x) { return isWord(x) || x == '-'; });
            if (end == at_ + 1) return punctuation(c);
            add(c == '^'   ? TokenKind::block
                : c == '@' ? TokenKind::symbol
                : c == '#' ? TokenKind::attribute
                           : TokenKind::type,
                end);
            return true;
        }
        if (c == '"') return quoted(at_, TokenKind::string);
        if (isDigit(c) || (c == '-' && isDigit(peek(1)))) {
            number();
            return true;
        }
        if (isLetter(c)) {
            add(TokenKind::identifier, wordEnd(at_, isWord));
            return true;
        }
        if (c == '-' && peek(1) == '>') {
            add(TokenKind::punctuation, at_ + 2);
            return true;
        }
        return punctuation(c);
    }

    bool punctuation(char c)
    {
        if (std::string_view("()[]{}<>,:=-+*?/|&^@#!;.").find(c) == std::string_view::npos)
            return fail(fmt::format("the byte 0x{:02x} begins nothing", static_cast<unsigned char>(c)), "this is not MLIR text");
        add(TokenKind::punctuation, at_ + 1);
        return true;
    }

    /// "4x16xf32" is one token: dimensions are taken apart where a type is read.
    void number()
    {
        std::size_t end = at_ + 1;
        while (end < text_.size()) {
            const char c = text_[end];
            const bool sign = (c == '+' || c == '-') && (text_[end - 1] == 'e' || text_[end - 1] == 'E') &&
                              end + 1 < text_.size() && isDigit(text_[end + 1]);
            if (!isWord(c) && !sign) break;
            ++end;
        }
        add(TokenKind::number, end);
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 1;
    std::vector<Token> tokens_;
    std::optional<Error> error_;
};

} // namespace

Expected<std::vector<Token>> tokenize(std::string_view text, const std::string& file)
{
    return Lexer(text, file).run();
}

Position positionOf(std::string_view text, const std::string& file, std::size_t offset)
{
    const std::string_view before = text.substr(0, offset);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    const std::size_t column = offset - (start == std::string_view::npos ? 0 : start + 1) + 1;
    return {file, static_cast<std::int32_t>(line), static_cast<std::int32_t>(std::min<std::size_t>(column, 1U << 30U)), -1};
}

std::int32_t columnOf(std::string_view text, std::size_t offset)
{
    constexpr std::size_t farthest = 4096;
    const std::size_t from = offset > farthest ? offset - farthest : 0;
    const std::size_t newline = text.substr(from, offset - from).rfind('\n');
    if (newline != std::string_view::npos) return static_cast<std::int32_t>(offset - from - newline);
    return from == 0 ? static_cast<std::int32_t>(offset) + 1 : 0;
}

} // namespace stowage::hivm
