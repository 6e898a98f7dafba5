// The look of a report: the tokens of the light theme as one style sheet, with rules for paper.
#pragma once

#include <string>

namespace stowage::report {

[[nodiscard]] std::string styleSheet();
/// Classes `.c0` … (fill) and `.i0` … (ink) of one model's colouring, inside the element with this id: `ordered`: from the
/// sequential ramp.
[[nodiscard]] std::string colourRules(const std::string& id, bool ordered);

} // namespace stowage::report
