// Reads the output of TensorFlow Lite Micro: the plan of its greedy planner (built with TF_LITE_SHOW_MEMORY_USE), and the totals
// of a RecordingMicroInterpreter.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::tflm {

/// A line of the plan: a tensor, or after all tensors a kernel's scratch. The log does not say which.
struct PlannedBuffer {
    Bytes size = 0; ///< rounded up to 16 by the runtime
    Bytes offset = 0;
    Step first = 0;        ///< inclusive
    Step last = 0;         ///< inclusive
    std::int32_t line = 0; ///< of the file, from 1
};

struct RuntimeLog {
    std::vector<PlannedBuffer> buffers;     ///< in the order of the planner's ids; empty: the log has totals only
    std::optional<Bytes> head, tail, total; ///< of the arena, as recorded
    std::int32_t plans = 0;                 ///< plans in the file; the last one is read
};

/// Reads the lines that the runtime wrote. Other lines, and texts before the runtime's in a line, are ignored. Of several plans
/// (the device has restarted) the last one counts. Errors: a plan with a missing buffer or with a line that is cut off, a
/// negative or contradictory number, a text without lines of the runtime. O(bytes).
Expected<RuntimeLog> readRuntimeLog(std::string_view text, const std::string& file);

/// How likely it is that a text that begins with `head` is such a log: 0 to 100.
int claimsRuntimeLog(std::string_view head);

} // namespace stowage::tflm
