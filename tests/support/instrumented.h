// Whether a build watches every access to memory, and what tests make of that.
#pragma once

#include <concepts>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STOWAGE_THREAD_SANITIZER 1
#endif
#if __has_feature(address_sanitizer)
#define STOWAGE_ADDRESS_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define STOWAGE_THREAD_SANITIZER 1
#endif
#if defined(__SANITIZE_ADDRESS__)
#define STOWAGE_ADDRESS_SANITIZER 1
#endif

namespace stowage::test {

/// ThreadSanitizer makes a search ten to fifty times slower. What it looks for, accesses that nothing orders, shows on small
/// inputs too.
#if defined(STOWAGE_THREAD_SANITIZER)
inline constexpr bool threadSanitizer = true;
#else
inline constexpr bool threadSanitizer = false;
#endif

#if defined(STOWAGE_ADDRESS_SANITIZER)
inline constexpr bool addressSanitizer = true;
#else
inline constexpr bool addressSanitizer = false;
#endif

inline constexpr bool instrumented = threadSanitizer || addressSanitizer;

/// Of `cases` random ones, how many are gone through: a quarter with AddressSanitizer and an eighth with ThreadSanitizer, which
/// take ten to fifty times as long for each and look for faults that do not depend on the one case. What a test demands to have
/// met on the way is scaled with it.
template <std::integral Count>
constexpr Count randomCases(Count cases)
{
    constexpr int part = threadSanitizer ? 8 : addressSanitizer ? 4 : 1;
    return static_cast<Count>((cases + (part - 1)) / part);
}

} // namespace stowage::test
