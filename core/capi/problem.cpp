// The C interface: problems.
#include "core/capi/handles.h"
#include "core/io/text.h"
#include "core/ir/checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

using namespace stowage;
using capi::fail;
using capi::guarded;

namespace {

constexpr const char* onlyPool = "arena"; ///< of a problem to which no pool was added

int32_t argument(std::string text)
{
    return fail(STOWAGE_ERROR_ARGUMENT, Code::badArgument, std::move(text));
}

/// A change of the draft; what was checked counts no more.
template <typename Body>
int32_t change(stowage_problem* problem, Body&& body)
{
    return guarded([&]() -> int32_t {
        if (!problem) return argument("the problem is null");
        const std::lock_guard lock(problem->mutex);
        const int32_t result = body(problem->draft);
        if (result >= 0) problem->checked.reset();
        return result;
    });
}

/// The same for one buffer of it.
template <typename Body>
int32_t changeBuffer(stowage_problem* problem, int32_t buffer, Body&& body)
{
    return change(problem, [&](Problem& draft) -> int32_t {
        if (buffer < 0 || at(buffer) >= draft.buffers.size()) return argument(fmt::format("there is no buffer {}", buffer));
        return body(draft.buffers[at(buffer)]);
    });
}

} // namespace

std::shared_ptr<const Problem> capi::checkedProblem(stowage_problem& handle)
{
    const std::lock_guard lock(handle.mutex);
    if (handle.checked) return handle.checked;
    // Readers have checked those of a text, where an empty list of conflicts says that a buffer conflicts with nothing.
    for (std::size_t b = handle.described; b < handle.draft.buffers.size(); ++b) {
        const Buffer& buffer = handle.draft.buffers[b];
        if (!buffer.live.empty() || !buffer.conflicts.empty()) continue;
        capi::fail(STOWAGE_ERROR_PROBLEM, Code::missingField,
                   fmt::format("buffer '{}' has neither a live range nor a conflict; add one of them", buffer.name));
        return nullptr;
    }
    auto problem = std::make_shared<Problem>(handle.draft);
    if (problem->pools.empty()) problem->pools.push_back({.name = onlyPool});
    const bool conflicts = std::ranges::any_of(problem->buffers, [](const Buffer& buffer) { return !buffer.conflicts.empty(); });
    const bool lives = std::ranges::any_of(problem->buffers, [](const Buffer& buffer) { return !buffer.live.empty(); });
    if (conflicts && !lives) problem->axis = Axis::dag;
    for (const Diagnostic& told : checkAndRepair(*problem))
        if (told.severity == Severity::error) {
            capi::fail(STOWAGE_ERROR_PROBLEM, told, told.message);
            return nullptr;
        }
    handle.checked = std::move(problem);
    return handle.checked;
}

stowage_problem* stowage_problem_new(const char* name)
{
    return guarded(static_cast<stowage_problem*>(nullptr), [&] {
        auto problem = std::make_unique<stowage_problem>();
        if (name) problem->draft.name = name;
        return problem.release();
    });
}

void stowage_problem_free(stowage_problem* problem)
{
    delete problem;
}

int32_t stowage_problem_read(const char* text, size_t size, stowage_problem** problem)
{
    return guarded([&]() -> int32_t {
        if (!text || !problem) return argument("the text or the result is null");
        const std::string_view view(text, size);
        const auto first = view.find_first_not_of(" \t\r\n");
        const bool json = first != std::string_view::npos && view[first] == '{';
        auto read = json ? io::readProblemJson(view, "text") : io::readProblemCsv(view, "text");
        if (!read) return fail(STOWAGE_ERROR_FORMAT, read.error(), toText(read.error()));
        auto made = std::make_unique<stowage_problem>();
        made->draft = std::move(read->value);
        made->described = made->draft.buffers.size();
        *problem = made.release();
        return STOWAGE_OK;
    });
}

int32_t stowage_problem_add_pool(stowage_problem* problem, const char* name, int64_t capacity, int64_t alignment)
{
    return change(problem, [&](Problem& draft) -> int32_t {
        if (!name) return argument("the pool's name is null");
        if (alignment < 1 || alignment > maxBytes) return argument(fmt::format("the pool's alignment is {}", alignment));
        if (capacity < STOWAGE_UNBOUNDED || capacity > maxBytes)
            return argument(fmt::format("the pool's capacity is {}", capacity));
        Pool pool{.name = name, .alignment = alignment};
        if (capacity != STOWAGE_UNBOUNDED) pool.capacity = capacity;
        draft.pools.push_back(std::move(pool));
        return static_cast<int32_t>(draft.pools.size()) - 1;
    });
}

