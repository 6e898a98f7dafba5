// TVMScript as a tree of functions, statements and expressions. What they mean is found out in tir_program.
#pragma once

#include "core/ir/expected.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::tvm {

/// Where a thing begins, from 1.
struct Place {
    std::int32_t line = 0;
    std::int32_t column = 0;
    std::size_t byte = 0; ///< from 0
};

struct Keyword;

struct Expression {
    enum class Kind : std::uint8_t {
        none,
        name,
        number,
        string,
        call,      ///< operands[0] is called with the rest; keywords
        subscript, ///< operands[0] at the rest
        attribute, ///< text of operands[0]
        list,      ///< list, tuple, set
        dict,      ///< keys and values one after the other
        operation, ///< operators are not kept, their operands are
    };
    Kind kind = Kind::none;
    std::string text; ///< name, number, string (unquoted), attribute
    std::vector<Expression> operands;
    std::vector<Keyword> keywords;
    Place where;
    std::size_t end = 0; ///< byte after it

    /// "T.allocate" for an attribute of a name, "allocate" for a name; empty for anything else.
    [[nodiscard]] std::string path() const;
    /// The last part of what a call calls: "allocate" of T.allocate(…); empty for no call.
    [[nodiscard]] std::string_view callee() const;
    /// A keyword argument; null when it is not there.
    [[nodiscard]] const Expression* keyword(std::string_view name) const;
    /// Argument number i of a call; null when there are not as many.
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

/// The text of a string; empty for another expression and for null.
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
    std::size_t bodyBegin = 0;     ///< byte of the first thing in its body
    bool indentedBody = false;     ///< the body is on lines of its own
};

/// The functions of a module, or of a file without one, that are decorated as prim_func. Errors have line and column. Nesting
/// deeper than 200 is an error. Linear.
Expected<std::vector<PrimFunction>> parseTir(std::string_view text, const std::string& file);

} // namespace stowage::tvm
