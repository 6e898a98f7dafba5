// Makes C identifiers, and texts for C comments, from the names of tensors, pools and models.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/unique_names.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace stowage::io {

/// A C identifier for `name`, never empty. Characters other than letters, digits and underscores become underscores; a name that
/// begins with a digit gets the prefix "x", and a keyword of C or C++ the suffix "_".
[[nodiscard]] std::string toCName(std::string_view name);
/// A part of a macro for `name`, in capitals, never empty. A part may begin with a digit: another part precedes it.
[[nodiscard]] std::string toCMacro(std::string_view name);
/// `text` for a C comment of one line: without control characters, backslashes, and the beginning or the end of a comment. Each
/// of these becomes "?". O(length).
[[nodiscard]] std::string toCComment(std::string_view text);

/// Unique identifiers of one C scope. If two names give the same identifier, the second one gets a number, and a diagnostic
/// reports it.
class CNames {
public:
    enum class Case : std::uint8_t { kept, capitals };
    explicit CNames(Case letters = Case::kept) : case_(letters) {}

    /// The identifier of `name`; equal names get equal identifiers. `what` is the noun for the diagnostic: "buffer", "pool".
    std::string unique(std::string_view what, std::string_view name);
    /// The identifier of a symbol that is visible to the whole program; excludes it from further use. `main` and the names of C's
    /// standard library and of its headers get the suffix "_", like keywords, and a diagnostic reports it.
    std::string global(std::string_view what, std::string_view name);
    /// Excludes an identifier from further use.
    void reserve(const std::string& identifier) { taken_.insert(identifier); }
    [[nodiscard]] const Diagnostics& clashes() const { return clashes_; }

private:
    void report(std::string_view what, std::string_view name, const std::string& result, const std::string& plain);

    Case case_;
    UniqueNames taken_;
    std::unordered_map<std::string, std::string> given_;
    Diagnostics clashes_;
};

} // namespace stowage::io
