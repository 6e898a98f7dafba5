// The words of verdicts in files, options and messages. All other sources take them from here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace stowage {

enum class Status : std::uint8_t; // core/plan/report.h

/// In the order of `Status`.
inline constexpr std::array<std::string_view, 6> statusWords{"optimal",    "feasible",  "does-not-fit",
                                                             "infeasible", "undecided", "invalid"};

/// The word of a status, as in files: "does-not-fit". O(1).
[[nodiscard]] constexpr std::string_view wordOf(Status status)
{
    return statusWords[static_cast<std::size_t>(status)];
}

} // namespace stowage
