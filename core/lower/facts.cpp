#include "core/lower/facts.h"

#include "core/ir/checked.h"
#include "core/ir/memory_spaces.h"
#include "core/ir/parsed_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace stowage::lowering {

namespace {

class FactFinder {
public:
    FactFinder(const Expansion& expansion, const Storages& storages, const std::vector<Pool>& pools, Diagnostics& diagnostics)
        : expansion_(expansion), storages_(storages), pools_(pools), diagnostics_(diagnostics)
    {
        for (std::size_t p = 0; p < pools.size(); ++p) poolByName_.emplace(pools[p].name, static_cast<PoolId>(p));
    }

    Expected<Facts> run()
    {
        facts_.poolSets.emplace_back();
        setNumber_.emplace(std::vector<PoolId>{}, 0);
        facts_.storages.resize(storages_.all.size());
        for (std::size_t s = 0; s < storages_.all.size(); ++s) describeOwner(s);
        addAlignments();
        markEntry();
        if (std::any_of(pools_.begin(), pools_.end(), [](const Pool& pool) { return !pool.targets.empty(); })) collectDevices();
        for (std::size_t s = 0; s < storages_.all.size(); ++s)
            if (auto error = choosePools(s)) return *std::move(error);
        for (std::size_t p = 0; p < phiDevices_.size(); ++p) {
            const Candidates found = candidatesFor(tensorOf(storages_.phis[p].element), PoolKind::workspace, phiDevices_[p]);
            facts_.phiPools.push_back(found.pools.empty() ? none : found.every ? 0 : numberOf(found.pools));
        }
        reportSkipped();
        return std::move(facts_);
    }

private:
    const Tensor& owner(std::size_t storage) const
    {
        const Storage& s = storages_.all[storage];
        return expansion_.function(s.instance).tensors[at(s.tensor)];
    }

    const Tensor& tensorOf(std::size_t element) const
    {
        const auto instance = std::partition_point(expansion_.instances.begin(), expansion_.instances.end(),
                                                   [&](const Instance& i) { return i.firstTensor <= element; }) -
                              1;
        return expansion_.program->functions[at(instance->function)].tensors[element - instance->firstTensor];
    }

    /// Size and kind of a storage, and the reason for leaving it out, from its owner.
    void describeOwner(std::size_t s)
    {
        const Tensor& tensor = owner(s);
        StorageFacts& facts = facts_.storages[s];
        facts.size = tensor.bytes.value_or(0);
        switch (tensor.kind) {
        case TensorKind::constant: facts.kind = BufferKind::constant; break;
        case TensorKind::variable: facts.kind = BufferKind::variable; break;
        default: break;
        }
        if (!tensor.planned)
            leaveOut(facts, LeftOutReason::keptOut);
        else if (!tensor.bytes)
            leaveOut(facts, LeftOutReason::unknownSize);
        else if (*tensor.bytes == 0)
            leaveOut(facts, LeftOutReason::empty);
    }

    static void leaveOut(StorageFacts& facts, LeftOutReason why)
    {
        facts.planned = false;
        facts.leftOut = why;
    }

    /// Every tensor in a storage has to lie at its own alignment.
    void addAlignments()
    {
        std::vector<std::string_view> misplaced;
        const Tensor* first = nullptr;
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i) {
            const Instance& instance = expansion_.instances[i];
            const auto& tensors = expansion_.function(static_cast<InstanceId>(i)).tensors;
            for (std::size_t t = 0; t < tensors.size(); ++t) {
                const std::size_t element = instance.firstTensor + t;
                const std::int32_t storage = storages_.of[element];
                if (storage == none || tensors[t].alignment == 1) continue;
                Bytes& alignment = facts_.storages[at(storage)].alignment;
                const auto common = checkedLcm(alignment, tensors[t].alignment);
                if (common && storages_.delta[element] % tensors[t].alignment == 0) {
                    alignment = *common;
                } else {
                    misplaced.push_back(tensors[t].name);
                    if (!first) first = &tensors[t];
                }
            }
        }
        if (first)
            diagnostics_.push_back(warning(
                Code::misalignedView,
                fmt::format("the alignment of {} cannot be kept: {} in another tensor at an offset that is no multiple of it",
                            listNames(misplaced), misplaced.size() == 1 ? "it lies" : "they lie"),
                first->where));
    }

