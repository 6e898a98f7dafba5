#include "core/lower/hivm/hivm.h"

#include "core/ir/checked.h"
#include "core/ir/kernel_marks.h"
#include "core/lower/facts.h"
#include "core/lower/hivm/coupled.h"
#include "core/lower/hivm/lives.h"
#include "core/lower/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <unordered_set>

namespace stowage::lowering {

namespace {

constexpr std::string_view workspacePrefix = "workspace:";
constexpr Bytes workspaceAlignment = 32; ///< 256 bits

/// The value of an attribute that may be missing.
std::string_view valueOf(const std::vector<Attribute>& attributes, std::string_view name)
{
    const std::string* value = attribute(attributes, name);
    return value ? std::string_view(*value) : std::string_view();
}

class HivmLowering {
public:
    HivmLowering(const Program& program, const LowerOptions& options)
        : program_(program), function_(program.main()), options_(options)
    {
    }

    Expected<Lowering> run()
    {
        for (const Op& op : function_.ops)
            if (op.control == Control::call)
                return failure(Code::notAvailable,
                               fmt::format("'{}' calls a function, and calls are not expanded with order=hivm", op.name),
                               op.where, "use --lower order=linear (in the window: Program, order)");
        auto axis = HivmAxis::of(function_);
        if (!axis) return std::move(axis).error();
        axis_ = *std::move(axis);
        lives_ = findHivmLives(function_, axis_, options_.coupledApart);
        to_.options = options_;
        to_.problem.name = program_.name;
        to_.problem.axis = Axis::hivm;
        to_.problem.pools = poolsFor(program_, options_);
        to_.fingerprint = Fingerprint(options_, to_.problem.pools);
        to_.problem.loops = axis_.loops;
        for (const OpId op : axis_.steps) to_.steps.push_back({program_.entry, op, 0});
        if (auto error = choosePools()) return *std::move(error);
        makePlaces();
        for (const auto& [from, into] : lives_.aliases)
            if (pools_[at(from)] != none && pools_[at(from)] == pools_[at(into)]) fold(from, into);
        findInPlace();
        if (auto error = makeBuffers()) return *std::move(error);
        addPermissions();
        if (!options_.coupledApart) letCoupledShare(program_, to_.problem);
        bind();
        listLeftOut();
        return std::move(to_);
    }

private:
    const Tensor& owner(std::size_t buffer) const { return function_.tensors[at(lives_.buffers[buffer].owner)]; }

    // --- pools -----------------------------------------------------------------------------------------------------------

    /// Finds the pool of each buffer, and whether it is planned.
    std::optional<Error> choosePools()
    {
        std::map<std::string, PoolId, std::less<>> byName;
        std::vector<PoolId> workspaces;
        for (std::size_t p = 0; p < to_.problem.pools.size(); ++p) {
            byName.emplace(to_.problem.pools[p].name, static_cast<PoolId>(p));
            if (to_.problem.pools[p].kind == PoolKind::workspace) workspaces.push_back(static_cast<PoolId>(p));
        }
        pools_.assign(lives_.buffers.size(), none);
        bool refused = false;
        for (std::size_t b = 0; b < lives_.buffers.size(); ++b) {
            const Tensor& tensor = owner(b);
            if (otherMode(tensor)) continue;
            if (lives_.buffers[b].gen < 0) {
                if (attribute(tensor.attributes, marks::placed)) continue;
                return failure(Code::neverWritten,
                               fmt::format("'{}' is read before its first write: nothing writes it", tensor.name), tensor.where,
                               "remove it, or write it first");
            }
            if (tensor.pools.empty()) {
                if (workspaces.size() != 1) return withoutSpace(b);
                pools_[b] = workspaces.front();
                continue;
            }
            const std::string& name = tensor.pools.front();
            auto found = byName.find(name);
            if (found == byName.end() && name.starts_with(workspacePrefix)) {
                Pool pool;
                pool.name = name;
                pool.alignment = workspaceAlignment;
                pool.description = "workspace in global memory, the function's argument of that name";
                found = byName.emplace(name, static_cast<PoolId>(to_.problem.pools.size())).first;
                to_.problem.pools.push_back(std::move(pool));
            }
            if (found == byName.end())
                return failure(Code::noPool,
                               fmt::format("'{}' lies in '{}', and the target has no pool of that name", tensor.name, name),
                               tensor.where, "choose a target that has it, or add it with --pool NAME=BYTES");
            pools_[b] = found->second;
            refused = refused || to_.problem.pools[at(pools_[b])].core == CoreMemory::operand;
        }
        limitForSimt();
        const bool target = std::any_of(to_.problem.pools.begin(), to_.problem.pools.end(),
                                        [](const Pool& pool) { return pool.capacity && pool.core != CoreMemory::outside; });
        dropUnused();
        tellWithoutCapacity(target);
        if (refused)
            to_.diagnostics.push_back(warning(
                Code::notByCompiler, "buffers in ca or cb (L0A, L0B) are planned here; the compiler refuses to plan them"));
        return std::nullopt;
    }

