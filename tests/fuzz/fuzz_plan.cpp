// Whatever the bytes, the reader of plans (JSON and CSV) gives a plan that can be judged, or one error with a place.
#include "core/io/text.h"
#include "core/plan/report.h"

#include <cstdlib>

namespace {

/// Every feature that a placement can have to do with.
const char* const problemText = R"({"format": "stowage.problem/1", "name": "fuzz",
 "pools": [{"name": "sram", "capacity": 4096, "alignment": 4}, {"name": "dram"}],
 "loops": [{"name": "L1", "live": [2, 9], "trip_count": 5}],
 "buffers": [{"name": "a", "size": 64, "live": [[0, 5], [7, 9]], "windows": [{"live": [5, 7], "bytes": [0, 16]}]},
             {"name": "b", "size": 32, "alignment": 16, "live": [[1, 3]], "conflicts": ["c"], "offset": 128},
             {"name": "c", "size": 48, "live": [[3, 8]], "pools": ["sram"], "slots": 2, "loop": "L1"},
             {"name": "d", "size": 16, "live": [[2, 4]], "loop": "L1", "carried": [{"distance": 1, "live": [2, 4]}]},
             {"name": "e", "size": 8, "live": [[0, 9]], "unique": true},
             {"name": "f", "size": 8, "live": [[4, 6]], "may_share": ["a"]}]})";

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace stowage;
    static const Problem problem = [] {
        auto read = io::readProblemJson(problemText, "problem.json");
        if (!read) std::abort();
        return read->value;
    }();
    const auto read = io::readPlan({reinterpret_cast<const char*>(data), size}, "fuzz.json", problem);
    if (!read) {
        if (read.error().message.empty() || read.error().where.file != "fuzz.json") std::abort();
        return 0;
    }
    const Report report = evaluate(problem, read->value);
    for (const Violation& violation : report.verdict.violations)
        if (describe(problem, violation).empty()) std::abort();
    for (PoolId pool = 0; pool < static_cast<PoolId>(problem.pools.size()); ++pool) (void)usage(problem, read->value, pool);
    return 0;
}
