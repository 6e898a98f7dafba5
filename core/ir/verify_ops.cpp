#include "core/ir/duplicate_names.h"
#include "core/ir/verify_parts.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <unordered_set>

namespace stowage::verifying {

namespace {

/// A set of the tensors in a list. Filling takes O(length of the list), a query O(1).
class Members {
public:
    explicit Members(std::size_t tensors) : filledAt_(tensors, 0) {}
    void fill(const std::vector<TensorId>& ids)
    {
        ++fill_;
        for (const TensorId id : ids) filledAt_[at(id)] = fill_;
    }
    [[nodiscard]] bool has(TensorId id) const { return filledAt_[at(id)] == fill_; }

private:
    std::vector<std::uint32_t> filledAt_;
    std::uint32_t fill_ = 0;
};

class OpCheck {
public:
    OpCheck(const Program& program, const Function& function, Findings& findings)
        : program_(program),
          function_(function),
          findings_(findings),
          inputs_(function.tensors.size()),
          outputs_(function.tensors.size())
    {
    }

    void check(const Op& op)
    {
        switch (op.control) {
        case Control::leaf: checkLeaf(op); break;
        case Control::loop: checkLoop(op); break;
        case Control::branch: checkBranch(op); break;
        case Control::call: checkCall(op); break;
        case Control::exit: checkExit(op); break;
        }
        const bool exit = op.control == Control::exit;
        if (op.control != Control::loop && (op.tripCount || (!exit && !op.carries.empty())))
            wrong(op, "has a trip count or carries, but is not a loop");
        if (!op.inPlace.empty()) {
            inputs_.fill(op.inputs);
            outputs_.fill(op.outputs);
        }
        for (const InPlace& pair : op.inPlace)
            if (!inputs_.has(pair.input) || !outputs_.has(pair.output))
                wrong(op, fmt::format("may not write '{}' over '{}': a pair is an input and an output of the op",
                                      name(pair.output), name(pair.input)));
        for (const DeviceCost& cost : op.cost)
            if (!std::isfinite(cost.microseconds) || cost.microseconds < 0)
                wrong(op, fmt::format("has a cost of {} us", cost.microseconds));
    }

private:
    void wrong(const Op& op, std::string_view what)
    {
        findings_.error(Code::malformed, fmt::format("{} {}", describe(function_, op), what), op.where);
    }

    const std::string& name(TensorId id) const { return function_.tensors[at(id)].name; }
    const Region& region(RegionId id) const { return function_.regions[at(id)]; }

    void checkLeaf(const Op& op)
    {
        if (!op.regions.empty()) wrong(op, "has regions, but is neither a loop nor a case");
    }

    void checkLoop(const Op& op)
    {
        const std::size_t count = op.regions.size();
        if (count < 1 || count > 2 || region(op.regions.back()).role != RegionRole::body ||
            (count == 2 && region(op.regions.front()).role != RegionRole::condition)) {
            wrong(op, "is a loop, and needs one body, with at most one condition in front of it");
            return;
        }
        const Region& body = region(op.regions.back());
        if (body.outputs.size() < op.outputs.size())
            wrong(op, fmt::format("has {} outputs, and its body {}", op.outputs.size(), body.outputs.size()));
        if (count == 2) {
            const Region& condition = region(op.regions.front());
            if (condition.inputs.size() > op.inputs.size())
                wrong(op, fmt::format("has {} inputs, and its condition {}", op.inputs.size(), condition.inputs.size()));
            if (condition.outputs.size() != 1)
                wrong(op, fmt::format("has a condition with {} outputs", condition.outputs.size()));
        }
        if (op.tripCount && *op.tripCount < 0) wrong(op, fmt::format("runs {} times", *op.tripCount));
        inputs_.fill(body.inputs);
        outputs_.fill(body.outputs);
        std::unordered_set<TensorId> targets;
        for (const Carry& carry : op.carries) {
            if (!outputs_.has(carry.from) || !inputs_.has(carry.to))
                wrong(op, fmt::format("carries '{}' to '{}': that has to be an output and an input of its body", name(carry.from),
                                      name(carry.to)));
            if (!targets.insert(carry.to).second) wrong(op, fmt::format("carries two values to '{}'", name(carry.to)));
        }
    }

