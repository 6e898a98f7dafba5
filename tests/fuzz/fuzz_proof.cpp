// Whatever the bytes, the verifier of proofs refuses them with a reason, or what they claim is true: nothing that fits is
// refuted.
#include "core/plan/proof/check_proof.h"
#include "core/planners/exact/proof.h"
#include "core/planners/registry.h"
#include "tests/fuzz/imported.h"
#include "tests/support/problems.h"

#include <algorithm>
#include <array>

namespace {

struct Case {
    stowage::Problem problem;
    stowage::Bytes smallest = 0;
};

/// Small problems of five kinds with their smallest sizes in all pools, which the search knows.
const std::array<Case, 5>& cases()
{
    static const auto made = [] {
        std::array<Case, 5> all;
        for (std::size_t kind = 0; kind < all.size(); ++kind) {
            stowage::test::Features features{.name = "proof"};
            features.alignment = kind == 1;
            features.gaps = kind == 2 || kind == 3;
            features.windows = kind == 3;
            features.pools = kind == 4;
            Case& one = all[kind];
            one.problem = stowage::test::randomProblem(features, 11 + kind, 8);
            for (stowage::Pool& pool : one.problem.pools) pool.capacity.reset();
            const auto plan = stowage::PlannerRegistry::builtIn().find("exact")->plan(one.problem, {}, {});
            if (!plan) std::abort();
            for (std::size_t pool = 0; pool < one.problem.pools.size(); ++pool)
                one.smallest += plan->poolSize(one.problem, static_cast<stowage::PoolId>(pool));
        }
        return all;
    }();
    return made;
}

} // namespace

/// The first byte chooses the problem.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0) return 0;
    const Case& one = cases()[data[0] % cases().size()];
    const auto proved = stowage::checkProof(one.problem, stowage::test::textOf(data + 1, size - 1));
    if (!proved) {
        if (proved.error().message.empty()) std::abort();
    } else if (proved->capacity >= one.smallest) {
        std::abort();
    }
    return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

/// Noise never becomes a log: what is too short to be one turns into a genuine one, and is changed from there.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed)
{
    if (size < 30) {
        const std::size_t kind = seed % cases().size();
        const Case& one = cases()[kind];
        const bool together = kind == 4 || seed / cases().size() % 2 == 0;
        const auto log = one.smallest == 0 ? stowage::failure(stowage::Code::noProof, "nothing to prove")
                         : together        ? stowage::exact::writeSumProof(one.problem, one.smallest - 1, 10'000)
                                           : stowage::exact::writeProof(one.problem, 0, one.smallest - 1, 10'000);
        if (log && log->size() < maxSize) {
            data[0] = static_cast<std::uint8_t>(kind);
            std::copy(log->begin(), log->end(), data + 1);
            return log->size() + 1;
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}
