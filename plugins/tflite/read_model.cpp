#include "plugins/tflite/read_model.h"

#include "plugins/tflite/flatbuffer.h"
#include "plugins/tflite/open_dimensions.h"
#include "plugins/tflite/operators.h"
#include "plugins/tflite/tensor_types.h"

#include "tflite_generated.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

namespace stowage::tflite {
namespace {

constexpr std::string_view planName = "OfflineMemoryAllocation";
constexpr std::size_t maxRank = 64;
constexpr std::size_t maxListed = 8;
constexpr auto faultyRemedy = "The file is damaged, or was written by a faulty tool: convert the model again.";
constexpr std::size_t maxNameLength = 1024;
constexpr std::size_t maxNumbers = 16; ///< of a constant that is read: two for each axis of a padding
constexpr int int32Type = 2, int64Type = 4;
/// Names, extents and operands together. A small file can name one list from many places; reading it must stay as small.
constexpr std::size_t maxItems = std::size_t{1} << 26;

template <typename T>
std::size_t sizeOf(const flatbuffers::Vector<T>* vector)
{
    return vector != nullptr ? vector->size() : 0;
}

class Reader {
public:
    Reader(const Flatbuffer& flatbuffer, std::size_t fileSize, std::string file, Diagnostics& diagnostics)
        : flatbuffer_(flatbuffer), source_(flatbuffer.model()), fileSize_(fileSize), diagnostics_(diagnostics)
    {
        model_.file = std::move(file);
    }

    Expected<Model> read()
    {
        if (sizeOf(source_.subgraphs()) == 0)
            return failure(Code::empty, "the model has no sub-graph: there is nothing to plan", position(&source_),
                           "Convert the model again, and check that it has operators.");
        for (flatbuffers::uoffset_t i = 0; i < source_.subgraphs()->size(); ++i) {
            if (auto error = readSubgraph(*source_.subgraphs()->Get(i))) return std::move(*error);
        }
        if (model_.subgraphs.front().operators.empty())
            return failure(Code::empty, describe(model_, 0) + " has no operator: there is nothing to plan",
                           position(source_.subgraphs()->Get(0)), "Convert the model again, and check that it has operators.");
        readPlan();
        return std::move(model_);
    }

private:
    using Failure = std::optional<Error>;

    Position position(const void* of) const { return {model_.file, 0, 0, flatbuffer_.position(of)}; }

    Failure spend(std::size_t items)
    {
        items_ += items;
        if (items_ <= maxItems) return std::nullopt;
        return failure(Code::tooLarge, "the model has more than " + std::to_string(maxItems) + " names, extents and operands",
                       {model_.file}, "This is no sensible model.");
    }

    Failure readName(const flatbuffers::String* from, std::string& to)
    {
        if (from == nullptr) return std::nullopt;
        to.assign(from->c_str(), std::min<std::size_t>(from->size(), maxNameLength));
        return spend(to.size());
    }

    Failure readSubgraph(const fb::SubGraph& from)
    {
        const auto index = static_cast<Index>(model_.subgraphs.size());
        model_.subgraphs.emplace_back();
        Subgraph& to = model_.subgraphs.back();
        to.byte = flatbuffer_.position(&from);
        if (auto error = readName(from.name(), to.name)) return error;
        for (flatbuffers::uoffset_t i = 0; i < sizeOf(from.tensors()); ++i) {
            if (auto error = readTensor(*from.tensors()->Get(i), index)) return error;
        }
        const auto what = [&](const char* list) {
            return [this, index, list] { return std::string(list) + " of " + describe(model_, index); };
        };
        if (auto error = readTensorList(from.inputs(), to, 0, &from, what("the inputs"), to.inputs)) return error;
        if (auto error = readTensorList(from.outputs(), to, 0, &from, what("the outputs"), to.outputs)) return error;
        for (flatbuffers::uoffset_t i = 0; i < sizeOf(from.operators()); ++i) {
            if (auto error = readOperator(*from.operators()->Get(i), index)) return error;
        }
        return std::nullopt;
    }

