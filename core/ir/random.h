// Random numbers and hashes that are equal with every compiler and standard library: splitmix64 (Steele, Lea and Flood 2014).
#pragma once

#include <cstddef>
#include <cstdint>

namespace stowage {

/// The finaliser of splitmix64: a change of one bit of `x` changes about half of the bits of the result.
[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

/// A generator of random numbers. Equal seeds give equal sequences.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint64_t operator()() { return mix64(state_ += 0x9e3779b97f4a7c15U); }
    /// In [0, n). Requires n > 0.
    std::size_t below(std::size_t n) { return static_cast<std::size_t>((*this)() % n); }
    /// True with a probability of `percent` percent.
    bool chance(unsigned percent) { return below(100) < percent; }

private:
    std::uint64_t state_;
};

} // namespace stowage
