#include "core/planners/greedy/boxing.h"

#include "core/planners/climb/order_search.h"
#include "core/planners/common/table_planner.h"
#include "core/planners/placement/order.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <queue>

namespace stowage {

namespace {

constexpr std::size_t looksBetweenStops = 4096; ///< buffers that are looked at between two questions for a stop

/// A buffer, or a pile of others that lives from the first of their steps to the last.
struct Box {
    Interval live;
    double height = 0;
    BufferId buffer = none;          ///< none: a pile
    std::vector<std::int32_t> piled; ///< from the bottom up
};

class Boxer {
public:
    /// See `boxedOrder`.
    Boxer(const BufferTable& table, double coarseness, std::size_t pile, const std::function<bool()>& stop)
        : coarseness_(coarseness), pile_(pile), stop_(stop)
    {
        for (BufferId id = 0; id < table.size(); ++id) {
            const Item& item = table.item(id);
            const Interval hull = table.buffer(id).hull();
            boxes_.push_back(
                {hull.empty() ? Interval{0, 1} : hull, std::max(1.0, static_cast<double>(item.size) * item.slots), id, {}});
        }
    }

    /// All buffers, in the order of the offsets that boxing gives them. Stopped: none.
    std::vector<BufferId> order()
    {
        double greatest = 0;
        for (const Box& box : boxes_) greatest = std::max(greatest, box.height);
        std::multimap<double, std::int32_t> byHeight; // not boxed yet
        for (std::size_t k = 0; k < boxes_.size(); ++k) byHeight.emplace(boxes_[k].height, static_cast<std::int32_t>(k));
        std::vector<std::int32_t> last;
        while (!byHeight.empty()) {
            if (stop_()) return {};
            const double least = byHeight.begin()->first, limit = least * (1 + coarseness_);
            const auto end = byHeight.upper_bound(limit);
            std::vector<std::int32_t> members;
            double height = 0;
            for (auto it = byHeight.begin(); it != end; ++it) {
                members.push_back(it->second);
                height = std::max(height, it->first);
            }
            byHeight.erase(byHeight.begin(), end);
            // Where a full box would be higher than the greatest buffer, they are rows by themselves.
            if (height * static_cast<double>(pile_) > greatest) {
                last.insert(last.end(), members.begin(), members.end());
                continue;
            }
            std::vector<std::int32_t> boxed;
            box(std::move(members), height, boxed);
            if (stopped_) return {};
            for (const std::int32_t k : boxed) {
                // Those that were left alone become a little higher, so that each class ends.
                if (boxes_[at(k)].height <= limit)
                    boxes_[at(k)].height = std::max(boxes_[at(k)].height * (1 + coarseness_), limit * 1.001);
                byHeight.emplace(boxes_[at(k)].height, k);
            }
        }
        return colour(last);
    }

private:
    /// Piles `members` up where k of them meet; the boxes, and those that remain single, go to `out`. Recursion is over halves of
    /// the time, kept on a list. Ends early if it is stopped.
    void box(std::vector<std::int32_t> members, double height, std::vector<std::int32_t>& out)
    {
        std::vector<std::vector<std::int32_t>> stretches{std::move(members)};
        while (!stretches.empty()) {
            std::vector<std::int32_t> here = std::move(stretches.back());
            stretches.pop_back();
            if (here.size() < pile_) {
                out.insert(out.end(), here.begin(), here.end());
                continue;
            }
            looked_ += here.size();
            if (looked_ >= looksBetweenStops) {
                looked_ = 0;
                stopped_ = stop_();
                if (stopped_) return;
            }
            // The middle one by begin: so at least one is live at the step, and each part has at most half of them after it.
            std::nth_element(here.begin(), here.begin() + static_cast<std::ptrdiff_t>(here.size() / 2), here.end(),
                             [&](std::int32_t a, std::int32_t b) {
                                 return std::pair(boxes_[at(a)].live.begin, a) < std::pair(boxes_[at(b)].live.begin, b);
                             });
            const Step middle = boxes_[at(here[here.size() / 2])].live.begin;
            std::vector<std::int32_t> crossing, before, after;
            for (const std::int32_t k : here) {
                const Interval& live = boxes_[at(k)].live;
                (live.end <= middle ? before : live.begin > middle ? after : crossing).push_back(k);
            }
            pileUp(crossing, height, out);
            if (!before.empty()) stretches.push_back(std::move(before));
            if (!after.empty()) stretches.push_back(std::move(after));
        }
    }

