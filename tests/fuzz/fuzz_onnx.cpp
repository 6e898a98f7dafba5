// Whatever the bytes, the ONNX importer gives a program that can be lowered, or one error: no crash, no hang, no endless memory.
#include "core/ir/verify.h"
#include "core/lower/lower.h"
#include "plugins/onnx/onnx_importer.h"
#include "tests/plugins/made_onnx.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace stowage;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    for (const auto& [subgraphs, shapes] : {std::pair{"nested", "inferred"}, std::pair{"flat", "computed"}}) {
        const auto imported = OnnxImporter().import({"model.onnx", bytes, {}, {{"subgraphs", subgraphs}, {"shapes", shapes}}});
        if (!imported) {
            if (codeText(imported.error()).empty() || imported.error().message.empty()) std::abort();
            continue;
        }
        const Program& program = std::get<Program>(imported->content);
        const Diagnostics findings = verify(program);
        const bool wrong = std::any_of(findings.begin(), findings.end(), [](const Diagnostic& finding) {
            if (finding.severity == Severity::error && finding.code != Code::tooLarge) std::abort(); // importers promise better
            return finding.severity == Severity::error;
        });
        if (!wrong) (void)lower(program, {});
    }
    return 0;
}

/// Changed bytes seldom are a message still, as all lengths around them are off then. So a model is taken apart, one of its parts
/// is changed, and it is put together again; every fourth time bytes are changed all the same.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed)
{
    onnx::ModelProto model;
    if (seed % 4 == 0 && size > 100) return LLVMFuzzerMutate(data, size, maxSize);
    if (size < 100 || !model.ParseFromArray(data, static_cast<int>(size)) || model.graph().node_size() == 0) {
        static const auto models = stowage::test::exampleOnnxModels();
        model = models[seed / 4 % models.size()];
    }
    unsigned state = seed;
    const auto below = [&](int n) {
        state = state * 1664525u + 1013904223u;
        return static_cast<int>((state >> 8) % static_cast<unsigned>(n));
    };
    onnx::GraphProto* graph = model.mutable_graph();
    for (int depth = 0; depth < 3; ++depth) {
        onnx::GraphProto* inner = nullptr;
        for (auto& node : *graph->mutable_node())
            for (auto& attribute : *node.mutable_attribute())
                if (attribute.has_g() && attribute.g().node_size() > 0 && below(3) == 0) inner = attribute.mutable_g();
        if (!inner) break;
        graph = inner;
    }
    const auto name = [&]() -> std::string {
        const auto& node = graph->node(below(graph->node_size()));
        if (below(8) == 0) return {};
        if (below(2) == 0 && node.output_size() > 0) return node.output(below(node.output_size()));
        if (graph->input_size() > 0 && below(2) == 0) return graph->input(below(graph->input_size())).name();
        return node.input_size() > 0 ? node.input(below(node.input_size())) : std::string("x");
    };
    auto& node = *graph->mutable_node(below(graph->node_size()));
    const std::string other = name();
    switch (below(8)) {
    case 0: node.add_input(other); break;
    case 1: node.add_output(other); break;
    case 2:
        if (node.input_size() > 0) node.set_input(below(node.input_size()), other);
        break;
    case 3:
        if (node.output_size() > 0) node.set_output(below(node.output_size()), other);
        break;
    case 4: {
        static const char* const kinds[] = {"Loop",      "Scan",     "If",    "Reshape", "Concat", "Gather",
                                            "Conv",      "Split",    "Slice", "Expand",  "Resize", "Einsum",
                                            "Transpose", "Constant", "Range", "MatMul",  "Squeeze"};
        node.set_op_type(kinds[below(static_cast<int>(std::size(kinds)))]);
        break;
    }
    case 5: {
        static const char* const names[] = {"axis", "axes", "perm", "kernel_shape", "strides", "pads", "group", "num_scan_inputs",
                                            "split"};
        auto& attribute = *node.add_attribute();
        attribute.set_name(names[below(static_cast<int>(std::size(names)))]);
        attribute.set_type(below(2) == 0 ? onnx::AttributeProto::INT : onnx::AttributeProto::INTS);
        attribute.set_i(below(2) == 0 ? below(9) - 4 : std::int64_t{1} << below(63));
        for (int i = below(4); i > 0; --i) attribute.add_ints(below(9) - 4);
        break;
    }
    case 6:
        if (graph->input_size() > 0) {
            stowage::test::Shape shape;
            for (int rank = below(5); rank > 0; --rank) {
                if (below(5) == 0)
                    shape.emplace_back("n");
                else
                    shape.emplace_back(below(6) == 0 ? std::int64_t{1} << below(63) : std::int64_t{below(9)});
            }
            auto& input = *graph->mutable_input(below(graph->input_size()));
            input = stowage::test::valueInfo(input.name(), shape, static_cast<onnx::TensorProto::DataType>(1 + below(16)));
        }
        break;
    default: *graph->add_initializer() = stowage::test::integers(other, {below(9) - 2, below(9), below(9) - 1}); break;
    }
    std::string bytes;
    if (!model.SerializeToString(&bytes) || bytes.size() > maxSize) return LLVMFuzzerMutate(data, size, maxSize);
    std::memcpy(data, bytes.data(), bytes.size());
    return bytes.size();
}
