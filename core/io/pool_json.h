// Reads and writes pools as JSON: the same form in problems, programs and targets.
#pragma once

#include "core/io/json_reader.h"
#include "core/io/json_writer.h"
#include "core/ir/program.h"

#include <span>
#include <vector>

namespace stowage::io {

/// Reads the current value, an array of pools: name, capacity, alignment, kind, core, and the facts for estimates (targets,
/// clock_hz, read_bytes_per_cycle, write_bytes_per_cycle, read_latency_cycles, write_latency_cycles, burst_bytes, internal,
/// description). Names are unique and not empty.
std::vector<Pool> readPools(JsonReader& in);

/// The value of `"core"` that the target files (resources/targets) declare for a memory with this name, for files without
/// `"core"`; `outside` for other names.
[[nodiscard]] CoreMemory coreMemoryNamed(std::string_view name);

/// Writes pools as the value of the last key written. Fields with their default value are left out.
void writePools(JsonWriter& out, std::span<const Pool> pools);

} // namespace stowage::io
