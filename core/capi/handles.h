// The objects of the handles of the C interface, and the border that no exception crosses.
#pragma once

#include "core/capi/stowage.h"
#include "core/ir/expected.h"
#include "core/plan/report.h"

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>

struct stowage_problem {
    stowage::Problem draft;                          ///< as built so far
    std::size_t described = 0;                       ///< count of its first buffers, which come from a text
    std::mutex mutex;                                ///< of `checked`: several threads may plan one problem
    std::shared_ptr<const stowage::Problem> checked; ///< null after a change
};

struct stowage_plan {
    std::shared_ptr<const stowage::Problem> problem;
    stowage::Plan plan;
    stowage::Report report;
    std::string violation; ///< empty: valid
    std::string proof;
    std::string json;    ///< made when it is asked for
    std::string explain; ///< the last answer
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
