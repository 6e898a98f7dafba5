#include "core/io/plan_tensors.h"

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

namespace stowage::io {

namespace {

/// Names are unique in a function, not among the calls of one.
struct TensorKey {
    std::string_view name;
    std::int64_t call = 0;
    friend bool operator==(const TensorKey&, const TensorKey&) = default;
};

struct TensorKeyHash {
    std::size_t operator()(const TensorKey& key) const
    {
        constexpr std::size_t odd = 0x9E3779B97F4A7C15; // spreads small numbers over all bits
        return std::hash<std::string_view>()(key.name) ^ (static_cast<std::size_t>(key.call) * odd);
    }
};

} // namespace

std::vector<Mismatch> tensorMismatches(const Run& run, const std::vector<StatedTensor>& stated)
{
    constexpr std::size_t maxMismatches = 100; ///< number of mismatches kept
    std::vector<Mismatch> mismatches;
    if (stated.empty() || !run.program) return mismatches;
    std::unordered_multimap<TensorKey, const StatedTensor*, TensorKeyHash> entries;
    entries.reserve(stated.size());
    for (const StatedTensor& tensor : stated) entries.emplace(TensorKey{tensor.name, tensor.call}, &tensor);
    const auto differs = [&mismatches](Mismatch mismatch) {
        if (mismatches.size() < maxMismatches) mismatches.push_back(std::move(mismatch));
    };
    const Problem& problem = run.problem();
    eachPlannedTensor(run, [&](const PlannedTensor& tensor) {
        Mismatch mismatch{.kind = MismatchKind::otherTensor,
                          .name = std::string(tensor.name),
                          .buffer = tensor.buffer,
                          .pool = tensor.pool,
                          .stated = -1,
                          .actual = tensor.offset};
        const auto found = entries.find(TensorKey{tensor.name, tensor.call});
        if (found != entries.end()) {
            const StatedTensor& entry = *found->second;
            mismatch.stated = entry.offset;
            const bool same = entry.offset == tensor.offset &&
                              entry.buffer == problem.buffers[static_cast<std::size_t>(tensor.buffer)].name &&
                              entry.pool == problem.pools[static_cast<std::size_t>(tensor.pool)].name;
            entries.erase(found);
            if (same) return;
        }
        differs(std::move(mismatch)); // or it is not in the list
    });
    std::vector<const StatedTensor*> unknown;
    for (const auto& [key, entry] : entries) unknown.push_back(entry);
    std::sort(unknown.begin(), unknown.end()); // in the order of the file
    for (const StatedTensor* entry : unknown)
        differs({.kind = MismatchKind::otherTensor, .name = entry->name, .stated = entry->offset});
    return mismatches;
}

} // namespace stowage::io
