#include "plugins/tvm/tir_parser.h"

#include "plugins/tvm/tir_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace stowage::tvm {

namespace {

constexpr int deepest = 200;

using Kind = Expression::Kind;

class Parser {
public:
    Parser(std::vector<Token> tokens, std::string_view text, const std::string& file)
        : tokens_(std::move(tokens)), text_(text), file_(file)
    {
    }

    Expected<std::vector<PrimFunction>> run()
    {
        while (!failed_ && now().kind != TokenKind::end) topLevel();
        if (failed_) return *std::move(error_);
        return std::move(functions_);
    }

private:
    const Token& now() const { return tokens_[at_]; }
    bool is(std::string_view text) const
    {
        return (now().kind == TokenKind::symbol || now().kind == TokenKind::name) && now().text == text;
    }
    bool is(TokenKind kind) const { return now().kind == kind; }
    void advance()
    {
        if (at_ + 1 >= tokens_.size()) return;
        lastEnd_ = byteOf(now()) + now().text.size();
        ++at_;
    }
    std::size_t byteOf(const Token& token) const { return static_cast<std::size_t>(token.text.data() - text_.data()); }
    bool accept(std::string_view text)
    {
        if (!is(text)) return false;
        advance();
        return true;
    }
    Place here() const { return {now().line, now().column, byteOf(now())}; }

    void fail(std::string message)
    {
        if (failed_) return;
        failed_ = true;
        error_ = failure(Code::syntax, std::move(message), {file_, now().line, now().column, -1});
        at_ = tokens_.size() - 1; // nothing goes on from here
    }
    std::string found() const
    {
        switch (now().kind) {
        case TokenKind::newline: return "the end of the line";
        case TokenKind::indent: return "more indentation";
        case TokenKind::dedent: return "less indentation";
        case TokenKind::end: return "the end of the file";
        default: return fmt::format("'{}'", now().text);
        }
    }
    void expect(std::string_view text)
    {
        if (!accept(text)) fail(fmt::format("'{}' was expected, and {} is there", text, found()));
    }
    void endLine()
    {
        if (accept(";")) return;
        if (is(TokenKind::newline)) return advance();
        if (!is(TokenKind::end)) fail(fmt::format("the end of the line was expected, and {} is there", found()));
    }
    void skipLine()
    {
        while (!is(TokenKind::newline) && !is(TokenKind::end)) advance();
        if (is(TokenKind::newline)) advance();
    }

    void topLevel()
    {
        if (is(TokenKind::newline) || is(TokenKind::dedent) || is(TokenKind::indent)) return advance();
        if (is("from") || is("import")) return skipLine();
        std::vector<std::string> decorators;
        while (accept("@")) {
            const Expression decorator = expression();
            decorators.push_back(decorator.kind == Kind::call ? decorator.operands[0].path() : decorator.path());
            endLine();
        }
        if (failed_) return;
        if (accept("class")) { // its functions are met one by one
            while (!is(":") && !is(TokenKind::newline) && !is(TokenKind::end)) advance();
            expect(":");
            return;
        }
        if (is("def")) {
            const bool prim =
                std::any_of(decorators.begin(), decorators.end(), [](const std::string& d) { return d.ends_with("prim_func"); });
            return prim ? function() : skipDefinition();
        }
        statement(ignored_); // module attributes, constants of the file
    }

    /// Another dialect's function, or a helper in Python: it may hold anything.
    void skipDefinition()
    {
        skipLine();
        if (!is(TokenKind::indent)) return;
        int inside = 0;
        do {
            if (is(TokenKind::indent)) ++inside;
            if (is(TokenKind::dedent)) --inside;
            advance();
        } while (inside > 0 && !is(TokenKind::end));
    }

