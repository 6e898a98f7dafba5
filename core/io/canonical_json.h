// Writes JSON in a canonical form: equal documents give equal texts.
#pragma once

#include "core/ir/expected.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace stowage::io {

/// The document with sorted keys, an indentation of two blanks, and a line feed at the end. For documents with integers and
/// strings it equals the result of Python's json.dumps(sort_keys=True, indent=2, ensure_ascii=False). If the document is an
/// object without the key `completed`, the text has this key with the value {}; an empty `completed` adds no key. Error: the text
/// is not JSON. O(n log n).
[[nodiscard]] Expected<std::string> canonicalJson(std::string_view text, const std::string& file,
                                                  std::string_view completed = {});

/// FNV-1a of 64 bits (Fowler, Noll, Vo).
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view bytes)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

} // namespace stowage::io
