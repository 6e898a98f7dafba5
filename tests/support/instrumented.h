// Whether a build watches every access to memory, and what tests make of that.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STOWAGE_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define STOWAGE_THREAD_SANITIZER 1
#endif

namespace stowage::test {

/// ThreadSanitizer makes a search ten to fifty times slower. What it looks for, accesses that nothing orders, shows on small inputs too.
#if defined(STOWAGE_THREAD_SANITIZER)
inline constexpr bool threadSanitizer = true;
#else
inline constexpr bool threadSanitizer = false;
#endif

} // namespace stowage::test
