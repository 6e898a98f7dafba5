#include "app/canvas/pictures/scene_cache.h"

#include "app/session/session.h"

#include <algorithm>
#include <string_view>

namespace stowage {

namespace {

bool sameTensor(const BufferOrigin& a, const BufferOrigin& b)
{
    return a.function == b.function && a.tensor == b.tensor;
}

} // namespace

bool sameBuffers(const Run& a, const Run& b)
{
    return sameBuffers(*a.lowering, *b.lowering);
}

bool sameBuffers(const Lowering& a, const Lowering& b)
{
    if (&a == &b) return true;
    if (a.fingerprint.withoutEdits() != b.fingerprint.withoutEdits() || a.problem.name != b.problem.name ||
        a.problem.buffers.size() != b.problem.buffers.size() || a.problem.horizon() != b.problem.horizon())
        return false;
    // No fingerprint has the program. In another order of ops another result may lie in the place of an input, and a file that
    // was read again may list its tensors otherwise: as many buffers as before, with other ids.
    return std::ranges::equal(a.origins, b.origins, sameTensor) &&
           std::ranges::equal(a.problem.buffers, b.problem.buffers, {}, &Buffer::name, &Buffer::name);
}

std::shared_ptr<const RunScene> SceneCache::find(const std::shared_ptr<const Run>& run) const
{
    const std::scoped_lock lock(mutex_);
    const auto found = scenes_.find(run.get());
    auto scene = found == scenes_.end() ? nullptr : found->second.lock();
    // The address of a run that is gone may be another run's now.
    return scene && scene->run == run ? scene : nullptr;
}

std::shared_ptr<const RunScene> SceneCache::scene(const std::shared_ptr<const Run>& run)
{
    if (auto known = find(run)) return known;
    // Two threads may make the same one: the first that is done wins, and nobody waits with the lock held.
    auto made = makeScene(run);
    const std::scoped_lock lock(mutex_);
    std::erase_if(scenes_, [](const auto& entry) { return entry.second.expired(); });
    auto& slot = scenes_[run.get()];
    if (auto known = slot.lock(); known && known->run == run) return known;
    slot = made;
    return made;
}

} // namespace stowage
