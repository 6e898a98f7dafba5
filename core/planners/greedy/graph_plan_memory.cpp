#include "core/planners/greedy/graph_plan_memory.h"

#include "core/ir/checked.h"
#include "core/plan/recorder.h"
#include "core/planners/common/buffer_table.h"
#include "core/planners/common/overflow.h"
#include "core/planners/common/table_planner.h"
#include "core/planners/greedy/naive.h"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

constexpr std::uint64_t workBetweenQuestions = 256; ///< tokens looked at between two questions for a stop

struct Token {
    PoolId pool = none;
    Bytes size = 0;
    Bytes alignment = 1;
    std::int32_t busyUntil = 0;    ///< rank
    bool exclusive = false;        ///< of a unique buffer: never handed on
    std::vector<BufferId> members; ///< in the order in which they had it
};

class Tokens {
public:
    Tokens(const BufferTable& table, Bytes range, const PlanContext& context)
        : table_(table),
          range_(range),
          context_(context),
          free_(table.problem().pools.size()),
          used_(table.problem().pools.size()),
          tokensOf_(at(table.size())),
          costsGrow_(costsGrow(table))
    {
    }

    void run()
    {
        std::vector<BufferId> order;
        for (BufferId b = 0; b < table_.size(); ++b)
            if (!table_.buffer(b).pin) order.push_back(b);
        // By first step; what has none comes last, and then everything is free but what it conflicts with.
        std::vector<std::pair<std::int32_t, std::int32_t>> span(at(table_.size()));
        for (const BufferId b : order) span[at(b)] = hullOf(b);
        std::stable_sort(order.begin(), order.end(),
                         [&](BufferId a, BufferId b) { return span[at(a)].first < span[at(b)].first; });
        for (const BufferId b : order) {
            release(span[at(b)].first);
            askForStop();
            if (context_.workLimit > 0 && work_ >= context_.workLimit && stoppedBy_ == StoppedBy::complete)
                stoppedBy_ = StoppedBy::workLimit;
            request(b, span[at(b)].second);
        }
    }

    /// The tokens end to end, by the planner that does nothing else.
    Expected<Plan> finish(const PlannerInfo& info, const OptionValues& options)
    {
        const Problem& problem = table_.problem();
        Problem tokens;
        tokens.pools = problem.pools;
        std::vector<BufferId> pinned(table_.pinned().begin(), table_.pinned().end());
        const auto add = [&](Bytes size, Bytes alignment, const std::vector<PoolId>& pools) -> Buffer& {
            Buffer& buffer = tokens.buffers.emplace_back();
            buffer.size = size;
            buffer.alignment = alignment;
            buffer.live = {{0, 1}};
            buffer.pools = pools;
            return buffer;
        };
        for (const BufferId b : pinned) {
            const Buffer& from = table_.buffer(b);
            Buffer& buffer = tokens.buffers.emplace_back(from);
            // Pins may share bytes where their lives or permissions allow; that is judged as it was, of the others by bytes
            // alone.
            eraseIf(buffer.conflicts, [&](BufferId other) { return !table_.buffer(other).pin; });
            eraseIf(buffer.mayShare, [&](BufferId other) { return !table_.buffer(other).pin; });
            const auto renumber = [&](RareList<BufferId>& ids) {
                for (BufferId& id : ids)
                    id = static_cast<BufferId>(std::lower_bound(pinned.begin(), pinned.end(), id) - pinned.begin());
            };
            renumber(buffer.conflicts);
            renumber(buffer.mayShare);
        }
        tokens.axis = problem.axis;
        tokens.loops = problem.loops;
        for (const Token& token : tokens_) add(token.size, token.alignment, {token.pool});
        PlanContext whole;
        auto laid = naive()->plan(tokens, {}, whole);
        if (!laid) return laid;

        Plan plan;
        plan.planner = info.name;
        plan.options = options;
        plan.seed = context_.seed;
        plan.stoppedBy = stoppedBy_;
        plan.work = work_ + laid->work;
        plan.placements.resize(at(table_.size()));
        for (std::size_t i = 0; i < pinned.size(); ++i) plan.placements[at(pinned[i])] = laid->placements[i];
        for (BufferId b = 0; b < table_.size(); ++b) {
            if (table_.buffer(b).pin) continue;
            Placement& placement = plan.placements[at(b)];
            for (const std::size_t token : tokensOf_[at(b)]) {
                placement.pool = tokens_[token].pool;
                placement.offsets.push_back(laid->placements[pinned.size() + token].offset);
            }
            placement.offset = placement.offsets.front();
            if (placement.offsets.size() == 1)
                placement.offsets.clear();
            else
                placement.rotations.push_back({table_.buffer(b).loop, table_.item(b).slots, false});
        }
        for (Diagnostic& told : laid->diagnostics)
            if (told.code != Code::overflow) plan.diagnostics.push_back(std::move(told));
        for (PoolId p = 0; p < static_cast<PoolId>(problem.pools.size()); ++p) {
            const auto& capacity = problem.pools[at(p)].capacity;
            if (capacity && plan.poolSize(problem, p) > *capacity) plan.diagnostics.push_back(describeOverflow(problem, plan, p));
        }
        record(plan);
        return plan;
    }

private:
    using Free =
        std::map<std::pair<Bytes, std::size_t>, bool>; ///< by size, then number; a map, as the nearest sizes are asked for

