// The formats in which the command line writes a run or an input.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace stowage::cli {

struct WriterEntry {
    std::string name;
    std::string suffixes; ///< ".dot .gv": suffixes of files that select the format
    std::string title;
    std::string command; ///< the command that writes it
};

/// All formats, those of `convert` first.
std::span<const WriterEntry> exporters();

/// The format that `convert` selects by the suffix of a file; empty if none fits.
std::string exporterFor(std::string_view file);

} // namespace stowage::cli
