// What TensorFlow Lite Micro prints: the plan of its greedy planner (built with TF_LITE_SHOW_MEMORY_USE), and the totals of a
// RecordingMicroInterpreter.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stowage::tflm {

/// A line of the plan: a tensor, or after all tensors a request of scratch by a kernel. The log does not tell which.
struct PlannedBuffer {
    Bytes size = 0; ///< rounded up to 16 by the runtime
    Bytes offset = 0;
    Step first = 0;        ///< inclusive
    Step last = 0;         ///< inclusive
    std::int32_t line = 0; ///< of the file, from 1
};

struct RuntimeLog {
    std::vector<PlannedBuffer> buffers;     ///< by the planner's id; empty: the log has totals only
    std::optional<Bytes> head, tail, total; ///< of the arena, as recorded
    std::int32_t plans = 0;                 ///< plans in the file; the last one is read
};

/// Reads the lines that are the runtime's, whatever stands around or before them in their line. Of several plans (the device has
/// started again) the last one counts. Errors: a plan with a line that is cut off or a buffer that is missing, a size, offset or
/// time that makes no sense, a text without any such line. O(bytes).
Expected<RuntimeLog> readRuntimeLog(std::string_view text, const std::string& file);

/// How sure it is that a text that begins with `head` holds such lines: 0 to 100.
int claimsRuntimeLog(std::string_view head);

} // namespace stowage::tflm
