// A test for all rewriters: they write a planned file so that its importer can read the result, or report an error.
#pragma once

#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "plugins/api/rewriter.h"
#include "tests/fuzz/imported.h"

#include <string>

namespace stowage::test {

/// Plans the program of `text` without a target, writes the plan into the text, and reads the result with `read`, a function from
/// a text to an `Expected<Imported>`.
template <typename Read>
void rewriteSafely(std::string_view text, const LowerOptions& options, const Rewriter& rewriter, Read&& read)
{
    constexpr std::size_t largest = 200; // this does not test planners
    const Expected<Imported> imported = read(text);
    const auto* program = imported ? std::get_if<Program>(&imported->content) : nullptr;
    if (!program) return; // the fuzz target of the importer tests this case
    auto lowering = lower(*program, options);
    if (!lowering || lowering->problem.buffers.size() > largest) return;
    static const PlannerRegistry planners = PlannerRegistry::builtIn();
    auto plan = planners.find("naive")->plan(lowering->problem, {}, {});
    if (!plan) return;
    const Verdict verdict = check(lowering->problem, *plan);
    if (!verdict.valid() || verdict.overCapacity) return; // only valid plans are written
    const PlannedFunction planned{program->entry, *std::move(lowering), *std::move(plan)};
    const auto result = rewriter.rewrite({"fuzz", text, "plan-memory", {}, {}, {}, *program, {&planned, 1}});
    if (!result) {
        if (codeText(result.error()).empty() || result.error().message.empty()) std::abort();
        return;
    }
    const Expected<Imported> again = read(result->text);
    if (!again || !std::get_if<Program>(&again->content)) std::abort();
}

} // namespace stowage::test
