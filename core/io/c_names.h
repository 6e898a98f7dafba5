// Names of tensors, pools and models as C identifiers.
#pragma once

#include "core/ir/diagnostic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stowage::io {

/// Characters other than letters, digits and underscores become underscores; "x" goes before a digit, "_" after a keyword of C or
/// C++ (generated headers are for both). Never empty.
[[nodiscard]] std::string toCName(std::string_view name);
/// The same in capitals.
[[nodiscard]] std::string toCMacro(std::string_view name);

/// Identifiers of one scope: two names that would become one are told apart by a number, and reported.
class CNames {
public:
    enum class Case : std::uint8_t { kept, capitals };
    explicit CNames(Case letters = Case::kept) : case_(letters) {}

    /// `what` is for the report: "buffer", "pool". The same name gets the same identifier again.
    std::string unique(std::string_view what, std::string_view name);
    /// Takes an identifier out of the choice.
    void reserve(std::string identifier) { taken_.insert(std::move(identifier)); }
    [[nodiscard]] const Diagnostics& clashes() const { return clashes_; }

private:
    Case case_;
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, std::string> given_;
    Diagnostics clashes_;
};

} // namespace stowage::io