    /// One error for all allocations without an address space, from `first` on: a file with one mostly has more.
    Error withoutSpace(std::size_t first) const
    {
        std::string others;
        std::size_t count = 0;
        for (std::size_t b = first + 1; b < lives_.buffers.size(); ++b) {
            const Tensor& tensor = owner(b);
            if (!tensor.pools.empty() || lives_.buffers[b].gen < 0 || otherMode(tensor)) continue;
            if (++count <= 8)
                others += fmt::format("{}{}", others.empty() ? "" : ", ",
                                      tensor.where.line > 0 ? std::to_string(tensor.where.line) : tensor.name);
        }
        if (count > 8) others += ", …";
        const std::string more = count == 0 ? std::string()
                                            : fmt::format(", and so {} {} more: line{} {}", count == 1 ? "is" : "are", count,
                                                          count == 1 ? "" : "s", others);
        return failure(Code::noSpace, fmt::format("'{}' is allocated without an address space{}", owner(first).name, more),
                       owner(first).where,
                       "run the compiler's pass that infers memory scopes before PlanMemory, or add a space to the type by hand: "
                       "memref<…, #hivm.address_space<ub>>");
    }

    /// True for an allocation that belongs to the other mode of the pass.
    bool otherMode(const Tensor& tensor) const
    {
        const bool workspace = !tensor.pools.empty() && tensor.pools.front().starts_with(workspacePrefix);
        return (options_.memPlan == MemPlanMode::local && workspace) ||
               (options_.memPlan == MemPlanMode::workspace && !workspace);
    }

    /// A function of a marked mode has `LowerOptions::simtBytes` of the unified buffer; a note says so.
    void limitForSimt()
    {
        for (std::size_t b = 0; b < pools_.size(); ++b) {
            if (pools_[b] == none) continue;
            Pool& pool = to_.problem.pools[at(pools_[b])];
            const std::string* mode = attribute(owner(b).attributes, marks::vectorMode);
            if (!mode || pool.core != CoreMemory::unified || !pool.capacity || *pool.capacity <= options_.simtBytes) continue;
            Diagnostic told =
                warning(Code::simt, fmt::format("{} is a function of {} mode: of the {} KB of {} it has {}", function_.name,
                                                *mode, *pool.capacity / 1024, pool.name, options_.simtBytes / 1024));
            told.severity = Severity::note;
            told.remedy = "--option simt-vf-dynamic-size=KB";
            to_.diagnostics.push_back(std::move(told));
            pool.capacity = options_.simtBytes;
            return;
        }
    }

    /// Removes unused pools: a core has seven memories, and most kernels use one or two. If no pool is used, all stay.
    void dropUnused()
    {
        std::vector<bool> used(to_.problem.pools.size(), false);
        for (const PoolId pool : pools_)
            if (pool != none) used[at(pool)] = true;
        if (std::find(used.begin(), used.end(), true) == used.end()) return;
        std::vector<PoolId> renumbered(used.size(), none);
        std::vector<Pool> kept;
        for (std::size_t p = 0; p < used.size(); ++p) {
            if (!used[p]) continue;
            renumbered[p] = static_cast<PoolId>(kept.size());
            kept.push_back(std::move(to_.problem.pools[p]));
        }
        to_.problem.pools = std::move(kept);
        for (PoolId& pool : pools_)
            if (pool != none) pool = renumbered[at(pool)];
    }

