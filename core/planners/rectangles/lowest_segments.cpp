#include "core/planners/rectangles/lowest_segments.h"

#include "core/ir/random.h"

#include <algorithm>
#include <array>
#include <limits>

namespace stowage::exact {

namespace {

constexpr double levelWith = 3; ///< what coming level with a neighbour is worth

struct Weights {
    double begin = 1, end = 1, cover = 1, size = 0, noise = 0;
};

class LowestSegments {
public:
    LowestSegments(const LineGraph& graph, const AlignedParts& aligned)
        : parts_(graph.parts()), aligned_(aligned), beginning_(at(graph.events() - 1))
    {
        for (std::size_t p = 0; p < parts_.size(); ++p) {
            if (parts_[p].melted) continue;
            beginning_[at(parts_[p].beginEvent)].push_back(static_cast<std::int32_t>(p));
            largest_ = std::max(largest_, static_cast<double>(parts_[p].size));
            ++count_;
        }
    }

    /// One layout by these weights; false when it would not end below `below`.
    bool fill(const Weights& weights, Bytes below, Dice& dice, std::vector<Bytes>& offsets, std::uint64_t& work)
    {
        constexpr Bytes wall = std::numeric_limits<Bytes>::max();
        left_ = beginning_;
        offsets.assign(parts_.size(), -1);
        std::vector<Bytes> heights(beginning_.size(), 0);
        for (std::size_t placed = 0; placed < count_;) {
            const auto lowest = std::min_element(heights.begin(), heights.end());
            const Bytes base = *lowest;
            if (base >= below) return false;
            const auto first = static_cast<std::int32_t>(lowest - heights.begin());
            const auto last = static_cast<std::int32_t>(std::find_if(lowest, heights.end(), [&](Bytes h) { return h != base; }) -
                                                        heights.begin());
            const Bytes left = first > 0 ? heights[at(first - 1)] : wall,
                        right = at(last) < heights.size() ? heights[at(last)] : wall;
            work += heights.size() / 8;
            std::int32_t best = -1;
            double bestScore = 0;
            for (std::int32_t event = first; event < last; ++event)
                for (const std::int32_t p : left_[at(event)]) {
                    ++work;
                    const LineGraph::Part& part = parts_[at(p)];
                    if (part.endEvent > last || !aligned_.canBegin(p, base)) continue;
                    const bool atBegin = event == first, atEnd = part.endEvent == last;
                    double score = (atBegin ? weights.begin : 0) + (atEnd ? weights.end : 0) +
                                   weights.size * static_cast<double>(part.size) / largest_ +
                                   weights.cover * static_cast<double>(part.endEvent - event) / static_cast<double>(last - first);
                    if (atBegin && base + part.size == left) score += levelWith;
                    if (atEnd && base + part.size == right) score += levelWith;
                    if (weights.noise > 0) score += weights.noise * static_cast<double>(dice.below(1000)) / 1000;
                    if (best < 0 || score > bestScore) best = p, bestScore = score;
                }
            if (best < 0) { // up to the neighbour, or to where the next one is aligned
                Bytes up = std::min(left, right);
                for (std::int32_t event = first; event < last; ++event)
                    for (const std::int32_t p : left_[at(event)])
                        if (parts_[at(p)].endEvent <= last) up = aligned_.nextBegin(p, base + 1, up);
                if (up == wall) return false;
                std::fill(heights.begin() + first, heights.begin() + last, up);
                continue;
            }
            const LineGraph::Part& part = parts_[at(best)];
            if (base + part.size >= below) return false;
            offsets[at(best)] = base;
            std::fill(heights.begin() + part.beginEvent, heights.begin() + part.endEvent, base + part.size);
            std::erase(left_[at(part.beginEvent)], best);
            ++placed;
        }
        height_ = *std::max_element(heights.begin(), heights.end());
        return true;
    }
    /// Of the last layout.
    [[nodiscard]] Bytes height() const { return height_; }

private:
    const std::vector<LineGraph::Part>& parts_;
    const AlignedParts& aligned_;
    std::vector<std::vector<std::int32_t>> beginning_, left_; ///< parts by event
    double largest_ = 1;
    std::size_t count_ = 0;
    Bytes height_ = 0;
};

} // namespace

std::vector<Bytes> fillLowestSegments(const LineGraph& graph, const AlignedParts& aligned, Bytes below, const FillLimits& limits,
                                      std::uint64_t& work)
{
    LowestSegments segments(graph, aligned);
    Dice dice(graph.parts().size());
    const auto uniform = [&](double low, double high) {
        return low + (high - low) * static_cast<double>(dice.below(1000)) / 1000;
    };
    std::vector<Bytes> best, offsets;
    Weights bestWeights;
    const std::uint64_t end = work + limits.work;
    for (int run = 0; work < end && !(limits.stop && limits.stop()); ++run) {
        Weights weights;
        if (run > 8 && run % 4 != 0 && !best.empty()) {
            weights = bestWeights;
            for (double* weight : {&weights.begin, &weights.end, &weights.cover, &weights.size}) *weight += uniform(-0.4, 0.4);
            weights.noise = run % 4 == 1 ? 0 : uniform(0, 0.3);
        } else if (run > 0) {
            weights = {uniform(0, 6), uniform(0, 4), uniform(0, 4), uniform(-4, 6), run % 2 == 0 ? 0 : uniform(0, 1)};
        }
        if (!segments.fill(weights, below, dice, offsets, work)) continue;
        best = offsets;
        bestWeights = weights;
        below = segments.height();
    }
    return best;
}

} // namespace stowage::exact