    /// The inputs and outputs of the program. A constant or variable stays one, and an input that is handed out an input.
    void markEntry()
    {
        const Region& body = expansion_.function(0).body();
        for (const TensorId input : body.inputs) {
            const std::int32_t storage = storages_.of[at(input)];
            if (storage == none) continue;
            StorageFacts& facts = facts_.storages[at(storage)];
            facts.isInput = true;
            if (facts.kind == BufferKind::intermediate) facts.kind = BufferKind::input;
        }
        for (const TensorId output : body.outputs) {
            const std::int32_t storage = storages_.of[at(output)];
            if (storage == none) continue;
            StorageFacts& facts = facts_.storages[at(storage)];
            facts.isOutput = true;
            if (facts.kind == BufferKind::intermediate) facts.kind = BufferKind::output;
        }
    }

    /// By storage, and by phi view: the devices of the ops that touch it.
    void collectDevices()
    {
        devices_.resize(storages_.all.size());
        phiDevices_.resize(storages_.phis.size());
        std::unordered_map<std::int32_t, std::size_t> phiOf; // by owner
        for (std::size_t p = 0; p < storages_.phis.size(); ++p)
            phiOf.emplace(static_cast<std::int32_t>(storages_.phis[p].element), p);
        const auto note = [](std::vector<std::string_view>& known, std::string_view device) {
            if (std::find(known.begin(), known.end(), device) == known.end()) known.push_back(device);
        };
        for (std::size_t i = 0; i < expansion_.instances.size(); ++i) {
            const Instance& instance = expansion_.instances[i];
            for (const Op& op : expansion_.function(static_cast<InstanceId>(i)).ops) {
                if (op.device.empty()) continue;
                for (const auto* list : {&op.inputs, &op.outputs, &op.temps})
                    for (const TensorId tensor : *list) {
                        const std::size_t element = instance.firstTensor + at(tensor);
                        if (const auto phi = phiOf.find(storages_.owner[element]); phi != phiOf.end())
                            note(phiDevices_[phi->second], op.device);
                        if (const std::int32_t storage = storages_.of[element]; storage != none)
                            note(devices_[at(storage)], op.device);
                    }
            }
        }
    }

    struct Candidates {
        std::vector<PoolId> pools;
        bool every = false; ///< no device restricts the pools
    };
    /// The pools of `kind` that the tensor names, in its order; names that no pool has go into `missing_`. When it names none, or
    /// a memory space that is no pool: all pools that every one of `devices` reaches.
    Candidates candidatesFor(const Tensor& tensor, PoolKind kind, std::span<const std::string_view> devices)
    {
        Candidates found;
        for (const std::string& name : tensor.pools) {
            const PoolId pool = poolNamed(name, kind);
            if (pool == none)
                (isOfMemorySpace(tensor) ? missingSpaces_ : missing_).insert(name);
            else if (pools_[at(pool)].kind == kind &&
                     std::find(found.pools.begin(), found.pools.end(), pool) == found.pools.end())
                found.pools.push_back(pool);
        }
        if (!found.pools.empty() || (!tensor.pools.empty() && !isOfMemorySpace(tensor))) return found;
        found.every = true;
        for (std::size_t p = 0; p < pools_.size(); ++p) {
            if (pools_[p].kind != kind) continue;
            if (reachable(pools_[p], devices))
                found.pools.push_back(static_cast<PoolId>(p));
            else
                found.every = false;
        }
        return found;
    }

    /// A constant or variable without a pool of its kind is left out; for any other storage without a pool there is an error.
    std::optional<Error> choosePools(std::size_t s)
    {
        StorageFacts& facts = facts_.storages[s];
        if (!facts.planned) return std::nullopt;
        const Tensor& tensor = owner(s);
        const PoolKind kind = facts.kind == BufferKind::constant   ? PoolKind::constant
                              : facts.kind == BufferKind::variable ? PoolKind::persistent
                                                                   : PoolKind::workspace;
        auto [candidates, every] =
            candidatesFor(tensor, kind, devices_.empty() ? std::span<const std::string_view>{} : devices_[s]);
        if (candidates.empty() && kind != PoolKind::workspace) {
            leaveOut(facts, kind == PoolKind::constant ? LeftOutReason::noConstantPool : LeftOutReason::noPersistentPool);
            return std::nullopt;
        }
        if (candidates.empty()) return noPool(s, tensor);
        facts.pools = every && kind == PoolKind::workspace ? 0 : numberOf(std::move(candidates));
        return std::nullopt;
    }