    /// Warns about pools without a capacity, in which no plan overflows. `target`: the user has given the capacities of other
    /// pools of the core.
    void tellWithoutCapacity(bool target)
    {
        std::vector<std::string_view> unpublished;
        std::vector<std::string_view> unnamed;
        for (const Pool& pool : to_.problem.pools)
            if (!pool.capacity && pool.core != CoreMemory::outside) (target ? unpublished : unnamed).push_back(pool.name);
        if (!unnamed.empty()) {
            Diagnostic told = warning(Code::noTarget,
                                      fmt::format("no target is named: {} {} no capacity, and nothing overflows",
                                                  listNames(unnamed), unnamed.size() == 1 ? "has" : "have"),
                                      {}, "--target ascend910b1, for example");
            told.severity = Severity::note;
            to_.diagnostics.push_back(std::move(told));
        }
        for (const std::string_view name : unpublished)
            to_.diagnostics.push_back(
                warning(Code::capacityNotKnown,
                        fmt::format("the capacity of {} is not published: whether its buffers fit cannot be said", name), {},
                        fmt::format("say it with --pool {}=BYTES", name)));
    }

    // --- places ------------------------------------------------------------------------------------------------------------

    /// Buffers of `lives_` that become one buffer. Its position in the list is that of `into`, the buffer into which others were
    /// folded last.
    struct Place {
        std::int32_t into = none; ///< none: it has its own place
        std::int32_t next = none; ///< the member after it, in the planner's order
        std::int32_t last = none; ///< of the members; `first` is the buffer of the place that was folded in last
        std::int32_t first = none;
        Step begin = 0, end = 0; ///< lives united, half-open
        Bytes size = 0;
        std::int32_t slots = 1;
        bool multi = false;                         ///< the buffer, or one that it was paired with, has several slots
        bool meetsLoad = false, meetsStore = false; ///< any member does
    };

    void makePlaces()
    {
        places_.resize(lives_.buffers.size());
        for (std::size_t b = 0; b < places_.size(); ++b) {
            const HivmBuffer& buffer = lives_.buffers[b];
            const auto id = static_cast<std::int32_t>(b);
            places_[b] = {none,
                          none,
                          id,
                          id,
                          buffer.gen,
                          buffer.kill + 1,
                          buffer.size,
                          buffer.slots,
                          buffer.slots > 1,
                          buffer.meetsLoad,
                          buffer.meetsStore};
        }
    }

    std::int32_t placeOf(std::int32_t buffer) const
    {
        while (places_[at(buffer)].into != none) buffer = places_[at(buffer)].into;
        return buffer;
    }

    /// Folds the place of `from` into that of `into`. The members of `from` come first, then the others.
    void fold(std::int32_t from, std::int32_t into)
    {
        from = placeOf(from);
        into = placeOf(into);
        if (from == into) return;
        Place& gone = places_[at(from)];
        Place& kept = places_[at(into)];
        gone.into = into;
        places_[at(gone.last)].next = kept.first;
        kept.first = gone.first;
        kept.begin = std::min(kept.begin, gone.begin);
        kept.end = std::max(kept.end, gone.end);
        kept.size = std::max(kept.size, gone.size);
        kept.slots = std::max(kept.slots, gone.slots);
        kept.meetsLoad |= gone.meetsLoad;
        kept.meetsStore |= gone.meetsStore;
    }

    // --- in place ----------------------------------------------------------------------------------------------------------

    bool isIn(TensorId tensor, std::int32_t buffer) const { return lives_.ofTensor[at(tensor)] == buffer; }

    /// Merges in place, op by op in the order of the axis: buffers that are first written at an op, the largest first, may take
    /// the place of buffers that die there.
    void findInPlace()
    {
        std::vector<std::vector<std::int32_t>> written(function_.ops.size());
        for (std::size_t b = 0; b < lives_.buffers.size(); ++b)
            if (const HivmBuffer& buffer = lives_.buffers[b]; pools_[b] != none && buffer.genOp != none)
                written[at(buffer.genOp)].push_back(static_cast<std::int32_t>(b));
        for (const OpId id : axis_.order) {
            auto& gens = written[at(id)];
            if (gens.empty()) continue;
            std::sort(gens.begin(), gens.end(), [&](std::int32_t a, std::int32_t b) {
                const HivmBuffer& x = lives_.buffers[at(a)];
                const HivmBuffer& y = lives_.buffers[at(b)];
                return x.size != y.size ? x.size > y.size : x.order < y.order;
            });
            pairUp(function_.ops[at(id)], id, gens);
        }
    }

