#include "plugins/tflite/tflite_importer.h"

#include "core/io/op_kinds.h"
#include "plugins/tflite/accelerator_arena.h"
#include "plugins/tflite/build.h"
#include "plugins/tflite/graph_check.h"
#include "plugins/tflite/offline_plan.h"
#include "plugins/tflite/open_dimensions.h"
#include "plugins/tflite/read_model.h"

#include <filesystem>

namespace stowage::tflite {
namespace {

enum class Subgraphs { nested, main, flat };

struct Options {
    Subgraphs subgraphs = Subgraphs::nested;
    bool io = true; ///< the model's inputs and outputs are planned
};

Expected<Options> readOptions(const ImportRequest& request)
{
    Options options;
    for (const auto& [key, value] : request.options) {
        if (key == "subgraphs") {
            if (value == "nested")
                options.subgraphs = Subgraphs::nested;
            else if (value == "main")
                options.subgraphs = Subgraphs::main;
            else if (value == "flat")
                options.subgraphs = Subgraphs::flat;
            else
                return failure(Code::badOption, "subgraphs cannot be \"" + value + "\"", {request.path},
                               "Choose nested, main or flat.");
        } else if (key == "io") {
            if (value != "included" && value != "excluded")
                return failure(Code::badOption, "io cannot be \"" + value + "\"", {request.path}, "Choose included or excluded.");
            options.io = value == "included";
        } else {
            return failure(Code::unknownOption, "the importer has no option \"" + key + "\"", {request.path},
                           "Its options are subgraphs and io.");
        }
    }
    return options;
}

Expected<Built> build(const Model& model, Subgraphs subgraphs, const std::string& name)
{
    switch (subgraphs) {
    case Subgraphs::main: return buildMain(model, name);
    case Subgraphs::flat: return buildFlat(model, name);
    case Subgraphs::nested: break;
    }
    return buildNested(model, name);
}

/// What lies in an accelerator's arena goes with it, and the arena is needed in any case.
void leaveOutInterface(Function& function, TensorId arena)
{
    const Region& body = function.body();
    for (const auto* list : {&body.inputs, &body.outputs}) {
        for (const TensorId id : *list) {
            Tensor& tensor = function.tensors[static_cast<std::size_t>(id)];
            if (arena == none || (id != arena && tensor.aliasOf != arena)) tensor.planned = false;
        }
    }
}

void noteArena(const Model& model, const AcceleratorArena& arena, Diagnostics& diagnostics)
{
    Diagnostic note = warning(Code::planOverlap,
                              describeTensor(model, 0, arena.tensor) +
                                  " is the arena of the accelerator's ops: " + std::to_string(arena.members.size()) +
                                  " tensors lie in it where the plan in the file has them, and count once",
                              {model.file, 0, 0, model.subgraphs.front().tensors[at(arena.tensor)].byte});
    note.severity = Severity::note;
    diagnostics.push_back(std::move(note));
}

} // namespace

TfliteImporter::TfliteImporter() : info_{"tflite", "TensorFlow Lite model", {"tflite", "lite"}, {}}
// its options are in the metadata, which the host reads before it loads anything
{
}

int TfliteImporter::claims(std::string_view head, std::string_view path) const
{
    if (head.size() >= 8 && head.substr(4, 4) == "TFL3") return 100;
    return path.ends_with(".tflite") ? 30 : 0; // damaged, most likely: say so better than "unknown format"
}

Expected<Imported> TfliteImporter::import(const ImportRequest& request) const
{
    const auto options = readOptions(request);
    if (!options) return options.error();
    Diagnostics diagnostics;
    const auto model = readModel(request.bytes, request.path, request.bindings, diagnostics);
    if (!model) return model.error();
    if (auto error = checkGraphs(*model)) return std::move(*error);
    auto built = build(*model, options->subgraphs, std::filesystem::path(request.path).stem().string());
    if (!built) return std::move(built).error();
    const auto arena = acceleratorArena(*model);
    if (arena) {
        placeInArena(*arena, *built);
        noteArena(*model, *arena, diagnostics);
    }
    if (!options->io) leaveOutInterface(built->program.functions.front(), arena ? built->places[at(arena->tensor)].tensor : none);

    Imported imported;
    if (model->plan) {
        imported.plans.push_back(filePlan(*model, *built));
        warnAboutOverlap(*model, arena ? &*arena : nullptr, diagnostics);
    }
    io::stateTraits(built->program);
    imported.content = std::move(built->program);
    imported.freeDimensions = openDimensions(*model, request.bindings);
    imported.diagnostics = std::move(diagnostics);
    return imported;
}

} // namespace stowage::tflite
