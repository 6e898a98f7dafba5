#include "core/lower/hivm/lives.h"

#include "core/ir/views.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace stowage::lowering {

namespace {

bool isPlanned(const Tensor& tensor)
{
    const bool kept = tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable;
    return tensor.planned && !kept && tensor.aliasOf == none && tensor.bytes && *tensor.bytes > 0;
}

/// A planned one with several addresses stands at the front of its loop: where it was allocated, nobody knows any more.
bool wasMoved(const Tensor& tensor)
{
    return tensor.multiBuffer > 1 && attribute(tensor.attributes, "pointer-cast");
}

class Finder {
public:
    Finder(const Function& function, const HivmAxis& axis)
        : function_(function), axis_(axis), origins_(viewOrigins(function)), parent_(function.tensors.size())
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    HivmLives run()
    {
        connect();
        makeBuffers();
        noteAllocations();
        visitOps();
        for (std::size_t b = 0; b < out_.buffers.size(); ++b) findKill(static_cast<std::int32_t>(b));
        return std::move(out_);
    }

private:
    // --- which tensors are one -----------------------------------------------------------------------------------------

    TensorId find(TensorId id)
    {
        TensorId root = origins_[at(id)].root;
        while (parent_[at(root)] != root) root = parent_[at(root)] = parent_[at(parent_[at(root)])];
        return root;
    }
    void unite(TensorId a, TensorId b)
    {
        a = find(a);
        b = find(b);
        parent_[at(std::max(a, b))] = std::min(a, b);
    }

    void connect()
    {
        for (const Op& op : function_.ops) {
            if (op.control == Control::loop) {
                const Region& body = function_.regions[at(op.regions.back())];
                for (std::size_t i = 0; i < std::min(op.inputs.size(), body.inputs.size()); ++i)
                    unite(op.inputs[i], body.inputs[i]);
                for (const Carry& carry : op.carries) unite(carry.from, carry.to);
                for (std::size_t i = 0; i < op.outputs.size(); ++i) unite(op.outputs[i], body.outputs[i]);
                if (op.regions.size() == 2) {
                    const auto& given = function_.regions[at(op.regions.front())].inputs;
                    for (std::size_t i = 0; i < std::min(given.size(), op.inputs.size()); ++i) unite(op.inputs[i], given[i]);
                }
            } else if (op.control == Control::branch) {
                for (const RegionId id : op.regions) {
                    const Region& branch = function_.regions[at(id)];
                    for (std::size_t i = 0; i < branch.inputs.size(); ++i) unite(op.inputs[i + 1], branch.inputs[i]);
                    for (std::size_t i = 0; i < op.outputs.size(); ++i) unite(op.outputs[i], branch.outputs[i]);
                }
            } else if ((op.kind == "arith.select" || op.kind.starts_with("cf.")) && !op.outputs.empty()) {
                selects_.push_back(&op);
            }
        }
    }

