#include "plugins/mlir/entry_points.h"

#include "plugins/mlir/execution.h"
#include "plugins/mlir/fold_rewrite.h"
#include "plugins/mlir/module_reader.h"
#include "plugins/mlir/plan_rewrite.h"

#include <fmt/format.h>

namespace stowage::mlirfile {

namespace {

Expected<Imported> import(const ImportRequest& request)
{
    bool planIo = false;
    const Position where{request.path};
    for (const auto& [key, value] : request.options) {
        if (key != "io")
            return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", key), where, "its option is io");
        if (value != "included" && value != "excluded")
            return failure(Code::badOption, fmt::format("io cannot be \"{}\"", value), where, "choose included or excluded");
        planIo = value == "included";
    }
    if (!request.bindings.empty())
        return failure(Code::unknownBinding, fmt::format("no free dimension is named '{}'", request.bindings.front().first),
                       where, "dynamic dimensions of MLIR have no names: leave the binding out");
    auto parsed = parseModule(request.bytes, request.path);
    if (!parsed) return std::move(parsed).error();
    auto read = readModule(*parsed, request.path, planIo);
    if (!read) return std::move(read).error();
    return Imported{std::move(read->program), std::move(read->plans), std::move(read->diagnostics)};
}

Expected<Rewritten> rewrite(const RewriteRequest& request)
{
    return request.pass == "constant-fold" ? rewriteFolded(request) : rewritePlanned(request);
}

std::optional<Error> parse(std::string_view text, const std::string& path)
{
    auto parsed = parseModule(text, path);
    if (parsed) return std::nullopt;
    return std::move(parsed).error();
}

} // namespace

} // namespace stowage::mlirfile

extern "C" __attribute__((visibility("default"))) stowage::mlirfile::EntryPoints stowageMlirEntryPoints()
{
    return {stowage::mlirfile::import, stowage::mlirfile::rewrite, stowage::mlirfile::runMain, stowage::mlirfile::parse};
}