    /// The buffers that die at `op`, in the order of allocation, in which the compiler finds the live buffers of a block.
    std::vector<std::int32_t> deadAt(const Op& op, OpId id) const
    {
        std::vector<std::int32_t> dead;
        for (const TensorId input : op.inputs) {
            const std::int32_t b = lives_.ofTensor[at(input)];
            if (b == none || pools_[at(b)] == none) continue;
            const HivmBuffer& buffer = lives_.buffers[at(b)];
            if (buffer.killOp == id && buffer.genOp != id && std::find(dead.begin(), dead.end(), b) == dead.end())
                dead.push_back(b);
        }
        std::sort(dead.begin(), dead.end()); // buffers ascend with their owners, and those with the text
        return dead;
    }

    /// Folds each of `gens`, if permitted, into a buffer that dies at `op`; each of the latter takes one.
    void pairUp(const Op& op, OpId id, const std::vector<std::int32_t>& gens)
    {
        std::vector<std::int32_t> dead = deadAt(op, id);
        for (const std::int32_t gen : gens) {
            if (lives_.buffers[at(gen)].keptOutOfInPlace && !isPlaced(gen)) continue;
            for (std::int32_t& kill : dead) {
                if (kill == none || pools_[at(kill)] != pools_[at(gen)]) continue;
                if (isPlaced(gen) && isPlaced(kill)) { // the file's plan has decided this; the rules below do not apply
                    if (placedTogether(gen, kill)) {
                        fold(gen, kill);
                        kill = none;
                        break;
                    }
                    permitted_.push_back({gen, kill, axis_.ops[at(id)].begin});
                    continue;
                }
                if (options_.inPlace != InPlaceMode::allowed || !mayTake(op, gen, kill)) continue;
                if (loadMeetsStore(gen, kill)) {
                    permitted_.push_back({gen, kill, axis_.ops[at(id)].begin});
                    continue;
                }
                // One step of folding: the slots of the two buffers of the pair count, not those of buffers that were folded
                // before.
                places_[at(gen)].multi |= lives_.buffers[at(kill)].slots > 1;
                places_[at(kill)].multi |= lives_.buffers[at(gen)].slots > 1;
                fold(gen, kill);
                kill = none;
                break;
            }
        }
    }

    bool isPlaced(std::int32_t buffer) const { return attribute(owner(at(buffer)).attributes, marks::placed) != nullptr; }

    /// True when both are live at one op and have equal addresses: the plan in the file merged them in place, and so does this
    /// lowering.
    bool placedTogether(std::int32_t gen, std::int32_t kill) const
    {
        const std::string_view places = valueOf(owner(at(gen)).attributes, marks::placed);
        return !places.empty() && places == valueOf(owner(at(kill)).attributes, marks::placed) &&
               lives_.buffers[at(kill)].size >= lives_.buffers[at(gen)].size;
    }

    bool mayTake(const Op& op, std::int32_t gen, std::int32_t kill) const
    {
        const HivmBuffer& written = lives_.buffers[at(gen)];
        const HivmBuffer& dead = lives_.buffers[at(kill)];
        if (written.keptOutOfInPlace || dead.keptOutOfInPlace || dead.size < written.size) return false;
        if (options_.isaInPlace && !attribute(op.attributes, marks::inPlaceByIsa)) return false;
        return std::any_of(op.inPlace.begin(), op.inPlace.end(),
                           [&](const InPlace& pair) { return isIn(pair.output, gen) && isIn(pair.input, kill); });
    }

    /// True when both rotate, or lie on a buffer that does, and a buffer that a store reads would lie on one that a load writes:
    /// the load of the next iteration would wait for the store.
    bool loadMeetsStore(std::int32_t gen, std::int32_t kill) const
    {
        return places_[at(gen)].multi && places_[at(kill)].multi && places_[at(placeOf(gen))].meetsStore &&
               places_[at(placeOf(kill))].meetsLoad;
    }

    // --- the problem -------------------------------------------------------------------------------------------------------

