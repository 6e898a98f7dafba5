#include "core/pipeline/cuts.h"

#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace stowage::pipeline {

namespace {

void makeUnique(std::vector<TensorId>& ids)
{
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

std::string lowered(std::string_view text)
{
    std::string low;
    for (const char c : text) low += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return low;
}

} // namespace

bool makesConstant(const Function& function, const Op& op)
{
    if (op.control != Control::leaf || op.outputs.empty()) return false;
    if (op.inputs.empty() && op.outputs.size() == 1 && op.traits.effect == OpEffect::constant) return true;
    return std::ranges::all_of(op.outputs, [&](TensorId id) {
        const Tensor& tensor = function.tensors[at(id)];
        return tensor.kind == TensorKind::intermediate && tensor.aliasOf == none &&
               tensor.available == Availability::compileTime && !tensor.planned;
    });
}

CutMap::CutMap(const Program& program)
    : function_(program.main()),
      roots_(function_.tensors.size()),
      madeBy_(function_.tensors.size(), none),
      lastReader_(function_.tensors.size(), none),
      constantOps_(function_.tensors.size(), none)
{
    for (std::size_t t = 0; t < roots_.size(); ++t) {
        TensorId root = static_cast<TensorId>(t);
        while (function_.tensors[at(root)].aliasOf != none) root = function_.tensors[at(root)].aliasOf;
        roots_[t] = root;
    }
    for (const OpId id : function_.body().ops) {
        const Op& op = function_.ops[at(id)];
        if (makesConstant(function_, op))
            for (const TensorId made : op.outputs) constantOps_[at(roots_[at(made)])] = id;
        else
            ops_.push_back(id);
    }
    collect();
    findOwners();
    findForbidden();
    sumCrossings();
}

bool CutMap::travels(TensorId tensor) const
{
    const Tensor& root = function_.tensors[at(roots_[at(tensor)])];
    const bool kept = root.kind == TensorKind::constant || root.kind == TensorKind::variable || root.kind == TensorKind::input;
    return !kept && constantOp(tensor) == none && madeBy(tensor) != none;
}

void CutMap::collect()
{
    reads_.resize(size());
    writes_.resize(size());
    for (std::size_t o = 0; o < size(); ++o) {
        std::vector<OpId> inside{ops_[o]};
        // A view that a nested region declares counts as the tensor outside whose storage it shares.
        const auto touch = [&](std::vector<TensorId>& list, TensorId id) {
            while (id != none && function_.tensors[at(id)].region != 0) id = function_.tensors[at(id)].aliasOf;
            if (id != none) list.push_back(id);
        };
        while (!inside.empty()) {
            const Op& op = function_.ops[at(inside.back())];
            const bool outermost = inside.back() == ops_[o];
            inside.pop_back();
            for (const TensorId id : op.inputs) touch(reads_[o], id);
            for (const TensorId id : op.outputs) touch(writes_[o], id);
            for (const TensorId id : op.temps) touch(writes_[o], id);
            for (const Carry& carry : op.carries) {
                touch(reads_[o], carry.from);
                if (!outermost) touch(writes_[o], carry.to);
            }
            for (const RegionId id : op.regions) {
                const Region& region = function_.regions[at(id)];
                for (const TensorId each : region.outputs) touch(reads_[o], each);
                inside.insert(inside.end(), region.ops.begin(), region.ops.end());
            }
        }
        makeUnique(reads_[o]);
        makeUnique(writes_[o]);
        // A tensor that the op writes first is not read from outside.
        std::erase_if(reads_[o], [&](TensorId id) {
            return std::binary_search(writes_[o].begin(), writes_[o].end(), id) &&
                   function_.tensors[at(id)].kind != TensorKind::variable;
        });
    }
}

void CutMap::findOwners()
{
    for (std::size_t o = 0; o < size(); ++o) {
        for (const TensorId id : writes_[o]) madeBy_[at(roots_[at(id)])] = static_cast<std::int32_t>(o);
        for (const TensorId id : reads_[o]) lastReader_[at(id)] = static_cast<std::int32_t>(o);
    }
    for (const TensorId id : function_.body().outputs) lastReader_[at(id)] = static_cast<std::int32_t>(size());
}

void CutMap::findForbidden()
{
    forbidden_.assign(size() + 1, none);
    struct Span {
        std::int32_t first = none;
        std::int32_t last = none;
    };
    std::vector<Span> spans(roots_.size());
    const auto extend = [&](TensorId id, std::size_t o) {
        Span& span = spans[at(roots_[at(id)])];
        if (span.first == none) span.first = static_cast<std::int32_t>(o);
        span.last = static_cast<std::int32_t>(o);
    };
    for (std::size_t o = 0; o < size(); ++o) {
        for (const TensorId id : writes_[o]) extend(id, o);
        for (const TensorId id : reads_[o]) {
            const TensorKind kind = function_.tensors[at(roots_[at(id)])].kind;
            const bool changes = kind == TensorKind::variable || (kind == TensorKind::input && madeBy(id) != none);
            if (changes) extend(id, o);
        }
    }
    // From left to right, a cut is forbidden by the span that began before it and reaches furthest.
    std::vector<std::vector<TensorId>> begins(size() + 1);
    for (std::size_t t = 0; t < spans.size(); ++t)
        if (spans[t].last > spans[t].first) begins[at(spans[t].first)].push_back(static_cast<TensorId>(t));
    TensorId furthest = none;
    for (std::size_t cut = 0; cut <= size(); ++cut) {
        if (furthest != none && static_cast<std::size_t>(spans[at(furthest)].last) < cut) furthest = none;
        forbidden_[cut] = furthest;
        for (const TensorId t : begins[cut])
            if (furthest == none || spans[at(t)].last > spans[at(furthest)].last) furthest = t;
    }
}

void CutMap::sumCrossings()
{
    std::vector<Bytes> change(size() + 2, 0);
    for (std::size_t t = 0; t < roots_.size(); ++t) {
        const auto id = static_cast<TensorId>(t);
        const std::int32_t reader = lastReader_[t];
        if (reader == none || function_.tensors[t].region != 0 || !travels(id)) continue;
        const std::int32_t made = madeBy(id);
        std::int32_t last = reader;
        if (static_cast<std::size_t>(reader) == size()) { // an output goes to the application; only readers after a cut count
            last = none;
            for (std::size_t o = size(); o-- > 0 && last == none;)
                if (std::binary_search(reads_[o].begin(), reads_[o].end(), id)) last = static_cast<std::int32_t>(o);
        }
        if (last == none || last <= made) continue;
        if (!function_.tensors[t].bytes) unsized_.push_back(id);
        const Bytes bytes = std::min(function_.tensors[t].bytes.value_or(0), maxBytes / 1024);
        change[at(made) + 1] += bytes;
        change[at(last) + 1] -= bytes;
    }
    crossing_.resize(size() + 1);
    Bytes now = 0;
    for (std::size_t cut = 0; cut <= size(); ++cut) {
        now += change[cut];
        crossing_[cut] = now;
    }
}

Expected<std::vector<std::size_t>> cutsAt(const CutMap& map, std::span<const std::int64_t> indices)
{
    std::vector<std::size_t> cuts;
    const auto count = static_cast<std::int64_t>(map.size());
    std::int64_t before = -1;
    for (const std::int64_t index : indices) {
        if (index < 0 || index >= count - 1)
            return failure(Code::outOfRange, fmt::format("no stage can end at operator {}: there are {} operators", index, count),
                           {},
                           count < 2 ? "a program of one operator cannot be split"
                                     : fmt::format("the last stage needs an operator too: 0 to {} are possible", count - 2));
        if (index <= before)
            return failure(Code::outOfOrder, fmt::format("operator {} does not come after operator {}", index, before), {},
                           "list the operators that end a stage in ascending order");
        const auto cut = static_cast<std::size_t>(index) + 1;
        if (!map.allowed(cut)) {
            const Tensor& tensor = map.function().tensors[at(map.obstacle(cut))];
            return failure(Code::cutNotAllowed,
                           fmt::format("no stage can end at operator {} ('{}'): '{}' {}", index,
                                       map.function().ops[at(map.ops()[cut - 1])].name, tensor.name,
                                       tensor.kind == TensorKind::variable
                                           ? "keeps its value from frame to frame, and ops on both sides use it"
                                           : "is written by ops on both sides"),
                           {}, "choose another operator");
        }
        before = index;
        cuts.push_back(cut);
    }
    return cuts;
}

Expected<std::vector<std::size_t>> cutsAtOps(const CutMap& map, std::span<const NamedOp> ops)
{
    std::vector<std::int64_t> indices;
    for (const NamedOp& wanted : ops) {
        const std::string kind = lowered(wanted.name);
        std::int64_t found = -1;
        std::int64_t seen = 0;
        for (std::size_t o = 0; o < map.size() && found < 0; ++o) {
            const Op& op = map.function().ops[at(map.ops()[o])];
            if (lowered(op.kind) == kind && seen++ == wanted.index) found = static_cast<std::int64_t>(o);
        }
        if (seen == 0)
            for (std::size_t o = 0; o < map.size() && found < 0; ++o)
                if (map.function().ops[at(map.ops()[o])].name == wanted.name && seen++ == wanted.index)
                    found = static_cast<std::int64_t>(o);
        if (found < 0)
            return failure(Code::unknownOp,
                           seen == 0 ? fmt::format("there is no operator of kind or name '{}'", wanted.name)
                                     : fmt::format("there are {} operators '{}', and the index {} counts from 0", seen,
                                                   wanted.name, wanted.index),
                           {}, "'info INPUT' lists the kinds of operators");
        indices.push_back(found);
    }
    return cutsAt(map, indices);
}

} // namespace stowage::pipeline
