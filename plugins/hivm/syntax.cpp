#include "plugins/hivm/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace stowage::hivm {

namespace {

using namespace std::string_view_literals;

/// Ops whose first brace is a region, whatever stands in it.
constexpr std::array structured{
    "func.func"sv,      "module"sv,     "builtin.module"sv,     "scf.for"sv,     "scf.if"sv,     "scf.while"sv,
    "scf.parallel"sv,   "scf.forall"sv, "scf.execute_region"sv, "scope.scope"sv, "affine.for"sv, "affine.if"sv,
    "affine.parallel"sv};
constexpr std::string_view switchOp = "scf.index_switch"; ///< each "case N" and "default" has a region after it
constexpr std::int32_t maxResults = 1 << 12;
constexpr std::size_t maxLabelTokens = 2048; ///< a label with its arguments

class Parser {
public:
    Parser(std::string_view text, const std::string& file, std::vector<Token> tokens)
        : text_(text), file_(file), tokens_(std::move(tokens))
    {
    }

    Expected<std::vector<Chunk>> run()
    {
        std::vector<Chunk> chunks(1);
        while (!failed_ && now().kind != TokenKind::end) {
            if (now().kind == TokenKind::separator) {
                ++at_;
                if (!chunks.back().operations.empty()) chunks.emplace_back();
            } else if (isAlias()) {
                skipAlias();
            } else {
                Operation made;
                if (operation(made, 0)) chunks.back().operations.push_back(std::move(made));
            }
        }
        if (failed_) return std::move(error_);
        if (chunks.size() > 1 && chunks.back().operations.empty()) chunks.pop_back();
        return chunks;
    }

private:
    [[nodiscard]] const Token& now() const { return tokens_[at_]; }
    [[nodiscard]] const Token& peek(std::size_t ahead) const { return tokens_[std::min(at_ + ahead, tokens_.size() - 1)]; }

    bool fail(const Token& where, std::string message, std::string remedy = {})
    {
        if (!failed_)
            error_ = failure(Code::syntax, std::move(message), positionOf(text_, file_, where.offset), std::move(remedy));
        failed_ = true;
        return false;
    }

    // --- what begins where -------------------------------------------------------------------------------------------------

    [[nodiscard]] bool isAlias() const
    {
        return (now().kind == TokenKind::attribute || now().kind == TokenKind::type) && peek(1).is("=");
    }

    /// The tokens of "%a:2, %b =" from `from` on; 0 when it is none.
    [[nodiscard]] std::size_t resultTokens(std::size_t from) const
    {
        std::size_t i = from;
        const auto token = [&](std::size_t k) -> const Token& { return tokens_[std::min(k, tokens_.size() - 1)]; };
        while (token(i).kind == TokenKind::value) {
            ++i;
            if (token(i).is(":") && token(i + 1).kind == TokenKind::number &&
                token(i + 1).text.find_first_not_of("0123456789") == std::string_view::npos)
                i += 2;
            if (token(i).is("=")) return i + 1 - from;
            if (!token(i).is(",")) return 0;
            ++i;
        }
        return 0;
    }

    [[nodiscard]] bool isOpName() const
    {
        if (now().kind == TokenKind::identifier)
            return now().text.find('.') != std::string_view::npos || now().is("return") || now().is("module") ||
                   (now().is("call") && peek(1).kind == TokenKind::symbol);
        return now().kind == TokenKind::string && peek(1).is("(");
    }

    /// A block's label, not a branch's target.
    [[nodiscard]] bool isLabel() const
    {
        if (now().kind != TokenKind::block) return false;
        if (peek(1).is(":")) return true;
        if (!peek(1).is("(")) return false;
        int depth = 0;
        const std::size_t end = std::min(tokens_.size(), at_ + maxLabelTokens); // so that nothing is looked at again and again
        for (std::size_t i = at_ + 1; i < end; ++i) {
            const Token& token = tokens_[i];
            if (token.kind == TokenKind::punctuation) {
                if (token.is("(") || token.is("[") || token.is("{")) ++depth;
                if (token.is(")") || token.is("]") || token.is("}")) --depth;
            }
            if (depth == 0) return i + 1 < tokens_.size() && tokens_[i + 1].is(":");
            if (depth < 0) return false;
        }
        return false;
    }

