// A cache of scenes, so that all views of a run share one.
#pragma once

#include "app/canvas/axis/run_scene.h"

#include <map>
#include <memory>
#include <mutex>

namespace stowage {

/// Whether both runs have the same buffers with the same ids, pinned or not, so that a selection and the visible range have the
/// same meaning in both. At once for runs that share a lowering, else O(buffers).
[[nodiscard]] bool sameBuffers(const Run& a, const Run& b);
/// The same for the lowerings of two runs, of which one may be gone.
[[nodiscard]] bool sameBuffers(const Lowering& a, const Lowering& b);

/// Thread-safe. Does not keep scenes alive; the views do.
class SceneCache {
public:
    /// The scene of `run`; made here if no view has it, see `makeScene`.
    [[nodiscard]] std::shared_ptr<const RunScene> scene(const std::shared_ptr<const Run>& run);
    /// The scene of `run` if a view has it, else null. O(log runs).
    [[nodiscard]] std::shared_ptr<const RunScene> find(const std::shared_ptr<const Run>& run) const;

private:
    mutable std::mutex mutex_;
    std::map<const Run*, std::weak_ptr<const RunScene>> scenes_;
};

} // namespace stowage
