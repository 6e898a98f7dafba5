#include "plugins/tvm/tir_lexer.h"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace stowage::tvm {

namespace {

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}
bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

class Lexer {
public:
    Lexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

    Expected<std::vector<Token>> run()
    {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = lineStart_ = 3;
        while (!failed_ && at_ < text_.size()) {
            if (lineBegins_ && brackets_.empty() && !indentation()) continue;
            next();
        }
        if (failed_) return *std::move(error_);
        if (!brackets_.empty()) return wrongAt(brackets_.back(), "this bracket is not closed");
        if (!tokens_.empty() && tokens_.back().kind != TokenKind::newline) add(TokenKind::newline, at_, 0);
        for (std::size_t i = 1; i < indents_.size(); ++i) add(TokenKind::dedent, at_, 0);
        add(TokenKind::end, at_, 0);
        return std::move(tokens_);
    }

private:
    void add(TokenKind kind, std::size_t begin, std::size_t length)
    {
        tokens_.push_back({kind, text_.substr(begin, length), line_, static_cast<std::int32_t>(begin - lineStart_) + 1});
    }

    Error wrongAt(const Token& token, std::string message) const
    {
        return failure(Code::syntax, std::move(message), {file_, token.line, token.column, -1});
    }

    void fail(std::size_t where, std::string message)
    {
        failed_ = true;
        error_ = failure(Code::syntax, std::move(message), {file_, line_, static_cast<std::int32_t>(where - lineStart_) + 1, -1});
    }

    void newLine()
    {
        ++line_;
        lineStart_ = at_;
    }

    /// At the beginning of a logical line. False when the line is empty and passed over.
    bool indentation()
    {
        std::size_t width = 0;
        std::size_t p = at_;
        for (; p < text_.size() && (text_[p] == ' ' || text_[p] == '\t'); ++p)
            width = text_[p] == '\t' ? (width / 8 + 1) * 8 : width + 1;
        if (p < text_.size() && text_[p] == '#')
            while (p < text_.size() && text_[p] != '\n') ++p;
        if (p >= text_.size() || text_[p] == '\n' || text_[p] == '\r') {
            at_ = p;
            if (at_ < text_.size()) {
                at_ += text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
                newLine();
            }
            return false;
        }
        at_ = p;
        lineBegins_ = false;
        if (width > indents_.back()) {
            indents_.push_back(width);
            add(TokenKind::indent, at_, 0);
        }
        while (width < indents_.back()) {
            indents_.pop_back();
            add(TokenKind::dedent, at_, 0);
        }
        if (width != indents_.back()) fail(at_, "this line is indented like none before it");
        return true;
    }

