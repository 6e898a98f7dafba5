#include "plugins/executorch/program_importer.h"

#include "core/io/plan_tables.h"
#include "core/ir/checked.h"
#include "core/ir/digits.h"
#include "plugins/executorch/lifetimes.h"
#include "plugins/executorch/program_file.h"

#include "program_generated.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

namespace stowage::executorch {

namespace {

constexpr Bytes multiple = 16;                         ///< bytes; ExecuTorch's planner rounds sizes and places up to it
constexpr std::size_t maxItems = std::size_t{1} << 26; ///< extents, operands and list items together
constexpr std::size_t maxNameLength = 1024;
constexpr std::string_view writeBack = "aten::copy_";                     ///< the exporter ends a method with one for each state
constexpr std::string_view copyOfItem = "executorch_prim::et_copy_index"; ///< of a loop over items: it writes its first operand
constexpr auto faultyRemedy = "The file is damaged, or was written by a faulty tool: export the model again.";

/// Bytes of an element of an ExecuTorch scalar type; 0: not known.
Bytes bytesOfScalar(int type)
{
    switch (type) {
    case 0:
    case 1:
    case 11:
    case 12:
    case 13:
    case 23:
    case 24:
    case 25:
    case 26: return 1;
    case 2:
    case 5:
    case 15:
    case 22:
    case 27: return 2;
    case 3:
    case 6:
    case 14:
    case 28: return 4;
    case 4:
    case 7:
    case 29: return 8;
    default: return 0;
    }
}

template <typename T>
flatbuffers::uoffset_t countOf(const flatbuffers::Vector<T>* vector)
{
    return vector != nullptr ? vector->size() : 0;
}

/// A tensor of the file that has a place.
struct Placed {
    std::int32_t value = none;
    std::uint32_t memory = 0; ///< from 1
    Bytes offset = 0;
    Bytes bytes = 0;
    bool initialized = false; ///< has data in the file: live throughout
    bool named = false;       ///< has a name of the model, which only its buffers and parameters have: live throughout
};

class MethodReader {
public:
    MethodReader(const ProgramFile& file, const std::string& path, const fb::ExecutionPlan& plan, std::size_t& items)
        : file_(file), path_(path), plan_(plan), items_(items)
    {
        if (plan.name() != nullptr)
            method_ = std::string(plan.name()->c_str(), std::min<std::size_t>(plan.name()->size(), maxNameLength));
        if (method_.empty()) method_ = "method";
    }

    struct Method {
        NamedProblem problem;
        FilePlan plan;
        Diagnostics diagnostics;
    };

    Expected<Method> read()
    {
        std::optional<Error> wrong = readValues();
        if (!wrong) wrong = readChains();
        std::vector<std::int32_t> inputs, outputs;
        if (!wrong) wrong = addValues(plan_.inputs(), inputs, "an input");
        if (!wrong) wrong = addValues(plan_.outputs(), outputs, "an output");
        if (!wrong) wrong = readArenas();
        if (wrong) return std::move(*wrong);
        build(lifetimesOf(touches_, countOf(plan_.values()), inputs, outputs), inputs, outputs);
        return std::move(made_);
    }

private:
    using Failure = std::optional<Error>;

    Error wrong(Code code, const std::string& message, const void* at) const
    {
        return failure(code, fmt::format("method '{}': {}", method_, message), {path_, 0, 0, file_.position(at)}, faultyRemedy);
    }

    Failure spend(std::size_t items, const void* at)
    {
        items_ += items;
        if (items_ <= maxItems) return std::nullopt;
        return wrong(Code::tooLarge, fmt::format("the file has more than {} extents and operands", grouped(maxItems)), at);
    }

    Failure readValues()
    {
        for (flatbuffers::uoffset_t v = 0; v < countOf(plan_.values()); ++v) {
            const fb::Tensor* tensor = plan_.values()->Get(v)->value_as_Tensor();
            if (tensor == nullptr) continue;
            if (auto error = readTensor(static_cast<std::int32_t>(v), *tensor)) return error;
        }
        return std::nullopt;
    }

