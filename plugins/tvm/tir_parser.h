// Parses TVMScript into a tree of functions, statements and expressions. tir_program.h interprets them.
#pragma once

#include "core/ir/expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::tvm {

/// The place in the text at which a function, statement or expression begins.
struct Place {
    std::int32_t line = 0;
    std::int32_t column = 0;
    std::size_t byte = 0; ///< counted from 0; line and column from 1
};

struct Keyword;

struct Expression {
    enum class Kind : std::uint8_t {
        none,
        name,
        number,
        string,
        call,      ///< operands[0] is called; the other operands and `keywords` are its arguments
        subscript, ///< operands[0] is indexed by the other operands
        attribute, ///< the attribute `text` of operands[0]
        list,      ///< list, tuple, set
        dict,      ///< its operands are keys and values in turn
        operation, ///< an arithmetic or logical expression: only its operands are kept
    };
    Kind kind = Kind::none;
    std::string text; ///< name, number, string (unquoted), attribute
    std::vector<Expression> operands;
    std::vector<Keyword> keywords;
    Place where;
    std::size_t end = 0; ///< byte after it

    /// "T.allocate" for an attribute of a name, "allocate" for a name; empty for anything else.
    [[nodiscard]] std::string path() const;
    /// The last part of the called function's name: "allocate" of T.allocate(…); empty if this is not a call.
    [[nodiscard]] std::string_view callee() const;
    /// The keyword argument of this name; null if there is none.
    [[nodiscard]] const Expression* keyword(std::string_view name) const;
    /// Positional argument i of a call, from 0; null if the call has fewer.
    [[nodiscard]] const Expression* argument(std::size_t i) const { return i + 1 < operands.size() ? &operands[i + 1] : nullptr; }
};

/// name=value in a call.
struct Keyword {
    std::string name;
    Expression value;
};

/// The expression without the parentheses around it. O(nesting).
[[nodiscard]] inline const Expression& bare(const Expression& expression)
{
    const Expression* inner = &expression;
    while (inner->kind == Expression::Kind::list && inner->operands.size() == 1) inner = &inner->operands[0];
    return *inner;
}

/// The value of a string; empty for another expression and for null.
[[nodiscard]] inline std::string textOf(const Expression* expression)
{
    return expression && bare(*expression).kind == Expression::Kind::string ? bare(*expression).text : std::string();
}

struct Statement {
    enum class Kind : std::uint8_t {
        expression,
        assignment, ///< targets = value; an annotation alone has no value
        loop,       ///< for targets in value
        whileLoop,  ///< while value
        condition,  ///< if value: body else: otherwise
        assertion,  ///< assert value; a list: the condition and its message
        with,       ///< with value as targets
        nothing,    ///< pass, return, import
    };
    Kind kind = Kind::nothing;
    std::vector<Expression> targets;
    Expression value;
    std::vector<Statement> body;
    std::vector<Statement> otherwise;
    Place where;
};

struct Parameter {
    std::string name;
    Expression annotation;
    Place where;
    std::size_t end = 0; ///< byte after it
};

struct PrimFunction {
    std::string name;
    std::vector<Parameter> parameters;
    std::vector<Statement> body;
    Place where;
    std::size_t parametersEnd = 0; ///< byte of the bracket that closes its parameters
    std::size_t bodyBegin = 0;     ///< byte at which its first statement begins
    bool indentedBody = false;     ///< the body is on lines of its own
};

/// The functions decorated as prim_func, of a module or of a file without one. Errors, with line and column: a syntax error,
/// nesting deeper than 200. O(bytes).
Expected<std::vector<PrimFunction>> parseTir(std::string_view text, const std::string& file);

} // namespace stowage::tvm
