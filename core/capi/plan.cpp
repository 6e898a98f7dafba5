// The C interface: planning, and plans.
#include "core/capi/handles.h"
#include "core/explain/support_chain.h"
#include "core/io/text.h"
#include "core/plan/run.h"
#include "core/planners/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <thread>

using namespace stowage;
using capi::fail;
using capi::guarded;

namespace {

constexpr auto cancelPoll = std::chrono::milliseconds(100);
constexpr double longestTime = 1e9; // seconds

int32_t argument(std::string text)
{
    return fail(STOWAGE_ERROR_ARGUMENT, Code::badArgument, std::move(text));
}

std::string proofOf(const Report& report)
{
    switch (report.proof) {
    case ProofKind::bound: return "bound";
    case ProofKind::search: return "search";
    case ProofKind::claim: return "claim";
    case ProofKind::unproven: break;
    }
    return {};
}

int32_t hand(std::shared_ptr<const Problem> problem, Plan made, stowage_plan** plan, std::span<const Mismatch> mismatches = {})
{
    auto handle = std::make_unique<stowage_plan>();
    handle->problem = std::move(problem);
    handle->plan = std::move(made);
    handle->plan.placements.resize(handle->problem->buffers.size());
    handle->report = evaluate(*handle->problem, handle->plan);
    addMismatches(handle->report, mismatches);
    handle->proof = proofOf(handle->report);
    for (const Violation& violation : handle->report.verdict.violations)
        if (violation.kind != ViolationKind::overCapacity && handle->violation.empty())
            handle->violation = describe(*handle->problem, violation);
    *plan = handle.release();
    return STOWAGE_OK;
}

constexpr std::size_t largestOptions = 4096; ///< bytes; a larger size is no size of any version

/// The options as this library knows them, whichever version the caller was built for. No value if the size is that of no
/// version, or if a field is set that this library does not know. The fields of version 1.0 are those of today.
std::optional<stowage_options> known(const stowage_options* given)
{
    stowage_options options{};
    if (!given) return options;
    if (given->struct_size < sizeof options || given->struct_size > largestOptions) return std::nullopt;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
    if (std::any_of(bytes + sizeof options, bytes + given->struct_size, [](unsigned char byte) { return byte != 0; }))
        return std::nullopt;
    std::memcpy(&options, given, sizeof options);
    return options;
}

/// Asks the caller whether to stop, as long as it lives.
class CancelPoll {
public:
    CancelPoll(const stowage_options& options, const std::stop_source& stop)
    {
        if (!options.cancelled) return;
        thread_ = std::jthread([ask = options.cancelled, user = options.user, stop](const std::stop_token& ended) mutable {
            std::mutex mutex;
            std::condition_variable_any wake;
            std::unique_lock lock(mutex);
            while (!wake.wait_for(lock, ended, cancelPoll, [&] { return ended.stop_requested(); }))
                if (ask(user) != 0) return static_cast<void>(stop.request_stop());
        });
    }

private:
    std::jthread thread_;
};

const Placement* placementOf(const stowage_plan* plan, int32_t buffer)
{
    if (!plan || buffer < 0 || at(buffer) >= plan->plan.placements.size()) return nullptr;
    return &plan->plan.placements[at(buffer)];
}

std::string sentence(const Problem& problem, const SupportChain& chain, std::size_t link)
{
    const SupportLink& here = chain.links[link];
    const std::string& name = problem.buffers[at(here.buffer)].name;
    if (link + 1 < chain.links.size()) {
        const SupportLink& below = chain.links[link + 1];
        const std::string lost = below.gap > 0 ? fmt::format(", {} bytes above its end for alignment", below.gap) : "";
        return fmt::format("{} lies at {}: it rests on {}{}\n", name, here.offset, problem.buffers[at(below.buffer)].name, lost);
    }
    switch (chain.end) {
    case SupportEnd::ground: return fmt::format("{} lies at {}: the lowest address\n", name, here.offset);
    case SupportEnd::pinned: return fmt::format("{} lies at {}: its offset is fixed\n", name, here.offset);
    case SupportEnd::nothing: break;
    }
    return fmt::format("{} lies at {}: it rests on nothing, and could lie lower\n", name, here.offset);
}

std::string explanation(const stowage_plan& plan, int32_t buffer)
{
    const Problem& problem = *plan.problem;
    if (!plan.plan.placements[at(buffer)].placed()) return fmt::format("{} is not placed\n", problem.buffers[at(buffer)].name);
    const SupportChain chain = SupportFinder(problem, plan.plan).chain(buffer);
    std::string text;
    for (std::size_t link = 0; link < chain.links.size(); ++link) text += sentence(problem, chain, link);
    return text;
}

std::string document(const stowage_plan& plan)
{
    Run run;
    auto lowering = std::make_shared<Lowering>();
    lowering->problem = *plan.problem;
    lowering->fingerprint = Fingerprint({}, plan.problem->pools, true);
    run.lowering = std::move(lowering);
    run.plan = plan.plan;
    run.report = plan.report;
    return io::writePlanJson(run);
}

} // namespace