    Failure readTensor(std::int32_t value, const fb::Tensor& tensor)
    {
        const fb::AllocationDetails* allocation = tensor.allocation();
        if (allocation == nullptr) {
            if (tensor.data_buffer() == 0) ++unplanned_;
            return std::nullopt;
        }
        if (allocation->memory_id() == 0 || allocation->memory_id() > io::maxExecutorchMemories)
            return wrong(Code::badValue,
                         fmt::format("value {} lies in memory {}, which is not in 1 to {}", value, allocation->memory_id(),
                                     io::maxExecutorchMemories),
                         allocation);
        const Bytes element = bytesOfScalar(tensor.scalar_type());
        if (element == 0)
            return wrong(Code::unknownType,
                         fmt::format("value {} has the scalar type {}, whose size is not known", value, tensor.scalar_type()),
                         &tensor);
        if (auto error = spend(countOf(tensor.sizes()), &tensor)) return error;
        Bytes bytes = element;
        for (flatbuffers::uoffset_t d = 0; d < countOf(tensor.sizes()); ++d) {
            const int extent = tensor.sizes()->Get(d);
            const auto product = extent < 0 ? std::nullopt : checkedMultiply(bytes, extent);
            if (!product || *product > maxBytes / 2)
                return wrong(Code::badShape, fmt::format("value {} has an extent of {}, or too many bytes", value, extent),
                             &tensor);
            bytes = *product;
        }
        const auto offset = static_cast<std::uint64_t>(allocation->offset_high()) << 32 | allocation->offset_low();
        if (offset > static_cast<std::uint64_t>(maxBytes / 2))
            return wrong(Code::badValue, fmt::format("value {} lies at offset {}", value, offset), allocation);
        const auto* name = tensor.extra() != nullptr ? tensor.extra()->name() : nullptr;
        placed_.push_back({value, allocation->memory_id(), static_cast<Bytes>(offset), bytes, tensor.data_buffer() > 0,
                           name != nullptr && name->size() > 0});
        return std::nullopt;
    }

    /// Adds the value, and the items of a list of tensors, to `to`.
    Failure addValue(std::int32_t value, std::vector<std::int32_t>& to, const char* what, const void* at)
    {
        if (value < 0 || static_cast<std::uint32_t>(value) >= countOf(plan_.values()))
            return wrong(Code::badIndex, fmt::format("{} is value {} of {}", what, value, countOf(plan_.values())), at);
        to.push_back(value);
        const fb::EValue& entry = *plan_.values()->Get(static_cast<flatbuffers::uoffset_t>(value));
        const flatbuffers::Vector<std::int32_t>* items = nullptr;
        if (const auto* list = entry.value_as_TensorList()) items = list->items();
        if (const auto* list = entry.value_as_OptionalTensorList()) items = list->items();
        if (auto error = spend(1 + countOf(items), at)) return error;
        for (flatbuffers::uoffset_t i = 0; i < countOf(items); ++i) {
            const std::int32_t item = items->Get(i);
            if (item == none) continue; // an optional tensor that is not there
            if (item < 0 || static_cast<std::uint32_t>(item) >= countOf(plan_.values()))
                return wrong(Code::badIndex,
                             fmt::format("the list of value {} names value {} of {}", value, item, countOf(plan_.values())),
                             items);
            to.push_back(item);
        }
        return std::nullopt;
    }

    Failure addValues(const flatbuffers::Vector<std::int32_t>* values, std::vector<std::int32_t>& to, const char* what)
    {
        for (flatbuffers::uoffset_t i = 0; i < countOf(values); ++i)
            if (auto error = addValue(values->Get(i), to, what, values)) return error;
        return std::nullopt;
    }

    /// Requires the index of a value.
    bool isTensor(std::int32_t value) const
    {
        return plan_.values()->Get(static_cast<flatbuffers::uoffset_t>(value))->value_as_Tensor() != nullptr;
    }

    Failure readChains()
    {
        for (flatbuffers::uoffset_t c = 0; c < countOf(plan_.chains()); ++c) {
            const auto* instructions = plan_.chains()->Get(c)->instructions();
            const auto first = static_cast<Step>(touches_.size());
            for (flatbuffers::uoffset_t i = 0; i < countOf(instructions); ++i)
                if (auto error = readInstruction(*instructions->Get(i), first, countOf(instructions))) return error;
        }
        return std::nullopt;
    }

    /// Operands are inputs, scratch, results, and the results once more: the last operand is written, and the operands before it
    /// that name the same are not read. An operator that works in place ("copy_") names its result as an input instead.
    Failure readKernelCall(const fb::KernelCall& call, Touches& touches)
    {
        if (call.op() < 0 || static_cast<std::uint32_t>(call.op()) >= countOf(plan_.operators()))
            return wrong(Code::badIndex,
                         fmt::format("an instruction calls operator {} of {}", call.op(), countOf(plan_.operators())), &call);
        const auto* args = call.args();
        const flatbuffers::uoffset_t count = countOf(args);
        if (count == 0) return std::nullopt;
        const auto* text = plan_.operators()->Get(static_cast<flatbuffers::uoffset_t>(call.op()))->name();
        const std::string_view name = text != nullptr ? std::string_view(text->c_str(), text->size()) : std::string_view();
        touches.writesBack = name == writeBack;
        const bool intoFirst = name == copyOfItem;
        if (auto error = addValue(args->Get(intoFirst ? 0 : count - 1), touches.written, "an operand", &call)) return error;
        const flatbuffers::uoffset_t end = intoFirst ? count : count - 1 - namedBefore(*args, touches.written, name);
        for (flatbuffers::uoffset_t i = intoFirst ? 1 : 0; i < end; ++i)
            if (auto error = addValue(args->Get(i), touches.read, "an operand", args)) return error;
        return std::nullopt;
    }

