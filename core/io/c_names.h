// Makes C identifiers from the names of tensors, pools and models.
#pragma once

#include "core/ir/diagnostic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stowage::io {

/// A C identifier for `name`, never empty. Characters other than letters, digits and underscores become underscores; a name that
/// begins with a digit gets the prefix "x", and a keyword of C or C++ the suffix "_".
[[nodiscard]] std::string toCName(std::string_view name);
/// The same in capitals.
[[nodiscard]] std::string toCMacro(std::string_view name);

/// Unique identifiers of one C scope. If two names give the same identifier, the second one gets a number, and a diagnostic
/// reports it.
class CNames {
public:
    enum class Case : std::uint8_t { kept, capitals };
    explicit CNames(Case letters = Case::kept) : case_(letters) {}

    /// The identifier of `name`; equal names get equal identifiers. `what` is the noun for the diagnostic: "buffer", "pool".
    std::string unique(std::string_view what, std::string_view name);
    /// Excludes an identifier from further use.
    void reserve(std::string identifier) { taken_.insert(std::move(identifier)); }
    [[nodiscard]] const Diagnostics& clashes() const { return clashes_; }

private:
    Case case_;
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::string> given_;
    Diagnostics clashes_;
};

} // namespace stowage::io