    /// Does the next statement (or the end of the region) begin here? `first`: directly after the op's name, where only the ops
    /// of `structured` may have something that looks like a statement ("scf.for %i = …"); an op without operands ends there.
    [[nodiscard]] bool endsStatement(bool first, const Operation& op, const Token& previous) const
    {
        const Token& token = now();
        if (token.kind == TokenKind::end || token.kind == TokenKind::separator || token.is("}")) return true;
        if (first && isStructured(op)) return false;
        if (token.kind == TokenKind::value) return !previous.is(",") && resultTokens(at_) > 0;
        if (token.kind == TokenKind::block) return !previous.is(",") && isLabel();
        if (isAlias()) return true;
        return isOpName() && !previous.is(":") && !previous.is(",") && !previous.is("=") && !previous.is("->");
    }

    // --- pieces ------------------------------------------------------------------------------------------------------------

    /// "#map = …" is of no interest: it runs up to what begins something else.
    void skipAlias()
    {
        at_ += 2;
        std::vector<Token> ignored;
        for (bool first = true; !failed_; first = false) {
            const Token& token = now();
            if (token.kind == TokenKind::end || token.kind == TokenKind::separator || token.is("}")) return;
            if (!first && (isAlias() || isOpName() || token.kind == TokenKind::value)) return;
            if (opens(token))
                group(ignored);
            else
                ++at_;
        }
    }

    [[nodiscard]] static bool opens(const Token& token)
    {
        return token.kind == TokenKind::punctuation && (token.is("(") || token.is("[") || token.is("{") || token.is("<"));
    }

    /// "<=" and ">=" of an affine set are no brackets.
    [[nodiscard]] bool isComparison() const
    {
        return (now().is("<") || now().is(">")) && peek(1).is("=") && peek(1).offset == now().offset + 1;
    }

    /// Takes a bracketed group over as it stands.
    bool group(std::vector<Token>& to)
    {
        std::string closers;
        const Token& open = now();
        do {
            const Token& token = now();
            if (token.kind == TokenKind::end || token.kind == TokenKind::separator)
                return fail(open, fmt::format("this '{}' is not closed", open.text), "is the file complete?");
            if (token.kind == TokenKind::punctuation && token.text.size() == 1 && !isComparison()) {
                const char c = token.text.front();
                if (c == '(')
                    closers.push_back(')');
                else if (c == '[')
                    closers.push_back(']');
                else if (c == '{')
                    closers.push_back('}');
                else if (c == '<')
                    closers.push_back('>');
                else if (c == ')' || c == ']' || c == '}' || c == '>') {
                    if (closers.back() != c) return fail(token, fmt::format("'{}' stands where '{}' has to", c, closers.back()));
                    closers.pop_back();
                }
            }
            to.push_back(token);
            ++at_;
        } while (!closers.empty());
        return true;
    }

    [[nodiscard]] static bool isStructured(const Operation& op)
    {
        return std::find(structured.begin(), structured.end(), op.kind) != structured.end();
    }

    /// Is the "{" here a region (else it is a dictionary of attributes)?
    [[nodiscard]] bool beginsRegion(const Operation& op, const Token* previous) const
    {
        if (previous && previous->is("attributes")) return false;
        if (op.kind == switchOp) return previous && (previous->is("default") || previous->kind == TokenKind::number);
        if (isStructured(op)) return op.regions.empty() || (previous && (previous->is("else") || previous->is("do")));
        const Token& first = peek(1);
        const Token& second = peek(2);
        const bool named = second.is("=") || second.is(",") || second.is("}");
        if (first.kind == TokenKind::value || first.kind == TokenKind::block) return true;
        if (first.kind == TokenKind::identifier) return !named && first.text.find('.') != std::string_view::npos;
        if (first.kind == TokenKind::string) return second.is("(");
        return false;
    }

    bool region(SyntaxRegion& made, int depth)
    {
        const Token open = now();
        made.open = open.offset;
        if (depth > maxRegions) return fail(open, fmt::format("regions are nested deeper than {}", maxRegions));
        ++at_;
        made.blocks.emplace_back();
        while (!failed_) {
            const Token& token = now();
            if (token.is("}")) {
                made.close = token.offset;
                ++at_;
                return true;
            }
            if (token.kind == TokenKind::end || token.kind == TokenKind::separator)
                return fail(open, "this region is not closed", "is the file complete?");
            if (isAlias()) {
                skipAlias();
            } else if (isLabel()) {
                if (!made.blocks.back().label.empty() || !made.blocks.back().operations.empty()) made.blocks.emplace_back();
                made.blocks.back().label = token.text;
                ++at_;
                if (now().is("(") && !arguments(made.blocks.back().arguments)) return false;
                ++at_; // the colon that `isLabel` saw
            } else {
                Operation inner;
                if (!operation(inner, depth)) return false;
                made.blocks.back().operations.push_back(std::move(inner));
            }
        }
        return false;
    }

