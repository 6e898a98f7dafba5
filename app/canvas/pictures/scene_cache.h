// What views paint runs from, made once for all views that show the same run.
#pragma once

#include "app/canvas/axis/run_scene.h"

#include <map>
#include <memory>
#include <mutex>

namespace stowage {

/// True when both are about the same buffers by the same ids, pinned or not: then a selection and what is in view mean the same
/// in both.
[[nodiscard]] bool sameBuffers(const Run& a, const Run& b);

/// Safe from any thread. Keeps no scene alive: the views do.
class SceneCache {
public:
    /// The scene of `run`, made now when nobody has it: see `makeScene` for what that takes.
    [[nodiscard]] std::shared_ptr<const RunScene> scene(const std::shared_ptr<const Run>& run);
    /// The same while it is in use, else null. O(log runs).
    [[nodiscard]] std::shared_ptr<const RunScene> find(const std::shared_ptr<const Run>& run) const;

private:
    mutable std::mutex mutex_;
    std::map<const Run*, std::weak_ptr<const RunScene>> scenes_;
};

} // namespace stowage
