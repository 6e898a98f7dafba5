// Random problems of every kind (the bytes are the seed, the kind and the planner): the core's checker, one that is written apart
// and shares no code with it, and a run on an arena whose bytes are checked agree about the plan.
#include "core/exec/arena.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/core/random_problem.h"
#include "tests/support/brute_check.h"

#include <cstdlib>
#include <cstring>

using namespace stowage;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 12) return 0;
    std::uint64_t seed = 0;
    std::memcpy(&seed, data, 8);
    std::uint16_t bits = 0;
    std::memcpy(&bits, data + 8, 2);
    test::Kind kind = test::kindOf(bits);
    kind.buffers = 2 + data[10] % 12;
    const Problem problem = test::Generator(seed).problem(kind);
    static const PlannerRegistry planners = PlannerRegistry::builtIn();
    const auto all = planners.all();
    const auto& planner = *all[data[11] % all.size()];
    PlanContext context;
    context.workLimit = 2000;
    const auto plan = planner.plan(problem, {}, context);
    if (!plan) {
        if (plan.error().message.empty()) std::abort();
        return 0;
    }
    const Report report = evaluate(problem, *plan);
    const bool valid = report.verdict.valid(); // pins that collide make a plan infeasible, and still one that overlaps
    if (report.status == Status::invalid && !test::rotatingPinsCollide(problem, report.verdict)) std::abort();
    if (valid != test::objection(problem, *plan).empty()) std::abort();
    const auto executed = execute(problem, *plan);
    if (valid && (!executed || executed->corruption)) std::abort();
    if (valid && report.totalSize() < report.totalBound() && report.status != Status::infeasible) std::abort();
    return 0;
}
