// A small run-time for folded functions: the first execution folds, later ones do not, unless a tensor has left the cache.
//
// It runs the story of the document of constant tensor folding, `MLIROp::execute`: in the first execution the run-time folding
// function and the entry run, in later ones only the entry. Either all compiled functions share one map with indices of the
// process, or each has a map of its own. What the functions compute comes from outside; the run-time decides what runs, and where
// bytes lie.
#pragma once

#include "core/exec/constant_cache.h"
#include "core/exec/folded_tensor.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace stowage {

enum class CacheSharing : std::uint8_t {
    process,  ///< one map for all compiled functions
    function, ///< a map for each
};

/// One folded tensor in an execution.
struct FoldBuffer {
    std::int64_t id = 0; ///< of the function's folded tensors
    const CachedBuffer* buffer = nullptr;
};

/// A folded function as the compiler hands it over. A call gets the buffers that it is to fill, or that it reads.
struct CompiledFunction {
    std::string name;
    std::vector<FoldedTensor> folded;                                 ///< evaluated ones are literals: not kept here
    std::function<void(std::span<const FoldBuffer>)> compileTimeFold; ///< fills its tensors; may be empty
    std::function<void(std::span<const FoldBuffer> made, std::span<const FoldBuffer> read)> runTimeFold; ///< may be empty
    std::function<void(std::span<const FoldBuffer>)> entry;
};

/// What one execution did.
struct Execution {
    std::vector<std::int64_t> foldedNow; ///< ids of tensors that were computed in it
    std::int64_t hits = 0;               ///< tensors that were there
    std::int64_t evictions = 0;          ///< tensors, of any function, that left for its sake
    std::vector<std::int64_t> notKept;   ///< ids that the capacity does not take beside the others: computed in each execution

    friend bool operator==(const Execution&, const Execution&) = default;
};

class FoldRuntime {
public:
    explicit FoldRuntime(CacheSharing scope, std::optional<Bytes> capacity = {},
                         ConstantCache::Backing backing = ConstantCache::memory);

    /// Takes a function over and runs its `compileTimeFold`, as the compiler would. Returns its number.
    std::size_t add(CompiledFunction function);
    /// Errors: "no-memory".
    Expected<Execution> execute(std::size_t function);

    /// The map that the function uses.
    [[nodiscard]] const ConstantCache& cache(std::size_t function) const;
    /// The index of one of the function's tensors in that map.
    [[nodiscard]] CacheIndex index(std::size_t function, std::int64_t id) const;
    [[nodiscard]] std::int64_t executionCount(std::size_t function) const { return functions_[function].executions; }

private:
    struct Loaded {
        CompiledFunction code;
        CacheIndex firstIndex = 0;
        std::shared_ptr<ConstantCache> cache;
        std::int64_t executions = 0;
    };
    class Call;

    CacheSharing scope_;
    std::optional<Bytes> capacity_;
    ConstantCache::Backing backing_;
    CacheIndex nextIndex_ = 0;
    std::shared_ptr<ConstantCache> shared_;
    std::vector<Loaded> functions_;
};

} // namespace stowage
