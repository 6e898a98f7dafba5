// What Arm's Vela prints of its allocation (--verbose-allocation), and the totals of its summary CSV.
#pragma once

#include "core/ir/expected.h"
#include "core/ir/types.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage::tflm {

struct VelaBuffer {
    std::string name; ///< with its purpose where the name is empty
    Bytes size = 0;
    Bytes address = 0;
    Step first = 0; ///< inclusive
    Step last = 0;  ///< inclusive
    std::int32_t line = 0;
};

/// The tensors of one memory and sub-graph.
struct VelaTable {
    std::string name;      ///< "Sram (Scratch) HillClimb, NPU": memory, kinds, allocator, sub-graph, as far as they are printed
    std::string memory;    ///< "Sram"
    std::string allocator; ///< "HillClimb"; may be empty
    std::vector<VelaBuffer> buffers;
    std::optional<Bytes> peak; ///< "Allocation Peak Memory Usage"
};

/// Reads every table of the text. Lines with the same times and address are one live range, the largest of their sizes. Errors: a
/// row that is cut off or makes no sense; a text without a table. O(bytes + rows log rows).
Expected<std::vector<VelaTable>> readVelaLog(std::string_view text, const std::string& file);

/// The totals of a summary CSV, in bytes, by memory ("sram", 1024): columns that end with "_memory_used", in KiB. Of several rows
/// the last one. Errors: a file without such columns, a cell that is no number.
Expected<std::vector<std::pair<std::string, Bytes>>> readVelaSummary(std::string_view text, const std::string& file);

/// How sure it is that a text that begins with `head` is one of the two: 0 to 100.
int claimsVelaLog(std::string_view head);
/// Whether it is the CSV.
bool isVelaSummary(std::string_view head);

} // namespace stowage::tflm