    Failure readTensor(const fb::Tensor& from, Index subgraph)
    {
        Subgraph& graph = model_.subgraphs.back();
        const auto index = static_cast<Index>(graph.tensors.size());
        TensorInfo& to = graph.tensors.emplace_back();
        to.byte = flatbuffer_.position(&from);
        to.type = elementType(from.type());
        to.variable = from.is_variable();
        if (auto error = readName(from.name(), to.name)) return error;

        const std::size_t rank = sizeOf(from.shape());
        if (rank > maxRank)
            return failure(Code::badShape,
                           describeTensor(model_, subgraph, index) + " has " + std::to_string(rank) + " dimensions",
                           position(&from), "At most " + std::to_string(maxRank) + " make sense.");
        if (auto error = spend(rank)) return error;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            const std::int64_t extent = from.shape()->Get(static_cast<flatbuffers::uoffset_t>(axis));
            if (extent < -1)
                return failure(Code::badShape,
                               describeTensor(model_, subgraph, index) + " has extent " + std::to_string(extent) + " on axis " +
                                   std::to_string(axis),
                               position(&from), "Convert the model again.");
            const bool signedOpen = axis < sizeOf(from.shape_signature()) &&
                                    from.shape_signature()->Get(static_cast<flatbuffers::uoffset_t>(axis)) == -1;
            if (extent == -1 || signedOpen) to.dynamicAxes.push_back(static_cast<Index>(axis));
            to.shape.push_back(extent);
        }
        return readConstness(from, subgraph, index, to);
    }

    Failure readConstness(const fb::Tensor& from, Index subgraph, Index index, TensorInfo& to)
    {
        to.constant = from.external_buffer() != 0;
        const std::size_t buffers = sizeOf(source_.buffers());
        if (from.buffer() == 0 && buffers == 0) return std::nullopt;
        if (from.buffer() >= buffers)
            return failure(Code::badIndex,
                           describeTensor(model_, subgraph, index) + " names buffer " + std::to_string(from.buffer()) +
                               "; the file has " + std::to_string(buffers),
                           position(&from), faultyRemedy);
        const fb::Buffer& buffer = *source_.buffers()->Get(from.buffer());
        if (sizeOf(buffer.data()) > 0) to.constant = true;
        // Offset 1 stands for data that a writer meant to append later.
        if (buffer.offset() > 1 && buffer.size() > 0) {
            if (buffer.offset() > fileSize_ || buffer.size() > fileSize_ - buffer.offset())
                return failure(Code::cutOff,
                               "the data of " + describeTensor(model_, subgraph, index) + " lie at byte " +
                                   std::to_string(buffer.offset()) + ", " + std::to_string(buffer.size()) +
                                   " long, and the file ends at byte " + std::to_string(fileSize_),
                               position(&buffer), "Get the file again: it is cut off.");
            to.constant = true;
        }
        return buffer.data() == nullptr ? std::nullopt : readNumbers(*buffer.data(), from.type(), to);
    }

    /// Little endian, and aligned to 4 bytes at least.
    Failure readNumbers(const flatbuffers::Vector<std::uint8_t>& data, int type, TensorInfo& to)
    {
        if ((type != int32Type && type != int64Type) || to.variable || !to.dynamicAxes.empty()) return std::nullopt;
        const std::size_t width = type == int32Type ? sizeof(std::int32_t) : sizeof(std::int64_t);
        if (data.size() > maxNumbers * width || tensorSize(to.type, to.shape).bytes != static_cast<Bytes>(data.size()))
            return std::nullopt;
        const auto read = [&](std::size_t at, auto number) {
            std::memcpy(&number, data.data() + at, sizeof number);
            to.numbers.push_back(flatbuffers::EndianScalar(number));
        };
        for (std::size_t at = 0; at < data.size(); at += width) {
            if (type == int32Type)
                read(at, std::int32_t{0});
            else
                read(at, std::int64_t{0});
        }
        return spend(to.numbers.size());
    }

