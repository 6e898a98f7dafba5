#include "core/ir/verify.h"

#include "core/ir/checked.h"
#include "core/ir/verify_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>

namespace stowage {

namespace verifying {

void Findings::error(Code code, std::string message, const Position& where, std::string remedy)
{
    if (errors_++ < limit) list_.push_back({Severity::error, code, std::move(message), where, std::move(remedy)});
}

Diagnostics Findings::take() &&
{
    if (errors_ > limit)
        list_.push_back({Severity::note, Code::moreErrors, fmt::format("{} more errors are not shown", errors_ - limit), {}, {}});
    return std::move(list_);
}

std::string describe(const Function& function, const Op& op)
{
    if (!op.name.empty()) return fmt::format("op '{}' of '{}'", op.name, function.name);
    return fmt::format("op {} of '{}'", &op - function.ops.data(), function.name);
}

std::string describe(const Function& function, const Tensor& tensor)
{
    if (!tensor.name.empty()) return fmt::format("tensor '{}' of '{}'", tensor.name, function.name);
    return fmt::format("tensor {} of '{}'", &tensor - function.tensors.data(), function.name);
}

std::string describe(const Function& function, const Region& region)
{
    if (region.owner == none) return fmt::format("function '{}'", function.name);
    const Op& owner = function.ops[static_cast<std::size_t>(region.owner)];
    const auto& regions = owner.regions;
    const auto self = static_cast<RegionId>(&region - function.regions.data());
    switch (region.role) {
    case RegionRole::function: break;
    case RegionRole::condition: return fmt::format("the condition of {}", describe(function, owner));
    case RegionRole::body: return fmt::format("the body of {}", describe(function, owner));
    case RegionRole::branch:
        return fmt::format("branch {} of {}", std::find(regions.begin(), regions.end(), self) - regions.begin(),
                           describe(function, owner));
    }
    return fmt::format("region {} of '{}'", self, function.name);
}

} // namespace verifying

namespace {

using verifying::Findings;

void checkPools(const std::vector<Pool>& pools, Findings& findings)
{
    std::unordered_set<std::string_view> names;
    for (const Pool& pool : pools) {
        if (pool.name.empty())
            findings.error(Code::unnamed, "a pool has no name", {});
        else if (!names.insert(pool.name).second)
            findings.error(Code::duplicateName, fmt::format("two pools are named '{}'", pool.name), {});
        if (pool.capacity && (*pool.capacity < 0 || *pool.capacity > maxBytes))
            findings.error(Code::outOfRange, fmt::format("the capacity of pool '{}' is {}", pool.name, *pool.capacity), {});
        if (pool.alignment < 1 || pool.alignment > maxBytes)
            findings.error(Code::outOfRange, fmt::format("the alignment of pool '{}' is {}", pool.name, pool.alignment), {});
    }
}

/// Checks that the total size of all tensors, with all slots, is below `maxBytes`.
void checkTotal(const Program& program, Findings& findings)
{
    Bytes total = 0;
    for (const Function& function : program.functions)
        for (const Tensor& tensor : function.tensors) {
            const auto size = checkedMultiply(tensor.bytes.value_or(0), tensor.multiBuffer);
            const auto sum = size ? checkedAdd(total, *size) : std::nullopt;
            if (!sum || *sum > maxBytes) {
                findings.error(Code::tooLarge,
                               fmt::format("all tensors up to {} exceed 2^62 bytes", verifying::describe(function, tensor)),
                               tensor.where);
                return;
            }
            total = *sum;
        }
}

/// Checks for each function the deepest nesting of its regions and of the functions called from them, and that calls are not
/// recursive. O(ops), no recursion.
void checkCalls(const Program& program, const std::vector<RegionTree>& trees, Findings& findings)
{
    enum class State : std::uint8_t { unseen, open, done };
    const std::size_t count = program.functions.size();
    std::vector<State> state(count, State::unseen);
    std::vector<std::int64_t> depth(count, 0);
    struct Frame {
        std::size_t function;
        std::size_t nextOp = 0;
    };
    std::vector<Frame> stack;
    for (std::size_t start = 0; start < count; ++start) {
        if (state[start] != State::unseen) continue;
        stack.push_back({start});
        state[start] = State::open;
        while (!stack.empty()) {
            Frame& frame = stack.back();
            const Function& function = program.functions[frame.function];
            const RegionTree& tree = trees[frame.function];
            if (frame.nextOp == tree.order.size()) {
                state[frame.function] = State::done;
                stack.pop_back();
                continue;
            }
            const Op& op = function.ops[at(tree.order[frame.nextOp])];
            const std::int64_t here = tree.depth[at(op.parent)];
            depth[frame.function] = std::max(depth[frame.function], here);
            if (op.control != Control::call) {
                ++frame.nextOp;
                continue;
            }
            const std::size_t callee = at(op.callee);
            if (state[callee] == State::unseen) {
                state[callee] = State::open;
                stack.push_back({callee});
                continue;
            }
            if (state[callee] == State::open)
                findings.error(Code::recursion,
                               fmt::format("{} calls '{}', which leads back to it", verifying::describe(function, op),
                                           program.functions[callee].name),
                               op.where, "a static plan needs calls that end; unroll the recursion");
            else
                depth[frame.function] = std::max(depth[frame.function], here + 1 + depth[callee]);
            ++frame.nextOp;
        }
        if (depth[start] > maxNesting)
            findings.error(Code::tooDeep,
                           fmt::format("'{}' nests regions and calls {} deep; at most {} are supported",
                                       program.functions[start].name, depth[start], maxNesting),
                           {});
    }
}

} // namespace

Diagnostics verify(const Program& program)
{
    Findings findings;
    if (program.functions.empty())
        findings.error(Code::empty, fmt::format("program '{}' has no function", program.name), {});
    else if (program.entry < 0 || at(program.entry) >= program.functions.size())
        findings.error(Code::outOfRange,
                       fmt::format("the entry is function {}, and there are {}", program.entry, program.functions.size()), {});
    checkPools(program.pools, findings);

    std::unordered_set<std::string_view> names;
    for (const Function& function : program.functions) {
        if (function.name.empty())
            findings.error(Code::unnamed, "a function has no name", {});
        else if (!names.insert(function.name).second)
            findings.error(Code::duplicateName, fmt::format("two functions are named '{}'", function.name), {});
        verifying::checkShape(program, function, findings);
    }
    if (findings.errors() > 0) return std::move(findings).take();

    std::vector<RegionTree> trees;
    trees.reserve(program.functions.size());
    for (const Function& function : program.functions) {
        const RegionTree& tree = trees.emplace_back(RegionTree::of(function));
        if (tree.order.size() < function.ops.size())
            findings.error(Code::unreachable,
                           fmt::format("{} ops of '{}' are not inside the function's own region",
                                       function.ops.size() - tree.order.size(), function.name),
                           {});
        const auto lost =
            std::count_if(tree.regions.begin(), tree.regions.end(), [](const auto& span) { return !span.reached(); });
        if (lost > 0)
            findings.error(Code::unreachable,
                           fmt::format("{} regions of '{}' are not inside the function's own", lost, function.name), {});
    }
    if (findings.errors() > 0) return std::move(findings).take();

    checkCalls(program, trees, findings);
    for (std::size_t f = 0; f < program.functions.size(); ++f) {
        const std::size_t before = findings.errors();
        verifying::checkTensors(program.functions[f], trees[f], findings);
        verifying::checkOps(program, program.functions[f], findings);
        // Data flow is checked only if tensors and ops are valid, so that one mistake gives one message.
        if (findings.errors() == before) verifying::checkDataFlow(program.functions[f], trees[f], findings);
    }
    if (findings.errors() == 0) checkTotal(program, findings);
    return std::move(findings).take();
}

} // namespace stowage