    /// Checks that an exit is listed directly in the body of a loop, and gives a value for each output of the loop.
    void checkExit(const Op& op)
    {
        if (op.regions.size() != 1 || region(op.regions.front()).role != RegionRole::condition) {
            wrong(op, "is an exit, and needs one condition");
            return;
        }
        const Region& condition = region(op.regions.front());
        if (condition.inputs.size() > op.inputs.size())
            wrong(op, fmt::format("has {} inputs, and its condition {}", op.inputs.size(), condition.inputs.size()));
        if (condition.outputs.size() != 1) wrong(op, fmt::format("has a condition with {} outputs", condition.outputs.size()));
        if (!op.outputs.empty()) wrong(op, "is an exit with outputs of its own: its carries give the loop's outputs");
        const Region& home = region(op.parent);
        if (home.role != RegionRole::body) {
            wrong(op, "has a condition and no body: that is an exit, which only the body of a loop may list");
            return;
        }
        const Op& loop = function_.ops[at(home.owner)];
        outputs_.fill(loop.outputs);
        std::unordered_set<TensorId> targets;
        for (const Carry& carry : op.carries) {
            if (!outputs_.has(carry.to))
                wrong(op, fmt::format("carries '{}' to '{}', which is not an output of '{}'", name(carry.from), name(carry.to),
                                      loop.name));
            if (!targets.insert(carry.to).second) wrong(op, fmt::format("carries two values to '{}'", name(carry.to)));
            const Tensor& given = function_.tensors[at(carry.from)];
            const Tensor& wanted = function_.tensors[at(carry.to)];
            if (given.bytes && wanted.bytes && *given.bytes != *wanted.bytes)
                wrong(op, fmt::format("gives '{}' with {} bytes to '{}' with {}", given.name, *given.bytes, wanted.name,
                                      *wanted.bytes));
        }
        for (const TensorId output : loop.outputs)
            if (!targets.contains(output))
                wrong(op, fmt::format("leaves '{}' without a value for '{}'", loop.name, name(output)));
    }

    void checkBranch(const Op& op)
    {
        if (op.regions.empty()) wrong(op, "is a case without branches");
        if (op.inputs.empty()) {
            wrong(op, "is a case without a selector");
            return;
        }
        for (const RegionId id : op.regions) {
            const Region& branch = region(id);
            if (branch.role != RegionRole::branch) wrong(op, "is a case, but has a region that is not a branch");
            if (branch.inputs.size() > op.inputs.size() - 1)
                wrong(op, fmt::format("has {} inputs after its selector, and a branch {}", op.inputs.size() - 1,
                                      branch.inputs.size()));
            if (branch.outputs.size() != op.outputs.size())
                wrong(op, fmt::format("has {} outputs, and a branch {}", op.outputs.size(), branch.outputs.size()));
        }
    }

    void checkCall(const Op& op)
    {
        if (!op.regions.empty()) wrong(op, "is a call, but has regions");
        const Function& callee = program_.functions[at(op.callee)];
        checkArguments(op, callee, op.inputs, callee.body().inputs, "inputs");
        checkArguments(op, callee, op.outputs, callee.body().outputs, "outputs");
    }

    void checkArguments(const Op& op, const Function& callee, const std::vector<TensorId>& actual,
                        const std::vector<TensorId>& formal, const char* what)
    {
        if (actual.size() != formal.size()) {
            wrong(op, fmt::format("gives {} {} to '{}', which has {}", actual.size(), what, callee.name, formal.size()));
            return;
        }
        for (std::size_t i = 0; i < actual.size(); ++i) {
            const Tensor& given = function_.tensors[at(actual[i])];
            const Tensor& wanted = callee.tensors[at(formal[i])];
            if (given.bytes && wanted.bytes && *wanted.bytes > *given.bytes)
                wrong(op, fmt::format("gives '{}' with {} bytes to '{}' for '{}' with {}", given.name, *given.bytes, callee.name,
                                      wanted.name, *wanted.bytes));
        }
    }

    const Program& program_;
    const Function& function_;
    Findings& findings_;
    Members inputs_;
    Members outputs_;
};

} // namespace

void checkOps(const Program& program, const Function& function, Findings& findings)
{
    OpCheck check(program, function, findings);
    const auto duplicates =
        duplicateNames(function.ops.size(), [&](std::size_t i) -> std::string_view { return function.ops[i].name; });
    auto duplicate = duplicates.begin();
    for (std::size_t i = 0; i < function.ops.size(); ++i) {
        const Op& op = function.ops[i];
        if (op.name.empty()) {
            findings.error(Code::unnamed, fmt::format("{} has no name", describe(function, op)), op.where);
        } else if (duplicate != duplicates.end() && duplicate->number == i) {
            ++duplicate;
            findings.error(Code::duplicateName, fmt::format("two ops of '{}' are named '{}'", function.name, op.name), op.where);
        }
        check.check(op);
    }
}

} // namespace stowage::verifying