int32_t stowage_plan_problem(stowage_problem* problem, const stowage_options* given, stowage_plan** plan)
{
    return guarded([&]() -> int32_t {
        if (!problem || !plan) return argument("the problem or the result is null");
        const auto read = known(given);
        if (!read)
            return argument(
                fmt::format("the struct_size of the options is {}, and this library knows {} bytes of them: set it to "
                            "sizeof(stowage_options), and later fields to zero",
                            given->struct_size, sizeof(stowage_options)));
        const stowage_options& options = *read;
        if (!(options.time_limit_s >= 0)) return argument("the time limit is negative");
        if (options.option_count > 0 && (!options.keys || !options.values)) return argument("the options are null");
        const auto checked = capi::checkedProblem(*problem);
        if (!checked) return STOWAGE_ERROR_PROBLEM;
        static const PlannerRegistry planners = PlannerRegistry::builtIn();
        const auto planner = planners.require(options.planner ? options.planner : "auto");
        if (!planner) return fail(planner.error());
        OptionValues values;
        for (size_t i = 0; i < options.option_count; ++i) {
            if (!options.keys[i] || !options.values[i]) return argument("an option is null");
            values.emplace_back(options.keys[i], options.values[i]);
        }
        const PlannerInfo& info = (*planner)->info();
        if (const auto error = checkOptions(info, values)) return fail(*error);
        if (const auto error = checkCapabilities(info, *checked)) return fail(*error);

        std::stop_source stop;
        PlanContext context;
        context.cancel = stop.get_token();
        context.seed = options.seed;
        context.workLimit = options.work_limit;
        context.threads = std::clamp<uint32_t>(options.threads, 1, 1024);
        if (options.time_limit_s > 0)
            context.deadline = std::chrono::steady_clock::now() +
                               std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                   std::chrono::duration<double>(std::min(options.time_limit_s, longestTime)));
        std::mutex telling;
        if (options.progress)
            context.publish = [&](const Incumbent& better) {
                Bytes size = 0;
                for (PoolId pool = 0; at(pool) < checked->pools.size(); ++pool) size += better.plan.poolSize(*checked, pool);
                const std::lock_guard lock(telling);
                if (options.progress(options.user, size, better.bound, better.work) != 0) stop.request_stop();
            };
        Expected<Plan> made = [&] {
            const CancelPoll poll(options, stop);
            return (*planner)->plan(*checked, values, context);
        }();
        if (!made) return fail(made.error());
        if (made->planner.empty()) made->planner = info.name;
        return hand(checked, *std::move(made), plan);
    });
}

int32_t stowage_plan_read(stowage_problem* problem, const char* text, size_t size, stowage_plan** plan)
{
    return guarded([&]() -> int32_t {
        if (!problem || !text || !plan) return argument("the problem, the text or the result is null");
        const auto checked = capi::checkedProblem(*problem);
        if (!checked) return STOWAGE_ERROR_PROBLEM;
        auto read = io::readPlan({text, size}, "text", *checked);
        if (!read) return fail(STOWAGE_ERROR_FORMAT, read.error(), toText(read.error()));
        return hand(checked, std::move(read->value), plan, read->mismatches);
    });
}

