#include "core/exec/fold_runtime.h"

#include <fmt/format.h>

#include <algorithm>

namespace stowage {

/// One execution. It holds the tensors that it uses until it ends.
class FoldRuntime::Call {
public:
    Call(Loaded& function, ConstantCache::Backing backing)
        : function_(function), evictionsBefore_(function.cache->evictions()), ownMemory_({}, backing)
    {
        buffers_.resize(function.code.folded.size());
        // Holds all cached tensors before any is computed, so that new tensors do not evict those that this execution reads.
        for (std::size_t i = 0; i < buffers_.size(); ++i)
            if (const CachedBuffer* found = cached(i) ? function_.cache->find(indexOf(i)) : nullptr) {
                function_.cache->hold(indexOf(i));
                buffers_[i] = {static_cast<std::int64_t>(i), found};
                held_.push_back(indexOf(i));
                ++result_.hits;
            }
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    ~Call()
    {
        for (const CacheIndex index : held_) function_.cache->release(index);
    }

    /// Computes the missing tensors among those that `place` makes. False without memory.
    bool fold(FoldPlace place)
    {
        std::vector<FoldBuffer> made, read;
        const auto& folded = function_.code.folded;
        for (std::size_t i = 0; i < folded.size(); ++i) {
            if (folded[i].madeIn != place) {
                if (folded[i].runTimeFoldReads && buffers_[i].buffer) read.push_back(buffers_[i]);
                continue;
            }
            if (buffers_[i].buffer) continue;
            if (!make(i)) return false;
            made.push_back(buffers_[i]);
            result_.foldedNow.push_back(folded[i].id);
        }
        if (made.empty()) return true;
        if (place == FoldPlace::compileTimeFold) {
            if (function_.code.compileTimeFold) function_.code.compileTimeFold(made);
        } else if (function_.code.runTimeFold) {
            function_.code.runTimeFold(made, read);
        }
        return true;
    }

    void runEntry()
    {
        std::vector<FoldBuffer> read;
        for (std::size_t i = 0; i < buffers_.size(); ++i)
            if (buffers_[i].buffer && function_.code.folded[i].entryReads) read.push_back(buffers_[i]);
        if (function_.code.entry) function_.code.entry(read);
    }

    Execution result()
    {
        result_.evictions = function_.cache->evictions() - evictionsBefore_;
        return std::move(result_);
    }

private:
    [[nodiscard]] CacheIndex indexOf(std::size_t i) const { return function_.firstIndex + static_cast<CacheIndex>(i); }
    [[nodiscard]] bool cached(std::size_t i) const { return function_.code.folded[i].madeIn != FoldPlace::evaluated; }

    bool make(std::size_t i)
    {
        const FoldedTensor& tensor = function_.code.folded[i];
        const CachedBuffer* buffer = function_.cache->insert(indexOf(i), tensor.size, tensor.shape, tensor.strides);
        if (buffer) {
            function_.cache->hold(indexOf(i));
            held_.push_back(indexOf(i));
        } else { // no room for it besides the held tensors: it is kept until the execution ends
            buffer = ownMemory_.insert(indexOf(i), tensor.size, tensor.shape, tensor.strides);
            if (!buffer) return false;
            result_.notKept.push_back(tensor.id);
        }
        buffers_[i] = {tensor.id, buffer};
        return true;
    }

    Loaded& function_;
    std::int64_t evictionsBefore_;
    std::vector<FoldBuffer> buffers_; ///< by folded tensor
    std::vector<CacheIndex> held_;
    ConstantCache ownMemory_;
    Execution result_;
};

FoldRuntime::FoldRuntime(CacheSharing sharing, std::optional<Bytes> capacity, ConstantCache::Backing backing)
    : sharing_(sharing), capacity_(capacity), backing_(backing), shared_(std::make_shared<ConstantCache>(capacity, backing))
{
}

std::size_t FoldRuntime::add(CompiledFunction function)
{
    Loaded loaded;
    loaded.cache = sharing_ == CacheSharing::process ? shared_ : std::make_shared<ConstantCache>(capacity_, backing_);
    loaded.firstIndex = sharing_ == CacheSharing::process ? nextIndex_ : 0;
    nextIndex_ += static_cast<CacheIndex>(function.folded.size());
    loaded.code = std::move(function);
    functions_.push_back(std::move(loaded));
    Call call(functions_.back(), backing_);
    call.fold(FoldPlace::compileTimeFold); // without memory, the first execution tries again and reports the error
    return functions_.size() - 1;
}

Expected<Execution> FoldRuntime::execute(std::size_t function)
{
    Loaded& loaded = functions_[function];
    Call call(loaded, backing_);
    if (!call.fold(FoldPlace::compileTimeFold) || !call.fold(FoldPlace::runTimeFold))
        return failure(Code::noMemory, fmt::format("there is no memory for the folded tensors of '{}'", loaded.code.name), {},
                       "fold less: give a smaller threshold");
    call.runEntry();
    ++loaded.executions;
    return call.result();
}

const ConstantCache& FoldRuntime::cache(std::size_t function) const
{
    return *functions_[function].cache;
}

CacheIndex FoldRuntime::index(std::size_t function, std::int64_t id) const
{
    return functions_[function].firstIndex + id;
}

} // namespace stowage
