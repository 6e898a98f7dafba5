// The objects of the handles of the C interface, and the border that no exception crosses.
#pragma once

#include "core/capi/stowage.h"
#include "core/ir/expected.h"
#include "core/plan/report.h"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <utility>

namespace stowage::capi {

/// Texts for callers, by index. Each is made when it is first asked for, and keeps its address until the handle is freed. Threads
/// may ask at the same time.
class LastingTexts {
public:
    /// The text of `index`; `make` returns it when there is none yet.
    template <typename Make>
    const char* of(std::int32_t index, Make&& make)
    {
        const std::lock_guard lock(mutex_);
        auto place = texts_.find(index);
        if (place == texts_.end()) place = texts_.emplace(index, std::forward<Make>(make)()).first;
        return place->second.c_str();
    }

private:
    std::mutex mutex_;
    std::map<std::int32_t, std::string> texts_; ///< its nodes do not move
};

} // namespace stowage::capi

struct stowage_problem {
    stowage::Problem draft;                          ///< as built so far; its names move when buffers or pools are added
    std::size_t described = 0;                       ///< count of its first buffers, which come from a text
    std::mutex mutex;                                ///< of `checked`: several threads may plan one problem
    std::shared_ptr<const stowage::Problem> checked; ///< null after a change
    mutable stowage::capi::LastingTexts bufferNames;
    mutable stowage::capi::LastingTexts poolNames;
};

struct stowage_plan {
    std::shared_ptr<const stowage::Problem> problem;
    stowage::Plan plan;
    stowage::Report report;
    std::string violation; ///< empty: valid
    std::string proof;
    stowage::capi::LastingTexts json;         ///< of index 0 only
    stowage::capi::LastingTexts explanations; ///< by buffer
};

namespace stowage::capi {

/// Keeps it as this thread's last error, and returns `result`. Without a text nothing is allocated.
int32_t fail(int32_t result, Code code, std::string text);
int32_t fail(int32_t result, const Error& error, std::string text);
/// The same for an error of the core: the result goes by its code.
int32_t fail(const Error& error);
/// A fault of the library itself.
int32_t failInternally(std::string text);
/// Forgets this thread's last error.
void succeed();

/// The problem as planners take it: checked once after each change. Null: it contradicts itself, and the error is kept.
[[nodiscard]] std::shared_ptr<const Problem> checkedProblem(stowage_problem& problem);

/// Calls `body`, which returns a result, and turns whatever it throws into one.
template <typename Result, typename Body>
Result guarded(Result otherwise, Body&& body) noexcept
{
    try {
        succeed();
        return body();
    } catch (const std::bad_alloc&) {
        fail(STOWAGE_ERROR_MEMORY, Code::outOfMemory, {});
        return otherwise;
    } catch (...) {
        try {
            failInternally("a fault of the library");
        } catch (...) {
        }
        return otherwise;
    }
}
template <typename Body>
int32_t guarded(Body&& body) noexcept
{
    try {
        succeed();
        return body();
    } catch (const std::bad_alloc&) {
        return fail(STOWAGE_ERROR_MEMORY, Code::outOfMemory, {});
    } catch (const std::exception& error) {
        return failInternally(error.what());
    } catch (...) {
        return failInternally("a fault of the library");
    }
}

} // namespace stowage::capi
