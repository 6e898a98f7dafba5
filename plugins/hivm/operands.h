// Reading what stands after an op's name: groups, types, attributes.
#pragma once

#include "plugins/hivm/syntax.h"
#include "plugins/hivm/types.h"

#include <string>
#include <utility>

namespace stowage::hivm {

/// An operand with the type that the op gives for it, as text; empty when it gives none.
struct Operand {
    std::string_view name; ///< "%x"
    std::string_view type;
};

/// The header of one operation, looked at in several ways. The text and the operation have to outlive it.
class Header {
public:
    Header(std::string_view text, const Operation& op) : text_(text), op_(op) {}

    /// Has it a group of that name: "ins(…)"?
    [[nodiscard]] bool has(std::string_view keyword) const { return keywordAt(keyword) < op_.header.size(); }
    /// The operands of "ins(%a, %b : T, T)".
    [[nodiscard]] std::vector<Operand> group(std::string_view keyword) const;
    /// All operands in order, wherever they stand (in brackets and groups, too).
    [[nodiscard]] std::vector<std::string_view> values() const;
    /// Those outside all brackets: the "%v, %x" of "memref.store %v, %x[%i]".
    [[nodiscard]] std::vector<std::string_view> outerValues() const;
    /// The inits of "iter_args(%a = %x, %b = %y)", or of "scf.while (%a = %x)": pairs of inner and outer value. `keyword` may be
    /// empty: the first group.
    [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> assignments(std::string_view keyword) const;
    /// The types after the first outermost ":" (several, with commas), or nothing.
    [[nodiscard]] std::vector<std::string_view> types() const;
    /// The types after "->", in parentheses or not.
    [[nodiscard]] std::vector<std::string_view> resultTypes() const;
    /// The last type of the header that is a memref or a tensor; empty when there is none.
    [[nodiscard]] std::string_view lastShapedType() const;
    /// "key = value" after the operands and in dictionaries, and marks in dictionaries (with an empty value). Each key once, at
    /// most 64.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> attributes() const;
    /// The text between the tokens, as it stands.
    [[nodiscard]] std::string_view slice(std::size_t from, std::size_t to) const;
    /// One past the last token of the group (or single token) at `from`.
    [[nodiscard]] std::size_t skip(std::size_t from) const;
    [[nodiscard]] const std::vector<Token>& tokens() const { return op_.header; }
    /// Index of an identifier at the outermost level; the number of tokens when it is not there.
    [[nodiscard]] std::size_t keywordAt(std::string_view keyword) const;

private:
    [[nodiscard]] std::size_t typeEnd(std::size_t from) const;

    std::string_view text_;
    const Operation& op_;
};

} // namespace stowage::hivm
