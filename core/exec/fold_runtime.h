// A small run-time for folded functions: the first execution computes the folded tensors; later ones reuse them unless they were
// evicted from the cache.
//
// It follows `MLIROp::execute` in the document of constant tensor folding: the first execution calls the run-time folding
// function and the entry, later ones call the entry only. Compiled functions share one cache with process-wide indices, or each
// has a cache of its own. The caller provides the functions; the run-time decides which functions are called and where bytes lie.
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
    process,  ///< one cache for all compiled functions
    function, ///< a cache for each compiled function
};

/// One folded tensor in an execution.
struct FoldBuffer {
    std::int64_t id = 0; ///< `FoldedTensor::id` in the function
    const CachedBuffer* buffer = nullptr;
};

/// A folded function as a compiler provides it. Each call receives the buffers that it has to fill or that it reads.
struct CompiledFunction {
    std::string name;
    std::vector<FoldedTensor> folded; ///< evaluated tensors are literals and are not kept in the cache
    std::function<void(std::span<const FoldBuffer>)> compileTimeFold; ///< fills its tensors; may be empty
    std::function<void(std::span<const FoldBuffer> made, std::span<const FoldBuffer> read)> runTimeFold; ///< may be empty
    std::function<void(std::span<const FoldBuffer>)> entry;
};

/// Record of one execution.
struct Execution {
    std::vector<std::int64_t> foldedNow; ///< ids of the tensors that it computed
    std::int64_t hits = 0;               ///< tensors found in the cache
    std::int64_t evictions = 0;          ///< tensors of any function that were evicted for it
    std::vector<std::int64_t> notKept;   ///< ids of tensors that do not fit into the capacity together with the others, and are
                                         ///< computed in each execution

    friend bool operator==(const Execution&, const Execution&) = default;
};

class FoldRuntime {
public:
    explicit FoldRuntime(CacheSharing sharing, std::optional<Bytes> capacity = {},
                         ConstantCache::Backing backing = ConstantCache::memory);

    /// Adds a function and calls its `compileTimeFold`, as a compiler would. Returns the number of the function.
    std::size_t add(CompiledFunction function);
    /// Executes a function once: folds what is missing, then calls the entry. Errors: no memory.
    Expected<Execution> execute(std::size_t function);

    /// The cache that a function uses.
    [[nodiscard]] const ConstantCache& cache(std::size_t function) const;
    /// The index in that cache of the function's folded tensor `id`.
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

    CacheSharing sharing_;
    std::optional<Bytes> capacity_;
    ConstantCache::Backing backing_;
    CacheIndex nextIndex_ = 0;
    std::shared_ptr<ConstantCache> shared_;
    std::vector<Loaded> functions_;
};

} // namespace stowage
