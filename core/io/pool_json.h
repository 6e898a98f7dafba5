// The memories of a problem, a program or a target, in JSON. One form everywhere.
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

/// The kind that the target files (resources/targets) declare for a memory of this name, for files without `"core"`; `outside`
/// for other names.
[[nodiscard]] CoreMemory coreMemoryNamed(std::string_view name);

/// Writes them as the value of the key that was just written; what has its default is left out.
void writePools(JsonWriter& out, std::span<const Pool> pools);

} // namespace stowage::io
