#include "core/exec/pattern.h"

#include "core/ir/random.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace stowage::executing {

namespace {

constexpr std::size_t wordSize = sizeof(std::uint64_t);

/// Word `index` of the stream. Every byte depends on all bits of stamp and index.
std::uint64_t word(Stamp stamp, std::uint64_t index)
{
    return mix64(stamp + index * 0x9e3779b97f4a7c15U);
}

std::byte byteOf(std::uint64_t value, std::size_t index)
{
    return static_cast<std::byte>((value >> (8U * index)) & 0xffU);
}

/// The words are written as they lie in memory; on a big-endian machine the stream's bytes have to be turned round first.
std::uint64_t inMemory(std::uint64_t value)
{
    if constexpr (std::endian::native == std::endian::little)
        return value;
    else
        return __builtin_bswap64(value);
}

/// Calls some(i, word, first, count) for the bytes of words that are only partly covered, and whole(i, word) for the others; `i`
/// is the index of the first byte concerned. Stops when one returns false.
template <typename OnSome, typename OnWhole>
void walk(std::size_t size, Stamp stamp, Bytes from, OnSome&& some, OnWhole&& whole)
{
    std::uint64_t index = static_cast<std::uint64_t>(from) / wordSize;
    std::size_t i = 0;
    if (const std::size_t skip = static_cast<std::size_t>(from) % wordSize; skip != 0 && size > 0) {
        const std::size_t count = std::min(wordSize - skip, size);
        if (!some(i, word(stamp, index), skip, count)) return;
        i += count;
        ++index;
    }
    for (; i + wordSize <= size; i += wordSize, ++index)
        if (!whole(i, word(stamp, index))) return;
    if (i < size) some(i, word(stamp, index), 0, size - i);
}

} // namespace

void fillPattern(std::span<std::byte> bytes, Stamp stamp, Bytes from)
{
    walk(
        bytes.size(), stamp, from,
        [&](std::size_t at, std::uint64_t value, std::size_t first, std::size_t count) {
            for (std::size_t b = 0; b < count; ++b) bytes[at + b] = byteOf(value, first + b);
            return true;
        },
        [&](std::size_t at, std::uint64_t value) {
            const std::uint64_t stored = inMemory(value);
            std::memcpy(bytes.data() + at, &stored, wordSize);
            return true;
        });
}

std::size_t checkPattern(std::span<const std::byte> bytes, Stamp stamp, Bytes from)
{
    std::size_t wrong = bytes.size();
    const auto compare = [&](std::size_t at, std::uint64_t value, std::size_t first, std::size_t count) {
        for (std::size_t b = 0; b < count; ++b)
            if (bytes[at + b] != byteOf(value, first + b)) {
                wrong = at + b;
                return false;
            }
        return true;
    };
    walk(bytes.size(), stamp, from, compare, [&](std::size_t at, std::uint64_t value) {
        std::uint64_t found = 0;
        std::memcpy(&found, bytes.data() + at, wordSize);
        return found == inMemory(value) || compare(at, value, 0, wordSize);
    });
    return wrong;
}

} // namespace stowage::executing