    /// A pool by name. If no pool has the name and it is a number, the pool of that number among those of the kind, from 1.
    PoolId poolNamed(const std::string& name, PoolKind kind) const
    {
        if (const auto found = poolByName_.find(name); found != poolByName_.end()) return found->second;
        auto number = parsedNumber<std::size_t>(name).value_or(0);
        if (number == 0) return none;
        for (std::size_t p = 0; p < pools_.size(); ++p)
            if (pools_[p].kind == kind && --number == 0) return static_cast<PoolId>(p);
        return none;
    }

    static bool reachable(const Pool& pool, std::span<const std::string_view> devices)
    {
        if (pool.targets.empty()) return true;
        return std::all_of(devices.begin(), devices.end(), [&](std::string_view device) {
            return std::find(pool.targets.begin(), pool.targets.end(), device) != pool.targets.end();
        });
    }

    /// Equal lists get the same number.
    PoolSet numberOf(std::vector<PoolId> set)
    {
        const auto [found, inserted] = setNumber_.emplace(std::move(set), static_cast<PoolSet>(facts_.poolSets.size()));
        if (inserted) facts_.poolSets.push_back(found->first);
        return found->second;
    }

    Error noPool(std::size_t storage, const Tensor& tensor) const
    {
        std::string known;
        for (const Pool& pool : pools_) known += fmt::format("{}'{}'", known.empty() ? "" : ", ", pool.name);
        if (!tensor.pools.empty()) {
            std::vector<std::string_view> wanted(tensor.pools.begin(), tensor.pools.end());
            return failure(Code::noPool,
                           fmt::format("'{}' may lie in {}, and the pools are {}", tensor.name, listNames(wanted), known),
                           tensor.where, "choose a target that has one of them, or add it with --pool NAME=BYTES");
        }
        const bool devices = !devices_.empty() && !devices_[storage].empty();
        return failure(Code::noPool,
                       devices ? fmt::format("'{}' is used on {}, and no workspace pool is reachable from there (pools: {})",
                                             tensor.name, listNames(devices_[storage]), known)
                               : fmt::format("there is no workspace pool for '{}' (pools: {})", tensor.name, known),
                       tensor.where, "add a pool with --pool NAME=BYTES, or a device to the targets of one");
    }

    void reportSkipped()
    {
        if (!missingSpaces_.empty()) {
            std::vector<std::string_view> spaces(missingSpaces_.begin(), missingSpaces_.end());
            std::sort(spaces.begin(), spaces.end());
            diagnostics_.push_back(warning(
                Code::unknownPool,
                fmt::format("the target has no pool for the memory {} {}: buffers of {} may lie in any pool",
                            spaces.size() == 1 ? "space" : "spaces", listNames(spaces), spaces.size() == 1 ? "it" : "them"),
                {}, "without --target and --capacity each memory space is a pool, which --pool NAME=BYTES limits"));
        }
        if (missing_.empty()) return;
        std::vector<std::string_view> names(missing_.begin(), missing_.end());
        std::sort(names.begin(), names.end());
        diagnostics_.push_back(warning(Code::unknownPool,
                                       fmt::format("the input names {}, which the target does not have", listNames(names)), {},
                                       "choose a target that has it, or add it with --pool NAME=BYTES"));
    }

    const Expansion& expansion_;
    const Storages& storages_;
    const std::vector<Pool>& pools_;
    Diagnostics& diagnostics_;
    Facts facts_;
    std::unordered_map<std::string_view, PoolId> poolByName_;
    std::map<std::vector<PoolId>, PoolSet> setNumber_;
    std::vector<std::vector<std::string_view>> devices_;    ///< by storage; empty when no pool asks for devices
    std::vector<std::vector<std::string_view>> phiDevices_; ///< by phi view, likewise
    std::unordered_set<std::string_view> missing_, missingSpaces_;
};

} // namespace

std::vector<Pool> poolsFor(const Program& program, const LowerOptions& options)
{
    if (!options.pools.empty()) return options.pools;
    if (!program.pools.empty()) return program.pools;
    Pool arena;
    arena.name = "arena";
    return {arena};
}

Expected<Facts> findFacts(const Expansion& expansion, const Storages& storages, const std::vector<Pool>& pools,
                          Diagnostics& diagnostics)
{
    return FactFinder(expansion, storages, pools, diagnostics).run();
}

std::string listNames(const std::vector<std::string_view>& names)
{
    constexpr std::size_t shown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), shown); ++i) text += fmt::format("{}'{}'", i > 0 ? ", " : "", names[i]);
    if (names.size() > shown) text += fmt::format(" and {} more", names.size() - shown);
    return text;
}

} // namespace stowage::lowering
