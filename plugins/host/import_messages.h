// Messages between host and worker for an import.
#pragma once

#include "plugins/api/importer.h"
#include "plugins/host/archive_ir.h"

#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// Names of frames.
namespace frame {
inline constexpr auto importOrder = "import";   ///< to the worker: ImportOrder
inline constexpr auto input = "input";          ///< to the worker, if the order says so: the bytes of the input
inline constexpr auto asking = "asking";        ///< path of the plugin whose claim is tested next
inline constexpr auto importing = "importing";  ///< name of the importer that reads the input next
inline constexpr auto imported = "imported";    ///< ImportedInput: the answer
inline constexpr auto error = "error";          ///< Diagnostic: the answer
inline constexpr auto rewriteOrder = "rewrite"; ///< to the worker: RewriteOrder; the text follows as an `input`
inline constexpr auto rewritten = "rewritten";  ///< Rewritten: the answer
} // namespace frame

struct ImportOrder {
    std::vector<std::string> plugins; ///< libraries to ask, in this order; of equal claims the first wins
    /// Count of leading `plugins` that list the file's suffix. If one of them is certain of the input, the others are not loaded.
    std::int32_t named = 0;
    std::string importer;      ///< empty: the one with the highest claim
    std::string path;          ///< path of the input, which is read unless its bytes follow; also for messages
    bool inputFollows = false; ///< in a frame of its own
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> options;
};

struct ImportedInput {
    std::string importer; ///< the importer that read it
    Imported imported;
};

template <typename Archive, SameAs<ImportOrder> T>
void fields(Archive& archive, T& value)
{
    auto& [plugins, named, importer, path, inputFollows, bindings, options] = value;
    archive(plugins, named, importer, path, inputFollows, bindings, options);
}

template <typename Archive, SameAs<FilePlan::Offset> T>
void fields(Archive& archive, T& value)
{
    auto& [function, tensor, offset, offsets] = value;
    archive(function, tensor, offset, offsets);
}

template <typename Archive, SameAs<FilePlan> T>
void fields(Archive& archive, T& value)
{
    auto& [name, problem, offsets, sizes, figures] = value;
    archive(name, problem, offsets, sizes, figures);
}

template <typename Archive, SameAs<CallStacks> T>
void fields(Archive& archive, T& value)
{
    auto& [frames, stacks, ofBuffer] = value;
    archive(frames, stacks, ofBuffer);
}

template <typename Archive, SameAs<NamedProblem> T>
void fields(Archive& archive, T& value)
{
    auto& [name, problem, calls] = value;
    archive(name, problem, calls);
}

template <typename Archive, SameAs<FreeDimension> T>
void fields(Archive& archive, T& value)
{
    auto& [name, size] = value;
    archive(name, size);
}

template <typename Archive, SameAs<Imported> T>
void fields(Archive& archive, T& value)
{
    auto& [content, plans, diagnostics, freeDimensions] = value;
    archive(content, plans, diagnostics, freeDimensions);
}

template <typename Archive, SameAs<ImportedInput> T>
void fields(Archive& archive, T& value)
{
    auto& [importer, imported] = value;
    archive(importer, imported);
}

} // namespace stowage