    /// Boxes of `pile_` each: by begin in chunks of `pile_`^2, inside each chunk by end, so that what is piled up begins and
    /// ends at similar steps. What is left over stays single.
    void pileUp(std::vector<std::int32_t>& crossing, double height, std::vector<std::int32_t>& out)
    {
        const auto begins = [&](std::int32_t a, std::int32_t b) {
            return std::pair(boxes_[at(a)].live.begin, a) < std::pair(boxes_[at(b)].live.begin, b);
        };
        const auto ends = [&](std::int32_t a, std::int32_t b) {
            return std::pair(boxes_[at(a)].live.end, a) < std::pair(boxes_[at(b)].live.end, b);
        };
        std::sort(crossing.begin(), crossing.end(), begins);
        for (std::size_t chunk = 0; chunk < crossing.size(); chunk += pile_ * pile_) {
            const auto from = crossing.begin() + static_cast<std::ptrdiff_t>(chunk);
            const auto to = crossing.begin() + static_cast<std::ptrdiff_t>(std::min(crossing.size(), chunk + pile_ * pile_));
            std::sort(from, to, ends);
            for (auto it = from; it != to;) {
                if (static_cast<std::size_t>(to - it) < pile_) {
                    out.push_back(*it++);
                    continue;
                }
                Box box;
                box.live = boxes_[at(*it)].live;
                box.height = height * static_cast<double>(pile_);
                for (std::size_t k = 0; k < pile_; ++k, ++it) {
                    const Interval& live = boxes_[at(*it)].live;
                    box.live = {std::min(box.live.begin, live.begin), std::max(box.live.end, live.end)};
                    box.piled.push_back(*it);
                }
                out.push_back(static_cast<std::int32_t>(boxes_.size()));
                boxes_.push_back(std::move(box));
            }
        }
    }

    /// Rows of equal height: the earliest begin takes the lowest row that is free. Rows from the bottom up give the order.
    std::vector<BufferId> colour(std::vector<std::int32_t>& last)
    {
        std::stable_sort(last.begin(), last.end(),
                         [&](std::int32_t a, std::int32_t b) { return boxes_[at(a)].live.begin < boxes_[at(b)].live.begin; });
        std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> free;
        std::priority_queue<std::pair<Step, std::int32_t>, std::vector<std::pair<Step, std::int32_t>>, std::greater<>> busy;
        std::int32_t rows = 0;
        std::vector<std::pair<std::int32_t, std::int32_t>> rowOf; // row, box
        for (const std::int32_t k : last) {
            for (; !busy.empty() && busy.top().first <= boxes_[at(k)].live.begin; busy.pop()) free.push(busy.top().second);
            if (free.empty()) free.push(rows++);
            rowOf.emplace_back(free.top(), k);
            busy.emplace(boxes_[at(k)].live.end, free.top());
            free.pop();
        }
        std::stable_sort(rowOf.begin(), rowOf.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<BufferId> order;
        std::vector<std::int32_t> open;
        for (const auto& [row, top] : rowOf) {
            open.push_back(top);
            while (!open.empty()) {
                const Box& box = boxes_[at(open.back())];
                open.pop_back();
                if (box.buffer != none) order.push_back(box.buffer);
                open.insert(open.end(), box.piled.rbegin(), box.piled.rend());
            }
        }
        return order;
    }

    double coarseness_;
    std::size_t pile_;
    const std::function<bool()>& stop_;
    std::size_t looked_ = 0; ///< buffers looked at since the last question for a stop within a class
    bool stopped_ = false;
    std::vector<Box> boxes_;
};

class Boxing : public TablePlanner {
public:
    Boxing()
        : TablePlanner({
              .name = "boxing",
              .summary =
                  "Packs thin buffers into boxes and boxes into larger ones, colours these as intervals, and closes the gaps by "
                  "first fit.",
              .source = "Buchsbaum et al. 2003; idealloc (Lamprakos et al. 2025)",
              .options = {{.name = "rounds",
                           .type = OptionType::integer,
                           .defaultValue = "8",
                           .description = "Number of combinations of coarseness and box height that are tried.",
                           .choices = {},
                           .minimum = 1,
                           .maximum = 64}},
              .takes = {},
              .lowering = {},
          })
    {
    }

private:
    [[nodiscard]] Expected<Plan> place(const BufferTable& table, const OptionValues& options,
                                       const PlanContext& context) const override
    {
        OrderSearch search(info(), options, table, context);
        const auto rounds = optionInteger(info(), options, "rounds");
        constexpr double coarseness[] = {0.1, 0.5, 1.0, 0.02};
        const std::function<bool()> stop = [&] { return context.shouldStop(search.work()).has_value(); };
        for (std::int64_t round = 0; round < rounds && (round == 0 || !search.closed()); ++round) {
            const std::size_t pile = std::size_t{2} << (round / 4 % 4);
            std::vector<BufferId> order = boxedOrder(table, coarseness[round % 4], pile, stop);
            if (order.empty()) { // stopped: the search stops at the first buffer, for the same reason, and completes the plan
                order.resize(at(table.size()));
                std::iota(order.begin(), order.end(), BufferId{0});
            }
            if (!search.tryOrder(order)) break;
        }
        return search.finish();
    }
};

} // namespace

std::vector<BufferId> boxedOrder(const BufferTable& table, double coarseness, std::size_t pile, const std::function<bool()>& stop)
{
    return Boxer(table, coarseness, pile, stop).order();
}

std::shared_ptr<const Planner> boxing()
{
    return std::make_shared<Boxing>();
}

} // namespace stowage