    void next()
    {
        const char c = text_[at_];
        if (c == '\n' || c == '\r') {
            if (brackets_.empty()) {
                add(TokenKind::newline, at_, 0);
                lineBegins_ = true;
            }
            at_ += c == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n' ? 2 : 1;
            return newLine();
        }
        if (c == ' ' || c == '\t') {
            ++at_;
            return;
        }
        if (c == '#') {
            while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            return;
        }
        if (c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '\n' || text_[at_ + 1] == '\r')) {
            at_ += text_[at_ + 1] == '\r' && at_ + 2 < text_.size() && text_[at_ + 2] == '\n' ? 3 : 2;
            return newLine();
        }
        if (isLetter(c)) return word();
        if (isDigit(c) || (c == '.' && at_ + 1 < text_.size() && isDigit(text_[at_ + 1]))) return number();
        if (c == '"' || c == '\'') return quoted(at_);
        symbol();
    }

    void word()
    {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (isLetter(text_[at_]) || isDigit(text_[at_]))) ++at_;
        if (at_ - begin <= 2 && at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'')) {
            bool prefix = true;
            for (std::size_t p = begin; p < at_; ++p)
                prefix &= std::string_view("rRbBuUfF").find(text_[p]) != std::string_view::npos;
            if (prefix) return quoted(begin);
        }
        add(TokenKind::name, begin, at_ - begin);
    }

    void number()
    {
        const std::size_t begin = at_;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            const bool sign = (c == '+' || c == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
                              !text_.substr(begin).starts_with("0x");
            if (!isLetter(c) && !isDigit(c) && c != '.' && !(sign && at_ > begin)) break;
            ++at_;
        }
        add(TokenKind::number, begin, at_ - begin);
    }

    /// The quotes begin at `at_`, the token (with a prefix) at `begin`.
    void quoted(std::size_t begin)
    {
        const char quote = text_[at_];
        const bool triple = text_.substr(at_, 3) == std::string(3, quote);
        const std::int32_t line = line_;
        const auto column = static_cast<std::int32_t>(begin - lineStart_) + 1;
        at_ += triple ? 3 : 1;
        for (;;) {
            if (at_ >= text_.size() || (!triple && (text_[at_] == '\n' || text_[at_] == '\r'))) {
                failed_ = true;
                error_ = failure(Code::syntax, "this string does not end", {file_, line, column, -1});
                return;
            }
            if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
                at_ += 2;
                if (text_[at_ - 1] == '\n') newLine();
                continue;
            }
            if (text_[at_] == quote && (!triple || text_.substr(at_, 3) == std::string(3, quote))) break;
            ++at_;
            if (text_[at_ - 1] == '\n') newLine();
        }
        at_ += triple ? 3 : 1;
        tokens_.push_back({TokenKind::string, text_.substr(begin, at_ - begin), line, column});
    }

    void symbol()
    {
        static constexpr std::array<std::string_view, 17> longer{
            "**=", "//=", "<<=", ">>=", "->", "**", "//", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", ":="};
        std::size_t length = 1;
        for (const std::string_view known : longer)
            if (text_.substr(at_).starts_with(known)) {
                length = known.size();
                break;
            }
        const char c = text_[at_];
        if (length == 1 && std::string_view("()[]{},:;.=+-*/%@<>&|^~").find(c) == std::string_view::npos)
            return fail(at_, fmt::format("the character 0x{:02x} has no business here", static_cast<unsigned char>(c)));
        add(TokenKind::symbol, at_, length);
        at_ += length;
        if (c == '(' || c == '[' || c == '{') brackets_.push_back(tokens_.back());
        if (c == ')' || c == ']' || c == '}') {
            const char open = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (brackets_.empty() || brackets_.back().text[0] != open)
                return fail(at_ - 1, fmt::format("'{}' closes nothing", c));
            brackets_.pop_back();
        }
    }

    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::size_t lineStart_ = 0;
    std::int32_t line_ = 1;
    bool lineBegins_ = true;
    std::vector<std::size_t> indents_{0};
    std::vector<Token> brackets_;
    std::vector<Token> tokens_;
    bool failed_ = false;
    std::optional<Error> error_;
};

} // namespace

Expected<std::vector<Token>> tokenize(std::string_view text, const std::string& file)
{
    return Lexer(text, file).run();
}

std::string unquoted(std::string_view token)
{
    const auto first = token.find_first_of("\"'");
    if (first == std::string_view::npos) return std::string(token);
    const std::size_t quotes = token.substr(first).size() >= 6 && token.substr(first, 3) == std::string(3, token[first]) ? 3 : 1;
    const bool raw = token.substr(0, first).find_first_of("rR") != std::string_view::npos;
    std::string_view inside = token.substr(first + quotes, token.size() - first - 2 * quotes);
    std::string result;
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (raw || inside[i] != '\\' || i + 1 >= inside.size()) {
            result += inside[i];
            continue;
        }
        const char c = inside[++i];
        result += c == 'n' ? '\n' : c == 't' ? '\t' : c == '0' ? '\0' : c;
    }
    return result;
}

} // namespace stowage::tvm