    std::optional<Error> makeBuffers()
    {
        std::vector<std::int32_t> order;
        for (std::size_t b = 0; b < places_.size(); ++b)
            if (pools_[b] != none && places_[b].into == none) order.push_back(static_cast<std::int32_t>(b));
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
            const HivmBuffer& x = lives_.buffers[at(a)];
            const HivmBuffer& y = lives_.buffers[at(b)];
            return std::pair(x.gen, x.order) < std::pair(y.gen, y.order);
        });
        buffers_.assign(places_.size(), none);
        Bytes total = 0;
        for (const std::int32_t id : order) {
            const Tensor& tensor = owner(at(id));
            Buffer& buffer = to_.problem.buffers.emplace_back();
            buffers_[at(id)] = static_cast<BufferId>(to_.problem.buffers.size()) - 1;
            buffer.name = tensor.name;
            buffer.pools = {pools_[at(id)]};
            buffer.pin = tensor.pinnedOffset;
            buffer.loop = axis_.regionLoops[at(tensor.region)];
            const auto alignment =
                checkedLcm(checkedLcm(tensor.alignment, to_.problem.pools[at(pools_[at(id)])].alignment).value_or(0),
                           std::max<Bytes>(1, options_.alignment));
            const Place& place = places_[at(id)];
            if (!alignment || *alignment < 1 || place.size > maxBytes - *alignment) return tooLarge(tensor);
            buffer.alignment = *alignment;
            buffer.size = alignUp(place.size, *alignment);
            buffer.live = {{place.begin, place.end}};
            for (std::int32_t b = place.first; b != none; b = places_[at(b)].next) addMember(b, buffer);
            const auto first = std::min_element(buffer.members.begin(), buffer.members.end(),
                                                [](const auto& x, const auto& y) { return x.begin < y.begin; });
            buffer.unique = first->unique; // the planner uses the flag of the first member
        }
        for (std::size_t b = 0; b < places_.size(); ++b)
            if (pools_[b] != none) buffers_[b] = buffers_[at(placeOf(static_cast<std::int32_t>(b)))];
        for (const Buffer& buffer : to_.problem.buffers) {
            const auto all = checkedMultiply(buffer.size, buffer.slots);
            const auto sum = all ? checkedAdd(total, *all) : std::nullopt;
            if (!sum || *sum > maxBytes) return tooLarge(function_.tensors.front());
            total = *sum;
        }
        return std::nullopt;
    }

    /// Adds the facts of allocation `b` to the buffer of its place.
    void addMember(std::int32_t b, Buffer& buffer) const
    {
        const HivmBuffer& it = lives_.buffers[at(b)];
        // A place belongs to a loop when all its members do; slots rotate with the loop in which their buffer is made.
        const LoopId loop = axis_.regionLoops[at(owner(at(b)).region)];
        if (it.slots > 1 && buffer.slots == 1 && loop != none)
            buffer.loop = loop;
        else if (buffer.slots == 1 && it.slots == 1 && loop != buffer.loop)
            buffer.loop = none;
        buffer.slots = std::max(buffer.slots, it.slots);
        buffer.dma = buffer.dma || it.dma();
        buffer.scalar = buffer.scalar || it.scalar;
        buffer.members.push_back({it.size, it.gen, it.dma(), it.scalar, it.unique});
        readNumber(owner(at(b)), buffer);
    }

    static void readNumber(const Tensor& tensor, Buffer& buffer)
    {
        const std::string_view number = valueOf(tensor.attributes, marks::coupled);
        if (number.empty() || number.size() > 6 || number.find_first_not_of("0123456789") != std::string_view::npos) return;
        buffer.coupled = 0;
        for (const char digit : number) buffer.coupled = buffer.coupled * 10 + (digit - '0');
    }

    static Error tooLarge(const Tensor& tensor)
    {
        return failure(Code::tooLarge, fmt::format("all buffers up to '{}' exceed 2^62 bytes with their alignment", tensor.name),
                       tensor.where);
    }

