// `memory_info.json`: what the compiler says of its own plan (enable-memory-display, TRITON_MEMORY_DISPLAY=1).
#pragma once

#include "plugins/api/importer.h"

namespace stowage::hivm {

/// One line of the file.
struct MemoryInfoEntry {
    std::string scope;     ///< "ub"
    std::string buffer;    ///< "%alloc = memref.alloc() : memref<…>", as the compiler prints it
    std::int64_t bits = 0; ///< `extent`
    Step gen = 0;          ///< `life_time_in_ir`, both ends included; of all that shares the slot
    Step kill = 0;
    std::vector<Bytes> offsets; ///< one for each slot
    bool scratch = false;       ///< `is_tmpbuf`
    std::string file;           ///< of `source_location`
    std::int32_t line = 0;
    std::int32_t column = 0;

    friend bool operator==(const MemoryInfoEntry&, const MemoryInfoEntry&) = default;
};

struct MemoryInfo {
    std::string kernel;                   ///< `KernelName`
    std::vector<MemoryInfoEntry> entries; ///< without what the file says twice (once for each slot of a multi-buffered one)
    std::vector<std::string> errors;      ///< `error_info` of the scopes, where there is one
};

/// Errors have their places. Fields that are not known are skipped: the format is the compiler's. Linear but for what is said
/// twice.
Expected<MemoryInfo> readMemoryInfo(std::string_view text, const std::string& file);

/// The plan in terms of a kernel that was read: buffers are found by the line of their allocation. Nothing when none is.
std::optional<FilePlan> planFor(const MemoryInfo& info, const Program& program);

/// The file alone as a program: an op for each number, a buffer for each slot, written and read where its life begins and ends.
Imported programOf(const MemoryInfo& info, const std::string& file);

} // namespace stowage::hivm