    void function()
    {
        PrimFunction made;
        made.where = here();
        expect("def");
        if (!is(TokenKind::name)) return fail(fmt::format("the name of a function was expected, and {} is there", found()));
        made.name = now().text;
        advance();
        expect("(");
        while (!failed_ && !is(")")) {
            Parameter parameter;
            parameter.where = here();
            accept("*");
            if (!is(TokenKind::name)) return fail(fmt::format("a parameter was expected, and {} is there", found()));
            parameter.name = now().text;
            advance();
            if (accept(":")) parameter.annotation = expression();
            if (accept("=")) expression();
            parameter.end = lastEnd_;
            made.parameters.push_back(std::move(parameter));
            if (!accept(",")) break;
        }
        made.parametersEnd = here().byte;
        expect(")");
        if (accept("->")) expression();
        made.indentedBody =
            at_ + 3 < tokens_.size() && tokens_[at_ + 1].kind == TokenKind::newline && tokens_[at_ + 2].kind == TokenKind::indent;
        if (made.indentedBody) made.bodyBegin = byteOf(tokens_[at_ + 3]);
        block(made.body);
        if (!failed_) functions_.push_back(std::move(made));
    }

    /// ":" and what is indented below it, or on the same line.
    void block(std::vector<Statement>& to)
    {
        expect(":");
        if (failed_) return;
        if (!is(TokenKind::newline)) return statement(to);
        advance();
        if (!is(TokenKind::indent)) return fail(fmt::format("an indented block was expected, and {} is there", found()));
        advance();
        if (++depth_ > deepest) return fail("the nesting is too deep");
        while (!failed_ && !is(TokenKind::dedent) && !is(TokenKind::end)) statement(to);
        --depth_;
        if (is(TokenKind::dedent)) advance();
    }

    void statement(std::vector<Statement>& to)
    {
        if (is(TokenKind::newline)) return advance();
        if (is(TokenKind::indent)) return fail("this line is indented for no reason");
        Statement made;
        made.where = here();
        if (accept("pass") || accept("return") || accept("break") || accept("continue")) {
            skipLine();
            return;
        }
        if (is("from") || is("import")) return skipLine();
        if (accept("for")) {
            made.kind = Statement::Kind::loop;
            made.targets.push_back(targetList());
            expect("in");
            made.value = expressionList();
            block(made.body);
        } else if (accept("while")) {
            made.kind = Statement::Kind::whileLoop;
            made.value = expression();
            block(made.body);
        } else if (accept("if")) {
            condition(made);
        } else if (accept("with")) {
            withItems(made);
        } else if (accept("assert")) {
            made.kind = Statement::Kind::assertion;
            made.value = expressionList();
            endLine();
        } else if (is("def") || is("class") || is("try") || is("@")) {
            return fail(fmt::format("{} is nothing that TIR has here", found()));
        } else {
            made.value = expressionList();
            if (accept(":")) { // an annotation, with a value or without
                made.kind = Statement::Kind::assignment;
                made.targets.push_back(std::move(made.value));
                made.value = expression();
                if (accept("=")) made.value = expressionList();
            } else if (is("=")) {
                made.kind = Statement::Kind::assignment;
                while (accept("=")) {
                    made.targets.push_back(std::move(made.value));
                    made.value = expressionList();
                }
            } else if (now().kind == TokenKind::symbol && now().text.size() > 1 && now().text.back() == '=' && !is("==") &&
                       !is("!=") && !is("<=") && !is(">=")) {
                made.kind = Statement::Kind::assignment; // it is read as well as written
                advance();
                made.targets.push_back(made.value);
                Expression both;
                both.kind = Kind::operation;
                both.where = made.where;
                both.operands.push_back(std::move(made.value));
                both.operands.push_back(expressionList());
                made.value = closed(std::move(both));
            } else {
                made.kind = Statement::Kind::expression;
            }
            endLine();
        }
        if (!failed_) to.push_back(std::move(made));
    }

    void condition(Statement& made)
    {
        made.kind = Statement::Kind::condition;
        made.value = expression();
        block(made.body);
        if (is("elif")) {
            Statement other;
            other.where = here();
            advance();
            if (++depth_ > deepest) return fail("the nesting is too deep");
            condition(other);
            --depth_;
            made.otherwise.push_back(std::move(other));
        } else if (accept("else")) {
            block(made.otherwise);
        }
    }