    /// True if no common alignment of buffers and pools is so large that `cost` leaves it out. Then a token never costs less than
    /// before when it grows.
    static bool costsGrow(const BufferTable& table)
    {
        std::optional<Bytes> common = 1;
        Bytes largest = 0;
        for (const Pool& pool : table.problem().pools)
            if (common) common = checkedLcm(*common, pool.alignment);
        for (BufferId b = 0; common && b < table.size(); ++b) {
            largest = std::max(largest, table.item(b).size);
            if (const Bytes alignment = table.item(b).alignment; *common % alignment != 0)
                common = checkedLcm(*common, alignment);
        }
        return common && *common <= maxBytes - largest;
    }

    /// Asks for a stop after some work. The work limit ends the planning between two requests only: see `run`.
    void askForStop()
    {
        if (stoppedBy_ != StoppedBy::complete || work_ < nextStop_) return;
        nextStop_ = work_ + workBetweenQuestions;
        if (const auto stop = context_.shouldStop(0)) stoppedBy_ = *stop;
    }

    /// First and one past the last rank in which it is occupied in any way. Timeless ones come after all.
    [[nodiscard]] std::pair<std::int32_t, std::int32_t> hullOf(BufferId b) const
    {
        const std::int32_t end = table_.grid().size();
        if (table_.item(b).timeless) return {end, end + 1};
        std::pair<std::int32_t, std::int32_t> hull{end, 0};
        table_.forEachStretch(table_.item(b), [&](const RankStretch& stretch) {
            hull = {std::min(hull.first, stretch.ranks.begin), std::max(hull.second, stretch.ranks.end)};
        });
        return hull;
    }

    void release(std::int32_t now)
    {
        while (!busy_.empty() && busy_.top().first <= now) {
            const std::size_t token = busy_.top().second;
            busy_.pop();
            if (!tokens_[token].exclusive) free_[at(tokens_[token].pool)].insert({{tokens_[token].size, token}, true});
        }
    }

    /// Nobody who had the token is in explicit conflict with `b`, nor another slot of it.
    [[nodiscard]] bool takes(std::size_t token, BufferId b) const
    {
        const Item& item = table_.item(b);
        if (table_.anyUnique() && table_.buffer(b).unique) return false;
        if (!item.special) return true;
        const RareList<BufferId>& conflicts = table_.buffer(b).conflicts;
        for (const BufferId member : tokens_[token].members)
            if (member == b || std::binary_search(conflicts.begin(), conflicts.end(), member)) return false;
        return true;
    }

    /// Whether the pool still has room when it needs so much more. Each token counts with what its alignment may cost.
    [[nodiscard]] bool fits(PoolId pool, Bytes more) const
    {
        const auto& capacity = table_.problem().pools[at(pool)].capacity;
        return !capacity || more <= *capacity - used_[at(pool)];
    }
    [[nodiscard]] Bytes cost(PoolId pool, Bytes size, Bytes alignment) const
    {
        const Bytes grid = checkedLcm(alignment, table_.problem().pools[at(pool)].alignment).value_or(1);
        return grid > maxBytes - size ? size : alignUp(size, grid);
    }

    void request(BufferId b, std::int32_t until)
    {
        const auto candidates = table_.candidates(b);
        if (const Item& item = table_.item(b); item.slots > 1) { // all in one pool
            const Bytes more =
                checkedMultiply(cost(candidates.front(), item.size, item.alignment), item.slots).value_or(maxBytes);
            const auto roomy = std::find_if(candidates.begin(), candidates.end(), [&](PoolId pool) { return fits(pool, more); });
            const PoolId pool = roomy == candidates.end() ? candidates.back() : *roomy;
            for (std::int32_t slot = 0; slot < item.slots; ++slot)
                if (!reuse(b, pool, until, true)) create(b, pool, until, true);
            return;
        }
        for (const PoolId pool : candidates)
            if (reuse(b, pool, until, false) || create(b, pool, until, false)) return;
        if (!reuse(b, candidates.back(), until, true)) create(b, candidates.back(), until, true);
    }

    /// Takes a free token of the pool: the smallest that is large enough, up to `range_` times the size, else the largest that
    /// is smaller, down to size / `range_`. `evenOver`: above the pool's capacity, too.
    bool reuse(BufferId b, PoolId pool, std::int32_t until, bool evenOver)
    {
        Free& free = free_[at(pool)];
        if (free.empty() || stoppedBy_ != StoppedBy::complete) return false;
        if (!evenOver && costsGrow_ && !fits(pool, 0)) return false; // the pool is too full already, and no token shrinks
        const Bytes size = table_.item(b).size;
        const Bytes most = checkedMultiply(size, range_).value_or(maxBytes);
        const auto middle = free.lower_bound({size, 0});
        for (auto it = middle; it != free.end() && it->first.first <= most; ++it) {
            if (take(free, it, b, pool, until, evenOver)) return true;
            askForStop();
            if (stoppedBy_ != StoppedBy::complete) return false;
        }
        const Bytes least = size / range_;
        for (auto it = middle; it != free.begin();) {
            --it;
            if (it->first.first < least) break;
            if (take(free, it, b, pool, until, evenOver)) return true;
            askForStop();
            if (stoppedBy_ != StoppedBy::complete) return false;
        }
        return false;
    }

