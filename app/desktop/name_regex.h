// Regular expressions on names in UTF-8: PCRE2 as QRegularExpression has it, without making a string of Qt of each name.
#pragma once

#include <QString>

#include <cstddef>
#include <memory>
#include <string_view>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace stowage {

/// A compiled regular expression that ignores case. One thread at a time: a match needs room of its own.
class NameRegex {
public:
    /// Compiles `pattern`; with an error in it, it matches nothing.
    explicit NameRegex(const QString& pattern);

    [[nodiscard]] bool valid() const { return code_ != nullptr; }
    /// What is wrong with the pattern, in PCRE2's words; empty if it is valid.
    [[nodiscard]] QString error() const;
    /// Whether it matches somewhere in `name`; bytes that are not UTF-8 match nothing.
    [[nodiscard]] bool matches(std::string_view name) const;

private:
    struct Free {
        void operator()(pcre2_real_code_8* code) const;
        void operator()(pcre2_real_match_data_8* room) const;
    };
    std::unique_ptr<pcre2_real_code_8, Free> code_;
    std::unique_ptr<pcre2_real_match_data_8, Free> room_;
    int error_ = 0;
};

} // namespace stowage