int32_t stowage_problem_add_buffer(stowage_problem* problem, const char* name, int64_t size, int64_t alignment)
{
    return change(problem, [&](Problem& draft) -> int32_t {
        if (!name) return argument("the buffer's name is null");
        if (size < 0 || size > maxBytes) return argument(fmt::format("the size of '{}' is {}", name, size));
        if (alignment < 1 || alignment > maxBytes) return argument(fmt::format("the alignment of '{}' is {}", name, alignment));
        if (draft.buffers.size() >= at(std::numeric_limits<int32_t>::max() - 1)) return argument("there are too many buffers");
        Buffer& buffer = draft.buffers.emplace_back();
        buffer.name = name;
        buffer.size = size;
        buffer.alignment = alignment;
        return static_cast<int32_t>(draft.buffers.size()) - 1;
    });
}

int32_t stowage_problem_add_live(stowage_problem* problem, int32_t buffer, int64_t begin, int64_t end)
{
    return changeBuffer(problem, buffer, [&](Buffer& subject) -> int32_t {
        if (begin < 0 || end <= begin || end > maxBytes)
            return argument(fmt::format("the live range [{}, {}) of '{}' is empty or out of range", begin, end, subject.name));
        subject.live.push_back({begin, end});
        return STOWAGE_OK;
    });
}

int32_t stowage_problem_add_window(stowage_problem* problem, int32_t buffer, int64_t begin, int64_t end, int64_t low,
                                   int64_t high)
{
    return changeBuffer(problem, buffer, [&](Buffer& subject) -> int32_t {
        if (begin < 0 || end <= begin || low < 0 || high <= low || high > subject.size)
            return argument(fmt::format("the window of '{}' is empty or out of range", subject.name));
        subject.windows.push_back({{begin, end}, low, high});
        return STOWAGE_OK;
    });
}

int32_t stowage_problem_add_conflict(stowage_problem* problem, int32_t first, int32_t second)
{
    return change(problem, [&](Problem& draft) -> int32_t {
        for (const int32_t each : {first, second})
            if (each < 0 || at(each) >= draft.buffers.size()) return argument(fmt::format("there is no buffer {}", each));
        if (first == second) return argument("a buffer does not conflict with itself");
        for (const auto& [a, b] : {std::pair(first, second), std::pair(second, first)}) {
            auto& list = draft.buffers[at(a)].conflicts;
            const auto place = std::lower_bound(list.begin(), list.end(), b);
            if (place == list.end() || *place != b) list.insert(place, b);
        }
        return STOWAGE_OK;
    });
}

int32_t stowage_problem_add_candidate(stowage_problem* problem, int32_t buffer, int32_t pool)
{
    return change(problem, [&](Problem& draft) -> int32_t {
        if (buffer < 0 || at(buffer) >= draft.buffers.size()) return argument(fmt::format("there is no buffer {}", buffer));
        if (pool < 0 || at(pool) >= stowage_problem_pool_count(problem))
            return argument(fmt::format("there is no pool {}", pool));
        draft.buffers[at(buffer)].pools.push_back(pool);
        return STOWAGE_OK;
    });
}

int32_t stowage_problem_pin(stowage_problem* problem, int32_t buffer, int64_t offset)
{
    return changeBuffer(problem, buffer, [&](Buffer& subject) -> int32_t {
        if (offset < 0 || offset > maxBytes - subject.size)
            return argument(fmt::format("the offset of '{}' is {}", subject.name, offset));
        subject.pin = offset;
        return STOWAGE_OK;
    });
}

size_t stowage_problem_buffer_count(const stowage_problem* problem)
{
    return problem ? problem->draft.buffers.size() : 0;
}

size_t stowage_problem_pool_count(const stowage_problem* problem)
{
    return problem ? std::max<size_t>(problem->draft.pools.size(), 1) : 0;
}

const char* stowage_problem_buffer_name(const stowage_problem* problem, int32_t buffer)
{
    if (!problem || buffer < 0 || at(buffer) >= problem->draft.buffers.size()) return nullptr;
    return guarded(static_cast<const char*>(nullptr),
                   [&] { return problem->bufferNames.of(buffer, [&] { return problem->draft.buffers[at(buffer)].name; }); });
}

const char* stowage_problem_pool_name(const stowage_problem* problem, int32_t pool)
{
    if (!problem || pool < 0 || at(pool) >= stowage_problem_pool_count(problem)) return nullptr;
    if (problem->draft.pools.empty()) return onlyPool; // not kept: the first pool that is added has its index
    return guarded(static_cast<const char*>(nullptr),
                   [&] { return problem->poolNames.of(pool, [&] { return problem->draft.pools[at(pool)].name; }); });
}

int64_t stowage_problem_bound(stowage_problem* problem)
{
    return guarded(int64_t{STOWAGE_ERROR_INTERNAL}, [&]() -> int64_t {
        if (!problem) return argument("the problem is null");
        const auto checked = capi::checkedProblem(*problem);
        return checked ? lowerBound(*checked, none).bytes : int64_t{STOWAGE_ERROR_PROBLEM};
    });
}
