#include "core/io/plan_tensors.h"

#include <unordered_map>

namespace stowage::io {

std::vector<Mismatch> tensorMismatches(const Run& run, const std::vector<StatedTensor>& stated)
{
    constexpr std::size_t maxMismatches = 100; ///< number of mismatches kept
    std::vector<Mismatch> found;
    if (stated.empty() || !run.program) return found;
    std::unordered_multimap<std::string_view, const StatedTensor*> byName;
    byName.reserve(stated.size());
    for (const StatedTensor& tensor : stated) byName.emplace(tensor.name, &tensor);
    const auto differs = [&found](Mismatch mismatch) {
        if (found.size() < maxMismatches) found.push_back(std::move(mismatch));
    };
    const Problem& problem = run.problem();
    eachPlannedTensor(run, [&](const PlannedTensor& tensor) {
        Mismatch mismatch{.kind = MismatchKind::otherTensor,
                          .name = std::string(tensor.name),
                          .buffer = tensor.buffer,
                          .pool = tensor.pool,
                          .stated = -1,
                          .actual = tensor.offset};
        const auto [first, last] = byName.equal_range(tensor.name);
        for (auto it = first; it != last; ++it) {
            const StatedTensor& entry = *it->second;
            if (entry.call != tensor.call) continue;
            mismatch.stated = entry.offset;
            const bool same = entry.offset == tensor.offset &&
                              entry.buffer == problem.buffers[static_cast<std::size_t>(tensor.buffer)].name &&
                              entry.pool == problem.pools[static_cast<std::size_t>(tensor.pool)].name;
            byName.erase(it);
            if (!same) differs(std::move(mismatch));
            return;
        }
        differs(std::move(mismatch)); // it is not in the list
    });
    std::vector<const StatedTensor*> unknown;
    for (const auto& [name, entry] : byName) unknown.push_back(entry);
    std::sort(unknown.begin(), unknown.end()); // in the order of the file
    for (const StatedTensor* entry : unknown)
        differs({.kind = MismatchKind::otherTensor, .name = entry->name, .stated = entry->offset});
    return found;
}

} // namespace stowage::io
