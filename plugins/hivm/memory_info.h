// Reads `memory_info.json`, in which the compiler describes its own plan (enable-memory-display, TRITON_MEMORY_DISPLAY=1).
#pragma once

#include "plugins/api/importer.h"

namespace stowage::hivm {

/// One buffer of the file.
struct MemoryInfoEntry {
    std::string scope;          ///< "ub"
    std::string buffer;         ///< "%alloc = memref.alloc() : memref<…>", as the compiler prints it
    std::int64_t bits = 0;      ///< `extent`
    Step gen = 0;               ///< first step of `life_time_in_ir`, which covers all buffers that share the slot
    Step kill = 0;              ///< last step of `life_time_in_ir`, included
    std::vector<Bytes> offsets; ///< one for each slot
    bool scratch = false;       ///< `is_tmpbuf`
    std::string file;           ///< of `source_location`
    std::int32_t line = 0;
    std::int32_t column = 0;

    friend bool operator==(const MemoryInfoEntry&, const MemoryInfoEntry&) = default;
};

struct MemoryInfo {
    std::string kernel;                   ///< `KernelName`
    std::vector<MemoryInfoEntry> entries; ///< each buffer once; the file repeats a multi-buffered one for each slot
    std::vector<std::string> errors;      ///< `error_info` of the scopes that have one
};

/// Reads the file. Unknown fields are skipped, because the compiler may add fields. Errors have positions. O(text), except for
/// repeated buffers.
Expected<MemoryInfo> readMemoryInfo(std::string_view text, const std::string& file);

/// The plan for a kernel that was imported. Buffers are matched by the line of their allocation. No value if no buffer matches.
std::optional<FilePlan> planFor(const MemoryInfo& info, const Program& program);

/// The file as a program of its own: an op for each step, and a buffer for each slot, which is written at its first step and read
/// at its last.
Imported programOf(const MemoryInfo& info, const std::string& file);

} // namespace stowage::hivm