    /// Several items are one statement inside the other.
    void withItems(Statement& made)
    {
        made.kind = Statement::Kind::with;
        made.value = expression();
        if (accept("as")) made.targets.push_back(targetList());
        if (accept(",")) {
            Statement inner;
            inner.where = here();
            if (++depth_ > deepest) return fail("the nesting is too deep");
            withItems(inner);
            --depth_;
            made.body.push_back(std::move(inner));
        } else {
            block(made.body);
        }
    }

    /// Nothing more belongs to it.
    Expression closed(Expression made) const
    {
        made.end = lastEnd_;
        return made;
    }

    Expression make(Kind kind) const
    {
        Expression made;
        made.kind = kind;
        made.where = here();
        return made;
    }

    /// Names and subscripts, without the operator `in`.
    Expression targetList()
    {
        Expression first = postfix();
        if (!is(",")) return first;
        Expression list = make(Kind::list);
        list.operands.push_back(std::move(first));
        while (accept(",") && !is("in") && !is(":")) list.operands.push_back(postfix());
        return closed(std::move(list));
    }

    Expression expressionList()
    {
        Expression first = expression();
        if (!is(",")) return first;
        Expression list = make(Kind::list);
        list.operands.push_back(std::move(first));
        while (!failed_ && accept(",")) {
            if (is(TokenKind::newline) || is("=") || is(")")) break;
            list.operands.push_back(expression());
        }
        return closed(std::move(list));
    }

    bool atOperator() const
    {
        static constexpr std::array<std::string_view, 19> symbols{"+", "-",  "*",  "/",  "%",  "@",  "<",  ">",  "&", "|",
                                                                  "^", "**", "//", "==", "!=", "<=", ">=", "<<", ">>"};
        static constexpr std::array<std::string_view, 7> words{"and", "or", "not", "in", "is", "if", "else"};
        if (now().kind == TokenKind::symbol) return std::find(symbols.begin(), symbols.end(), now().text) != symbols.end();
        return now().kind == TokenKind::name && std::find(words.begin(), words.end(), now().text) != words.end();
    }

    /// Operands with operators between them. Which binds closer does not matter for what is touched.
    Expression expression()
    {
        if (++depth_ > deepest) {
            fail("the nesting is too deep");
            return {};
        }
        Expression first = unary();
        if (!failed_ && atOperator()) {
            Expression chain = make(Kind::operation);
            chain.where = first.where;
            chain.operands.push_back(std::move(first));
            while (!failed_ && atOperator()) {
                while (atOperator()) advance(); // "is not", "not in", a sign after an operator
                chain.operands.push_back(unary());
            }
            first = closed(std::move(chain));
        }
        --depth_;
        return first;
    }

    Expression unary()
    {
        if (is("-") || is("+") || is("~") || is("not") || is("*") || is("**")) {
            Expression made = make(Kind::operation);
            while (is("-") || is("+") || is("~") || is("not") || is("*") || is("**")) advance();
            made.operands.push_back(postfix());
            return closed(std::move(made));
        }
        if (is("lambda")) {
            Expression made = make(Kind::operation);
            while (!is(":") && !is(TokenKind::newline) && !is(TokenKind::end)) advance();
            expect(":");
            made.operands.push_back(expression());
            return closed(std::move(made));
        }
        return postfix();
    }