int32_t stowage_plan_from_offsets(stowage_problem* problem, const int64_t* offsets, const int32_t* pools, size_t count,
                                  stowage_plan** plan)
{
    return guarded([&]() -> int32_t {
        if (!problem || !plan || (count > 0 && !offsets)) return argument("the problem, the offsets or the result is null");
        const auto checked = capi::checkedProblem(*problem);
        if (!checked) return STOWAGE_ERROR_PROBLEM;
        if (count != checked->buffers.size())
            return argument(fmt::format("there are {} offsets for {} buffers", count, checked->buffers.size()));
        Plan made;
        made.planner = "offsets";
        made.placements.resize(count);
        for (size_t i = 0; i < count; ++i) {
            const PoolId pool = pools ? pools[i] : checked->candidates(checked->buffers[i]).front();
            if (pool < none || (pool != none && at(pool) >= checked->pools.size()))
                return argument(fmt::format("there is no pool {}", pool));
            made.placements[i].pool = pool;
            made.placements[i].offset = offsets[i];
        }
        return hand(checked, std::move(made), plan);
    });
}

void stowage_plan_free(stowage_plan* plan)
{
    delete plan;
}

int32_t stowage_plan_status(const stowage_plan* plan)
{
    return plan ? static_cast<int32_t>(plan->report.status) : argument("the plan is null");
}

int32_t stowage_plan_stopped_by(const stowage_plan* plan)
{
    return plan ? static_cast<int32_t>(plan->plan.stoppedBy) : argument("the plan is null");
}

int32_t stowage_plan_valid(const stowage_plan* plan)
{
    return plan ? static_cast<int32_t>(plan->report.verdict.valid()) : argument("the plan is null");
}

const char* stowage_plan_planner(const stowage_plan* plan)
{
    return plan ? plan->plan.planner.c_str() : "";
}

const char* stowage_plan_proof(const stowage_plan* plan)
{
    return plan ? plan->proof.c_str() : "";
}

const char* stowage_plan_violation(const stowage_plan* plan)
{
    return plan ? plan->violation.c_str() : "";
}

int64_t stowage_plan_size(const stowage_plan* plan)
{
    return plan ? plan->report.totalSize() : argument("the plan is null");
}

int64_t stowage_plan_bound(const stowage_plan* plan)
{
    return plan ? plan->report.totalBound() : argument("the plan is null");
}

int64_t stowage_plan_pool_size(const stowage_plan* plan, int32_t pool)
{
    if (!plan || pool < 0 || at(pool) >= plan->report.pools.size()) return argument("there is no such pool");
    return plan->report.pools[at(pool)].size;
}

int64_t stowage_plan_pool_bound(const stowage_plan* plan, int32_t pool)
{
    if (!plan || pool < 0 || at(pool) >= plan->report.pools.size()) return argument("there is no such pool");
    return plan->report.pools[at(pool)].lowerBound;
}

int64_t stowage_plan_offset(const stowage_plan* plan, int32_t buffer)
{
    const Placement* placement = placementOf(plan, buffer);
    return placement && placement->placed() ? placement->offset : -1;
}

int32_t stowage_plan_pool(const stowage_plan* plan, int32_t buffer)
{
    const Placement* placement = placementOf(plan, buffer);
    return placement ? placement->pool : STOWAGE_NONE;
}

const char* stowage_plan_json(stowage_plan* plan)
{
    return guarded(static_cast<const char*>(nullptr), [&]() -> const char* {
        if (!plan) return static_cast<void>(argument("the plan is null")), nullptr;
        return plan->json.of(0, [&] { return document(*plan); });
    });
}

const char* stowage_plan_explain(stowage_plan* plan, int32_t buffer)
{
    return guarded(static_cast<const char*>(nullptr), [&]() -> const char* {
        if (!placementOf(plan, buffer)) return argument(fmt::format("there is no buffer {}", buffer)), nullptr;
        return plan->explanations.of(buffer, [&] { return explanation(*plan, buffer); });
    });
}

int64_t stowage_plan_certificate(const stowage_plan* plan, int32_t pool, int32_t* buffers, size_t capacity)
{
    if (!plan || pool < 0 || at(pool) >= plan->report.pools.size()) return argument("there is no such pool");
    const auto& members = plan->report.pools[at(pool)].certificate.buffers;
    if (buffers) std::copy_n(members.begin(), std::min(capacity, members.size()), buffers);
    return static_cast<int64_t>(members.size());
}
