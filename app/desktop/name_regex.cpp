#include "app/desktop/name_regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <array>
#include <string>

namespace stowage {

namespace {

PCRE2_SPTR8 bytesOf(std::string_view text)
{
    return reinterpret_cast<PCRE2_SPTR8>(text.data());
}

} // namespace

void NameRegex::Free::operator()(pcre2_real_code_8* code) const
{
    pcre2_code_free(code);
}

void NameRegex::Free::operator()(pcre2_real_match_data_8* room) const
{
    pcre2_match_data_free(room);
}

NameRegex::NameRegex(const QString& pattern)
{
    const std::string text = pattern.toStdString();
    PCRE2_SIZE at = 0;
    code_.reset(
        pcre2_compile(bytesOf(text), text.size(), PCRE2_UTF | PCRE2_CASELESS | PCRE2_MATCH_INVALID_UTF, &error_, &at, nullptr));
    if (!code_) return;
    (void)pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE); // interpreted where machine code is not allowed
    room_.reset(pcre2_match_data_create(1, nullptr));
}

QString NameRegex::error() const
{
    if (code_) return {};
    std::array<PCRE2_UCHAR8, 256> text{};
    (void)pcre2_get_error_message(error_, text.data(), text.size());
    return QString::fromUtf8(reinterpret_cast<const char*>(text.data()));
}

bool NameRegex::matches(std::string_view name) const
{
    if (!code_ || !room_) return false;
    int found = pcre2_match(code_.get(), bytesOf(name), name.size(), 0, 0, room_.get(), nullptr);
    // A pattern that goes back far in a long name can need more stack than machine code has.
    if (found == PCRE2_ERROR_JIT_STACKLIMIT)
        found = pcre2_match(code_.get(), bytesOf(name), name.size(), 0, PCRE2_NO_JIT, room_.get(), nullptr);
    return found >= 0;
}

} // namespace stowage