    /// Finds the pairs that may share although both are live at one op, at which one dies and the other is written.
    void addPermissions()
    {
        for (const auto& [gen, kill, step] : permitted_) {
            const BufferId a = buffers_[at(gen)];
            const BufferId b = buffers_[at(kill)];
            if (a == b) continue;
            const Interval& x = to_.problem.buffers[at(a)].live.front();
            const Interval& y = to_.problem.buffers[at(b)].live.front();
            if (std::max(x.begin, y.begin) != step || std::min(x.end, y.end) != step + 1) continue;
            for (const auto& [from, other] : {std::pair(a, b), std::pair(b, a)}) {
                auto& partners = to_.problem.buffers[at(from)].mayShare;
                if (std::find(partners.begin(), partners.end(), other) == partners.end()) partners.push_back(other);
            }
        }
        for (Buffer& buffer : to_.problem.buffers) std::sort(buffer.mayShare.begin(), buffer.mayShare.end());
    }

    void bind()
    {
        FunctionInstance& instance = to_.instances.emplace_back();
        instance.function = program_.entry;
        LoopId loop = 0; // loops are numbered in pre-order
        for (const OpId id : axis_.order)
            if (function_.ops[at(id)].control == Control::loop) instance.loops.emplace_back(id, loop++);
        std::sort(instance.loops.begin(), instance.loops.end());
        instance.bindings.resize(function_.tensors.size());
        to_.origins.resize(to_.problem.buffers.size());
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const std::int32_t part = lives_.ofTensor[t];
            const BufferId buffer = part == none ? none : buffers_[at(part)];
            if (buffer == none) continue;
            instance.bindings[t].buffer = buffer;
            instance.bindings[t].delta = lives_.delta[t];
            to_.origins[at(buffer)].members.push_back(static_cast<TensorId>(t));
        }
        for (std::size_t b = 0; b < places_.size(); ++b) {
            if (places_[b].into != none || buffers_[b] == none) continue;
            BufferOrigin& origin = to_.origins[at(buffers_[b])];
            origin.function = program_.entry;
            origin.tensor = lives_.buffers[b].owner;
            origin.producer = lives_.buffers[b].genOp;
        }
        for (std::size_t o = 0; o < function_.ops.size(); ++o)
            for (const TensorId input : function_.ops[o].inputs) {
                const BufferId buffer = instance.bindings[at(input)].buffer;
                if (buffer == none) continue;
                auto& consumers = to_.origins[at(buffer)].consumers;
                if (consumers.empty() || consumers.back() != static_cast<OpId>(o)) consumers.push_back(static_cast<OpId>(o));
            }
        for (const OpId id : axis_.order) // if a loop's begin counts as the first write, this is the op that writes
            for (const auto* list : {&function_.ops[at(id)].outputs, &function_.ops[at(id)].temps})
                for (const TensorId output : *list)
                    if (const BufferId buffer = instance.bindings[at(output)].buffer;
                        buffer != none && to_.origins[at(buffer)].producer == none)
                        to_.origins[at(buffer)].producer = id;
    }

    void listLeftOut()
    {
        for (std::size_t t = 0; t < function_.tensors.size(); ++t) {
            const Tensor& tensor = function_.tensors[t];
            if (!tensor.planned || tensor.aliasOf != none || to_.instances.front().bindings[t].buffer != none) continue;
            const bool kept = tensor.kind == TensorKind::constant || tensor.kind == TensorKind::variable;
            to_.leftOut.push_back({program_.entry, static_cast<TensorId>(t), tensor.bytes.value_or(0),
                                   otherMode(tensor) ? LeftOutReason::otherMode
                                   : kept            ? LeftOutReason::notOfKernel
                                   : !tensor.bytes   ? LeftOutReason::unknownSize
                                                     : LeftOutReason::neverWritten});
        }
    }

    struct Permission {
        std::int32_t gen = none;
        std::int32_t kill = none;
        Step step = 0;
    };

    const Program& program_;
    const Function& function_;
    const LowerOptions& options_;
    HivmAxis axis_;
    HivmLives lives_;
    std::vector<PoolId> pools_;     ///< by buffer of `lives_`; none: not planned
    std::vector<Place> places_;     ///< by buffer of `lives_`
    std::vector<BufferId> buffers_; ///< by buffer of `lives_`: of the problem
    std::vector<Permission> permitted_;
    Lowering to_;
};

} // namespace

Expected<Lowering> lowerHivm(const Program& program, const LowerOptions& options)
{
    return HivmLowering(program, options).run();
}

} // namespace stowage::lowering
