// Reads the tables that Arm's Vela prints with --verbose-allocation, and the totals of its summary CSV.
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
    std::string name; ///< the tensor's purpose if Vela prints no name
    Bytes size = 0;
    Bytes address = 0;
    Step first = 0; ///< inclusive
    Step last = 0;  ///< inclusive
    std::int32_t line = 0;
};

/// A table: the tensors of one memory and sub-graph.
struct VelaTable {
    std::string name;      ///< "Sram (Scratch) HillClimb, NPU": memory, kinds, allocator, sub-graph, if printed
    std::string memory;    ///< "Sram"
    std::string allocator; ///< "HillClimb"; may be empty
    std::vector<VelaBuffer> buffers;
    std::optional<Bytes> peak; ///< "Allocation Peak Memory Usage"
};

/// Reads every table of the text. Rows with equal times and addresses become one buffer with the largest of their sizes. Errors:
/// a row that is cut off or contradicts itself, a text without a table. O(bytes + rows log rows).
Expected<std::vector<VelaTable>> readVelaLog(std::string_view text, const std::string& file);

/// The total of each memory in a summary CSV, in bytes ("sram", 1024): its columns that end with "_memory_used" are in KiB. Of
/// several rows the last one counts. Errors: a file without such columns, a cell that is not a number.
Expected<std::vector<std::pair<std::string, Bytes>>> readVelaSummary(std::string_view text, const std::string& file);

/// How likely it is that a text that begins with `head` is a table or a summary CSV of Vela: 0 to 100.
int claimsVelaLog(std::string_view head);
/// Whether a text that begins with `head` is a summary CSV.
bool isVelaSummary(std::string_view head);

} // namespace stowage::tflm
