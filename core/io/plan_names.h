// Names in plan files, in the order of the enumerators.
#pragma once

#include "core/plan/report.h"
#include "core/plan/verdict_words.h"

#include <array>
#include <string_view>

namespace stowage::io {

inline constexpr std::string_view planFormat = "stowage.plan/1";
inline constexpr std::array<std::string_view, 4> stoppedByNames{"complete", "work-limit", "deadline", "cancelled"};
inline constexpr std::array<std::string_view, 4> proofNames{"unproven", "bound", "search", "claim"};
inline constexpr std::array<std::string_view, 3> severityNames{"note", "warning", "error"};

} // namespace stowage::io
