#include "plugins/tvm/tir_importer.h"

#include "core/io/op_kinds.h"
#include "core/ir/verify.h"
#include "plugins/tvm/tir_program.h"

#include <fmt/format.h>

#include <filesystem>

namespace stowage::tvm {

TirImporter::TirImporter() : info_{"tvm-tir", "TVM textual TIR", {"py", "tir"}, {}}
// its options are in the metadata, which the host reads before it loads anything
{
}

int TirImporter::claims(std::string_view head, std::string_view) const
{
    return head.find(".prim_func") != std::string_view::npos ? 90 : 0;
}

Expected<Imported> TirImporter::import(const ImportRequest& request) const
{
    bool planIo = false;
    for (const auto& [key, value] : request.options) {
        if (key != "io")
            return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", key), {request.path, 0, 0, -1},
                           "its option is io");
        if (value != "included" && value != "excluded")
            return failure(Code::badOption, fmt::format("io cannot be \"{}\"", value), {request.path, 0, 0, -1},
                           "choose included or excluded");
        planIo = value == "included";
    }
    const auto functions = parseTir(request.bytes, request.path);
    if (!functions) return functions.error();
    if (functions->empty())
        return failure(Code::noFunctions, "there is no function decorated with T.prim_func", {request.path, 0, 0, -1});
    auto built = buildProgram(*functions, request.path, planIo);
    if (!built) return std::move(built).error();
    built->program.name = std::filesystem::path(request.path).stem().string();
    for (Diagnostic& finding : verify(built->program))
        if (finding.severity == Severity::error) return std::move(finding);
    Imported imported;
    io::stateTraits(built->program);
    imported.content = std::move(built->program);
    imported.diagnostics = std::move(built->diagnostics);
    return imported;
}

} // namespace stowage::tvm
