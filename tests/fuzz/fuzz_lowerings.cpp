// Random programs (the bytes are the seed and what they may have), every lowering, a planner, the checker and the program itself
// on an arena whose bytes are checked: nothing that a program still reads is overwritten.
#include "core/exec/arena.h"
#include "core/ir/verify.h"
#include "core/lower/lower.h"
#include "core/plan/report.h"
#include "core/planners/registry.h"
#include "tests/core/random_program.h"

#include <cstdlib>
#include <cstring>

using namespace stowage;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 12) return 0;
    std::uint64_t seed = 0;
    std::memcpy(&seed, data, 8);
    const auto bit = [&](int i) { return (data[8] >> i & 1) != 0; };
    test::RandomProgramOptions may;
    may.ops = 3 + data[9] % 20;
    may.loops = bit(0);
    may.cases = bit(1);
    may.calls = bit(2);
    may.views = bit(3);
    may.inPlace = bit(4);
    may.kept = bit(5);
    const Program program = test::randomProgram(seed, may);
    LowerOptions options;
    constexpr Order orders[] = {Order::linear, Order::dag, Order::hivm};
    options.order = orders[(data[10] >> 4) % 3];
    options.views = (data[10] & 1) != 0 ? ViewMode::merged : ViewMode::separate;
    options.inPlace = (data[10] & 2) != 0 ? InPlaceMode::allowed : InPlaceMode::off;
    options.loops = (data[10] & 4) != 0 ? LoopMode::precise : LoopMode::conservative;
    const auto lowering = lower(program, options);
    if (!lowering) {
        if (lowering.error().message.empty()) std::abort();
        return 0;
    }
    static const PlannerRegistry planners = PlannerRegistry::builtIn();
    const auto& planner = *planners.all()[data[11] % planners.all().size()];
    PlanContext context;
    context.workLimit = 1000;
    const auto plan = planner.plan(lowering->problem, {}, context);
    if (!plan) return 0; // it says that it does not take such problems
    if (evaluate(lowering->problem, *plan).status == Status::invalid) std::abort();
    // Ascend's order follows the rules of a compiler for its kernels. Random programs are none, and those rules do not hold for
    // them.
    if (options.order == Order::hivm) return 0;
    const auto executed = execute(program, *lowering, *plan);
    if (!executed || executed->corruption) std::abort();
    return 0;
}
