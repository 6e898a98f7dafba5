#include "app/session/incumbent_checker.h"

#include "core/plan/check.h"

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Clock::duration frame = std::chrono::microseconds{16'667};

/// A plan of which some buffers are not placed yet, and in which nothing else is wrong.
bool isPartOfAPlan(const Run& run)
{
    bool missing = false;
    for (std::size_t b = 0; b < run.plan.placements.size() && !missing; ++b)
        missing = !run.plan.placements[b].placed() && run.problem().buffers[b].size > 0;
    if (!missing) return false;
    // The list of violations ends after some, and those of another kind may come after that: one by one they are few, so the
    // buffers that are missing get a place of no size.
    Problem placed = run.problem();
    Plan plan = run.plan;
    for (std::size_t b = 0; b < plan.placements.size(); ++b)
        if (!plan.placements[b].placed()) placed.buffers[b].size = 0;
    return check(placed, plan).valid();
}

} // namespace

IncumbentChecker::~IncumbentChecker()
{
    thread_.request_stop();
}

void IncumbentChecker::submit(const Incumbent& incumbent)
{
    const std::lock_guard lock(mutex_);
    latest_ = incumbent;
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    changed_.notify_one();
}

std::size_t IncumbentChecker::refused()
{
    const std::lock_guard lock(mutex_);
    return refused_;
}

void IncumbentChecker::run(const std::stop_token& stop)
{
    auto next = Clock::now();
    std::unique_lock lock(mutex_);
    for (;;) {
        if (!changed_.wait(lock, stop, [this] { return latest_.has_value(); }) || stop.stop_requested()) return;
        // Whatever comes before the next frame replaces what is there.
        if (changed_.wait_until(lock, stop, next, [] { return false; }) || stop.stop_requested()) return;
        const Incumbent incumbent = *std::exchange(latest_, std::nullopt);
        lock.unlock();
        const auto begin = Clock::now();
        auto run = std::make_shared<Run>(prototype_);
        run->elapsedMs = std::chrono::duration<double, std::milli>(begin - started_).count();
        run->plan = incumbent.plan;
        run->report = evaluate(*run);
        bool valid = run->report.verdict.valid();
        if (!valid && isPartOfAPlan(*run)) {
            valid = true;
            run->report.status = Status::undecided;
            run->report.verdict.violations.clear();
        }
        if (valid) sink_(std::move(run), incumbent);
        const auto end = Clock::now();
        next = end + std::max(frame, 3 * (end - begin)); // checking a million buffers must not slow the planner down
        lock.lock();
        if (!valid) ++refused_;
    }
}

} // namespace stowage
