// Tells whether this build has a sanitizer. The shadow memory of a sanitizer exceeds any limit of the address space, and its leak
// checker needs a clone of the process.
#pragma once

namespace stowage::external {

// GCC defines macros, clang answers questions.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

} // namespace stowage::external