    /// Takes this token, enlarged to the buffer's size, unless a conflict, or the room in the pool, forbids it.
    bool take(Free& free, Free::iterator it, BufferId b, PoolId pool, std::int32_t until, bool evenOver)
    {
        ++work_;
        const std::size_t number = it->first.second;
        if (!takes(number, b)) return false;
        Token& token = tokens_[number];
        const Bytes size = std::max(token.size, table_.item(b).size);
        const auto common = checkedLcm(token.alignment, table_.item(b).alignment);
        if (!common) return false;
        const Bytes aligned = *common;
        const Bytes more = cost(pool, size, aligned) - cost(pool, token.size, token.alignment);
        if (!evenOver && !fits(pool, more)) return false;
        used_[at(pool)] += more;
        token.size = size;
        token.alignment = aligned;
        free.erase(it);
        hand(number, b, until);
        return true;
    }

    bool create(BufferId b, PoolId pool, std::int32_t until, bool evenOver)
    {
        ++work_;
        const Item& item = table_.item(b);
        const Bytes more = cost(pool, item.size, item.alignment);
        if (!evenOver && !fits(pool, more)) return false;
        used_[at(pool)] = std::min(maxBytes, used_[at(pool)] + more);
        tokens_.push_back({pool, item.size, item.alignment, 0, false, {}});
        hand(tokens_.size() - 1, b, until);
        return true;
    }

    void hand(std::size_t number, BufferId b, std::int32_t until)
    {
        Token& token = tokens_[number];
        token.members.push_back(b);
        token.busyUntil = until;
        token.exclusive = table_.anyUnique() && table_.buffer(b).unique;
        tokensOf_[at(b)].push_back(number);
        if (table_.item(b).timeless) { // free at once for those that it does not conflict with
            if (!token.exclusive) free_[at(token.pool)].insert({{token.size, number}, true});
        } else {
            busy_.emplace(until, number);
        }
    }

    void record(const Plan& plan)
    {
        if (!context_.recorder) return;
        const std::uint16_t pin = context_.recorder->reason(StepRule::pinned);
        const std::uint16_t fresh = context_.recorder->reason(StepRule::freshToken);
        const std::uint16_t again = context_.recorder->reason(StepRule::freeToken);
        for (BufferId b = 0; b < table_.size(); ++b) {
            const auto& tokens = tokensOf_[at(b)];
            const bool first = !tokens.empty() && tokens_[tokens.front()].members.front() == b;
            const std::uint16_t why = tokens.empty() ? pin : first ? fresh : again;
            context_.recorder->add({StepKind::place, why, b, plan.placements[at(b)].pool, plan.placements[at(b)].offset});
        }
    }

    const BufferTable& table_;
    Bytes range_;
    const PlanContext& context_;
    std::vector<Token> tokens_;
    std::vector<Free> free_;                         ///< by pool
    std::vector<Bytes> used_;                        ///< by pool: no less than what the tokens take
    std::vector<std::vector<std::size_t>> tokensOf_; ///< by buffer: one for each slot
    std::priority_queue<std::pair<std::int32_t, std::size_t>, std::vector<std::pair<std::int32_t, std::size_t>>, std::greater<>>
        busy_;
    const bool costsGrow_;
    std::uint64_t work_ = 0;
    std::uint64_t nextStop_ = 0; ///< the context is asked at this work or the next one after it
    StoppedBy stoppedBy_ = StoppedBy::complete;
};

class GraphPlanMemory : public TablePlanner {
public:
    GraphPlanMemory()
        : TablePlanner({
              .name = "graph-plan-memory",
              .summary = "TVM's older planner: storage tokens pass from buffer to buffer, and grow if needed.",
              .source = "Apache TVM, GraphPlanMemory",
              .options = {{.name = "range",
                           .type = OptionType::integer,
                           .defaultValue = "16",
                           .description = "A free token suits when its size is within this factor of the buffer's.",
                           .choices = {},
                           .minimum = 1,
                           .maximum = 1e9}},
              .takes = {},
              .lowering = {},
          })
    {
    }

private:
    [[nodiscard]] Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                       const PlanContext& context) const override
    {
        Tokens tokens(table, optionInteger(info(), options, "range"), context);
        tokens.run();
        return tokens.finish(info(), options);
    }
};

} // namespace

std::shared_ptr<const Planner> graphPlanMemory()
{
    return std::make_shared<GraphPlanMemory>();
}

} // namespace stowage
