#include "core/ir/verify_parts.h"

#include <fmt/format.h>

#include <array>
#include <span>

namespace stowage::verifying {

namespace {

template <typename T>
bool inRange(Id id, const std::vector<T>& things)
{
    return id >= 0 && at(id) < things.size();
}

class ShapeCheck {
public:
    ShapeCheck(const Program& program, const Function& function, Findings& findings)
        : program_(program), function_(function), findings_(findings), before_(findings.errors())
    {
    }

    bool run()
    {
        if (function_.regions.empty()) {
            findings_.error(Code::malformed, fmt::format("function '{}' has no region", function_.name), {});
            return false;
        }
        for (const Tensor& tensor : function_.tensors) checkTensor(tensor);
        for (const Op& op : function_.ops) checkIds(op);
        for (const Region& region : function_.regions) checkIds(region);
        if (findings_.errors() > before_) return false;
        checkListing();
        return findings_.errors() == before_;
    }

private:
    void tensors(std::span<const TensorId> ids, const char* what, const Position& where, const auto& whose)
    {
        for (const TensorId id : ids)
            if (!inRange(id, function_.tensors))
                findings_.error(Code::outOfRange,
                                fmt::format("an {} of {} is tensor {}, and there are {}", what, describe(function_, whose), id,
                                            function_.tensors.size()),
                                where);
    }

    void checkTensor(const Tensor& tensor)
    {
        if (!inRange(tensor.region, function_.regions))
            findings_.error(Code::outOfRange,
                            fmt::format("{} is declared in region {}", describe(function_, tensor), tensor.region), tensor.where);
        if (tensor.aliasOf != none && !inRange(tensor.aliasOf, function_.tensors))
            findings_.error(Code::outOfRange,
                            fmt::format("{} is a view of tensor {}", describe(function_, tensor), tensor.aliasOf), tensor.where);
    }

    void checkIds(const Op& op)
    {
        tensors(op.inputs, "input", op.where, op);
        tensors(op.outputs, "output", op.where, op);
        tensors(op.temps, "item of scratch", op.where, op);
        for (const Carry& carry : op.carries) tensors(std::array{carry.from, carry.to}, "end of a carry", op.where, op);
        for (const InPlace& pair : op.inPlace)
            tensors(std::array{pair.input, pair.output}, "end of an in-place pair", op.where, op);
        if (!inRange(op.parent, function_.regions))
            findings_.error(Code::outOfRange, fmt::format("{} is in region {}", describe(function_, op), op.parent), op.where);
        for (const RegionId region : op.regions)
            if (!inRange(region, function_.regions) || region == 0)
                findings_.error(Code::outOfRange, fmt::format("{} holds region {}", describe(function_, op), region), op.where);
        if (op.control == Control::call ? !inRange(op.callee, program_.functions) : op.callee != none)
            findings_.error(Code::outOfRange, fmt::format("{} calls function {}", describe(function_, op), op.callee), op.where);
    }

    void checkIds(const Region& region)
    {
        const bool own = &region == function_.regions.data();
        if (own != (region.owner == none) || own != (region.role == RegionRole::function) ||
            (!own && !inRange(region.owner, function_.ops))) {
            findings_.error(Code::malformed,
                            fmt::format("region {} of '{}' is held by op {}", &region - function_.regions.data(), function_.name,
                                        region.owner),
                            {});
            return;
        }
        const Position where = own ? Position{} : function_.ops[at(region.owner)].where;
        tensors(region.inputs, "input", where, region);
        tensors(region.outputs, "output", where, region);
        for (const OpId op : region.ops)
            if (!inRange(op, function_.ops))
                findings_.error(Code::outOfRange, fmt::format("{} lists op {}", describe(function_, region), op), where);
    }

    /// Checks that every op is listed once, by its parent, and every region once, by its owner, with the role that fits the
    /// owner.
    void checkListing()
    {
        std::vector<int> listed(function_.ops.size(), 0);
        std::vector<int> held(function_.regions.size(), 0);
        for (std::size_t r = 0; r < function_.regions.size(); ++r)
            for (const OpId op : function_.regions[r].ops)
                if (++listed[at(op)] > 1 || at(function_.ops[at(op)].parent) != r)
                    findings_.error(Code::malformed,
                                    fmt::format("{} is listed twice, or not by the region that it names",
                                                describe(function_, function_.ops[at(op)])),
                                    function_.ops[at(op)].where);
        for (std::size_t o = 0; o < function_.ops.size(); ++o) {
            const Op& op = function_.ops[o];
            if (listed[o] == 0)
                findings_.error(Code::malformed, fmt::format("{} is listed by no region", describe(function_, op)), op.where);
            for (const RegionId region : op.regions)
                if (++held[at(region)] > 1 || at(function_.regions[at(region)].owner) != o)
                    findings_.error(
                        Code::malformed,
                        fmt::format("region {} of '{}' is held twice, or not by the op that it names", region, function_.name),
                        op.where);
        }
        for (std::size_t r = 1; r < held.size(); ++r)
            if (held[r] == 0)
                findings_.error(Code::malformed, fmt::format("region {} of '{}' is held by no op", r, function_.name), {});
    }

    const Program& program_;
    const Function& function_;
    Findings& findings_;
    std::size_t before_;
};

} // namespace

bool checkShape(const Program& program, const Function& function, Findings& findings)
{
    return ShapeCheck(program, function, findings).run();
}

} // namespace stowage::verifying
