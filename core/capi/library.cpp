// The C interface: the library itself, its errors, and its planners.
#include "core/capi/handles.h"
#include "core/io/plan_names.h"
#include "core/planners/registry.h"

#include <optional>
#include <span>
#include <utility>

namespace stowage::capi {

namespace {

struct LastError {
    int32_t result = STOWAGE_OK;
    std::optional<Code> code; ///< nothing: no error
    ForeignCode foreign;      ///< only with `Code::foreign`
    std::string text;
};
thread_local LastError lastError;

const PlannerRegistry& registry()
{
    static const PlannerRegistry planners = PlannerRegistry::builtIn();
    return planners;
}

void keep(int32_t result, Code code, ForeignCode foreign, std::string text)
{
    lastError.result = result;
    lastError.code = code;
    lastError.foreign = std::move(foreign);
    lastError.text = std::move(text);
}

int32_t resultOf(Code code)
{
    if (code == Code::unknownPlanner) return STOWAGE_ERROR_UNKNOWN_PLANNER;
    if (code == Code::unknownOption || code == Code::badOptionValue || code == Code::optionOutOfRange)
        return STOWAGE_ERROR_OPTION;
    if (code == Code::notSupported) return STOWAGE_ERROR_NOT_SUPPORTED;
    return STOWAGE_ERROR_PROBLEM;
}

const char* wordAt(std::span<const std::string_view> words, int32_t index)
{
    if (index < 0 || static_cast<size_t>(index) >= words.size()) return nullptr;
    return words[static_cast<size_t>(index)].data(); // of a literal: ends with 0
}

} // namespace

int32_t fail(int32_t result, Code code, std::string text)
{
    keep(result, code, {}, std::move(text));
    return result;
}

int32_t fail(int32_t result, const Error& error, std::string text)
{
    keep(result, error.code, error.foreign, std::move(text));
    return result;
}

int32_t failInternally(std::string text)
{
    keep(STOWAGE_ERROR_INTERNAL, Code::internal, {}, std::move(text));
    return STOWAGE_ERROR_INTERNAL;
}

int32_t fail(const Error& error)
{
    std::string text = error.message;
    if (!error.remedy.empty()) text += " (" + error.remedy + ")";
    return fail(resultOf(error.code), error, std::move(text));
}

void succeed()
{
    lastError.result = STOWAGE_OK;
    lastError.code.reset();
    lastError.foreign.name.clear();
    lastError.text.clear();
}

} // namespace stowage::capi

using namespace stowage;

const char* stowage_version(void)
{
    return STOWAGE_VERSION;
}

int32_t stowage_api_version(void)
{
    return STOWAGE_API_MAJOR * 1000 + STOWAGE_API_MINOR;
}

const char* stowage_error_text(void)
{
    if (capi::lastError.text.empty() && capi::lastError.result == STOWAGE_ERROR_MEMORY) return "out of memory";
    return capi::lastError.text.c_str();
}

const char* stowage_error_code(void)
{
    const capi::LastError& error = capi::lastError;
    if (!error.code) return "";
    return *error.code == Code::foreign ? error.foreign.name.c_str() : toText(*error.code).data(); // of a literal: ends with 0
}

size_t stowage_planner_count(void)
{
    return capi::guarded(size_t{0}, [] { return capi::registry().all().size(); });
}

const char* stowage_planner_name(size_t index)
{
    return capi::guarded(static_cast<const char*>(nullptr), [&]() -> const char* {
        const auto all = capi::registry().all();
        return index < all.size() ? all[index]->info().name.c_str() : nullptr;
    });
}

const char* stowage_planner_summary(size_t index)
{
    return capi::guarded(static_cast<const char*>(nullptr), [&]() -> const char* {
        const auto all = capi::registry().all();
        return index < all.size() ? all[index]->info().summary.c_str() : nullptr;
    });
}

const char* stowage_status_name(int32_t status)
{
    return capi::wordAt(statusWords, status);
}

const char* stowage_stop_name(int32_t stop)
{
    return capi::wordAt(io::stoppedByNames, stop);
}
