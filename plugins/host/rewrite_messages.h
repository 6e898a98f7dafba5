// Messages between host and worker for a file into which a plan is written.
#pragma once

#include "plugins/api/rewriter.h"
#include "plugins/host/archive_plan.h"

#include <string>
#include <utility>
#include <vector>

namespace stowage {

/// The text follows in a frame of its own.
struct RewriteOrder {
    std::string plugin;   ///< path of the library with importer and rewriter
    std::string importer; ///< the importer that read the text
    std::string path;     ///< for messages
    std::string pass;
    std::vector<std::pair<std::string, std::string>> passOptions;
    std::vector<std::pair<std::string, std::int64_t>> bindings;
    std::vector<std::pair<std::string, std::string>> options;
    Program program; ///< the program that was planned
    std::vector<PlannedFunction> planned;
};

template <typename Archive, SameAs<PlannedFunction> T>
void fields(Archive& archive, T& value)
{
    auto& [function, lowering, plan] = value;
    archive(function, lowering, plan);
}

template <typename Archive, SameAs<RewriteOrder> T>
void fields(Archive& archive, T& value)
{
    auto& [plugin, importer, path, pass, passOptions, bindings, options, program, planned] = value;
    archive(plugin, importer, path, pass, passOptions, bindings, options, program, planned);
}

template <typename Archive, SameAs<Rewritten> T>
void fields(Archive& archive, T& value)
{
    auto& [text, diagnostics] = value;
    archive(text, diagnostics);
}

} // namespace stowage
