#include "app/session/foreign_plan.h"

#include "app/session/lowering_cache.h"
#include "app/session/native_path.h"
#include "app/session/planning.h"
#include "core/ir/kernel_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace stowage {

namespace {

/// A buffer of the source, and where it lies.
struct Placed {
    Position where;
    Bytes bytes = 0;
    std::string name;
    std::vector<Bytes> offsets;
    bool listed = false; ///< by the plan itself; else it is a part of something that is
};

/// What the plan of `source` says of `function`; a tensor that is a part of a placed one lies with it.
std::vector<Placed> placedBy(const Model& source, FunctionId id)
{
    std::map<TensorId, std::vector<Bytes>> offsets;
    for (const FilePlan::Offset& offset : source.filePlans.front().offsets)
        if (offset.function == id)
            offsets[offset.tensor] = offset.offsets.empty() ? std::vector<Bytes>{offset.offset} : offset.offsets;
    const Function& function = source.program->functions[at(id)];
    std::vector<Placed> placed;
    for (std::size_t t = 0; t < function.tensors.size(); ++t) {
        const Tensor& tensor = function.tensors[t];
        auto found = offsets.find(static_cast<TensorId>(t));
        const bool listed = found != offsets.end();
        if (found == offsets.end() && tensor.aliasOf != none && tensor.aliasOffset == 0) found = offsets.find(tensor.aliasOf);
        if (found != offsets.end() && tensor.bytes)
            placed.push_back({tensor.where, *tensor.bytes, tensor.name, found->second, listed});
    }
    std::stable_sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
        return std::tie(a.where.line, a.where.column) < std::tie(b.where.line, b.where.column);
    });
    return placed;
}

/// By tensor of `function`: its place, or null.
std::vector<const Placed*> matched(const Function& function, const std::vector<Placed>& placed)
{
    std::map<std::pair<std::int32_t, std::int32_t>, const Placed*> exact;
    std::map<std::int32_t, const Placed*> byLine;
    for (const Placed& each : placed) {
        exact.emplace(std::pair(each.where.line, each.where.column), &each);
        byLine.emplace(each.where.line, &each);
    }
    std::vector<const Placed*> found(function.tensors.size(), nullptr);
    std::vector<std::size_t> allocations;
    bool all = true; // found, and of the right size
    for (std::size_t t = 0; t < function.tensors.size(); ++t) {
        const Tensor& tensor = function.tensors[t];
        if (!tensor.planned || tensor.aliasOf != none) continue;
        allocations.push_back(t);
        if (const auto here = exact.find({tensor.where.line, tensor.where.column}); here != exact.end())
            found[t] = here->second;
        else if (const auto line = byLine.find(tensor.where.line); line != byLine.end())
            found[t] = line->second;
        all = all && found[t] && tensor.bytes == found[t]->bytes;
    }
    // Positions of another text (one that only the compiler saw, say) may fit by chance: then it is the order.
    if (all || allocations.size() != placed.size()) return found;
    for (std::size_t i = 0; i < placed.size(); ++i)
        if (function.tensors[allocations[i]].bytes != placed[i].bytes) return found;
    for (std::size_t i = 0; i < placed.size(); ++i) found[allocations[i]] = &placed[i];
    return found;
}

} // namespace

Expected<std::shared_ptr<const Run>> foreignRun(const Model& model, const Model& source, const PlanRequest& request)
{
    const Position file{nativePath(source.path), 0, 0, -1};
    if (!source.program || source.filePlans.empty())
        return failure(Code::noPlan, "the file has no plan", file, "give a plan file, or the compiler's memory_info.json");
    const auto entry = entryOf(model, request.function);
    if (!entry) return entry.error();
    if (!entry->program) return failure(Code::noProgram, "it is a plan for a program, and the input is a problem", file);

    Program program = *entry->program;
    Function& function = program.functions[at(program.entry)];
    const auto& functions = source.program->functions;
    const auto named =
        std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == function.name; });
    if (named == functions.end())
        return failure(
            Code::otherKernel,
            fmt::format("it is a plan for '{}', not for '{}'", functions[at(source.program->entry)].name, function.name), file,
            "give the kernel that was compiled");
    const auto planned = static_cast<FunctionId>(named - functions.begin());
    const std::vector<Placed> placed = placedBy(source, planned);
    const std::vector<const Placed*> places = matched(function, placed);
    // A line may be met by chance: all that the plan lists has to be there.
    const auto lost = std::count_if(placed.begin(), placed.end(), [&](const Placed& each) {
        return each.listed && std::find(places.begin(), places.end(), &each) == places.end();
    });
    if (lost > 0 || placed.empty())
        return failure(Code::otherKernel,
                       fmt::format("{} of its {} buffers are not where '{}' allocates one: it was written for another text", lost,
                                   placed.size(), function.name),
                       file, "give the kernel that was compiled");
    for (std::size_t t = 0; t < places.size(); ++t) {
        if (!places[t]) continue;
        Tensor& tensor = function.tensors[t];
        if (tensor.bytes && *tensor.bytes != places[t]->bytes)
            return failure(Code::otherSize,
                           fmt::format("'{}' has {} bytes in the kernel, and {} in the plan ('{}')", tensor.name, *tensor.bytes,
                                       places[t]->bytes, places[t]->name),
                           tensor.where, "the kernel has changed since it was compiled");
        if (!attribute(tensor.attributes, marks::placed)) tensor.attributes.emplace_back(marks::placed, "");
    }

    PlanRequest wanted = request;
    wanted.lowering.emplace_back("inplace", "off"); // in place is what the plan says is
    const auto options = lowerOptions(nullptr, wanted, &program);
    if (!options) return options.error();
    auto lowering = lower(program, *options);
    if (!lowering) return std::move(lowering).error();
    auto run = std::make_shared<Run>();
    run->plan.planner = source.filePlans.front().name;
    run->plan.placements.resize(lowering->problem.buffers.size());
    const std::vector<TensorBinding>& bindings = lowering->instances.front().bindings;
    for (std::size_t t = 0; t < places.size(); ++t) {
        if (!places[t] || bindings[t].buffer == none) continue;
        const Buffer& buffer = lowering->problem.buffers[at(bindings[t].buffer)];
        Placement& placement = run->plan.placements[at(bindings[t].buffer)];
        if (placement.placed()) continue; // what is carried round a loop lies in one place
        placement.pool = buffer.pools.empty() ? 0 : buffer.pools.front();
        placement.offset = places[t]->offsets.front() - bindings[t].delta;
        if (places[t]->offsets.size() < 2) continue;
        for (const Bytes offset : places[t]->offsets) placement.offsets.push_back(offset - bindings[t].delta);
        placement.rotations = {{buffer.loop, static_cast<std::int32_t>(places[t]->offsets.size()), false}};
    }
    run->program = std::make_shared<const Program>(std::move(program));
    run->lowering = std::make_shared<const Lowering>(*std::move(lowering));
    run->targetName = request.target.name.toStdString();
    run->report = evaluate(*run);
    return std::shared_ptr<const Run>(std::move(run));
}

} // namespace stowage
