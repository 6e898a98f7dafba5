// A program: functions with nested regions, ops and tensors. Importers make programs, passes transform them, and `lower`
// (core/lower) turns a program into a problem.
//
// A function holds its tensors, ops and regions in three flat vectors; nesting is by index, without pointers. So a program is a
// plain value that can be copied, compared and sent to another process.
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
    intermediate, ///< written and read inside the function
    input,        ///< holds data before step 0
    output,       ///< read by the caller after the last step
    constant,     ///< never written; planned only if there is a constant pool for it
    variable,     ///< keeps its value between runs; planned only if there is a persistent pool for it
};

/// When the value of a constant is known, for constant folding.
enum class Availability : std::uint8_t { unknown, compileTime, runTime };

/// A property of the source that has no field here: its name and its value as text ("broadcast", "[1]"); the value of a mark is
/// empty. The lowering to Ascend's order reads some of them (listed in core/lower/hivm/hivm.h).
using Attribute = std::pair<std::string, std::string>;

/// The value of the first attribute with that name; null if there is none. Linear.
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
    std::string dtype; ///< element type, named as in the source ("f32", "i8", "i4"); may be empty if `bytes` is given
    std::vector<std::int64_t> shape; ///< empty: scalar or unknown; -1: dynamic dimension
    std::optional<Bytes> bytes;      ///< size of the data; no value: not statically known, left out of planning
    Bytes alignment = 1;             ///< required alignment of the offset, >= 1
    /// Candidate pools in order of preference, by name, or by number (from 1) among the pools of its kind; empty: all.
    std::vector<std::string> pools;
    std::int32_t multiBuffer = 1;      ///< number of slots that rotate with the enclosing loop, >= 1
    TensorId aliasOf = none;           ///< the tensor that this one is a view of, with which it shares storage
    Bytes aliasOffset = 0;             ///< begin of the view in the viewed tensor, in bytes
    RegionId region = 0;               ///< the region that declares it; visible in all regions inside
    bool planned = true;               ///< false: left out of planning, for example by an import option or because of its memory
    std::optional<Bytes> pinnedOffset; ///< an offset that the source fixes
    bool handle = false;               ///< a handle of state outside the program; ops that access handles keep their listed order
    std::vector<Attribute> attributes;
    Position where;

    friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// How an op executes.
enum class Control : std::uint8_t {
    leaf,   ///< runs in one step
    loop,   ///< regions: an optional condition, then the body
    branch, ///< n-way case: inputs[0] selects one of the regions, which runs
    call,   ///< runs `callee`
    exit,   ///< in the body of a loop: if its condition is true, the loop ends here, and its outputs take the values in `carries`
};

/// In a loop: at the end of each iteration, `to` (an input of the body) takes the value of `from` (an output of the body). In an
/// exit: if the loop ends there, `to` (an output of the loop) takes the value of `from`.
struct Carry {
    TensorId from = none;
    TensorId to = none;

    friend bool operator==(const Carry&, const Carry&) = default;
};

/// Permission to write `output` over `input` if this op is the last use of `input`.
struct InPlace {
    TensorId input = none;
    TensorId output = none;

    friend bool operator==(const InPlace&, const InPlace&) = default;
};

/// Estimated time of an op on a device.
struct DeviceCost {
    std::string device; ///< empty: any device
    double microseconds = 0;

    friend bool operator==(const DeviceCost&, const DeviceCost&) = default;
};

/// How the results of an op depend on its operands, for constant folding and views.
enum class OpEffect : std::uint8_t {
    unstated,    ///< unknown: the op is not folded, and its result is no view
    computes,    ///< the results depend only on the operands
    elementWise, ///< like `computes`, and result element i depends only on element i of each operand
    repeats,     ///< the result repeats the elements of the first operand (broadcast, tile)
    view,        ///< the result is the bytes of the first operand in the same order, with another shape or type
    constant,    ///< gives a value that the file contains
    stateful,    ///< uses random numbers or a state, or is a custom operator
};

/// Which formula estimates the time of an op (core/pipeline/costs.h).
enum class OpWork : std::uint8_t {
    elementWise,          ///< one operation for each output element
    convolution,          ///< output channels: first dimension of the weights
    depthwiseConvolution, ///< output channels: last dimension of the weights if their first dimension is 1
    dense,                ///< product of the input and weights (fully connected)
    product,              ///< product of two matrices
    pooling,              ///< one operation for each input element
    softmax,              ///< a few operations for each output element
    moving,               ///< no arithmetic: concatenate, transpose, pad, …
};

/// Properties of an op that its importer states. Core uses them instead of the name of the op. core/io/op_kinds.h derives them
/// from names of TFLite, ONNX, TVM, MLIR and program JSON, and `Tensor::handle` from element types.
struct OpTraits {
    OpEffect effect = OpEffect::unstated;
    OpWork work = OpWork::elementWise;
    bool choosesByTruth = false; ///< of a branch with two regions: a selector other than 0 selects the first region