    /// Tensor indices inside the sub-graph; `lowest` is -1 where a tensor may be absent.
    template <typename What>
    Failure readTensorList(const flatbuffers::Vector<std::int32_t>* from, const Subgraph& graph, Index lowest, const void* owner,
                           What&& what, std::vector<Index>& to)
    {
        if (from == nullptr) return std::nullopt;
        if (auto error = spend(from->size())) return error;
        to.reserve(from->size());
        for (const Index tensor : *from) {
            if (tensor < lowest || (tensor >= 0 && static_cast<std::size_t>(tensor) >= graph.tensors.size()))
                return failure(Code::badIndex,
                               what() + " name tensor " + std::to_string(tensor) + "; the sub-graph has " +
                                   std::to_string(graph.tensors.size()),
                               position(owner), faultyRemedy);
            to.push_back(tensor);
        }
        return std::nullopt;
    }

    Failure readOperator(const fb::Operator& from, Index subgraph)
    {
        Subgraph& graph = model_.subgraphs.back();
        const auto index = static_cast<Index>(graph.operators.size());
        OperatorInfo& to = graph.operators.emplace_back();
        to.byte = flatbuffer_.position(&from);
        if (from.opcode_index() >= sizeOf(source_.operator_codes()))
            return failure(Code::badIndex,
                           "operator " + std::to_string(index) + " of " + describe(model_, subgraph) + " names operator code " +
                               std::to_string(from.opcode_index()) + "; the file has " +
                               std::to_string(sizeOf(source_.operator_codes())),
                           position(&from), faultyRemedy);
        const fb::OperatorCode& opcode = *source_.operator_codes()->Get(from.opcode_index());
        const std::int32_t code = std::max<std::int32_t>(opcode.small_builtin(), opcode.builtin());
        if (code == static_cast<std::int32_t>(Operator::custom)) {
            if (auto error = readName(opcode.custom_name(), to.kind)) return error;
        }
        if (to.kind.empty()) to.kind = operatorName(code);
        to.custom = code == static_cast<std::int32_t>(Operator::custom);
        if (!to.custom) readShapeOptions(from, to);

        const auto what = [&](const char* list) {
            return
                [this, subgraph, index, list] { return std::string(list) + " of " + describeOperator(model_, subgraph, index); };
        };
        if (auto error = readTensorList(from.inputs(), graph, -1, &from, what("the inputs"), to.inputs)) return error;
        if (auto error = readTensorList(from.outputs(), graph, -1, &from, what("the outputs"), to.outputs)) return error;
        return readCallees(from, code, subgraph, index, to);
    }

    static void readShapeOptions(const fb::Operator& from, OperatorInfo& to)
    {
        if (const auto* conv = from.options_as_Conv2DOptions())
            to.window = windowOf(*conv, {conv->dilation_h(), conv->dilation_w()}, {0, 0});
        else if (const auto* depthwise = from.options_as_DepthwiseConv2DOptions())
            to.window = windowOf(*depthwise, {depthwise->dilation_h(), depthwise->dilation_w()}, {0, 0});
        else if (const auto* pool = from.options_as_Pool2DOptions();
                 pool != nullptr && pool->filter_h() > 0 && pool->filter_w() > 0)
            to.window = windowOf(*pool, {1, 1}, {pool->filter_h(), pool->filter_w()});
        else if (const auto* concatenation = from.options_as_ConcatenationOptions())
            to.joined = concatenation->axis();
        else if (const auto* slice = from.options_as_StridedSliceOptions())
            to.masks = SliceMasks{slice->begin_mask(), slice->end_mask(), slice->ellipsis_mask(), slice->new_axis_mask(),
                                  slice->shrink_axis_mask()};
    }

    /// No value for steps and paddings that the runtime refuses.
    template <typename Source>
    static std::optional<FilterWindow> windowOf(const Source& options, std::array<std::int64_t, 2> dilation,
                                                std::array<std::int64_t, 2> extent)
    {
        const FilterWindow window{options.padding() == 0, {options.stride_h(), options.stride_w()}, dilation, extent};
        const auto positive = [](const std::array<std::int64_t, 2>& steps) { return steps[0] > 0 && steps[1] > 0; };
        if (options.padding() < 0 || options.padding() > 1 || !positive(window.stride) || !positive(dilation))
            return std::nullopt;
        return window;
    }