    void makeBuffers()
    {
        std::unordered_map<TensorId, std::int32_t> byRoot;
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const Tensor& tensor = function_.tensors[t];
            if (!isPlanned(tensor)) continue;
            const auto id = static_cast<TensorId>(t);
            const auto [found, fresh] = byRoot.emplace(find(id), static_cast<std::int32_t>(out_.buffers.size()));
            if (fresh) {
                HivmBuffer& made = out_.buffers.emplace_back();
                made.owner = id;
                made.home = tensor.region;
            }
            HivmBuffer& buffer = out_.buffers[at(found->second)];
            buffer.owners.push_back(id);
            buffer.size = std::max(buffer.size, *tensor.bytes);
            buffer.copies = std::max(buffer.copies, tensor.multiBuffer);
            buffer.home = axis_.commonRegion(function_, buffer.home, tensor.region);
        }
        out_.ofTensor.assign(function_.tensors.size(), none);
        out_.delta.assign(function_.tensors.size(), 0);
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const auto found = byRoot.find(find(static_cast<TensorId>(t)));
            if (found == byRoot.end()) continue;
            out_.ofTensor[t] = found->second;
            out_.delta[t] = origins_[t].offset;
        }
        uses_.resize(out_.buffers.size());
        // A select's result may be either source; and it may be a source of the next one, so the nearest results come first.
        sources_.resize(function_.tensors.size());
        for (const Op* select : selects_)
            for (const TensorId input : select->inputs) {
                auto& to = sources_[at(find(select->outputs.front()))];
                if (const std::int32_t buffer = out_.ofTensor[at(input)]; buffer != none) {
                    to.push_back(buffer);
                    out_.buffers[at(buffer)].conditional = true;
                }
                const auto& further = sources_[at(find(input))];
                if (&further != &to) to.insert(to.end(), further.begin(), further.end());
                std::sort(to.begin(), to.end());
                to.erase(std::unique(to.begin(), to.end()), to.end());
            }
    }

    /// An allocation is an op with the tensor's name; without one the buffer is there from its region's begin.
    void noteAllocations()
    {
        std::unordered_map<std::string_view, OpId> byName;
        for (std::size_t o = 0; o < function_.ops.size(); ++o) byName.emplace(function_.ops[o].name, static_cast<OpId>(o));
        allocated_.assign(out_.buffers.size(), -1);
        for (std::size_t b = 0; b < out_.buffers.size(); ++b) {
            const Tensor& tensor = function_.tensors[at(out_.buffers[b].owner)];
            if (wasMoved(tensor))
                allocated_[b] = static_cast<Step>(axis_.steps.size());
            else if (const auto found = byName.find(tensor.name); found != byName.end())
                allocated_[b] = axis_.ops[at(found->second)].begin;
            else if (const OpId holder = function_.regions[at(tensor.region)].owner; holder != none)
                allocated_[b] = axis_.ops[at(holder)].begin;
            for (const TensorId input : function_.body().inputs)
                if (out_.ofTensor[at(input)] == static_cast<std::int32_t>(b)) write(static_cast<std::int32_t>(b), none, 0);
        }
    }

    // --- what is written and used --------------------------------------------------------------------------------------

    template <typename Visit>
    void eachBuffer(TensorId tensor, Visit&& visit)
    {
        if (const std::int32_t buffer = out_.ofTensor[at(tensor)]; buffer != none) visit(buffer);
        for (const std::int32_t source : sources_[at(find(tensor))]) visit(source);
    }

    void write(std::int32_t id, OpId op, Step step)
    {
        HivmBuffer& buffer = out_.buffers[at(id)];
        if (buffer.gen >= 0) return;
        buffer.gen = step;
        buffer.genOp = op;
        buffer.order = written_++;
    }

    void use(TensorId tensor, OpId op)
    {
        eachBuffer(tensor, [&](std::int32_t buffer) { uses_[at(buffer)].push_back({op, none}); });
    }

    void visitOps()
    {
        lastUse_.assign(out_.buffers.size(), -1);
        for (const OpId id : axis_.order) collectUses(id);
        for (std::size_t r = 0; r < function_.regions.size(); ++r)
            for (const TensorId output : function_.regions[r].outputs)
                eachBuffer(output, [&](std::int32_t buffer) {
                    uses_[at(buffer)].push_back({none, static_cast<RegionId>(r)});
                    const Step end = endOf(static_cast<RegionId>(r));
                    lastUse_[at(buffer)] = std::max(lastUse_[at(buffer)], end);
                });
        byAllocation_.resize(out_.buffers.size());
        std::iota(byAllocation_.begin(), byAllocation_.end(), 0);
        std::stable_sort(byAllocation_.begin(), byAllocation_.end(),
                         [&](std::int32_t a, std::int32_t b) { return allocated_[at(a)] < allocated_[at(b)]; });
        for (const OpId id : axis_.order) visitWrites(id);
    }

    Step endOf(RegionId region) const
    {
        const OpId owner = function_.regions[at(region)].owner;
        return owner == none ? static_cast<Step>(axis_.steps.size()) - 1 : axis_.ops[at(owner)].end;
    }

    void collectUses(OpId id)
    {
        const Op& op = function_.ops[at(id)];
        for (const auto* list : {&op.inputs, &op.outputs, &op.temps})
            for (const TensorId tensor : *list) {
                // What a loop or a branch hands out is used where its region ends, and where somebody reads it.
                if (op.control != Control::leaf && list == &op.outputs) continue;
                use(tensor, id);
                eachBuffer(tensor, [&](std::int32_t buffer) {
                    lastUse_[at(buffer)] = std::max(lastUse_[at(buffer)], axis_.ops[at(id)].begin);
                });
            }
        if (op.pipe.empty() || op.control != Control::leaf) return;
        const auto mark = [&](const std::vector<TensorId>& tensors, bool HivmBuffer::*flag) {
            for (const TensorId tensor : tensors)
                eachBuffer(tensor, [&](std::int32_t buffer) { out_.buffers[at(buffer)].*flag = true; });
        };
        if (op.pipe == "MTE2") mark(op.outputs, &HivmBuffer::loaded);
        if (op.pipe == "MTE3" || op.pipe == "FIX") mark(op.inputs, &HivmBuffer::stored);
        if (op.pipe == "S")
            for (const auto* list : {&op.inputs, &op.outputs, &op.temps}) mark(*list, &HivmBuffer::scalar);
    }

    void visitWrites(OpId id)
    {
        const Op& op = function_.ops[at(id)];
        const Step step = axis_.ops[at(id)].begin;
        if (op.control == Control::loop) {
            for (; nextAllocated_ < byAllocation_.size() && allocated_[at(byAllocation_[nextAllocated_])] < step;
                 ++nextAllocated_)
                unwritten_.push_back(byAllocation_[nextAllocated_]);
            // Each buffer is looked at until it is written or dead, once for most.
            std::erase_if(unwritten_, [&](std::int32_t b) {
                if (lastUse_[at(b)] <= step || out_.buffers[at(b)].gen >= 0) return true;
                if (!visibleAt(out_.buffers[at(b)], op.parent)) return false;
                write(b, none, step);
                return true;
            });
        }
        if (op.control != Control::leaf) return;
        for (const auto* list : {&op.outputs, &op.temps})
            for (const TensorId tensor : *list) eachBuffer(tensor, [&](std::int32_t buffer) { write(buffer, id, step); });
    }

    /// True when the region of the buffer's allocation is `region` or holds it.
    bool visibleAt(const HivmBuffer& buffer, RegionId region) const
    {
        return axis_.commonRegion(function_, buffer.home, region) == buffer.home;
    }

    // --- when it dies ----------------------------------------------------------------------------------------------------

    struct Use {
        OpId op = none; ///< none: what `region` hands out
        RegionId region = none;
    };

    RegionId regionOf(const Use& use) const { return use.op != none ? function_.ops[at(use.op)].parent : use.region; }

    void findKill(std::int32_t id)
    {
        HivmBuffer& buffer = out_.buffers[at(id)];
        if (buffer.gen < 0) return;
        // One that was moved to the front of its loop stood somewhere around its uses.
        RegionId region = wasMoved(function_.tensors[at(buffer.owner)]) && !uses_[at(id)].empty()
                              ? regionOf(uses_[at(id)].front())
                              : buffer.home;
        for (const Use& use : uses_[at(id)]) region = axis_.commonRegion(function_, region, regionOf(use));
        buffer.kill = buffer.gen;
        buffer.killOp = buffer.genOp;
        for (const Use& use : uses_[at(id)]) {
            Step end = 0;
            OpId leaf = none;
            if (use.op == none && use.region == region) {
                end = endOf(region);
            } else {
                const OpId inside = use.op != none ? use.op : function_.regions[at(use.region)].owner;
                const OpId op = HivmAxis::ancestorIn(function_, inside, region);
                end = axis_.ops[at(op)].end;
                if (function_.ops[at(op)].control == Control::leaf) leaf = op;
            }
            if (end <= buffer.kill && buffer.killOp != none) continue;
            if (end < buffer.kill) continue;
            buffer.kill = end;
            buffer.killOp = leaf;
        }
        const Tensor& owner = function_.tensors[at(buffer.owner)];
        if (!attribute(owner.attributes, "preload")) return;
        for (RegionId around = owner.region; around != none; around = HivmAxis::parentOf(function_, around)) {
            const OpId holder = function_.regions[at(around)].owner;
            if (holder == none || function_.ops[at(holder)].control != Control::loop) continue;
            buffer.gen = axis_.ops[at(holder)].begin;
            buffer.kill = axis_.ops[at(holder)].end;
            buffer.genOp = buffer.killOp = none;
            return;
        }
    }

    const Function& function_;
    const HivmAxis& axis_;
    std::vector<ViewOrigin> origins_;
    std::vector<TensorId> parent_;
    std::vector<const Op*> selects_;
    std::vector<std::vector<std::int32_t>> sources_; ///< by root tensor: buffers that a select's result may be
    std::vector<std::vector<Use>> uses_;             ///< by buffer
    std::vector<Step> allocated_;                    ///< by buffer
    std::vector<Step> lastUse_;                      ///< by buffer: begin of the last op that uses it
    std::vector<std::int32_t> byAllocation_;         ///< buffers in the order in which they are allocated
    std::size_t nextAllocated_ = 0;                  ///< the first of those that is not yet
    std::vector<std::int32_t> unwritten_;            ///< allocated, and not known to be written or dead
    std::int32_t written_ = 0;
    HivmLives out_;
};

} // namespace

HivmLives findHivmLives(const Function& function, const HivmAxis& axis)
{
    return Finder(function, axis).run();
}

} // namespace stowage::lowering