    /// "(%a: T, %b: T)"
    bool arguments(std::vector<Argument>& made)
    {
        std::vector<Token> tokens;
        if (!group(tokens)) return false;
        made = parseArguments(text_, tokens, 1, tokens.size() - 1);
        return true;
    }

    bool results(Operation& op)
    {
        for (const std::size_t end = at_ + resultTokens(at_); at_ < end; ++at_) {
            if (now().kind == TokenKind::value) op.results.push_back({now().text, 1});
            if (now().kind != TokenKind::number) continue;
            std::int32_t count = 0;
            std::from_chars(now().text.data(), now().text.data() + now().text.size(), count);
            if (count < 1 || count > maxResults)
                return fail(now(), fmt::format("an op has {} results", now().text),
                            fmt::format("at most {} are read", maxResults));
            op.results.back().count = count;
        }
        return true;
    }

    bool operation(Operation& op, int depth)
    {
        op.begin = now().offset;
        if (!results(op)) return false;
        if (!isOpName() && now().kind != TokenKind::identifier)
            return fail(now(), fmt::format("no statement begins with '{}'", now().text),
                        "an op, %x =, ^bb or a closing brace can stand here");
        op.kind = now().kind == TokenKind::string ? now().text.substr(1, now().text.size() - 2) : now().text;
        op.kindOffset = now().offset;
        op.line = now().line;
        op.end = now().endOffset();
        const bool generic = now().kind == TokenKind::string;
        Token previous = now();
        ++at_;
        for (bool first = true; !failed_ && !endsStatement(first, op, previous); first = false) {
            if (now().is("{") && beginsRegion(op, first ? nullptr : &previous)) {
                if (!region(op.regions.emplace_back(), depth + 1)) return false;
            } else if (generic && now().is("(") && peek(1).is("{")) {
                if (!regionList(op, depth)) return false;
            } else if (opens(now()) && !isComparison()) {
                if (!group(op.header)) return false;
            } else if (now().is(")") || now().is("]") || now().is(">")) {
                return fail(now(), fmt::format("'{}' closes nothing", now().text));
            } else {
                op.header.push_back(now());
                ++at_;
            }
            previous = tokens_[at_ - 1];
            op.end = previous.endOffset();
        }
        return !failed_;
    }

    /// "({ … }, { … })"
    bool regionList(Operation& op, int depth)
    {
        do {
            ++at_;
            if (!now().is("{")) return fail(now(), "a region has to begin here");
            if (!region(op.regions.emplace_back(), depth + 1)) return false;
        } while (now().is(","));
        if (!now().is(")")) return fail(now(), "a list of regions has to end here");
        ++at_;
        return true;
    }

    std::string_view text_;
    const std::string& file_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    bool failed_ = false;
    Error error_;
};

} // namespace

std::vector<Argument> parseArguments(std::string_view text, std::span<const Token> tokens, std::size_t from, std::size_t to)
{
    std::vector<Argument> made;
    for (std::size_t i = from; i < to; ++i) {
        if (tokens[i].kind != TokenKind::value) continue;
        Argument argument{tokens[i].text, {}};
        std::size_t k = i + 1;
        if (k < to && tokens[k].is(":")) {
            const std::size_t begin = ++k;
            int depth = 0;
            for (; k < to; ++k) {
                const Token& token = tokens[k];
                if (token.kind == TokenKind::punctuation && token.text.size() == 1) {
                    if (depth == 0 && (token.is(",") || token.is("{"))) break;
                    if (token.is("<") || token.is("(") || token.is("[") || token.is("{")) ++depth;
                    if (token.is(">") || token.is(")") || token.is("]") || token.is("}")) --depth;
                }
            }
            if (k > begin) argument.type = text.substr(tokens[begin].offset, tokens[k - 1].endOffset() - tokens[begin].offset);
            for (depth = 0; k < to; ++k) { // its attributes
                if (tokens[k].is("{")) ++depth;
                if (tokens[k].is("}")) --depth;
                if (depth == 0 && tokens[k].is(",")) break;
            }
        }
        made.push_back(argument);
        i = k;
    }
    return made;
}

Expected<std::vector<Chunk>> parseSyntax(std::string_view text, const std::string& file)
{
    auto tokens = tokenize(text, file);
    if (!tokens) return std::move(tokens).error();
    return Parser(text, file, *std::move(tokens)).run();
}

} // namespace stowage::hivm
