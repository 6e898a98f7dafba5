#include "app/session/lowering_cache.h"

#include "app/session/native_path.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

std::shared_ptr<const void> contentOf(const Model& model)
{
    if (model.program) return model.program;
    return model.problem;
}

} // namespace

Expected<Entry> entryOf(const Model& model, const std::string& function)
{
    if (!model.program) {
        for (const auto& [name, problem] : model.problems)
            if (name == function) return Entry{nullptr, problem};
        if (function.empty()) return Entry{nullptr, model.problem};
        if (!model.problems.empty()) {
            std::vector<std::string_view> names;
            for (const auto& [name, problem] : model.problems) names.push_back(name);
            return failure(Code::unknownFunction, fmt::format("there is no function named '{}'", function),
                           {nativePath(model.path)}, fmt::format("the functions are: {}", fmt::join(names, ", ")));
        }
        return failure(Code::noFunctions,
                       fmt::format("there is no function '{}': the input is a problem, it has no functions", function),
                       {nativePath(model.path)});
    }
    const auto& functions = model.program->functions;
    if (function.empty() || model.program->main().name == function) return Entry{model.program, nullptr};
    const auto found = std::find_if(functions.begin(), functions.end(), [&](const Function& f) { return f.name == function; });
    if (found == functions.end()) {
        std::vector<std::string_view> names;
        for (const Function& f : functions) names.push_back(f.name);
        return failure(Code::unknownFunction, fmt::format("there is no function named '{}'", function), {nativePath(model.path)},
                       fmt::format("the functions are: {}", fmt::join(names, ", ")));
    }
    auto program = std::make_shared<Program>(*model.program);
    program->entry = static_cast<FunctionId>(found - functions.begin());
    return Entry{std::move(program), nullptr};
}

bool sameBesidesEntry(const Program& a, const Program& b)
{
    return a.functions == b.functions && a.pools == b.pools && a.lowering == b.lowering;
}

LoweringCache::Answer LoweringCache::compute(const Model& model, const std::string& function, const LowerOptions& options)
{
    const auto entry = entryOf(model, function);
    if (!entry) return {entry.error(), nullptr};
    auto lowered = entry->program ? lower(*entry->program, options) : lower(borrowed(entry->problem), options);
    if (!lowered) return {std::move(lowered).error(), nullptr};
    return {std::make_shared<const Lowering>(*std::move(lowered)), entry->program};
}

LoweringCache::Answer LoweringCache::get(const Model& model, const std::string& function, const LowerOptions& options)
{
    const auto content = contentOf(model);
    std::promise<Answer> promise;
    {
        std::unique_lock lock(mutex_);
        const auto found = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
            return slot.content == content && slot.function == function && slot.options == options;
        });
        if (found != slots_.end()) {
            slots_.splice(slots_.begin(), slots_, found);
            const std::shared_future<Answer> answer = found->answer;
            lock.unlock();
            return answer.get();
        }
        slots_.push_front({content, function, options, promise.get_future().share()});
        if (slots_.size() > capacity) slots_.pop_back();
    }
    try {
        Answer answer = compute(model, function, options);
        promise.set_value(answer);
        return answer;
    } catch (...) { // no memory: those who wait are told the same
        promise.set_exception(std::current_exception());
        forget(model);
        throw;
    }
}

void LoweringCache::forget(const Model& model)
{
    const std::lock_guard lock(mutex_);
    slots_.remove_if([content = contentOf(model)](const Slot& slot) { return slot.content == content; });
}

} // namespace stowage
