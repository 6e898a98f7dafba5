#include "core/lower/hivm/lives.h"

#include "core/ir/kernel_marks.h"
#include "core/ir/views.h"
#include "core/lower/hivm/aliases.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace stowage::lowering {

namespace {

bool has(const Tensor& tensor, std::string_view mark)
{
    return attribute(tensor.attributes, mark) != nullptr;
}

bool isPlanned(const Tensor& tensor)
{
    const bool kept = tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable;
    return tensor.planned && !kept && tensor.aliasOf == none && tensor.bytes;
}

/// A buffer with several addresses from a plan is listed at the begin of its loop: the place of its allocation is not known.
bool wasMoved(const Tensor& tensor)
{
    return tensor.multiBuffer > 1 && has(tensor, marks::placed);
}

class LifeFinder {
public:
    LifeFinder(const Function& function, const HivmAxis& axis, bool coupledApart)
        : function_(function),
          axis_(axis),
          coupledApart_(coupledApart),
          origins_(viewOrigins(function)),
          events_(aliasEvents(function, origins_)),
          same_(function.tensors.size()),
          related_(function.tensors.size())
    {
    }

    HivmLives run()
    {
        connect();
        makeBuffers();
        pairAliases();
        noteAllocations();
        for (const OpId id : axis_.order) collectUses(id);
        collectRegionUses();
        walk();
        for (std::size_t b = 0; b < out_.buffers.size(); ++b) findKill(static_cast<std::int32_t>(b));
        return std::move(out_);
    }

private:
    // --- aliases ---------------------------------------------------------------------------------------------------------

    TensorId rootOf(TensorId id) const { return origins_[at(id)].root; }
    /// The class of a tensor: tensors with the same bytes, or with `related`, tensors that may have the same bytes.
    TensorId classOf(TensorId id) { return same_.find(rootOf(id)); }
    TensorId relatedOf(TensorId id) { return related_.find(rootOf(id)); }

    void connect()
    {
        for (const AliasEvent& event : events_) {
            if (event.op != none) continue;
            related_.unite(event.a, event.b);
            if (!event.conditional) same_.unite(event.a, event.b);
        }
        touched_.resize(function_.tensors.size());
        uses_.resize(function_.tensors.size());
        lastUse_.assign(function_.tensors.size(), -1);
    }

