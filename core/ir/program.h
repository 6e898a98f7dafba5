// What a model is: functions with nested regions, ops and tensors. Every importer makes one, every pass takes and
// gives one, and `lower` (core/lower) is the only place where one becomes a problem.
//
// A function owns its tensors, ops and regions in three flat vectors; nesting is by index. So a program is a plain
// value: it copies, compares and is sent to another process without a pointer being followed.
#pragma once

#include "core/ir/diagnostic.h"
#include "core/ir/types.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage {

enum class TensorKind : std::uint8_t {
    intermediate, ///< made and used inside
    input,        ///< holds data before step 0
    output,       ///< read by the caller after the last step
    constant,     ///< never written; planned only when a constant pool is there for it
    variable,     ///< keeps its value between runs; planned only when a persistent pool is there for it
};

/// When the value of a constant is known (constant folding needs to know).
enum class Availability : std::uint8_t { unknown, compileTime, runTime };

/// A property that the source states and the fields here do not hold: its name and its value as text ("broadcast", "[1]"); the
/// value of a mark is empty. The lowering of Ascend's order reads some of them (core/lower/hivm/hivm.h lists which).
using Attribute = std::pair<std::string, std::string>;

/// The value of the first attribute of that name, or null. Linear.
[[nodiscard]] inline const std::string* attribute(const std::vector<Attribute>& attributes, std::string_view name)
{
    for (const Attribute& each : attributes)
        if (each.first == name) return &each.second;
    return nullptr;
}

struct Tensor {
    std::string name; ///< unique in its function; never empty in a verified program
    TensorKind kind = TensorKind::intermediate;
    Availability available = Availability::unknown;
    std::string dtype;               ///< as the source calls it ("f32", "i8", "i4"); may be empty when `bytes` is given
    std::vector<std::int64_t> shape; ///< empty: scalar or not known; -1: dynamic dimension
    std::optional<Bytes> bytes;      ///< size of the payload; nothing when it is not statically known (left out of planning)
    Bytes alignment = 1;             ///< least alignment of the offset, >= 1
    std::vector<std::string>
        pools; ///< candidate pools in order of preference, by name, or by number from 1 among those of its kind; empty: all
    std::int32_t multiBuffer = 1;      ///< slots that rotate with the enclosing loop, >= 1
    TensorId aliasOf = none;           ///< a view of that tensor: shares its storage
    Bytes aliasOffset = 0;             ///< where in the viewed tensor the view begins
    RegionId region = 0;               ///< the region that declares it; visible in all regions inside
    bool planned = true;               ///< false: kept out of planning by an import option, by its memory, …
    std::optional<Bytes> pinnedOffset; ///< the source fixes the offset
    bool handle = false;               ///< names state outside the program: ops that touch handles stay in listed order
    std::vector<Attribute> attributes;
    Position where;

    friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// How an op executes.
enum class Control : std::uint8_t {
    leaf,   ///< runs in one step
    loop,   ///< regions: body, and at most one cond in front of it
    branch, ///< n-way case: inputs[0] selects, one region for each branch, exactly one of them runs
    call,   ///< runs `callee`
    exit, ///< in the body of a loop: when its condition is true, the loop ends here and its outputs take the values in `carries`
};

/// Of a loop: at the end of each iteration, `to` (an input of the body) takes the value of `from` (an output of the body). Of an
/// exit: when the loop ends there, `to` (an output of the loop) takes the value of `from`.
struct Carry {
    TensorId from = none;
    TensorId to = none;

    friend bool operator==(const Carry&, const Carry&) = default;
};

/// Permission to write `output` over `input` when this op is the last use of `input`.
struct InPlace {
    TensorId input = none;
    TensorId output = none;

    friend bool operator==(const InPlace&, const InPlace&) = default;
};

/// Estimated time of an op on a device; an empty device means any.
struct DeviceCost {
    std::string device;
    double microseconds = 0;

    friend bool operator==(const DeviceCost&, const DeviceCost&) = default;
};

/// What an op does to its operands, as far as folding and views ask.
enum class OpEffect : std::uint8_t {
    unstated,    ///< nobody said: it is not folded, and its result is no view
    computes,    ///< the results depend on the operands only
    elementWise, ///< the same, and result element i depends on element i of each operand only
    repeats,     ///< the result repeats the elements of the first operand (broadcast, tile)
    view,        ///< hands on the bytes of the first operand in their order, under another shape or type
    constant,    ///< makes a value that the file has
    stateful,    ///< draws random numbers, keeps a state, or is an operator that only its author knows
};

/// Which formula estimates its time (core/pipeline/costs.h).
enum class OpWork : std::uint8_t {
    elementWise,          ///< one operation for each output element
    convolution,          ///< output channels are the first dimension of the weights
    depthwiseConvolution, ///< of weights whose first dimension is 1, output channels are the last one
    dense,                ///< products with weights
    product,              ///< of two matrices
    pooling,              ///< one operation for each input element
    softmax,              ///< a few operations for each output element
    moving,               ///< no arithmetic: concatenate, transpose, pad, …
};

/// What whoever makes a program says of an op; core asks these instead of the name. core/io/op_kinds.h states them for names of
/// TFLite, ONNX, TVM, MLIR and program JSON, and `Tensor::handle` for element types.
struct OpTraits {
    OpEffect effect = OpEffect::unstated;
    OpWork work = OpWork::elementWise;
    bool choosesByTruth = false; ///< branch of two regions: a selector other than 0 takes the first one