    Failure readCallees(const fb::Operator& from, std::int32_t code, Index subgraph, Index index, OperatorInfo& to)
    {
        switch (static_cast<Operator>(code)) {
        case Operator::conditional: {
            to.call = CallKind::conditional;
            const auto* options = from.options_as_IfOptions();
            to.callees = {options ? options->then_subgraph() : 0, options ? options->else_subgraph() : 0};
            break;
        }
        case Operator::loop: {
            to.call = CallKind::loop;
            const auto* options = from.options_as_WhileOptions();
            to.callees = {options ? options->cond_subgraph() : 0, options ? options->body_subgraph() : 0};
            break;
        }
        case Operator::callOnce: {
            to.call = CallKind::once;
            const auto* options = from.options_as_CallOnceOptions();
            to.callees = {options ? options->init_subgraph() : 0};
            break;
        }
        case Operator::stablehloWhile:
            if (const auto* options = from.options2_as_WhileOptions()) {
                to.call = CallKind::loop;
                to.callees = {options->cond_subgraph(), options->body_subgraph()};
            }
            break;
        case Operator::stablehloComposite:
            if (const auto* options = from.options2_as_CompositeOptions()) {
                to.call = CallKind::call;
                to.callees = {options->decomposition_subgraph()};
            }
            break;
        case Operator::stablehloCase:
            if (const auto* options = from.options2_as_CaseOptions(); options && sizeOf(options->branch_subgraphs()) > 0) {
                if (auto error = spend(options->branch_subgraphs()->size())) return error;
                to.call = CallKind::choice;
                to.callees.assign(options->branch_subgraphs()->begin(), options->branch_subgraphs()->end());
            }
            break;
        default: break;
        }
        for (const Index callee : to.callees) {
            if (callee < 0 || static_cast<std::size_t>(callee) >= sizeOf(source_.subgraphs()))
                return failure(Code::badIndex,
                               describeOperator(model_, subgraph, index) + " calls sub-graph " + std::to_string(callee) +
                                   "; the file has " + std::to_string(sizeOf(source_.subgraphs())),
                               position(&from), faultyRemedy);
        }
        return std::nullopt;
    }

    void warnAboutPlan(std::string why, const void* at)
    {
        Diagnostic warning =
            failure(Code::badPlan, "the plan that the file brings along (OfflineMemoryAllocation) is ignored: " + std::move(why),
                    position(at));
        warning.severity = Severity::warning;
        diagnostics_.push_back(std::move(warning));
    }

    /// int32, little endian: version, sub-graphs, tensors of all sub-graphs, then an offset for each tensor.
    void readPlan()
    {
        for (flatbuffers::uoffset_t i = 0; i < sizeOf(source_.metadata()); ++i) {
            const fb::Metadata& entry = *source_.metadata()->Get(i);
            if (entry.name() == nullptr || std::string_view(entry.name()->c_str(), entry.name()->size()) != planName) continue;
            if (entry.buffer() >= sizeOf(source_.buffers()))
                return warnAboutPlan("its buffer " + std::to_string(entry.buffer()) + " does not exist", &entry);
            const fb::Buffer& buffer = *source_.buffers()->Get(entry.buffer());
            const std::size_t words = sizeOf(buffer.data()) / sizeof(std::int32_t);
            const auto word = [&](std::size_t at) {
                return flatbuffers::ReadScalar<std::int32_t>(buffer.data()->data() + at * sizeof(std::int32_t));
            };
            std::size_t tensors = 0;
            for (const Subgraph& graph : model_.subgraphs) tensors += graph.tensors.size();
            if (words < 3) return warnAboutPlan("it has no header", &buffer);
            if (word(2) < 0 || static_cast<std::size_t>(word(2)) != tensors)
                return warnAboutPlan(
                    "it is for " + std::to_string(word(2)) + " tensors, and there are " + std::to_string(tensors), &buffer);
            if (words < 3 + tensors) return warnAboutPlan("it is cut off", &buffer);
            OfflinePlan plan;
            plan.offsets.reserve(tensors);
            for (std::size_t t = 0; t < tensors; ++t) plan.offsets.push_back(word(3 + t));
            if (std::any_of(plan.offsets.begin(), plan.offsets.end(), [](std::int32_t offset) { return offset < -1; }))
                return warnAboutPlan("it has a negative offset", &buffer);
            model_.plan = std::move(plan);
            return;
        }
    }