    Expression postfix()
    {
        Expression made = primary();
        for (int length = 0; !failed_; ++length) {
            if (length > deepest) fail("this goes on for too long");
            if (accept(".")) {
                Expression outer = make(Kind::attribute);
                if (!is(TokenKind::name)) {
                    fail(fmt::format("a name was expected, and {} is there", found()));
                    break;
                }
                outer.text = now().text;
                outer.where = made.where;
                outer.operands.push_back(std::move(made));
                advance();
                made = closed(std::move(outer));
            } else if (is("(")) {
                Expression outer = make(Kind::call);
                outer.where = made.where;
                outer.operands.push_back(std::move(made));
                advance();
                arguments(outer, ")");
                made = closed(std::move(outer));
            } else if (is("[")) {
                Expression outer = make(Kind::subscript);
                outer.where = made.where;
                outer.operands.push_back(std::move(made));
                advance();
                arguments(outer, "]");
                made = closed(std::move(outer));
            } else {
                break;
            }
        }
        return made;
    }

    /// Up to the closing bracket: arguments, keywords, slices.
    void arguments(Expression& to, std::string_view close)
    {
        while (!failed_ && !is(close)) {
            if (is(TokenKind::name) && tokens_[at_ + 1].kind == TokenKind::symbol && tokens_[at_ + 1].text == "=") {
                std::string name(now().text);
                advance();
                advance();
                to.keywords.push_back({std::move(name), expression()});
            } else {
                while (accept(":")) {
                } // of a slice
                if (!is(close) && !is(",")) to.operands.push_back(expression());
                while (accept(":"))
                    if (!is(close) && !is(",")) to.operands.push_back(expression());
                if (is("for")) { // a comprehension
                    while (!is(close) && !is(TokenKind::end)) advance();
                }
            }
            if (!accept(",")) break;
        }
        expect(close);
    }

    Expression primary()
    {
        Expression made = make(Kind::none);
        switch (now().kind) {
        case TokenKind::name:
            made.kind = Kind::name;
            made.text = now().text;
            advance();
            return closed(std::move(made));
        case TokenKind::number:
            made.kind = Kind::number;
            made.text = now().text;
            advance();
            return closed(std::move(made));
        case TokenKind::string:
            made.kind = Kind::string;
            while (is(TokenKind::string)) { // strings beside each other are one
                made.text += unquoted(now().text);
                advance();
            }
            return closed(std::move(made));
        case TokenKind::symbol:
            if (accept("(")) {
                made.kind = Kind::list;
                arguments(made, ")");
                return closed(std::move(made));
            }
            if (accept("[")) {
                made.kind = Kind::list;
                arguments(made, "]");
                return closed(std::move(made));
            }
            if (accept("{")) {
                made.kind = Kind::dict;
                while (!failed_ && !is("}")) {
                    made.operands.push_back(expression());
                    if (accept(":")) made.operands.push_back(expression());
                    if (!accept(",")) break;
                }
                expect("}");
                return closed(std::move(made));
            }
            break;
        default: break;
        }
        fail(fmt::format("an expression was expected, and {} is there", found()));
        return made;
    }

    std::vector<Token> tokens_;
    std::string_view text_;
    const std::string& file_;
    std::size_t at_ = 0;
    std::size_t lastEnd_ = 0; ///< byte after the last token taken
    int depth_ = 0;
    bool failed_ = false;
    std::optional<Error> error_;
    std::vector<PrimFunction> functions_;
    std::vector<Statement> ignored_;
};

} // namespace

std::string Expression::path() const
{
    if (kind == Kind::name) return text;
    if (kind != Kind::attribute) return {};
    const std::string inner = operands[0].path();
    return inner.empty() ? std::string() : inner + "." + text;
}

std::string_view Expression::callee() const
{
    if (kind != Kind::call) return {};
    const Expression& called = operands[0];
    return called.kind == Kind::name || called.kind == Kind::attribute ? std::string_view(called.text) : std::string_view();
}

const Expression* Expression::keyword(std::string_view name) const
{
    for (const auto& [key, value] : keywords)
        if (key == name) return &value;
    return nullptr;
}

Expected<std::vector<PrimFunction>> parseTir(std::string_view text, const std::string& file)
{
    auto tokens = tokenize(text, file);
    if (!tokens) return std::move(tokens).error();
    return Parser(*std::move(tokens), text, file).run();
}

} // namespace stowage::tvm
