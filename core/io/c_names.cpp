#include "core/io/c_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace stowage::io {

namespace {

// Of C99 and of C++20, sorted.
constexpr std::array keywords{"alignas",
                              "alignof",
                              "and",
                              "and_eq",
                              "asm",
                              "auto",
                              "bitand",
                              "bitor",
                              "bool",
                              "break",
                              "case",
                              "catch",
                              "char",
                              "char16_t",
                              "char32_t",
                              "char8_t",
                              "class",
                              "co_await",
                              "co_return",
                              "co_yield",
                              "compl",
                              "concept",
                              "const",
                              "const_cast",
                              "consteval",
                              "constexpr",
                              "constinit",
                              "continue",
                              "decltype",
                              "default",
                              "delete",
                              "do",
                              "double",
                              "dynamic_cast",
                              "else",
                              "enum",
                              "explicit",
                              "export",
                              "extern",
                              "false",
                              "float",
                              "for",
                              "friend",
                              "goto",
                              "if",
                              "inline",
                              "int",
                              "long",
                              "mutable",
                              "namespace",
                              "new",
                              "noexcept",
                              "not",
                              "not_eq",
                              "nullptr",
                              "operator",
                              "or",
                              "or_eq",
                              "private",
                              "protected",
                              "public",
                              "register",
                              "reinterpret_cast",
                              "requires",
                              "restrict",
                              "return",
                              "short",
                              "signed",
                              "sizeof",
                              "static",
                              "static_assert",
                              "static_cast",
                              "struct",
                              "switch",
                              "template",
                              "this",
                              "thread_local",
                              "throw",
                              "true",
                              "try",
                              "typedef",
                              "typeid",
                              "typename",
                              "union",
                              "unsigned",
                              "using",
                              "virtual",
                              "void",
                              "volatile",
                              "wchar_t",
                              "while",
                              "xor",
                              "xor_eq"};

bool asciiAlnum(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

} // namespace

std::string toCName(std::string_view name)
{
    std::string result;
    for (const char c : name) result += asciiAlnum(c) || c == '_' ? c : '_';
    if (result.empty()) return "unnamed";
    if (result.front() >= '0' && result.front() <= '9') result.insert(result.begin(), 'x');
    if (std::any_of(keywords.begin(), keywords.end(), [&](std::string_view keyword) { return keyword == result; })) result += '_';
    return result;
}

std::string toCMacro(std::string_view name)
{
    std::string result;
    for (const char c : name) result += asciiAlnum(c) ? static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c) : '_';
    return result.empty() ? "UNNAMED" : result;
}

std::string CNames::unique(std::string_view what, std::string_view name)
{
    const std::string key = fmt::format("{}\n{}", what, name);
    if (const auto known = given_.find(key); known != given_.end()) return known->second;
    const std::string plain = case_ == Case::capitals ? toCMacro(name) : toCName(name);
    std::string result = plain;
    for (int number = 2; !taken_.insert(result).second; ++number) result = fmt::format("{}_{}", plain, number);
    if (result != plain)
        clashes_.push_back(
            warning(Code::nameClash, fmt::format("{} '{}' is called '{}' in C, as '{}' is taken", what, name, result, plain)));
    given_.emplace(key, result);
    return result;
}

} // namespace stowage::io
