// The formats in which the command line writes a run or an input.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stowage::cli {

struct WriterEntry {
    std::string name;
    std::string suffixes; ///< ".dot .gv": the file name chooses
    std::string title;
    std::string command; ///< that writes it
};

/// All of them, those of `convert` first.
std::span<const WriterEntry> exporters();

/// The name that `convert` would take for a file by its suffix; empty when none does.
std::string exporterFor(std::string_view file);

} // namespace stowage::cli
