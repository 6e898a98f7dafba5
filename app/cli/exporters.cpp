#include "app/cli/exporters.h"

#include <array>

namespace stowage::cli {

std::span<const WriterEntry> exporters()
{
    static const std::array<WriterEntry, 11> all{{
        {"program", ".program.json", "Stowage program (JSON)", "convert"},
        {"problem", ".json .problem.json", "Stowage problem (JSON)", "convert"},
        {"csv", ".csv", "MiniMalloc problem (CSV), with offsets when planned", "convert"},
        {"dot", ".dot .gv", "Graphviz graph: ops and tensors, or buffers that conflict", "convert"},
        {"interference", "", "Graphviz graph of the buffers that conflict, also of a program", "convert --to interference"},
        {"allocation", "", "Graphviz graph of a plan: which bytes go from which buffer to which",
         "convert --planned --to allocation"},
        {"plan", ".plan.json", "Stowage plan (JSON)", "plan --format json"},
        {"llvm", ".mlir", "MLIR module with one arena and memref.view at constant offsets", "export --as llvm"},
        {"tflm-offline", ".tflite", "TensorFlow Lite model with its plan as metadata, for TensorFlow Lite Micro",
         "export --as tflm-offline"},
        {"report", ".html", "one HTML page: verdict, maps, planners, suggested changes", "export --as report"},
        {"picture", ".png .svg .pdf", "a view as the window shows it", "render"},
    }};
    return all;
}

std::string exporterFor(std::string_view file)
{
    if (file.ends_with(".program.json")) return "program";
    if (file.ends_with(".json")) return "problem";
    if (file.ends_with(".csv")) return "csv";
    if (file.ends_with(".dot") || file.ends_with(".gv")) return "dot";
    return {};
}

} // namespace stowage::cli
