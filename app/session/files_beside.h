// What decides about a model besides the bytes of its file: other files that its importer reads, and the file's name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stowage {

/// Paths of the files that an importer may read together with the model at `path`, whether they exist or not. Their order follows
/// from the contents. A model that cannot be read has none.
/// - A dump of XLA: its other file, of NAME-buffer-assignment.txt and NAME-live-range.txt.
/// - A memory_info.json of Ascend's compiler: the kernel that it names.
/// - A configuration of a pipeline: the programs of its stages.
/// Left out is the memory_info.json beside a kernel: it gives a plan to compare with, and no part of the model. Reads the file
/// if it begins as one of the last two.
std::vector<std::string> filesBeside(const std::string& path);

/// The part of a file's name by which importers know formats: ".csv", "-live-range.txt", ".pkl.gz"; empty: none.
std::string_view formatInName(std::string_view path);

} // namespace stowage
