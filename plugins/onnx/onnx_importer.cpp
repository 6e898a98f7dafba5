#include "plugins/onnx/onnx_importer.h"

#include "core/io/op_kinds.h"
#include "plugins/onnx/bindings.h"
#include "plugins/onnx/graph_check.h"
#include "plugins/onnx/inference.h"
#include "plugins/onnx/local_functions.h"
#include "plugins/onnx/model_reader.h"
#include "plugins/onnx/program_builder.h"

#include <fmt/format.h>

#include <exception>
#include <filesystem>

namespace stowage {

namespace {

using namespace onnxfile;

struct Options {
    BuildOptions build;
    Shapes shapes = Shapes::inferred;
};

Expected<Options> optionsOf(const ImportRequest& request)
{
    Options options;
    Position where;
    where.file = request.path;
    for (const auto& [key, value] : request.options) {
        const auto wrong = [&option = key, &given = value, &where](const char* choices) {
            return failure(Code::unknownOptionValue, fmt::format("'{}' is no choice for the import option '{}'", given, option),
                           where, choices);
        };
        if (key == "subgraphs") {
            if (value == "nested")
                options.build.subgraphs = Subgraphs::nested;
            else if (value == "main")
                options.build.subgraphs = Subgraphs::main;
            else if (value == "flat")
                options.build.subgraphs = Subgraphs::flat;
            else
                return wrong("choose nested, main or flat");
        } else if (key == "io") {
            if (value != "included" && value != "excluded") return wrong("choose included or excluded");
            options.build.planIo = value == "included";
        } else if (key == "shapes") {
            if (value != "inferred" && value != "computed") return wrong("choose inferred or computed");
            options.shapes = value == "computed" ? Shapes::computed : Shapes::inferred;
        } else {
            return failure(Code::unknownOption, fmt::format("the ONNX importer has no option '{}'", key), where,
                           "its options are subgraphs, io and shapes");
        }
    }
    return options;
}

/// What a user must know of a result that misses some sizes.
Diagnostic partial(const std::vector<std::string>& names, const ImportRequest& request, Shapes shapes)
{
    constexpr std::size_t shown = 40;
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < shown; ++i) list += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
    if (names.size() > shown) list += fmt::format(" and {} more", names.size() - shown);
    Diagnostic diagnostic;
    diagnostic.severity = Severity::warning;
    diagnostic.code = Code::partial;
    diagnostic.message = fmt::format("the size of {} tensor{} is not known, so all figures are lower than the truth: {}",
                                     names.size(), names.size() == 1 ? "" : "s", list);
    diagnostic.where.file = request.path;
    diagnostic.remedy = shapes == Shapes::inferred
                            ? "bind free dimensions; --import shapes=computed follows shape arithmetic as well"
                            : "bind free dimensions, or declare the shapes in the file";
    return diagnostic;
}

Expected<Imported> importModel(const ImportRequest& request)
{
    const auto options = optionsOf(request);
    if (!options) return options.error();
    auto proto = readModel(request.bytes, request.path);
    if (!proto) return proto.error();

    Imported imported;
    Model model;
    model.file = request.path;
    model.proto = std::move(*proto);
    Opsets& opsets = model.opsets.emplace_back();
    for (const auto& opset : model.proto.opset_import()) opsets[opset.domain()] = static_cast<int>(opset.version());
    if (opsets.empty()) opsets[""] = 1; // before version 3 of the format there was one operator set only
    if (auto error = inlineLocalFunctions(model)) return *error;
    if (auto error = checkNames(model)) return *error;
    if (auto error = bindDimensions(model, request.bindings, options->shapes == Shapes::computed, imported.diagnostics,
                                    imported.freeDimensions))
        return *error;

    const auto facts = inferModel(model, options->shapes, imported.diagnostics);
    auto built = buildProgram(model, facts, options->build);
    if (!built) return built.error();
    if (built->program.name.empty()) built->program.name = std::filesystem::path(request.path).stem().string();
    if (!built->unknownSizes.empty()) imported.diagnostics.push_back(partial(built->unknownSizes, request, options->shapes));
    io::stateTraits(built->program);
    imported.content = std::move(built->program);
    return imported;
}

} // namespace

const ImporterInfo& OnnxImporter::info() const
{
    // Its options are in the metadata, which the host reads before it loads anything.
    static const ImporterInfo info{"onnx", "ONNX model", {"onnx"}, {}};
    return info;
}

int OnnxImporter::claims(std::string_view head, std::string_view path) const
{
    const int certainty = likeness(head);
    // A damaged model is still one: this importer says what is wrong with it.
    return certainty == 0 && path.ends_with(".onnx") ? 10 : certainty;
}

Expected<Imported> OnnxImporter::import(const ImportRequest& request) const
{
    try {
        return importModel(request);
    } catch (const std::exception& error) {
        Position where;
        where.file = request.path;
        return failure(Code::importerException, fmt::format("the model cannot be read: {}", error.what()), where,
                       "the file is damaged, or needs more memory than there is");
    }
}

} // namespace stowage