    const Flatbuffer& flatbuffer_;
    const fb::Model& source_;
    std::size_t fileSize_;
    Diagnostics& diagnostics_;
    Model model_;
    std::size_t items_ = 0;
};

std::optional<Error> computeSizes(Model& model)
{
    for (std::size_t g = 0; g < model.subgraphs.size(); ++g) {
        Subgraph& graph = model.subgraphs[g];
        for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
            TensorInfo& tensor = graph.tensors[t];
            const TensorSize size = tensorSize(tensor.type, tensor.shape);
            if (size.overflow)
                return failure(Code::sizeOverflow,
                               describeTensor(model, static_cast<Index>(g), static_cast<Index>(t)) +
                                   " takes more than 2^62 bytes",
                               {model.file, 0, 0, tensor.byte}, faultyRemedy);
            tensor.bytes = size.bytes;
        }
    }
    return std::nullopt;
}

/// The option that sets the first unknown extent of the tensor, "--bind NAME=N". Empty if no binding gives the tensor a size.
std::string bindingOf(const TensorInfo& tensor)
{
    if (tensor.name.empty() || tensor.type.bits == 0) return {};
    const auto unknown = std::find_if(tensor.dynamicAxes.begin(), tensor.dynamicAxes.end(),
                                      [&](Index axis) { return tensor.shape[at(axis)] < 0; });
    return unknown == tensor.dynamicAxes.end() ? std::string() : "--bind " + bindingName(tensor, *unknown) + "=N";
}

/// What is touched, needs memory, and has no size before a run: every figure is then too low.
void warnAboutUnknownSizes(const Model& model, Diagnostics& diagnostics)
{
    std::string listed, binding;
    std::size_t count = 0;
    for (std::size_t g = 0; g < model.subgraphs.size(); ++g) {
        const Subgraph& graph = model.subgraphs[g];
        const std::vector<bool> touched = touchedTensors(graph);
        for (std::size_t t = 0; t < graph.tensors.size(); ++t) {
            if (!touched[t] || graph.tensors[t].bytes || graph.tensors[t].constant) continue;
            if (++count > maxListed) continue;
            listed += (listed.empty() ? "" : ", ") + describeTensor(model, static_cast<Index>(g), static_cast<Index>(t)) + " (" +
                      std::string(graph.tensors[t].type.name) + ")";
            if (binding.empty()) binding = bindingOf(graph.tensors[t]);
        }
    }
    if (count == 0) return;
    if (count > maxListed) listed += ", and " + std::to_string(count - maxListed) + " more";
    const std::string how = binding.empty() ? "" : "Bind an open dimension by the name of its tensor (" + binding + "). ";
    Diagnostic warning = failure(Code::partial, "the result is partial: no static size is known for " + listed, {model.file},
                                 how + "Strings, variants and shapes that depend on data have no static size.");
    warning.severity = Severity::warning;
    diagnostics.push_back(std::move(warning));
}

} // namespace

Expected<Model> readModel(std::string_view bytes, const std::string& file, const Bindings& bindings, Diagnostics& diagnostics)
{
    const auto flatbuffer = Flatbuffer::open(bytes, file);
    if (!flatbuffer) return flatbuffer.error();
    auto model = Reader(*flatbuffer, bytes.size(), file, diagnostics).read();
    if (!model) return model;
    if (auto error = bindOpenDimensions(*model, bindings)) return std::move(*error);
    if (auto error = computeSizes(*model)) return std::move(*error);
    noteAssumptions(*model, bindings, diagnostics);
    warnAboutUnknownSizes(*model, diagnostics);
    return model;
}

} // namespace stowage::tflite
