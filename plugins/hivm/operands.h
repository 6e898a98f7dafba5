// Reads the parts of an operation after its name: groups of operands, types, attributes.
#pragma once

#include "plugins/hivm/syntax.h"
#include "plugins/hivm/types.h"

#include <string>
#include <utility>

namespace stowage::hivm {

/// An operand, and the type that the text gives for it; an empty type if it gives none.
struct Operand {
    std::string_view name; ///< "%x"
    std::string_view type;
};

/// Access to the header of one operation. The text and the operation must outlive it.
class Header {
public:
    Header(std::string_view text, const Operation& op) : text_(text), op_(op) {}

    /// True if it has a group of this name: "ins(…)".
    [[nodiscard]] bool has(std::string_view keyword) const { return keywordAt(keyword) < op_.header.size(); }
    /// The operands of "ins(%a, %b : T, T)".
    [[nodiscard]] std::vector<Operand> group(std::string_view keyword) const;
    /// All operands in order, also those in brackets and groups.
    [[nodiscard]] std::vector<std::string_view> values() const;
    /// The operands outside of all brackets: "%v, %x" of "memref.store %v, %x[%i]".
    [[nodiscard]] std::vector<std::string_view> outerValues() const;
    /// The pairs of inner and outer value of "iter_args(%a = %x, %b = %y)" or "scf.while (%a = %x)". With an empty `keyword`:
    /// those of the first group.
    [[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> assignments(std::string_view keyword) const;
    /// The types after the first ":" outside of all brackets; empty if there is none.
    [[nodiscard]] std::vector<std::string_view> types() const;
    /// The types after "->", with or without parentheses.
    [[nodiscard]] std::vector<std::string_view> resultTypes() const;
    /// The last type of the header that is a memref or a tensor; empty if there is none.
    [[nodiscard]] std::string_view lastShapedType() const;
    /// Attributes: each "key = value" after the operands and in dictionaries, and each word alone in a dictionary (with an empty
    /// value). Each key once; at most 64.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> attributes() const;
    /// The text from token `from` to token `to`, unchanged.
    [[nodiscard]] std::string_view slice(std::size_t from, std::size_t to) const;
    /// Index of the token after the group, or the single token, at `from`.
    [[nodiscard]] std::size_t skip(std::size_t from) const;
    [[nodiscard]] const std::vector<Token>& tokens() const { return op_.header; }
    /// Index of an identifier outside of all brackets; the number of tokens if there is none.
    [[nodiscard]] std::size_t keywordAt(std::string_view keyword) const;

private:
    [[nodiscard]] std::size_t typeEnd(std::size_t from) const;

    std::string_view text_;
    const Operation& op_;
};

} // namespace stowage::hivm