    /// The number of operands right before the last one that name its results: the list or tensor itself, or the list's items.
    static flatbuffers::uoffset_t namedBefore(const flatbuffers::Vector<std::int32_t>& args,
                                              const std::vector<std::int32_t>& written, std::string_view name)
    {
        const flatbuffers::uoffset_t before = args.size() - 1;
        if (before == 0 || name.ends_with('_')) return 0;
        if (args.Get(before - 1) == args.Get(before)) return 1;
        const std::size_t items = written.size() - 1; // after the list
        if (items > before) return 0;
        const auto count = static_cast<flatbuffers::uoffset_t>(items);
        for (flatbuffers::uoffset_t i = 0; i < count; ++i)
            if (args.Get(before - count + i) != written[i + 1]) return 0;
        return count;
    }

    /// What a delegate reads and what it writes is not told, so it does both. A move of a tensor copies the handle and not the
    /// bytes.
    Failure readInstruction(const fb::Instruction& instruction, Step first, std::int64_t count)
    {
        Touches& touches = touches_.emplace_back();
        if (auto error = spend(1, &instruction)) return error;
        if (const auto* call = instruction.arguments_as_KernelCall()) return readKernelCall(*call, touches);
        if (const auto* call = instruction.arguments_as_DelegateCall()) {
            delegates_ += 1;
            touches.opaque = true;
            if (auto error = addValues(call->args(), touches.read, "an operand of a delegate")) return error;
            touches.written = touches.read;
            return std::nullopt;
        }
        if (const auto* move = instruction.arguments_as_MoveCall()) {
            if (auto error = addValue(move->from(), touches.read, "the source of a move", move)) return error;
            if (auto error = addValue(move->to(), touches.written, "the destination of a move", move)) return error;
            if (isTensor(move->from()) && isTensor(move->to())) touches.move = Move{move->from(), move->to()};
            return std::nullopt;
        }
        if (const auto* jump = instruction.arguments_as_JumpFalseCall()) {
            if (jump->destination() < 0 || jump->destination() > count)
                return wrong(Code::badIndex, fmt::format("an instruction jumps to {} of {}", jump->destination(), count), jump);
            touches.jump = first + jump->destination();
            return addValue(jump->condition(), touches.read, "the condition of a jump", jump);
        }
        if (const auto* freed = instruction.arguments_as_FreeCall())
            return addValue(freed->value(), touches.read, "what is freed", freed);
        return std::nullopt;
    }

    Failure readArenas()
    {
        const auto* sizes = plan_.non_const_buffer_sizes();
        for (flatbuffers::uoffset_t m = 1; m < countOf(sizes); ++m) {
            if (sizes->Get(m) < 0 || sizes->Get(m) > maxBytes)
                return wrong(Code::badSize, fmt::format("the arena of memory {} has {} bytes", m, sizes->Get(m)), sizes);
            if (m <= io::maxExecutorchMemories && sizes->Get(m) > 0) arenas_[m] = sizes->Get(m);
        }
        for (const Placed& placed : placed_) arenas_.emplace(placed.memory, 0);
        return std::nullopt;
    }

