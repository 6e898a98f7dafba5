#include "plugins/dumps/dsa_problem.h"

#include "core/io/dsa_problem.h"
#include "plugins/dumps/problem_maker.h"

namespace stowage::dumps {

int DsaProblemImporter::claims(std::string_view head, std::string_view) const
{
    const auto has = [&](std::string_view word) { return head.find(word) != std::string_view::npos; };
    return has("\"schema_version\"") && has("\"pools\"") && (has("\"live_intervals\"") || has("\"instance\"")) ? 90 : 0;
}

Expected<Imported> DsaProblemImporter::import(const ImportRequest& request) const
{
    if (auto error = refuseOptions(request)) return *std::move(error);
    auto read = io::readDsaProblem(request.bytes, request.path);
    if (!read) return std::move(read).error();
    if (read->problem.buffers.empty())
        return failure(Code::nothingToPlan, "the problem has no buffers", {request.path}, "There is nothing to plan.");
    Imported imported;
    if (read->problem.name.empty()) read->problem.name = stemOf(request.path, ".json");
    imported.content = std::move(read->problem);
    return imported;
}

} // namespace stowage::dumps
