// "Did you mean …?": names like the one that a user typed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// The names that `typed` may have meant, the nearest first, three at most: those that begin with it or that it begins with, and
/// those at an edit distance (insertion, deletion, substitution and exchange of neighbours count 1, case counts nothing) of at
/// most a third of its length, at least 1. O(sum of lengths * length of `typed`); of very long words nothing is like.
[[nodiscard]] std::vector<std::string> neighbours(std::string_view typed, std::span<const std::string> names);

/// The remedy of an error about an unknown name: "did you mean 'plan'? the commands are: plan, compare, …".
[[nodiscard]] std::string suggestion(std::string_view typed, std::span<const std::string> names, std::string_view noun);

} // namespace stowage
