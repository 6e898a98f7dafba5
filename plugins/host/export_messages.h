// Messages between host and worker for the export of plans in a foreign format.
#pragma once

#include "plugins/api/exporter.h"
#include "plugins/host/archive_plan.h"

#include <string>
#include <utility>
#include <vector>

namespace stowage {

namespace frame {
inline constexpr auto exportOrder = "export"; ///< to the worker: ExportOrder
inline constexpr auto exported = "exported";  ///< Exported: the answer
} // namespace frame

/// `Run`, as it is sent: the worker evaluates the plan again.
struct SentRun {
    std::string function;
    bool hasProgram = false;
    Program program;
    Lowering lowering;
    Plan plan;
    std::string target;
};

struct SentModel {
    std::string name, path, importer;
    std::vector<SentRun> functions;
};

struct ExportOrder {
    std::string plugin;   ///< path of the library
    std::string exporter; ///< name of the exporter in the library
    std::vector<SentModel> models;
    std::vector<std::pair<std::string, std::string>> options;
};

template <typename Archive, SameAs<SentRun> T>
void fields(Archive& archive, T& value)
{
    auto& [function, hasProgram, program, lowering, plan, target] = value;
    archive(function, hasProgram, program, lowering, plan, target);
}

template <typename Archive, SameAs<SentModel> T>
void fields(Archive& archive, T& value)
{
    auto& [name, path, importer, functions] = value;
    archive(name, path, importer, functions);
}

template <typename Archive, SameAs<ExportOrder> T>
void fields(Archive& archive, T& value)
{
    auto& [plugin, exporter, models, options] = value;
    archive(plugin, exporter, models, options);
}

template <typename Archive, SameAs<ExportedFile> T>
void fields(Archive& archive, T& value)
{
    auto& [name, bytes] = value;
    archive(name, bytes);
}

template <typename Archive, SameAs<Exported> T>
void fields(Archive& archive, T& value)
{
    auto& [files, diagnostics] = value;
    archive(files, diagnostics);
}

} // namespace stowage