    friend bool operator==(const OpTraits&, const OpTraits&) = default;
};

struct Op {
    std::string name; ///< unique in its function
    std::string kind; ///< named as in the source: "conv2d", "RESHAPE", "while"; core shows it, and matches it with kinds that the
                      ///< user names
    OpTraits traits;
    Control control = Control::leaf;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<TensorId> temps;  ///< scratch: live only while the op runs
    std::vector<InPlace> inPlace; ///< pairs whose output may overwrite the input
    bool inPlaceRequired = false; ///< the outputs of the pairs must overwrite their inputs
    std::string pipe;             ///< hardware pipe that runs the op ("V", "MTE2"); may be empty
    std::string device;           ///< device or target that runs the op; may be empty
    std::vector<DeviceCost> cost;
    RegionId parent = 0;                   ///< the region that lists the op
    std::vector<RegionId> regions;         ///< loop: [condition,] body; branch: the branches in order; exit: its condition
    std::optional<std::int64_t> tripCount; ///< loop: iterations, when known
    std::vector<Carry> carries;            ///< loop, exit
    FunctionId callee = none;              ///< call: the called function
    std::vector<Attribute> attributes;
    Position where;

    friend bool operator==(const Op&, const Op&) = default;
};

enum class RegionRole : std::uint8_t { function, condition, body, branch };

/// A list of ops that run one after the other. Inputs and outputs correspond by position to those of the op that owns the region;
/// for a branch, to those after the selector. A condition has one output of its own: in a loop, true continues the loop; in an
/// exit, true leaves the loop.
struct Region {
    RegionRole role = RegionRole::function;
    OpId owner = none; ///< the op that owns the region; none for the body of a function
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    std::vector<OpId> ops; ///< in listed order

    friend bool operator==(const Region&, const Region&) = default;
};

struct Function {
    std::string name;
    std::vector<Tensor> tensors;
    std::vector<Op> ops;
    std::vector<Region> regions;    ///< regions[0] is the body of the function; its inputs and outputs are those of the function
    std::vector<std::string> pools; ///< in a planned program: the pools that the function takes as arguments, in order

    friend bool operator==(const Function&, const Function&) = default;
    [[nodiscard]] const Region& body() const { return regions.front(); }
};

/// True if the result is the bytes of the first input, unchanged, with another shape or type.
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

/// The tensor whose value the loop's output `output` takes if the loop ends at `exit`; none if the exit lists no value for it.
[[nodiscard]] inline TensorId valueAtExit(const Op& exit, TensorId output)
{
    for (const Carry& carry : exit.carries)
        if (carry.to == output) return carry.from;
    return none;
}

enum class PoolKind : std::uint8_t { workspace, constant, persistent };

/// Which rules Ascend's compiler (pass PlanMemory) applies to a memory.
enum class CoreMemory : std::uint8_t {
    outside, ///< not on an Ascend core: a workspace in global memory, or other hardware
    unified, ///< unified buffer of the vector core: filled by classes of buffers; functions of mode SIMT or MIX may use only a
             ///< part
    listed,  ///< filled in the order of the list
    operand, ///< filled by the hardware: the compiler rejects buffers in it
};

/// A range of addresses of a memory, in which buffers are placed. The fields from `targets` on are facts for estimates and
/// generated code; 0: unknown.
struct Pool {
    std::string name;
    std::optional<Bytes> capacity; ///< bytes; no value: unbounded
    Bytes alignment = 1;           ///< every offset in the pool is a multiple of this, >= 1
    PoolKind kind = PoolKind::workspace;
    CoreMemory core = CoreMemory::outside;
    std::vector<std::string> targets; ///< devices that can access it; empty: all
    std::int64_t clockHz = 0;
    double readBytesPerCycle = 0;
    double writeBytesPerCycle = 0;
    std::int64_t readLatencyCycles = 0;
    std::int64_t writeLatencyCycles = 0;
    std::int64_t burstBytes = 0; ///< bytes of a burst, for devices that `targetBursts` does not list
    std::vector<std::pair<std::string, std::int64_t>> targetBursts; ///< bytes of a burst by device, each device once, > 0
    bool internal = false;                                          ///< allocated by the generated code, not by the application
    std::string description;

    friend bool operator==(const Pool&, const Pool&) = default;
    /// Bytes of a burst for estimates that do not know which device moves the data: the smallest of all devices; 0 without
    /// bursts.
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
    std::vector<Pool> pools; ///< pools that the file defines; a target chosen by the user replaces them
    std::vector<Function> functions;
    std::vector<Attribute> lowering; ///< options of `--lower` that the source asks for ("order", "hivm"). They override the
                                     ///< planner's defaults; options of the user override them

    friend bool operator==(const Program&, const Program&) = default;
    [[nodiscard]] const Function& main() const { return functions[static_cast<std::size_t>(entry)]; }
};

} // namespace stowage