    friend bool operator==(const OpTraits&, const OpTraits&) = default;
};

struct Op {
    std::string name; ///< unique in its function
    std::string kind; ///< as the source calls it: "conv2d", "RESHAPE", "while"; core shows it, and finds by it the ops that the
                      ///< user names
    OpTraits traits;
    Control control = Control::leaf;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<TensorId> temps; ///< scratch: live while the op runs only
    std::vector<InPlace> inPlace;
    bool inPlaceRequired = false; ///< the pairs are obligatory, not permitted
    std::string pipe;             ///< hardware pipe that runs it ("V", "MTE2"); may be empty
    std::string device;           ///< device or target that runs it; may be empty
    std::vector<DeviceCost> cost;
    RegionId parent = 0;                   ///< the region that lists it
    std::vector<RegionId> regions;         ///< loop: [cond,] body; branch: the branches in order; exit: its condition
    std::optional<std::int64_t> tripCount; ///< loop: iterations, when known
    std::vector<Carry> carries;            ///< loop, exit
    FunctionId callee = none;              ///< call
    std::vector<Attribute> attributes;
    Position where;

    friend bool operator==(const Op&, const Op&) = default;
};

enum class RegionRole : std::uint8_t { function, condition, body, branch };

/// A list of ops that run one after the other. Inputs and outputs correspond by position to those of the op that holds it (after
/// the selector for a branch); a condition's single own output is the loop's test (true: go on), or an exit's (true: leave).
struct Region {
    RegionRole role = RegionRole::function;
    OpId owner = none; ///< the op that holds it; none for a function's own region
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<OpId> ops; ///< in listed order

    friend bool operator==(const Region&, const Region&) = default;
};

struct Function {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Op> ops;
    std::vector<Region> regions;    ///< regions[0] is the function's own; its inputs and outputs are the function's
    std::vector<std::string> pools; ///< of a planned program: the memories that it is handed, in order

    friend bool operator==(const Function&, const Function&) = default;
    [[nodiscard]] const Region& body() const { return regions.front(); }
};

/// True for ops that hand on their first input's bytes unchanged under another shape or type.
[[nodiscard]] inline bool isView(const Op& op)
{
    return op.control == Control::leaf && !op.inputs.empty() && !op.outputs.empty() && op.traits.effect == OpEffect::view;
}

/// The exits of a loop, in listed order. Linear in the ops of its body.
[[nodiscard]] inline std::vector<OpId> exitsOf(const Function& function, const Op& loop)
{
    std::vector<OpId> exits;
    for (const OpId op : function.regions[static_cast<std::size_t>(loop.regions.back())].ops)
        if (function.ops[static_cast<std::size_t>(op)].control == Control::exit) exits.push_back(op);
    return exits;
}

/// The tensor whose value an output of a loop has when the loop ends at `exit`; none when the exit lists no value for it.
[[nodiscard]] inline TensorId valueAtExit(const Op& exit, TensorId output)
{
    for (const Carry& carry : exit.carries)
        if (carry.to == output) return carry.from;
    return none;
}

enum class PoolKind : std::uint8_t { workspace, constant, persistent };

/// Which rules Ascend's compiler (PlanMemory) applies to a memory of a core.
enum class CoreMemory : std::uint8_t {
    outside, ///< not on the core: a workspace in global memory, another kind of machine
    unified, ///< of the vector core: filled by classes of buffers; functions of SIMT or MIX mode have only a part of it
    listed,  ///< filled in the order of the list
    operand, ///< filled by the hardware: the compiler refuses buffers in it
};

/// A memory of the target. The fields after `kind` are facts for estimates and generated code; 0 = not known.
struct Pool {
    std::string name;
    std::optional<Bytes> capacity; ///< nothing: unbounded
    Bytes alignment = 1;           ///< every offset in it is a multiple of this, >= 1
    PoolKind kind = PoolKind::workspace;
    CoreMemory core = CoreMemory::outside;
    std::vector<std::string> targets; ///< devices that can reach it; empty: all
    std::int64_t clockHz = 0;
    double readBytesPerCycle = 0;
    double writeBytesPerCycle = 0;
    std::int64_t readLatencyCycles = 0;
    std::int64_t writeLatencyCycles = 0;
    std::int64_t burstBytes = 0;                                    ///< of targets that `targetBursts` does not list
    std::vector<std::pair<std::string, std::int64_t>> targetBursts; ///< of single targets, each once, > 0
    bool internal = false;                                          ///< owned by the compiler, not handed in by the application
    std::string description;

    friend bool operator==(const Pool&, const Pool&) = default;
    /// Bytes of one burst for estimates that do not know which target moves them: the smallest of all targets; 0 without bursts.
    [[nodiscard]] std::int64_t smallestBurst() const
    {
        std::int64_t smallest = burstBytes;
        for (const auto& [target, bytes] : targetBursts)
            if (bytes > 0 && (smallest == 0 || bytes < smallest)) smallest = bytes;
        return smallest;
    }
};

struct Program {
    std::string name;
    FunctionId entry = 0;
    std::vector<Pool> pools; ///< memories named by the file itself; a target chosen by the user replaces them
    std::vector<Function> functions;
    std::vector<Attribute> lowering; ///< `--lower` of the source ("order", "hivm"): overrides a planner's defaults, and the
                                     ///< user's options override it

    friend bool operator==(const Program&, const Program&) = default;
    [[nodiscard]] const Function& main() const { return functions[static_cast<std::size_t>(entry)]; }
};

} // namespace stowage
