// Texts about a split of a model into stages, and about a stage that does not fit, for the command line and the window.
#pragma once

#include "app/session/verdicts.h"
#include "core/pipeline/split.h"

#include <functional>
#include <string>
#include <vector>

namespace stowage {

/// Optimal, valid, infeasible or undecided.
[[nodiscard]] VerdictKind verdictKind(const pipeline::Split& split);
/// "Optimal: period 265.0 µs, latency 875.3 µs, 4 stages. No split has a smaller period."
[[nodiscard]] std::string splitVerdict(const pipeline::Split& split);
/// A sentence without a full stop for each op or stage that fits on no device: "op 0 ('conv1') needs 960 B; the nearest is mcu
/// with 900 B". `size` formats bytes with their unit.
[[nodiscard]] std::vector<std::string> misfitLines(const pipeline::Split& split, const pipeline::CutMap& map,
                                                   const pipeline::DeviceSet& devices,
                                                   const std::function<std::string(Bytes)>& size);
/// Microseconds with one digit after the point, and a comma for each thousand: "1,068.0".
[[nodiscard]] std::string microsecondsText(double microseconds);

} // namespace stowage
