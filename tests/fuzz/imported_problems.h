// What the result of a reader of problems has to stand: each is planned and judged, or refused with a reason.
#pragma once

#include "plugins/api/importer.h"
#include "tests/fuzz/planned.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace stowage::test {

inline void checkAndPlan(Problem problem)
{
    const Diagnostics found = checkAndRepair(problem);
    const bool wrong = std::any_of(found.begin(), found.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
    if (!wrong) planSafely(problem);
}

/// Reads the bytes as `Reader` does a file.
template <typename Reader>
int readAndPlan(const std::uint8_t* data, std::size_t size, const char* file)
{
    const Expected<Imported> imported = Reader().import({file, {reinterpret_cast<const char*>(data), size}, {}, {}});
    if (!imported) {
        if (codeText(imported.error()).empty() || imported.error().message.empty()) std::abort();
        return 0;
    }
    if (const auto* problem = std::get_if<Problem>(&imported->content)) checkAndPlan(*problem);
    if (const auto* problems = std::get_if<std::vector<NamedProblem>>(&imported->content)) {
        for (const NamedProblem& each : *problems) checkAndPlan(each.problem);
        for (const FilePlan& plan : imported->plans) { // what it places is there
            const Problem& of = problems->at(at(plan.problem)).problem;
            for (const FilePlan::Offset& offset : plan.offsets)
                if (offset.tensor < 0 || at(offset.tensor) >= of.buffers.size() || offset.offset < 0) std::abort();
        }
    }
    return 0;
}

} // namespace stowage::test