    void makeBuffers()
    {
        out_.ofTensor.assign(function_.tensors.size(), none);
        out_.delta.assign(function_.tensors.size(), 0);
        firstOf_.assign(function_.tensors.size(), none);
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const Tensor& tensor = function_.tensors[t];
            if (!isPlanned(tensor)) continue;
            const auto id = static_cast<std::int32_t>(out_.buffers.size());
            HivmBuffer& made = out_.buffers.emplace_back();
            made.owner = static_cast<TensorId>(t);
            made.size = *tensor.bytes;
            made.slots = tensor.multiBuffer;
            made.keptOutOfInPlace = has(tensor, marks::scratch);
            made.unique = has(tensor, marks::unique) || (coupledApart_ && has(tensor, marks::coupledOwner));
            out_.ofTensor[t] = id;
            if (std::int32_t& first = firstOf_[at(classOf(made.owner))]; first == none) first = id;
        }
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const TensorId root = rootOf(static_cast<TensorId>(t));
            // A tensor that is no allocation, but has the bytes of some, is bound to the first of these.
            const std::int32_t own = out_.ofTensor[at(root)];
            out_.ofTensor[t] = own != none ? own : firstOf_[at(classOf(root))];
            if (out_.ofTensor[t] != none) out_.delta[t] = origins_[t].offset;
        }
    }

    /// Finds the pairs of allocations with the same bytes, in the compiler's order, and the allocations that are not merged in
    /// place.
    void pairAliases()
    {
        AliasOrder order(function_.tensors.size());
        std::vector<std::int32_t> conditional(function_.tensors.size(), 0); // by class: a source of a conditional alias
        for (const AliasEvent& event : events_) {
            if (event.op != none) continue;
            if (event.conditional)
                conditional[at(classOf(event.b))] = 1;
            else
                order.link(event.a, event.b);
        }
        std::map<TensorId, std::vector<std::int32_t>> shared; // by class: its allocations that are not unique
        for (std::size_t b = 0; b < out_.buffers.size(); ++b) {
            HivmBuffer& buffer = out_.buffers[b];
            const TensorId its = classOf(buffer.owner);
            if (conditional[at(its)] != 0) buffer.keptOutOfInPlace = true;
            if (!buffer.unique) shared[its].push_back(static_cast<std::int32_t>(b));
        }
        for (const auto& [its, members] : shared) {
            if (members.size() < 2) continue;
            for (const std::int32_t member : members) out_.buffers[at(member)].keptOutOfInPlace = true;
            for (const TensorId alias : order.aliasesOf(out_.buffers[at(members.front())].owner)) {
                const std::int32_t other = isPlanned(function_.tensors[at(alias)]) ? out_.ofTensor[at(alias)] : none;
                if (other != none && !out_.buffers[at(other)].unique) out_.aliases.emplace_back(members.front(), other);
            }
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
        }
    }

    // --- uses ------------------------------------------------------------------------------------------------------------

    struct Use {
        OpId op = none; ///< none: an output of `region`
        RegionId region = none;
    };

    /// Facts about a class.
    struct Touched {
        bool loaded = false, stored = false, scalar = false, meetsLoad = false, meetsStore = false;
    };

    void collectUses(OpId id)
    {
        const Op& op = function_.ops[at(id)];
        const bool loads = attribute(op.attributes, marks::load) != nullptr;
        const bool stores = attribute(op.attributes, marks::store) != nullptr;
        for (const auto* list : {&op.inputs, &op.outputs, &op.temps})
            for (const TensorId tensor : *list) {
                // An output of a loop's or a branch's region is used at the end of the region, and where an op reads it.
                if (op.control != Control::leaf && list == &op.outputs) continue;
                use(tensor, {id, none}, axis_.ops[at(id)].begin);
                if (op.control != Control::leaf) continue;
                Touched& it = touched_[at(classOf(tensor))];
                it.loaded |= op.pipe == pipes::load && list == &op.outputs;
                it.stored |= (op.pipe == pipes::store || op.pipe == pipes::storeAccumulators) && list == &op.inputs;
                it.scalar |= op.pipe == pipes::scalar;
                it.meetsLoad |= loads;
                it.meetsStore |= stores;
            }
    }

    void collectRegionUses()
    {
        for (std::size_t r = 0; r < function_.regions.size(); ++r)
            for (const TensorId output : function_.regions[r].outputs)
                use(output, {none, static_cast<RegionId>(r)}, endOf(static_cast<RegionId>(r)));
        for (HivmBuffer& buffer : out_.buffers) {
            const Touched& it = touched_[at(classOf(buffer.owner))];
            buffer.loaded = it.loaded;
            buffer.stored = it.stored;
            buffer.scalar = it.scalar;
            buffer.meetsLoad = it.meetsLoad;
            buffer.meetsStore = it.meetsStore;
        }
    }

    void use(TensorId tensor, Use how, Step step)
    {
        const TensorId its = relatedOf(tensor);
        uses_[at(its)].push_back(how);
        lastUse_[at(its)] = std::max(lastUse_[at(its)], step);
    }

    Step endOf(RegionId region) const
    {
        const OpId owner = function_.regions[at(region)].owner;
        return owner == none ? static_cast<Step>(axis_.steps.size()) - 1 : axis_.ops[at(owner)].end;
    }

    // --- first writes ----------------------------------------------------------------------------------------------------

    void write(std::int32_t id, OpId op, Step step)
    {
        HivmBuffer& buffer = out_.buffers[at(id)];
        if (buffer.gen >= 0) return;
        buffer.gen = step;
        buffer.genOp = op;
        buffer.order = written_++;
    }

    /// Finds first writes, in the order of links and ops: a write counts for all allocations that are linked with the tensor by
    /// then. An allocation that nothing writes gets the first write of its class.
    void walk()
    {
        for (const TensorId input : function_.body().inputs)
            if (const std::int32_t b = out_.ofTensor[at(input)]; b != none) write(b, none, 0);
        byAllocation_.resize(out_.buffers.size());
        std::iota(byAllocation_.begin(), byAllocation_.end(), 0);
        std::stable_sort(byAllocation_.begin(), byAllocation_.end(),
                         [&](std::int32_t a, std::int32_t b) { return allocated_[at(a)] < allocated_[at(b)]; });
        AliasClasses known(function_.tensors.size());                               // the aliases found so far
        std::vector<std::vector<std::int32_t>> unwritten(function_.tensors.size()); // by class of `known`
        for (std::size_t b = 0; b < out_.buffers.size(); ++b)
            unwritten[at(out_.buffers[b].owner)].push_back(static_cast<std::int32_t>(b));
        for (const AliasEvent& event : events_) {
            if (event.op != none) {
                visitWrites(event.op, known, unwritten);
                continue;
            }
            const TensorId a = known.find(event.a), b = known.find(event.b);
            if (!known.unite(a, b)) continue;
            auto& kept = unwritten[at(known.find(a))];
            auto& other = unwritten[at(known.find(a) == a ? b : a)];
            kept.insert(kept.end(), other.begin(), other.end());
            other.clear();
        }
        // An allocation that is written through an alias only.
        std::map<TensorId, std::pair<Step, std::int32_t>> first; // by class: gen and order
        for (const HivmBuffer& buffer : out_.buffers)
            if (buffer.gen >= 0) {
                const auto [it, fresh] = first.try_emplace(classOf(buffer.owner), buffer.gen, buffer.order);
                if (!fresh) it->second = std::min(it->second, {buffer.gen, buffer.order});
            }
        for (HivmBuffer& buffer : out_.buffers)
            if (const auto found = first.find(classOf(buffer.owner)); buffer.gen < 0 && found != first.end())
                std::tie(buffer.gen, buffer.order) = found->second;
    }

    /// First writes at an op. At the begin of a loop that is all that was allocated before it, is in use later and is not
    /// written yet; at a leaf, its results and scratch with their aliases of `known`, whose unwritten buffers are in
    /// `unwritten`, by class.
    void visitWrites(OpId id, AliasClasses& known, std::vector<std::vector<std::int32_t>>& unwritten)
    {
        const Op& op = function_.ops[at(id)];
        const Step step = axis_.ops[at(id)].begin;
        if (op.control == Control::loop) {
            for (; nextAllocated_ < byAllocation_.size() && allocated_[at(byAllocation_[nextAllocated_])] < step;
                 ++nextAllocated_)
                waiting_.push_back(byAllocation_[nextAllocated_]);
            // Each buffer is examined until it is written or dead; most are examined once.
            std::erase_if(waiting_, [&](std::int32_t b) {
                const HivmBuffer& buffer = out_.buffers[at(b)];
                if (lastUse_[at(relatedOf(buffer.owner))] <= step || buffer.gen >= 0) return true;
                const RegionId home = function_.tensors[at(buffer.owner)].region;
                if (axis_.commonRegion(function_, home, op.parent) != home) return false;
                write(b, none, step);
                return true;
            });
        }
        if (op.control != Control::leaf || attribute(op.attributes, marks::chooses)) return;
        for (const auto* list : {&op.outputs, &op.temps})
            for (const TensorId tensor : *list) {
                const TensorId root = rootOf(tensor);
                if (isPlanned(function_.tensors[at(root)])) write(out_.ofTensor[at(root)], id, step);
                std::erase_if(unwritten[at(known.find(root))], [&](std::int32_t b) {
                    if (allocated_[at(b)] >= step && out_.buffers[at(b)].gen < 0) return false;
                    write(b, id, step);
                    return true;
                });
            }
    }

    // --- last uses -------------------------------------------------------------------------------------------------------

    struct Death {
        Step step = -1;
        OpId leaf = none;
    };

    RegionId regionOf(const Use& use) const { return use.op != none ? function_.ops[at(use.op)].parent : use.region; }

    /// The end of the last of `uses`, seen from `region` or one around it.
    Death lastOf(const std::vector<Use>& uses, RegionId region) const
    {
        for (const Use& use : uses) region = axis_.commonRegion(function_, region, regionOf(use));
        Death death;
        for (const Use& use : uses) {
            Death its;
            if (use.op == none && use.region == region) {
                its.step = endOf(region);
            } else {
                const OpId inside = use.op != none ? use.op : function_.regions[at(use.region)].owner;
                const OpId op = HivmAxis::ancestorIn(function_, inside, region);
                its.step = axis_.ops[at(op)].end;
                if (function_.ops[at(op)].control == Control::leaf) its.leaf = op;
            }
            if (its.step > death.step || (its.step == death.step && death.leaf == none)) death = its;
        }
        return death;
    }

    /// The step at which the buffer dies: its last use, seen from the region of its allocation, and not before its first write.
    void findKill(std::int32_t id)
    {
        HivmBuffer& buffer = out_.buffers[at(id)];
        if (buffer.gen < 0) return;
        const Tensor& owner = function_.tensors[at(buffer.owner)];
        const TensorId its = relatedOf(buffer.owner);
        const std::vector<Use>& uses = uses_[at(its)];
        // A buffer that was listed at the begin of its loop was allocated in some region around its uses.
        const bool moved = wasMoved(owner) && !uses.empty();
        const RegionId home = moved ? regionOf(uses.front()) : owner.region;
        const auto [known, fresh] = deaths_.try_emplace({its, home});
        if (fresh) known->second = lastOf(uses, home);
        const Death& last = known->second;
        buffer.kill = buffer.gen;
        buffer.killOp = buffer.genOp;
        if (last.step > buffer.kill || (last.step == buffer.kill && buffer.killOp == none)) {
            buffer.kill = last.step;
            buffer.killOp = last.leaf;
        }
        if (!has(owner, marks::preload)) return;
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
    bool coupledApart_;
    std::vector<ViewOrigin> origins_;
    std::vector<AliasEvent> events_;
    AliasClasses same_;                  ///< tensors with the same bytes in every execution
    AliasClasses related_;               ///< tensors that may have the same bytes
    std::vector<std::int32_t> firstOf_;  ///< by class of `same_`: its first buffer
    std::vector<Touched> touched_;       ///< by class of `same_`
    std::vector<std::vector<Use>> uses_; ///< by class of `related_`
    std::vector<Step> lastUse_;          ///< by class of `related_`: begin of the last op that uses it
    std::map<std::pair<TensorId, RegionId>, Death> deaths_;
    std::vector<Step> allocated_;            ///< by buffer
    std::vector<std::int32_t> byAllocation_; ///< buffers in the order in which they are allocated
    std::size_t nextAllocated_ = 0;          ///< index of the first one that is not allocated yet
    std::vector<std::int32_t> waiting_;      ///< allocated, and not known to be written or dead
    std::int32_t written_ = 0;
    HivmLives out_;
};

} // namespace

HivmLives findHivmLives(const Function& function, const HivmAxis& axis, bool coupledApart)
{
    return LifeFinder(function, axis, coupledApart).run();
}

} // namespace stowage::lowering
