// Who asked for a buffer, where the file has a trace of it.
#include "app/session/model.h"

#include <algorithm>

namespace stowage {

std::vector<std::string> callStackOf(const Model& model, const Run& run, BufferId id)
{
    std::vector<std::string> frames;
    for (std::size_t i = 0; i < std::min(model.problems.size(), model.calls.size()); ++i) {
        const CallStacks* calls = model.calls[i].get();
        // Lowering a problem keeps its buffers by id; a change of it may add none.
        if (!calls || model.problems[i].second->name != run.problem().name || id < 0 || at(id) >= calls->ofBuffer.size() ||
            calls->ofBuffer.size() != run.problem().buffers.size())
            continue;
        if (const std::int32_t stack = calls->ofBuffer[at(id)]; stack != none)
            for (const std::int32_t frame : calls->stacks[at(stack)]) frames.push_back(calls->frames[at(frame)]);
        break;
    }
    return frames;
}

} // namespace stowage