    void build(const std::vector<Lifetime>& lifetimes, const std::vector<std::int32_t>& inputs,
               const std::vector<std::int32_t>& outputs)
    {
        Problem& problem = made_.problem.problem;
        made_.problem.name = problem.name = method_;
        made_.plan.name = "executorch";
        std::map<std::uint32_t, PoolId> pools;
        for (const auto& [memory, bytes] : arenas_) {
            pools.emplace(memory, static_cast<PoolId>(problem.pools.size()));
            Pool& pool = problem.pools.emplace_back();
            pool.name = fmt::format("arena{}", memory);
            pool.alignment = multiple;
            if (bytes > 0) made_.plan.sizes.emplace_back(pool.name, bytes);
        }
        const std::set<std::int32_t> in(inputs.begin(), inputs.end()), out(outputs.begin(), outputs.end());
        const Step end = std::max<Step>(1, static_cast<Step>(touches_.size()));
        std::map<std::tuple<std::uint32_t, Bytes, Bytes>, BufferId> byPlace; // the tensors that a view may be of
        std::size_t views = 0, unnamed = 0;
        for (const Placed& placed : placed_) {
            const Lifetime& lifetime = lifetimes[at(placed.value)];
            const bool given = placed.initialized || (placed.named && !in.contains(placed.value)); // it has a value before a run
            const bool view = !lifetime.written && !given;
            const std::tuple place{placed.memory, placed.offset, placed.bytes};
            const auto found = view ? byPlace.find(place) : byPlace.end();
            const bool state = given || (lifetime.state && found == byPlace.end());
            const Interval live = state ? Interval{0, end} : lifetime.live;
            if (live.empty()) {
                ++unnamed;
                continue;
            }
            if (found != byPlace.end()) {
                problem.buffers[at(found->second)].name += fmt::format("+t{}", placed.value);
                Interval& whole = problem.buffers[at(found->second)].live.front();
                whole = {std::min(whole.begin, live.begin), std::max(whole.end, live.end)};
                ++views;
                continue;
            }
            const auto id = static_cast<BufferId>(problem.buffers.size());
            Buffer& buffer = problem.buffers.emplace_back();
            buffer.name = fmt::format("t{}", placed.value);
            buffer.size = alignUp(placed.bytes, multiple);
            buffer.alignment = multiple;
            buffer.live = {live};
            buffer.pools = {pools.at(placed.memory)};
            if (state)
                buffer.kind = BufferKind::variable;
            else if (in.contains(placed.value))
                buffer.kind = BufferKind::input;
            else if (out.contains(placed.value))
                buffer.kind = BufferKind::output;
            made_.plan.offsets.push_back({none, id, placed.offset});
            byPlace.insert_or_assign(place, id);
        }
        tell(views, unnamed);
    }

    void tell(std::size_t views, std::size_t unnamed)
    {
        const auto note = [&](Code code, const std::string& message) {
            made_.diagnostics.push_back({Severity::note, code, fmt::format("method '{}': {}", method_, message), {path_}, {}});
        };
        if (views > 0)
            note(Code::notVisible,
                 fmt::format("{} views lie in the tensor that they view", grouped(static_cast<std::int64_t>(views))));
        if (unnamed > 0)
            note(Code::notReached, fmt::format("{} placed tensors are named by no instruction and left out",
                                               grouped(static_cast<std::int64_t>(unnamed))));
        if (unplanned_ > 0)
            note(Code::partial, fmt::format("{} tensors have no place in the file: the caller or the runtime gives them memory",
                                            grouped(unplanned_)));
        if (delegates_ > 0)
            note(Code::partial,
                 fmt::format("{} calls of delegates: the memory inside them is not in the file", grouped(delegates_)));
    }

    const ProgramFile& file_;
    const std::string& path_;
    const fb::ExecutionPlan& plan_;
    std::size_t& items_;
    std::string method_;
    std::vector<Placed> placed_;
    std::vector<Touches> touches_;
    std::map<std::uint32_t, Bytes> arenas_; ///< by memory id: bytes that the runtime gives it, 0 where the file tells none
    std::int64_t unplanned_ = 0;
    std::int64_t delegates_ = 0;
    Method made_;
};

} // namespace

int ProgramImporter::claims(std::string_view head, std::string_view path) const
{
    return claimsProgram(head, path);
}

Expected<Imported> ProgramImporter::import(const ImportRequest& request) const
{
    if (!request.options.empty())
        return failure(Code::unknownOption, fmt::format("the importer has no option \"{}\"", request.options.front().first),
                       {request.path}, "It has none at all.");
    auto file = ProgramFile::open(request.bytes, request.path);
    if (!file) return std::move(file).error();
    const auto* methods = file->program().execution_plan();
    if (countOf(methods) == 0)
        return failure(Code::empty, "the program has no method: there is nothing to plan", {request.path}, faultyRemedy);
    Imported imported;
    std::vector<NamedProblem> problems;
    std::set<std::string> names;
    std::size_t items = 0;
    for (flatbuffers::uoffset_t m = 0; m < methods->size(); ++m) {
        auto method = MethodReader(*file, request.path, *methods->Get(m), items).read();
        if (!method) return std::move(method).error();
        imported.diagnostics.insert(imported.diagnostics.end(), method->diagnostics.begin(), method->diagnostics.end());
        if (!names.insert(method->problem.name).second)
            return failure(Code::duplicateName, fmt::format("two methods are named '{}'", method->problem.name),
                           {request.path, 0, 0, file->position(methods->Get(m))}, faultyRemedy);
        if (method->problem.problem.buffers.empty()) continue;
        method->plan.problem = static_cast<std::int32_t>(problems.size());
        imported.plans.push_back(std::move(method->plan));
        problems.push_back(std::move(method->problem));
    }
    if (problems.empty())
        return failure(Code::nothingToPlan, "no tensor of the program has a place: its memory was not planned", {request.path},
                       "Export it with a memory planning pass, which to_executorch() runs unless told otherwise.");
    imported.content = std::move(problems);
    return imported;
}

} // namespace stowage::executorch
