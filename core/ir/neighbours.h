// "Did you mean …?": finds names similar to the one that a user typed.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// The names similar to `typed`, the most similar first, at most three. A name is similar if one of the two begins with the
/// other, or if their edit distance is at most max(1, length of `typed` / 3). Insertion, deletion, substitution and exchange of
/// adjacent characters each count 1 (optimal string alignment); case is ignored. Words of more than 100 bytes are never similar.
/// O(sum of lengths * length of `typed`).
[[nodiscard]] std::vector<std::string> neighbours(std::string_view typed, std::span<const std::string> names);

/// The remedy for an unknown name: "did you mean 'plan'? the commands are: plan, compare, …". `noun` names the choices
/// ("commands").
[[nodiscard]] std::string suggestion(std::string_view typed, std::span<const std::string> names, std::string_view noun);

} // namespace stowage
